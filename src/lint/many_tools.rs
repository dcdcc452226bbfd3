//! More than 30 tools are loaded.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, State};

pub(super) const LINT: Lint = Lint {
    code: "many-loaded-tools",
    level: Level::Warn,
    what: "more than 30 tools are loaded",
    why: "models choose worse among many tools, and each is paid in every request",
    cure: "defer what is used seldom, or remove a server",
    source: "tool search guide: accuracy falls beyond 30 to 50 tools",
    check: Check::Request(check),
};

const MOST: usize = 30;

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let loaded = looked.audit.tools.iter();
    let loaded = loaded.filter(|tool| tool.state == State::Loaded).count();
    if looked.is_main() && loaded > MOST {
        found.tell("tools", "/tools", format!("{loaded} tools are loaded"));
    }
}
