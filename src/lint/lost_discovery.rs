//! A tool was called whose discovery a compaction had lost.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level};

pub(super) const LINT: Lint = Lint {
    code: "called-after-compaction",
    level: Level::Warn,
    what: "a tool was called whose discovery a compaction had lost: no list of discovered tools, no new reference",
    why: "the definition is not in the prompt, so the call is a guess",
    cure: "search the tool again after a compaction; newer clients keep a list of discovered tools",
    source: "deferral article; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for name in &looked.turn.lost_calls {
        let short = Hazards::short(name);
        let message = format!("{short} was discovered before a compaction and called after it");
        found.tell(name, "", message);
    }
}
