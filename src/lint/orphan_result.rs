//! A `tool_result` has no `tool_use` in the message before it.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "orphan-tool-result",
    level: Level::Error,
    what: "a tool_result has no tool_use in the message before it",
    why: "the API answers 400 to this request, and to every later one with this history",
    cure: "send both or none; a compaction or an edit of the history may have lost one",
    source: "tool use page; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let orphans = looked.request.hazards.orphans.iter();
    for orphan in orphans.filter(|orphan| orphan.is_result) {
        // The id is nobody's business: the place names it.
        found.tell(
            &orphan.pointer,
            &orphan.pointer,
            "a tool_result has no tool_use in the message before it".to_owned(),
        );
    }
}
