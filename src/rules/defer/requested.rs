//! Requests that say themselves which tools they defer. No rule of the checklist, which is Claude Code's.

use crate::model::{Decision, DeferFlag, Verdict};

/// The verdict that a tool's own flag gives.
pub fn requested(flag: DeferFlag) -> Verdict {
    let (decision, evidence) = match flag.defers() {
        true => (Decision::Defer, "the request marks it defer_loading"),
        false => (Decision::Load, "the request does not mark it defer_loading"),
    };
    Verdict {
        decision,
        rule: "requested",
        evidence: evidence.to_owned(),
    }
}
