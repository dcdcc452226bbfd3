//! Captured behind a host that is not the API's own, with tool search off and MCP tools loaded.

use super::{Check, Found, Lint, Looked};
use crate::model::{Kind, Level, Observed, State};

pub(super) const LINT: Lint = Lint {
    code: "proxy-without-search",
    level: Level::Warn,
    what: "captured behind a host that is not the API's own, with tool search off and MCP tools loaded",
    why: "the client switches tool search off there unless ENABLE_TOOL_SEARCH is set: the capture changed what it measures",
    cure: "set ENABLE_TOOL_SEARCH while capturing, or capture with OTEL_LOG_RAW_API_BODIES",
    source: "mcp page, 2026-08-22",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let gate = looked.audit.gate.as_ref();
    let off = gate.is_some_and(|gate| gate.observed == Observed::Off);
    let loaded = looked.audit.tools.iter();
    let loaded = loaded.filter(|tool| tool.state == State::Loaded);
    let mcp = loaded
        .filter(|tool| matches!(tool.kind, Kind::Mcp { .. }))
        .count();
    if looked.request.first_party == Some(false) && off && mcp > 0 {
        let message =
            format!("another host than the API's own, tool search off, {mcp} MCP tools loaded");
        found.tell("host", "", message);
    }
}
