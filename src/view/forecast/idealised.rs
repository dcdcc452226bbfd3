//! The arithmetic of the blog post on tool search, in its own unit, and what lies between it and the forecast.

use super::inputs::Inputs;
use super::modes::ForecastMode;
use super::ratio;
use super::start::{Start, deferrable};
use crate::audit::ToolAudit;
use crate::data::Assumptions;
use crate::model::State;
use crate::summary::Placed;
use serde::Serialize;

/// turns × (all definitions − loaded definitions) − discoveries × 200.
#[derive(Debug, Clone, Serialize)]
pub struct Idealised {
    /// Turns.
    pub turns: u64,
    /// Discoveries.
    pub discoveries: u64,
    /// Tokens that each costs, and nothing more.
    pub per_discovery: u64,
    /// All definitions, by the client's rule of thumb: 2.5 characters a token.
    pub all: Option<u64>,
    /// Those that are loaded when tools are deferred, the search tool among them, by the same rule.
    pub loaded: Option<u64>,
    /// What that saves.
    pub saved: Option<i64>,
    /// Deferrable tools that are seen.
    pub deferrable: u64,
    /// Of these, tools that the capture calls or discovers.
    pub used: u64,
    /// The share of deferrable definitions that stays out: 1 − used / all.
    pub stays_out: Option<f64>,
    /// The same arithmetic with tokens by the counter.
    pub counted_saved: Option<i64>,
    /// What the forecast says that tst saves.
    pub forecast_saved: Option<i64>,
    /// The forecast less the idealised.
    pub gap: Option<i64>,
    /// Of which tokens that are not 2.5 characters.
    pub gap_counting: Option<i64>,
    /// Of which announced names and the deferral block, in every turn.
    pub gap_names: Option<i64>,
    /// Of which searches: prompts read again, and definitions that stay in the messages.
    pub gap_searches: Option<i64>,
}

/// The client's rule of thumb.
fn by_thumb(tool: &ToolAudit) -> Option<u64> {
    let (definition, _) = tool.definition.as_ref()?;
    Some(definition.sizes.chars.0 * 2 / 5)
}

/// Reckons it, with the gap to the forecast.
pub(super) fn idealised(
    first: &Placed,
    start: &Start,
    inputs: &Inputs,
    modes: &[ForecastMode],
    by: &Assumptions,
) -> Idealised {
    let turns = inputs.turns.value.unwrap_or(0);
    let discoveries = inputs.discoveries.value.unwrap_or(0);
    let pool = || {
        first
            .audit
            .tools
            .iter()
            .filter(|tool| tool.state != State::Placeholder)
    };
    let is_search = |tool: &&ToolAudit| tool.kind.is_search(&tool.name);
    let own = || pool().filter(|tool| !is_search(tool));
    let all: Option<u64> = own().map(by_thumb).sum();
    let all = all.filter(|_| first.audit.pool_is_known);
    let kept = own().filter(|tool| !deferrable(tool, start.observed));
    let kept: Option<u64> = kept.map(by_thumb).sum();
    let thumb = pool().filter(is_search).find_map(by_thumb);
    let loaded = kept.map(|kept| kept + thumb.unwrap_or(by.search_tool.value));
    let paid = i128::from(discoveries) * i128::from(by.discovery.value);
    let saved = |held: i128| i64::try_from(i128::from(turns) * held - paid).ok();
    let ideal = all
        .zip(loaded)
        .and_then(|(all, loaded)| saved(i128::from(all) - i128::from(loaded)));
    let search_tool = i128::from(inputs.search_tool.value.unwrap_or(0));
    let counted = (start.held.missing == 0)
        .then(|| saved(i128::from(start.held.tokens.0) - search_tool))
        .flatten();
    let real = modes
        .iter()
        .find(|mode| mode.mode == "tst")
        .and_then(|mode| mode.saved);
    let names = start
        .names_and_block
        .and_then(|tokens| i64::try_from(u128::from(tokens) * u128::from(turns)).ok());
    let minus = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.saturating_sub(b));
    let (of, used) = (start.deferrable.len() as u64, start.used.len() as u64);
    Idealised {
        turns,
        discoveries,
        per_discovery: by.discovery.value,
        all,
        loaded,
        saved: ideal,
        deferrable: of,
        used,
        stays_out: ratio(i128::from(of) - i128::from(used), u128::from(of)),
        counted_saved: counted,
        forecast_saved: real,
        gap: minus(real, ideal),
        gap_counting: minus(counted, ideal),
        gap_names: names.map(|names| -names),
        // What is left is what the arithmetic forgets of searches.
        gap_searches: minus(real, minus(counted, names)),
    }
}
