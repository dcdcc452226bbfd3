//! A session walked request by request: its prompts, its answers, and what both cost with and without a cache.

use crate::data::Price;
use crate::model::{PicoUsd, Tokens};

/// A session to come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Turns, searches not among them.
    pub(super) turns: u64,
    /// The prompt of the first.
    pub(super) first: u64,
    /// What each turn adds to the messages.
    pub(super) growth: u64,
    /// The answer of each.
    pub(super) output: u64,
    /// Of the first prompt, what a cache held already.
    pub(super) warm: u64,
    /// Its searches.
    pub(super) searches: Searches,
}

/// What a cache holds for the next prompt, and how much of that it gives.
#[derive(Clone, Copy)]
struct Held {
    tokens: u64,
    hit: u64,
}

/// Searches of a session: each is a request more.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Searches {
    /// How many.
    pub(super) count: u64,
    /// What each leaves in the messages: call, result and the definition that was found.
    pub(super) adds: u64,
    /// Tokens of the answer that asks.
    pub(super) output: u64,
}

/// What money is reckoned with.
#[derive(Clone, Copy)]
pub(super) struct Rates<'a> {
    /// The price of a prompt of this length.
    pub(super) price: &'a dyn Fn(Tokens) -> Option<Price>,
    /// Fewer tokens are not cached; `None` = nobody knows.
    pub(super) min_cacheable: Option<u64>,
    /// What is read of what could be, in hundredths of a percent.
    pub(super) hit: u64,
    /// Written for an hour, and not for five minutes.
    pub(super) hour: bool,
}

/// What a session comes to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bill {
    /// Requests.
    pub(super) requests: u64,
    /// Tokens of all prompts.
    pub(super) prompt: u64,
    /// Tokens of all answers.
    pub(super) output: u64,
    /// The longest prompt.
    pub(super) longest: u64,
    /// Money with a cache.
    pub(super) cached: Option<PicoUsd>,
    /// Money without one.
    pub(super) uncached: Option<PicoUsd>,
}

/// A minimum that no documented model is above: longer prompts are cached whatever the model.
const CERTAIN: u64 = 4096;

/// All of what could be read.
pub(super) const WHOLE: u64 = 10_000;

/// Walks it.
pub(super) fn walk(plan: &Plan, rates: &Rates<'_>) -> Bill {
    let mut bill = Bill {
        cached: Some(PicoUsd::default()),
        uncached: Some(PicoUsd::default()),
        ..Bill::default()
    };
    let searches = plan.searches;
    let (mut messages, mut done) = (plan.first, 0);
    let mut before = Held {
        tokens: plan.warm,
        hit: WHOLE,
    };
    for turn in 0..plan.turns {
        if turn > 0 {
            messages = messages.saturating_add(plan.growth);
        }
        // The searches of a turn come before its answer: each is answered by a request that has all before it.
        while done < searches.count && place(done, searches.count, plan.turns) == turn {
            bill.add(messages, searches.output, &mut before, rates);
            messages = messages.saturating_add(searches.adds);
            done += 1;
        }
        bill.add(messages, plan.output, &mut before, rates);
    }
    bill
}

/// The turn in which a search stands, from 0: each in the middle of its share of the session.
fn place(search: u64, searches: u64, turns: u64) -> u64 {
    let at = u128::from(2 * search + 1) * u128::from(turns) / u128::from(2 * searches);
    u64::try_from(at).unwrap_or(u64::MAX)
}

impl Bill {
    /// Adds a request, whose prompt goes on from the one before.
    fn add(&mut self, prompt: u64, output: u64, before: &mut Held, rates: &Rates<'_>) {
        self.requests += 1;
        self.prompt = self.prompt.saturating_add(prompt);
        self.output = self.output.saturating_add(output);
        self.longest = self.longest.max(prompt);
        let price = (rates.price)(Tokens(prompt));
        let answer = price.map(|price| price.output.times(Tokens(output)));
        let plain = price.map(|price| price.input.times(Tokens(prompt)));
        self.uncached = sum([self.uncached, answer, plain]);
        let asked = price.and_then(|price| prompt_cached(prompt, *before, price, rates));
        self.cached = sum([self.cached, answer, asked]);
        *before = Held {
            tokens: prompt,
            hit: rates.hit,
        };
    }
}

fn sum(parts: [Option<PicoUsd>; 3]) -> Option<PicoUsd> {
    let parts: Option<Vec<PicoUsd>> = parts.into_iter().collect();
    Some(parts?.into_iter().fold(PicoUsd::default(), |a, b| a + b))
}

/// The prompt with a cache: what the one before wrote is read at the hit rate, all else is written.
fn prompt_cached(prompt: u64, before: Held, price: Price, rates: &Rates<'_>) -> Option<PicoUsd> {
    let cacheable = |tokens: u64| match rates.min_cacheable {
        Some(least) => Some(tokens >= least),
        None => (tokens >= CERTAIN).then_some(true),
    };
    if !cacheable(prompt)? {
        return Some(price.input.times(Tokens(prompt)));
    }
    let there = match before.tokens {
        0 => 0,
        tokens if cacheable(tokens)? => tokens.min(prompt),
        _ => 0,
    };
    let read = u128::from(there) * u128::from(before.hit.min(WHOLE)) / u128::from(WHOLE);
    let read = u64::try_from(read).unwrap_or(there);
    let write = match rates.hour {
        true => price.cache_write_1h,
        false => price.cache_write_5m,
    };
    Some(price.cache_read.times(Tokens(read)) + write.times(Tokens(prompt - read)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(_: Tokens) -> Option<Price> {
        let usd = |picos: u128| PicoUsd(picos);
        Some(Price {
            input: usd(100),
            cache_write_5m: usd(125),
            cache_write_1h: usd(200),
            cache_read: usd(10),
            output: usd(500),
        })
    }

    const RATES: Rates<'_> = Rates {
        price: &price,
        min_cacheable: Some(1000),
        hit: WHOLE,
        hour: false,
    };

    const PLAN: Plan = Plan {
        turns: 3,
        first: 1000,
        growth: 100,
        output: 7,
        warm: 0,
        searches: Searches {
            count: 0,
            adds: 50,
            output: 3,
        },
    };

    #[test]
    fn what_was_written_once_is_read_after() {
        let bill = walk(&PLAN, &RATES);
        assert_eq!((bill.prompt, bill.output, bill.requests), (3300, 21, 3));
        assert_eq!(bill.uncached, Some(PicoUsd(3300 * 100 + 21 * 500)));
        let cached = 1000 * 125 + (1000 * 10 + 100 * 125) + (1100 * 10 + 100 * 125) + 21 * 500;
        assert_eq!(bill.cached, Some(PicoUsd(cached)));
        let warm = walk(
            &Plan { warm: 600, ..PLAN },
            &Rates {
                min_cacheable: Some(500),
                ..RATES
            },
        );
        assert_eq!(warm.cached, Some(PicoUsd(cached - 600 * (125 - 10))));
        let missed = walk(&PLAN, &Rates { hit: 0, ..RATES });
        assert_eq!(missed.cached, Some(PicoUsd(3300 * 125 + 21 * 500)));
        let half = walk(
            &PLAN,
            &Rates {
                hit: 5000,
                hour: true,
                ..RATES
            },
        );
        let money = 1000 * 200 + (500 * 10 + 600 * 200) + (550 * 10 + 650 * 200) + 21 * 500;
        assert_eq!(half.cached, Some(PicoUsd(money)));
    }

    #[test]
    fn what_is_too_short_is_not_cached_and_what_nobody_knows_is_not_reckoned() {
        let short = Rates {
            min_cacheable: Some(1100),
            ..RATES
        };
        let cached = 1000 * 100 + 1100 * 125 + (1100 * 10 + 100 * 125) + 21 * 500;
        assert_eq!(walk(&PLAN, &short).cached, Some(PicoUsd(cached)));
        let unknown = Rates {
            min_cacheable: None,
            ..RATES
        };
        let bill = walk(&PLAN, &unknown);
        assert!(bill.cached.is_none() && bill.uncached.is_some());
        let none = |_: Tokens| None;
        let bill = walk(
            &PLAN,
            &Rates {
                price: &none,
                ..RATES
            },
        );
        assert!(bill.cached.is_none() && bill.uncached.is_none());
        assert_eq!(bill.prompt, 3300);
    }

    #[test]
    fn a_search_is_a_request_more_and_stays_in_the_messages() {
        let mut plan = PLAN;
        plan.searches.count = 1;
        // Turn 2 asks with 1,100, is answered with 1,150; turn 3 has 1,250.
        let bill = walk(&plan, &RATES);
        assert_eq!(bill.prompt, 1000 + 1100 + 1150 + 1250);
        assert_eq!((bill.requests, bill.output), (4, 24));
        plan.searches.count = 9;
        assert_eq!(walk(&plan, &RATES).requests, 12);
        let places: Vec<u64> = (0..3).map(|search| place(search, 3, 20)).collect();
        assert_eq!(places, [3, 10, 16]);
    }
}
