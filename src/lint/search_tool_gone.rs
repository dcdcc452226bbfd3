//! The history calls a search tool that the list no longer has.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SEARCH_TOOLS, Shape};

pub(super) const LINT: Lint = Lint {
    code: "search-tool-gone",
    level: Level::Info,
    what: "the history calls a search tool that the list no longer has",
    why: "what it found stays, nothing more can be found",
    cure: "see whether tool search was switched off in mid-session",
    source: "issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let request = looked.request;
    let unknown = !looked.audit.pool_is_known || request.tools.shape == Shape::Absent;
    if unknown || looked.has_search() {
        return;
    }
    let called = request.calls.iter();
    for (name, _) in called.filter(|(name, _)| SEARCH_TOOLS.contains(&&**name)) {
        found.tell(
            name,
            "/tools",
            format!("{name} was called and is not in the tool list now"),
        );
    }
}
