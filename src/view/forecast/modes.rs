//! What N turns come to under each mode, and what that saves against loading everything.

use super::inputs::Inputs;
use super::pricing::Pricing;
use super::start::Start;
use super::walk::{Bill, Plan, Searches, walk};
use super::{difference, less, ratio};
use crate::model::{Observed, PicoUsd, Threshold, Tokens};
use crate::rules::Mode;
use crate::summary::Placed;
use serde::Serialize;

/// One mode over the whole session.
#[derive(Debug, Clone, Serialize)]
pub struct ForecastMode {
    /// standard, tst, tst-auto.
    pub mode: &'static str,
    /// Percent of the window, of tst-auto.
    pub percent: Option<u64>,
    /// Does it defer here?
    pub enabled: Option<bool>,
    /// Its first request is projected, not read from the capture.
    pub projected: bool,
    /// Tokens paid for tools in the first request.
    pub tools: Option<u64>,
    /// The prompt of the first request.
    pub first_prompt: Option<u64>,
    /// Requests, searches among them.
    pub requests: Option<u64>,
    /// Requests that exist for a search.
    pub search_turns: Option<u64>,
    /// Tokens of all prompts.
    pub prompt: Option<u64>,
    /// Tokens of all answers.
    pub output: Option<u64>,
    /// Money with a cache, prompts and answers, in dollars.
    pub usd_cached: Option<String>,
    /// Money without one.
    pub usd_uncached: Option<String>,
    /// Tokens of prompts saved against standard; may be negative.
    pub saved: Option<i64>,
    /// The same over the tokens of standard.
    pub saved_share: Option<f64>,
    /// Money saved with a cache.
    pub saved_usd_cached: Option<String>,
    /// The same over the money of standard.
    pub saved_usd_cached_share: Option<f64>,
    /// Money saved without a cache.
    pub saved_usd_uncached: Option<String>,
    /// The same over the money of standard.
    pub saved_usd_uncached_share: Option<f64>,
    /// The longest prompt is beyond the window: the client would compact, which is not reckoned.
    pub beyond_window: bool,
    /// Why numbers are missing.
    pub unknown: Vec<String>,
}

/// The plan of a mode with so many turns and searches.
pub(super) fn plan(first: u64, inputs: &Inputs, turns: u64, searches: Searches) -> Plan {
    Plan {
        turns,
        first,
        growth: inputs.growth.value.unwrap_or(0),
        output: inputs.output.value.unwrap_or(0),
        warm: 0,
        searches,
    }
}

/// Bills of a session without and with deferral.
pub(super) struct Bills {
    pub(super) standard: Result<Bill, String>,
    pub(super) deferring: Result<Bill, String>,
}

/// Reckons both.
pub(super) fn bills(
    start: &Start,
    inputs: &Inputs,
    pricing: &Pricing<'_>,
    turns: u64,
    searches: u64,
) -> Bills {
    let price = |prompt: Tokens| pricing.price(prompt);
    let hour = inputs.cache_lifetime.value == Some("1h");
    let rates = pricing.rates(&price, inputs.hit, hour);
    let none = Searches::default();
    let standard = start.standard.clone();
    let standard = standard.map(|first| walk(&plan(first, inputs, turns, none), &rates));
    let deferring = start.deferring.clone().and_then(|first| {
        // Where nothing is deferred there is nothing to search.
        let searches = if start.deferrable.is_empty() {
            0
        } else {
            searches
        };
        let searches = inputs
            .searches(searches)
            .ok_or_else(|| "the size of what a search brings is not known".to_owned())?;
        Ok(walk(&plan(first, inputs, turns, searches), &rates))
    });
    Bills {
        standard,
        deferring,
    }
}

/// The rows of standard, tst and tst-auto.
pub(super) fn rows(
    first: &Placed,
    start: &Start,
    inputs: &Inputs,
    pricing: &Pricing<'_>,
) -> Vec<ForecastMode> {
    let number = |input: &super::Input<u64>| input.value.unwrap_or(0);
    let (turns, searches) = (number(&inputs.turns), number(&inputs.discoveries));
    let bills = bills(start, inputs, pricing, turns, searches);
    let line = first
        .audit
        .gate
        .as_ref()
        .and_then(|gate| gate.threshold.as_ref());
    let percent = line.map(|line| line.percent);
    let reached = line.and_then(Threshold::reached);
    let row = |mode: Mode, enabled: Option<bool>| {
        let bill = match enabled {
            Some(true) => bills.deferring.clone(),
            Some(false) => bills.standard.clone(),
            None => Err(NO_THRESHOLD.to_owned()),
        };
        let standard = bills.standard.as_ref().ok();
        let percent = matches!(mode, Mode::TstAuto { .. })
            .then_some(percent)
            .flatten();
        let mut row = reckoned(mode.word(), percent, enabled, &bill, standard, pricing);
        let on = start.observed == Observed::On;
        row.projected = match enabled {
            Some(true) => !on,
            Some(false) => start.observed != Observed::Off,
            None => true,
        };
        let prompts = enabled.map(|enabled| match enabled {
            true => (start.deferring_tools, &start.deferring),
            false => (start.standard_tools, &start.standard),
        });
        row.tools = prompts.and_then(|(tools, _)| tools);
        row.first_prompt = prompts.and_then(|(_, prompt)| prompt.as_ref().ok().copied());
        row.search_turns = bill.as_ref().ok().map(|bill| bill.requests - turns);
        row.beyond_window = match (bill, first.audit.window) {
            (Ok(bill), Some(window)) => bill.longest > window,
            _ => false,
        };
        row
    };
    vec![
        row(Mode::Standard, Some(false)),
        row(Mode::Tst, Some(true)),
        row(
            Mode::TstAuto {
                percent: percent.unwrap_or(0),
            },
            reached,
        ),
    ]
}

const NO_THRESHOLD: &str = "whether the threshold is reached is not known";

fn reckoned(
    mode: &'static str,
    percent: Option<u64>,
    enabled: Option<bool>,
    bill: &Result<Bill, String>,
    standard: Option<&Bill>,
    pricing: &Pricing<'_>,
) -> ForecastMode {
    let own = bill.as_ref().ok();
    let both = own.zip(standard);
    let saved = |pick: fn(&Bill) -> Option<PicoUsd>| {
        let (own, standard) = both?;
        let (own, standard) = (pick(own)?, pick(standard)?);
        let signed = |money: PicoUsd| i128::try_from(money.0).unwrap_or(i128::MAX);
        let share = ratio(signed(standard) - signed(own), standard.0);
        Some((difference(standard, own), share))
    };
    let cached = saved(|bill| bill.cached);
    let uncached = saved(|bill| bill.uncached);
    let tokens = both.map(|(own, standard)| (less(standard.prompt, own.prompt), standard.prompt));
    let mut unknown: Vec<String> = bill.as_ref().err().cloned().into_iter().collect();
    unknown.extend(pricing.lacks());
    if own.is_some_and(|bill| bill.uncached.is_some() && bill.cached.is_none()) {
        unknown.push(
            "money with a cache: from how many tokens on the model's prompts are cached is not known"
                .to_owned(),
        );
    }
    let dollars = |money: Option<PicoUsd>| money.map(PicoUsd::dollars);
    ForecastMode {
        mode,
        percent,
        enabled,
        projected: false,
        tools: None,
        first_prompt: None,
        requests: own.map(|bill| bill.requests),
        search_turns: None,
        prompt: own.map(|bill| bill.prompt),
        output: own.map(|bill| bill.output),
        usd_cached: dollars(own.and_then(|bill| bill.cached)),
        usd_uncached: dollars(own.and_then(|bill| bill.uncached)),
        saved: tokens.map(|(saved, _)| saved),
        saved_share: tokens.and_then(|(saved, all)| ratio(i128::from(saved), u128::from(all))),
        saved_usd_cached: cached.as_ref().map(|(usd, _)| usd.clone()),
        saved_usd_cached_share: cached.and_then(|(_, share)| share),
        saved_usd_uncached: uncached.as_ref().map(|(usd, _)| usd.clone()),
        saved_usd_uncached_share: uncached.and_then(|(_, share)| share),
        beyond_window: false,
        unknown,
    }
}
