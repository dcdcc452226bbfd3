//! What a model's requests say when they are read in one way, and how many of them agree on it.

use super::seen::Seen;
use crate::model::ToolChoice;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A request whose parts leave no more than this is exact.
pub(super) const EXACT: u64 = 2;

/// What stands beside the counted parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) auto: Option<i64>,
    pub(super) any: Option<i64>,
    pub(super) block: Option<i64>,
}

/// What a model's requests say when they are read in one way.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What the requests leave, at the median.
    pub(super) numbers: Numbers,
    /// Different requests whose parts are all known.
    pub(super) complete: u64,
    /// Of those, within [`EXACT`].
    pub(super) exact: u64,
    /// What is left of each, sorted.
    pub(super) misfits: Vec<u64>,
    /// Numbers that were found from the same requests.
    pub(super) found: u64,
    /// Requests of different sizes that agree on the prelude for auto, for any, and on the block.
    pub(super) agree: [u64; 3],
    /// Of the requests with tools, less than half are within [`EXACT`].
    pub(super) mostly_off: bool,
}

impl Reading {
    /// Finds the numbers; `block`: what deferring adds where the requests do not tell.
    pub(super) fn of(seen: &[Seen], block: i64) -> Self {
        let rests = |choice, defers| {
            let own = seen.iter().filter(move |seen| {
                seen.complete && seen.choice == Some(choice) && seen.defers == defers
            });
            own.map(Seen::rest).collect::<Vec<_>>()
        };
        let mut both: Vec<i64> = Vec::new();
        let mut prelude = |choice| {
            let loaded = median(rests(choice, false));
            let deferring = rests(choice, true);
            if let Some(prelude) = loaded {
                both.extend(deferring.iter().map(|rest| rest.saturating_sub(prelude)));
            }
            loaded.or_else(|| median(deferring).map(|rest| rest.saturating_sub(block)))
        };
        let numbers = Numbers {
            auto: prelude(ToolChoice::Auto),
            any: prelude(ToolChoice::Any),
            block: median(both),
        };
        let found = [numbers.auto, numbers.any, numbers.block];
        let found = found.iter().flatten().count() as u64;
        Self::with(seen, numbers, block, found)
    }

    /// Holds the requests against numbers, of which so many were found from these requests.
    pub(super) fn with(seen: &[Seen], numbers: Numbers, block: i64, found: u64) -> Self {
        let block = numbers.block.unwrap_or(block);
        let misfit = |seen: &Seen| {
            let prelude = match seen.choice {
                None => 0,
                Some(ToolChoice::Auto) => numbers.auto?,
                Some(ToolChoice::Any) => numbers.any?,
                // A named tool adds a few tokens that nobody knows.
                Some(_) => return None,
            };
            let block = if seen.defers { block } else { 0 };
            let left = seen.rest().saturating_sub(prelude);
            Some(left.saturating_sub(block).unsigned_abs())
        };
        let complete = || seen.iter().filter(|seen| seen.complete);
        let held = || complete().filter_map(|seen| Some((seen, misfit(seen)?)));
        let within = |misfit: &u64| *misfit <= EXACT;
        let agree = |of: &dyn Fn(&Seen) -> bool| {
            let own = held().filter(|(seen, misfit)| of(seen) && within(misfit));
            let sizes: BTreeSet<u64> = own.map(|(seen, _)| seen.counted).collect();
            sizes.len() as u64
        };
        let prelude = |choice| {
            // A request that defers says something of the prelude only where the block came from elsewhere.
            let own = |seen: &Seen, defers| seen.choice == Some(choice) && seen.defers == defers;
            agree(&|seen| own(seen, false))
                .max(agree(&|seen| own(seen, true) && numbers.block.is_none()))
        };
        let with_tools = held().filter(|(seen, _)| seen.choice.is_some());
        let (off, fit): (Vec<u64>, Vec<u64>) = with_tools
            .map(|(_, misfit)| misfit)
            .partition(|misfit| !within(misfit));
        let mut misfits: Vec<u64> = held().map(|(_, misfit)| misfit).collect();
        misfits.sort_unstable();
        Self {
            numbers,
            complete: complete().count() as u64,
            exact: misfits.iter().filter(|misfit| within(misfit)).count() as u64,
            misfits,
            found,
            agree: [
                prelude(ToolChoice::Auto),
                prelude(ToolChoice::Any),
                agree(&|seen| seen.defers),
            ],
            mostly_off: fit.len() < off.len(),
        }
    }

    /// Requests that could have gone wrong: what was found from them fits some by itself.
    fn checks(&self) -> u64 {
        (self.misfits.len() as u64).saturating_sub(self.found)
    }

    /// Nineteen of twenty are exact; `None` where nothing could have gone wrong.
    pub(super) fn is_exact(&self) -> Option<bool> {
        let within = self.exact * 20 >= self.misfits.len() as u64 * 19;
        (self.checks() > 0).then_some(within)
    }

    /// Better first: more exact requests, then less that is left.
    pub(super) fn rank(&self) -> (u64, Reverse<u64>) {
        let left = self.misfits.iter().fold(0_u64, |sum, misfit| {
            sum.saturating_add((*misfit).min(1_000))
        });
        (self.exact, Reverse(left))
    }
}

fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}
