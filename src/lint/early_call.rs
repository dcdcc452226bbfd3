//! A deferred tool was called before a search had found it, and the call failed.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "called-before-discovery",
    level: Level::Warn,
    what: "a deferred tool was called before a search had found it, and the call failed",
    why: "the turn was paid for and brought an error",
    cure: "say in the skill or prompt that names the tool that it has to be searched first",
    source: "notes on the client; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for call in &looked.request.hazards.early_calls {
        let message = format!(
            "called before discovery; the error stands at {}",
            call.result
        );
        found.tell(&call.tool, &call.pointer, message);
    }
}
