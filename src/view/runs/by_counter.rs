//! The same tools by several counters, side by side.

use crate::model::{State, Sum, Tokens, Word};
use crate::pipeline::Outcome;
use crate::summary::RunSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one counter says of a run's first request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CounterRow {
    /// The counter.
    #[serde(deserialize_with = "crate::model::word")]
    pub counter: Word,
    /// Tokens of the loaded definitions.
    pub loaded: Option<Tokens>,
    /// The same with every definition of the pool.
    pub all: Option<Tokens>,
    /// Some definitions have no number.
    pub at_least: bool,
    /// Tokens by tool; of two tools of one name the sum; null = no number.
    pub sizes: BTreeMap<String, Option<Tokens>>,
}

/// The rows of a run, one a counter, in the order they were asked for.
pub(super) fn rows(run: &str, outcomes: &[(&'static str, &Outcome)]) -> Vec<CounterRow> {
    let of_run = outcomes
        .iter()
        .filter_map(|(counter, outcome)| Some((*counter, outcome.runs.get(run)?)));
    of_run
        .map(|(counter, summary)| row(counter, summary))
        .collect()
}

fn row(counter: &'static str, summary: &RunSummary) -> CounterRow {
    let first = summary.first.as_ref().map(|placed| &placed.audit.tools);
    let mut sizes: BTreeMap<String, Sum> = BTreeMap::new();
    let (mut loaded, mut all) = (Sum::default(), Sum::default());
    for tool in first.into_iter().flatten() {
        if tool.state == State::Placeholder {
            continue;
        }
        if matches!(tool.state, State::Loaded | State::Discovered) {
            loaded.add(tool.size);
        }
        all.add(tool.size);
        sizes
            .entry(tool.name.to_string())
            .or_default()
            .add(tool.size);
    }
    CounterRow {
        counter,
        loaded: loaded.count().tokens,
        all: all.count().tokens,
        at_least: all.missing > 0,
        sizes: sizes
            .into_iter()
            .map(|(name, sum)| (name, sum.count().tokens))
            .collect(),
    }
}
