//! Where deferring begins to pay, and how many searches it bears: in tokens, and in money with and without a cache.

use super::inputs::Inputs;
use super::modes::{Bills, bills};
use super::pricing::Pricing;
use super::start::Start;
use super::walk::Bill;
use serde::Serialize;

/// Where it turns.
#[derive(Debug, Clone, Serialize)]
pub struct BreakEven {
    /// From so many turns on deferring pays for the session's discoveries.
    pub turns: Measures,
    /// So many discoveries a session of the forecast's turns may have before deferring costs more.
    pub discoveries: Measures,
    /// The most turns that were tried.
    pub most_turns: u64,
    /// The most discoveries that were tried.
    pub most_discoveries: u64,
}

/// By measure.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Measures {
    /// Tokens of prompts.
    pub tokens: Even,
    /// Money with a cache.
    pub usd_cached: Even,
    /// Money without one.
    pub usd_uncached: Even,
}

/// A turning point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Even {
    /// Where; null where there is none, or nobody knows.
    pub value: Option<u64>,
    /// at, never, beyond (what was tried), unknown.
    pub outcome: &'static str,
}

const MOST_TURNS: u64 = 500;
const MOST_DISCOVERIES: u64 = 10_000;

const UNKNOWN: Even = Even {
    value: None,
    outcome: "unknown",
};

type Pick = fn(&Bill) -> Option<u128>;

const PICKS: [Pick; 3] = [
    |bill| Some(u128::from(bill.prompt)),
    |bill| bill.cached.map(|money| money.0),
    |bill| bill.uncached.map(|money| money.0),
];

/// Finds them.
pub(super) fn break_even(start: &Start, inputs: &Inputs, pricing: &Pricing<'_>) -> BreakEven {
    let turns = inputs.turns.value.unwrap_or(0);
    let searches = inputs.discoveries.value.unwrap_or(0);
    let at = |turns: u64, searches: u64| bills(start, inputs, pricing, turns, searches);
    BreakEven {
        turns: by_turns(&|turns| at(turns, searches)),
        discoveries: by_discoveries(&|searches| at(turns, searches)),
        most_turns: MOST_TURNS,
        most_discoveries: MOST_DISCOVERIES,
    }
}

/// Is deferring no dearer? By measure; absent where nobody knows.
fn pays(bills: &Bills) -> [Option<bool>; 3] {
    let both = bills
        .standard
        .as_ref()
        .ok()
        .zip(bills.deferring.as_ref().ok());
    PICKS.map(|pick| {
        let (standard, deferring) = both?;
        Some(pick(deferring)? <= pick(standard)?)
    })
}

fn measures([tokens, usd_cached, usd_uncached]: [Even; 3]) -> Measures {
    Measures {
        tokens,
        usd_cached,
        usd_uncached,
    }
}

/// The first length from which on it pays: one more than the last that does not.
fn by_turns(at: &dyn Fn(u64) -> Bills) -> Measures {
    let mut last_failed = [Some(0); 3];
    for turns in 1..=MOST_TURNS {
        for (last, pays) in last_failed.iter_mut().zip(pays(&at(turns))) {
            *last = match pays {
                Some(true) => *last,
                Some(false) => last.map(|_| turns),
                None => None,
            };
        }
    }
    measures(last_failed.map(|last| match last {
        None => UNKNOWN,
        Some(MOST_TURNS) => Even {
            value: None,
            outcome: "never",
        },
        Some(turns) => Even {
            value: Some(turns + 1),
            outcome: "at",
        },
    }))
}

/// The most discoveries that still pay: each costs something, so that halves can be tried.
fn by_discoveries(at: &dyn Fn(u64) -> Bills) -> Measures {
    let one = |measure: usize| {
        let pays = |searches: u64| pays(&at(searches))[measure];
        match (pays(0), pays(MOST_DISCOVERIES)) {
            (None, _) | (Some(true), None) => return UNKNOWN,
            (Some(false), _) => {
                return Even {
                    value: None,
                    outcome: "never",
                };
            }
            (Some(true), Some(true)) => {
                return Even {
                    value: None,
                    outcome: "beyond",
                };
            }
            (Some(true), Some(false)) => {}
        }
        let (mut good, mut bad) = (0, MOST_DISCOVERIES);
        while bad - good > 1 {
            let middle = good.midpoint(bad);
            match pays(middle) {
                Some(true) => good = middle,
                _ => bad = middle,
            }
        }
        Even {
            value: Some(good),
            outcome: "at",
        }
    };
    measures([one(0), one(1), one(2)])
}
