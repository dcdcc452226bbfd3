//! A deferred tool has a cache breakpoint.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level};

pub(super) const LINT: Lint = Lint {
    code: "defer-with-cache-control",
    level: Level::Error,
    what: "a deferred tool has a cache breakpoint",
    why: "the API answers 400: a tool cannot have both",
    cure: "put the breakpoint on the last tool that is not deferred",
    source: "tool search guide; issue reports (the tool reference page says otherwise)",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let tools = &looked.request.tools.tools;
    let last = tools.iter().rev().find(|tool| !tool.flags.defer.defers());
    for tool in tools {
        if tool.flags.defer.defers() && tool.flags.cache_control {
            let better = last.map_or_else(String::new, |last| {
                format!(
                    "; the last tool that is not deferred is {} (tools[{}])",
                    Hazards::short(&last.name),
                    last.index
                )
            });
            let message = format!("deferred, with a cache breakpoint{better}");
            found.tell(&tool.name, &format!("/tools/{}", tool.index), message);
        }
    }
}
