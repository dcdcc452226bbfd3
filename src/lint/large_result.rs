//! A tool gave back more than 10,000 tokens.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "large-result",
    level: Level::Warn,
    what: "a tool gave back more than 10,000 tokens",
    why: "every later request of the session pays for it again",
    cure: "ask the tool for less, or set MAX_MCP_OUTPUT_TOKENS",
    source: "mcp page: the client warns at 10,000 tokens",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for result in &looked.request.hazards.large_results {
        let subject = result.tool.as_deref().unwrap_or("result");
        found.tell(
            subject,
            &result.pointer,
            format!("a result of {} tokens", result.tokens.0),
        );
    }
}
