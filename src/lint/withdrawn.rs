//! A tool that the session had discovered is no longer sent.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, Shape};
use std::collections::BTreeSet;

pub(super) const LINT: Lint = Lint {
    code: "discovered-tool-withdrawn",
    level: Level::Warn,
    what: "a tool that the session had discovered is no longer sent",
    why: "the model knows it and cannot call it; a reference left in the history makes the API answer 400",
    cure: "keep discovered tools in the list, or drop their references",
    source: "issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let Some(before) = looked.before() else {
        return;
    };
    let request = looked.request;
    if !looked.audit.pool_is_known || request.tools.shape == Shape::Absent {
        return;
    }
    let now: BTreeSet<&str> = request.tools.tools.iter().map(|tool| &*tool.name).collect();
    // A reference that is still there is another lint's.
    let referred: BTreeSet<&str> = request.references.iter().map(|r| &*r.name).collect();
    for tool in &before.tools.tools {
        let discovered = looked.turn.discovered.get(&tool.name).is_some();
        if discovered && !now.contains(&*tool.name) && !referred.contains(&*tool.name) {
            let message = "discovered before, and not in the tool list now".to_owned();
            found.tell(&tool.name, "/tools", message);
        }
    }
}
