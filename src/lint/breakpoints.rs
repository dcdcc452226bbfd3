//! A request has more than four cache breakpoints.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "too-many-breakpoints",
    level: Level::Error,
    what: "a request has more than four cache breakpoints",
    why: "the API answers 400",
    cure: "keep four: the last tool, the system prompt, and two in the conversation",
    source: "prompt caching page",
    check: Check::Request(check),
};

const MOST: u64 = 4;

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let hazards = &looked.request.hazards;
    if hazards.breakpoints > MOST {
        let places: Vec<&str> = hazards
            .breakpoint_pointers
            .iter()
            .map(|place| &**place)
            .collect();
        let message = format!(
            "{} cache_control blocks, maximum {MOST}: {}",
            hazards.breakpoints,
            places.join(", ")
        );
        let fifth = places.get(4).copied().unwrap_or_default();
        found.tell("cache_control", fifth, message);
    }
}
