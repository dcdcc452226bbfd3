//! Requests with a recorded size, as calibration sees them.

use crate::data::{is_claude, model_key};
use crate::model::{Sum, ToolChoice};
use crate::pipeline::Outcome;
use crate::summary::RequestRow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// One observation: what equals another in all of this is a copy of it, and confirms nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Seen {
    /// Tokens of the parts, but for the prelude and what deferring adds.
    pub(super) counted: u64,
    /// What was recorded of the whole.
    pub(super) recorded: u64,
    /// Every part is known.
    pub(super) complete: bool,
    /// It has tools, and asks for them like this.
    pub(super) choice: Option<ToolChoice>,
    /// It defers a tool.
    pub(super) defers: bool,
}

/// What was seen of one model.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Requests with a recorded size, copies included.
    pub(super) requests: u64,
    /// When the newest of them was sent, in milliseconds since 1970.
    pub(super) newest: Option<i64>,
    /// The different ones, in the order of reading.
    pub(super) seen: Vec<Seen>,
    known: HashSet<Seen>,
}

impl Seen {
    /// What the parts leave of the recorded size.
    pub(super) fn rest(&self) -> i64 {
        signed(self.recorded) - signed(self.counted)
    }
}

pub(super) fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

/// The models that requests name, as their tables do.
pub(super) fn models(outcome: &Outcome) -> Vec<String> {
    let rows = outcome.runs.values().flat_map(|run| &run.by_request);
    let ids: BTreeSet<String> = rows
        .filter_map(|row| row.model.as_deref().map(model_key))
        .collect();
    ids.into_iter().filter(|id| !id.is_empty()).collect()
}

/// The requests with a recorded size, by model; one walk for all models, since there may be thousands.
pub(super) fn by_model(outcome: &Outcome) -> BTreeMap<String, Observed> {
    let mut models: BTreeMap<String, Observed> = BTreeMap::new();
    for row in outcome.runs.values().flat_map(|run| &run.by_request) {
        let key = row.model.as_deref().map(model_key);
        let (Some(key), Some(seen)) = (key.filter(|key| !key.is_empty()), of_row(row)) else {
            continue;
        };
        let observed = models.entry(key).or_default();
        observed.requests += 1;
        observed.newest = observed.newest.max(row.time);
        if observed.known.insert(seen) {
            observed.seen.push(seen);
        }
    }
    models
}

fn of_row(row: &RequestRow) -> Option<Seen> {
    let parts = &row.parts;
    if !parts.all_recorded() {
        return None;
    }
    // The frame of other models' messages is not known, and falls into what the fit leaves.
    let framed = row.model.as_deref().is_some_and(is_claude);
    let frame = if framed { parts.frame } else { Sum::default() };
    let counted = [parts.tools, parts.system, parts.messages, frame]
        .into_iter()
        .fold(Sum::default(), Sum::merge);
    Some(Seen {
        counted: counted.tokens.0,
        recorded: parts.recorded.tokens.0,
        complete: counted.missing == 0 && counted.known > 0,
        choice: row.tool_choice,
        defers: row.defers,
    })
}
