//! Tools are deferred, and no search tool is there to find them.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, State};

pub(super) const LINT: Lint = Lint {
    code: "deferred-without-search",
    level: Level::Warn,
    what: "tools are deferred, and no search tool is there to find them",
    why: "they cannot be reached: the model knows their names at most",
    cure: "send ToolSearch or a tool_search_tool with them, or load them",
    source: "issue reports; tool search guide",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    if !looked.audit.pool_is_known || looked.has_search() || looked.all_deferred() {
        return;
    }
    let hazards = &looked.request.hazards;
    let mut sent = looked.request.tools.tools.iter();
    // A tool that has found others is a search of somebody's own, and additions need none.
    if hazards.adds_tools || sent.any(|tool| hazards.finders.contains(&tool.name)) {
        return;
    }
    let deferred = looked.audit.tools.iter();
    let mut deferred = deferred.filter(|tool| tool.state == State::Deferred);
    let Some(first) = deferred.next() else { return };
    let more = deferred.count();
    let message = match more {
        0 => "deferred and unreachable: no search tool in this request".to_owned(),
        more => {
            format!("deferred and unreachable with {more} others: no search tool in this request")
        }
    };
    found.tell(&first.name, &looked.pointer(first), message);
}
