//! Tool search is on for fewer than 10 tools.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, Observed, State};

pub(super) const LINT: Lint = Lint {
    code: "search-for-few",
    level: Level::Info,
    what: "tool search is on for fewer than 10 tools",
    why: "the search tool, the block and the searches may cost more than they save",
    cure: "load them, with alwaysLoad or ENABLE_TOOL_SEARCH=auto",
    source: "tool search guide: fewer than 10 tools need no search",
    check: Check::Request(check),
};

const FEW: usize = 10;

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let gate = looked.audit.gate.as_ref();
    let on = gate.is_some_and(|gate| gate.observed == Observed::On);
    let pool = looked.audit.tools.iter();
    let held = |state| {
        matches!(
            state,
            State::Deferred | State::Discovered | State::Announced
        )
    };
    let pool = pool.filter(|tool| held(tool.state)).count();
    if on && looked.has_search() && (1..FEW).contains(&pool) {
        found.tell(
            "tools",
            "/tools",
            format!("tool search is on for {pool} tools"),
        );
    }
}
