//! A `tool_reference` names a tool that is not in the tool list.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level, Shape};
use std::collections::BTreeSet;

pub(super) const LINT: Lint = Lint {
    code: "unresolved-tool-reference",
    level: Level::Error,
    what: "a tool_reference names a tool that is not in the tool list",
    why: "the API answers 400 to this request, and to every later one with this history",
    cure: "keep every tool that the history refers to in the list, or start a new conversation",
    source: "tool search guide, error handling; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let request = looked.request;
    if !looked.audit.pool_is_known || request.tools.shape == Shape::Absent {
        return;
    }
    let listed = || request.tools.tools.iter().chain(&request.wire.inline);
    // Which tools a set holds is not to be seen.
    if listed().any(super::is_set) {
        return;
    }
    let listed: BTreeSet<&str> = listed().map(|tool| &*tool.name).collect();
    let kept = request.hazards.kept_references.as_ref();
    for reference in kept.unwrap_or(&request.references) {
        if !listed.contains(&*reference.name) {
            let message = format!(
                "{} is referred to and not in the tool list",
                Hazards::short(&reference.name)
            );
            found.tell(&reference.name, &reference.pointer, message);
        }
    }
}
