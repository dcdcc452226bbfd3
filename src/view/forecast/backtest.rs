//! Recorded sessions, predicted from their first request: what the forecast would have said, and how wrong it is.

use super::observed::{Averages, Session, Step};
use super::pricing::Pricing;
use super::ratio;
use super::start::Start;
use super::walk::{Plan, Searches, walk};
use crate::data::Assumptions;
use crate::model::{Observed, PicoUsd, Tokens};
use serde::Serialize;

/// One session.
#[derive(Debug, Clone, Serialize)]
pub struct BacktestRow {
    /// Its number in the run.
    pub session: u64,
    /// Its main requests.
    pub requests: u64,
    /// Of these, turns; the others exist for a search.
    pub turns: u64,
    /// Recorded tokens of its prompts; null where a request has no usage.
    pub prompt: Option<u64>,
    /// What it cost: recorded usage times the price.
    pub usd: Option<String>,
    /// Predicted tokens.
    pub predicted_prompt: Option<u64>,
    /// Predicted money.
    pub predicted_usd: Option<String>,
    /// Predicted less recorded, over recorded.
    pub prompt_error: Option<f64>,
    /// The same of money.
    pub usd_error: Option<f64>,
    /// What growth, answers and cache are from: others (sessions of the run), assumed, mixed.
    pub from: &'static str,
    /// Growth a turn that was reckoned with.
    pub growth: u64,
    /// Tokens of an answer.
    pub output: u64,
    /// Share read from the cache; null where the session's first request used none.
    pub cache_hit: Option<f64>,
    /// Discoveries.
    pub discoveries: u64,
    /// Why numbers are missing.
    pub unknown: Option<String>,
}

/// Predicts every session that has a main request.
pub(super) fn rows(
    sessions: &[Session<'_>],
    averages: &Averages,
    start: &Start,
    pricing: &Pricing<'_>,
    by: &Assumptions,
) -> Vec<BacktestRow> {
    let least = pricing.min_cacheable.unwrap_or(0);
    let row = |session: &Session<'_>| {
        let others = averages.without(session, least);
        predict(session, &others, start, pricing, by)
    };
    sessions.iter().map(row).collect()
}

fn predict(
    session: &Session<'_>,
    others: &Averages,
    start: &Start,
    pricing: &Pricing<'_>,
    by: &Assumptions,
) -> BacktestRow {
    let steps = &session.steps;
    let turns = steps.iter().filter(|step| !step.is_search()).count() as u64;
    let usages = steps.iter().map(Step::usage);
    let prompt = usages
        .map(|usage| usage.map(|usage| usage.prompt()))
        .try_fold(Tokens(0), |sum, prompt| Some(sum + prompt?))
        .map(|sum| sum.0);
    let answers = steps
        .iter()
        .filter_map(Step::usage)
        .fold(Tokens(0), |sum, usage| sum + usage.output);
    let costs: Option<u128> = steps
        .iter()
        .map(|step| pricing.cost(step.row).map(|money| money.0))
        .sum();
    // Answers without a length cost something that nobody wrote down.
    let money = costs.filter(|_| answers > Tokens(0)).map(PicoUsd);
    let known = [others.growth.value(), others.output.value(), others.hit()];
    let from = match known.iter().flatten().count() {
        3 => "others",
        0 => "assumed",
        _ => "mixed",
    };
    let growth = known[0].unwrap_or(by.growth.value);
    let output = known[1].unwrap_or(by.output.value);
    let hit = known[2].unwrap_or(by.cache_hit.value);
    let count = match start.observed {
        Observed::On => others.discoveries.value().unwrap_or(0),
        _ => 0,
    };
    let call = others.discovery.value().unwrap_or(by.discovery.value);
    let definition = others.definition.value().or(start.definition.value);
    let first = steps.first().and_then(Step::usage);
    // A session whose first request neither wrote nor read did without a cache.
    let caching = first.is_some_and(|usage| usage.cache_write.0 > 0 || usage.cache_read.0 > 0);
    let hour = first.is_some_and(|usage| usage.cache_write_1h.0 * 2 > usage.cache_write.0);
    let price = |prompt: Tokens| pricing.price(prompt);
    let bill = first.filter(|_| prompt.is_some()).map(|usage| {
        let plan = Plan {
            turns,
            first: usage.prompt().0,
            growth,
            output,
            // What stands in the first request's own usage.
            warm: usage.cache_read.0,
            searches: Searches {
                count,
                adds: call.saturating_add(definition.unwrap_or(0)),
                output: others.search_output.value().unwrap_or(output.min(call)),
            },
        };
        walk(&plan, &pricing.rates(&price, hit, hour))
    });
    let predicted = bill.and_then(|bill| if caching { bill.cached } else { bill.uncached });
    let wide = |number: u128| i128::try_from(number).unwrap_or(i128::MAX);
    let error = |predicted: u128, recorded: u128| ratio(wide(predicted) - wide(recorded), recorded);
    let tokens = bill.map(|bill| bill.prompt).zip(prompt);
    let unknown = match (prompt, money) {
        (None, _) => Some("requests without recorded usage".to_owned()),
        (_, None) if answers == Tokens(0) => {
            Some("the length of answers was not recorded".to_owned())
        }
        (_, None) => Some(pricing.lacks().unwrap_or_else(|| {
            "money: no price of a model is known; give it with --price FILE".to_owned()
        })),
        _ => None,
    };
    BacktestRow {
        session: session.number,
        requests: steps.len() as u64,
        turns,
        prompt,
        usd: money.map(PicoUsd::dollars),
        predicted_prompt: bill.map(|bill| bill.prompt),
        predicted_usd: predicted.map(PicoUsd::dollars),
        prompt_error: tokens.and_then(|(a, b)| error(u128::from(a), u128::from(b))),
        usd_error: predicted.zip(money).and_then(|(a, b)| error(a.0, b.0)),
        from,
        growth,
        output,
        cache_hit: caching.then(|| super::inputs::of_one(hit)),
        discoveries: count,
        unknown,
    }
}
