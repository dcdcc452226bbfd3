//! What would turn the auto threshold: the percentages between which its answer changes, found by asking the gate.

use super::explain::{Change, ask_with};
use crate::audit::GateFacts;
use crate::data::{Data, Profile};
use serde::Serialize;

/// The percentages that `ENABLE_TOOL_SEARCH=auto:N` takes; 0 and 100 are modes of their own.
const PERCENTAGES: std::ops::RangeInclusive<u64> = 1..=99;

/// Where the auto threshold turns, for the tools, the model and the window of one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurningPoint {
    /// The highest N of `ENABLE_TOOL_SEARCH=auto:N` that defers; absent where none is known to.
    pub defers_up_to: Option<u64>,
    /// The lowest N that loads everything; absent where none is known to.
    pub loads_from: Option<u64>,
    /// What the deferrable definitions measure, in the unit that decides.
    pub measured: u64,
    /// `tokens` or `characters`.
    pub unit: &'static str,
    /// Definitions are unknown: what was measured is a lower bound.
    pub at_least: bool,
    /// The window that the percentages are of, in tokens.
    pub context_window: u64,
}

/// Finds the turning point; absent where nothing was measured, or where another step decides whatever N is.
pub(super) fn turning_point(
    facts: &GateFacts,
    profile: &Profile,
    data: &Data,
) -> Option<TurningPoint> {
    let ask = |percent: u64| {
        let change = Change {
            key: "ENABLE_TOOL_SEARCH".to_owned(),
            value: format!("auto:{percent}"),
        };
        ask_with(facts, profile, &change, data).ok()
    };
    let (least, most) = (ask(*PERCENTAGES.start())?, ask(*PERCENTAGES.end())?);
    let by_threshold = |row: &super::WhatIfRow| row.step == "threshold";
    if !by_threshold(&least) && !by_threshold(&most) {
        return None;
    }
    let line = facts.ask(profile).threshold?;
    let measured = line.measured()?;
    // A higher percentage never defers what a lower one loads: the answers stand in order.
    let answers = |percent: u64| ask(percent).and_then(|row| row.enabled);
    let defers_up_to = last(|percent| answers(percent) == Some(true));
    let loads_from = match last(|percent| answers(percent) != Some(false)) {
        None => Some(*PERCENTAGES.start()),
        Some(percent) if PERCENTAGES.contains(&(percent + 1)) => Some(percent + 1),
        Some(_) => None,
    };
    Some(TurningPoint {
        defers_up_to,
        loads_from,
        measured,
        unit: line.method,
        at_least: line.at_least,
        context_window: line.context_window,
    })
}

/// The last percentage for which a condition holds that, once it has failed, stays failed.
fn last(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (*PERCENTAGES.start(), *PERCENTAGES.end() + 1);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    PERCENTAGES.contains(&(low - 1)).then(|| low - 1)
}

#[cfg(test)]
mod tests {
    use super::last;

    #[test]
    fn the_last_percentage_is_found() {
        for bound in 0..=100 {
            let expected = (1..=99).rev().find(|percent| *percent <= bound);
            assert_eq!(last(|percent| percent <= bound), expected, "{bound}");
        }
    }
}
