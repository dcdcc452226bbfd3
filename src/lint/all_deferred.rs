//! Every tool of the list is deferred.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "all-deferred",
    level: Level::Error,
    what: "every tool of the list is deferred",
    why: "the API answers 400: at least one tool must be loaded",
    cure: "load the search tool and the three to five tools that are used most",
    source: "tool search guide, error handling",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    if looked.all_deferred() {
        let number = looked.request.tools.tools.len();
        found.tell(
            "tools",
            "/tools",
            format!("all {number} tools are deferred"),
        );
    }
}
