//! The same tools stand in another order than in the request before.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level};

pub(super) const LINT: Lint = Lint {
    code: "tool-order-flip",
    level: Level::Warn,
    what: "the same tools stand in another order than in the request before",
    why: "the cached prefix is lost from the first of them on, and everything after it is written anew",
    cure: "send tools in one order",
    source: "prompt caching page; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let Some(before) = looked.before() else {
        return;
    };
    let (then, now) = (super::loaded(before), super::loaded(looked.request));
    let (mut old, mut new) = (then.clone(), now.clone());
    old.sort_unstable();
    new.sort_unstable();
    if then == now || old != new {
        return;
    }
    let kept = then.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let first = Hazards::short(now.get(kept).map_or("", |(name, _)| *name));
    let message = format!(
        "the order differs from tool {kept} of {} on, {first}; {kept} tools of the prefix are kept",
        now.len()
    );
    found.tell("tools", &format!("/tools/{kept}"), message);
}
