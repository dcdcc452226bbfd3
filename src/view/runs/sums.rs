//! The sums behind a run's numbers, as a report carries them so that reports can be added up.
//!
//! The numbers that people read forget what they lack: of a part that is unknown in one report and known in the other
//! the total is a lower bound, which nobody could tell from the two numbers alone.

use crate::audit::{PartSums, SectionKey, SectionSum, SectionSums};
use crate::model::{SectionKind, Sum, Tokens, Word};
use crate::savings::SavingSums;
use crate::session::natural;
use crate::summary::{Placed, RunSummary};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The sums of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SumsRow {
    /// Where the first main request stands.
    pub first: Option<AtRow>,
    /// Where the last one stands.
    pub last: Option<AtRow>,
    /// Parts of the main requests.
    pub parts: PartSumsRow,
    /// Savings of the main requests.
    pub savings: SavingSums,
    /// Distinct answers of the gate: enabled, and the step that decided.
    pub gates: Vec<GateAnswer>,
    /// Calls by tool, of all that were called: some stand in no list of tools.
    pub calls: BTreeMap<String, u64>,
}

/// An answer of the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateAnswer {
    /// Does tool search engage?
    pub enabled: Option<bool>,
    /// The step that decided.
    #[serde(deserialize_with = "crate::model::word")]
    pub decided_by: Word,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtRow {
    /// The file.
    pub path: String,
    /// The record in it.
    pub place: String,
}

/// Sums of tokens by part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSumsRow {
    /// Loaded definitions.
    pub tools: Sum,
    /// The tool-use prompt.
    pub prelude: Sum,
    /// What the API adds when tools are deferred.
    pub deferral: Sum,
    /// The system prompt.
    pub system: Sum,
    /// Messages, discovered definitions among them.
    pub messages: Sum,
    /// Frames of messages.
    pub frame: Sum,
    /// What was recorded of the whole.
    pub recorded: Sum,
    /// Recorded less the parts, of requests with a recorded whole.
    pub residual: i64,
    /// Requests that were added.
    pub requests: u64,
    /// Known tokens of requests without a recorded whole.
    pub unrecorded: Tokens,
    /// Of-which of system and messages.
    pub sections: Vec<SectionSumRow>,
}

/// A section with the sum of its tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionSumRow {
    /// What it is.
    pub kind: SectionKind,
    /// Its name among those of its kind.
    pub what: Option<String>,
    /// A server or plugin it belongs to.
    pub owner: Option<String>,
    /// Its tokens.
    pub tokens: Sum,
}

impl AtRow {
    fn of(placed: &Placed) -> Self {
        Self {
            path: placed.origin.path.to_string(),
            place: placed.origin.place.to_string(),
        }
    }

    /// The order of files and of places in them, numbers as numbers.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        natural(&self.path, &other.path).then_with(|| natural(&self.place, &other.place))
    }
}

impl From<&PartSums> for PartSumsRow {
    fn from(sums: &PartSums) -> Self {
        let section = |(key, sum): (&SectionKey, &SectionSum)| SectionSumRow {
            kind: key.kind,
            what: key.what.as_ref().map(ToString::to_string),
            owner: key.owner.as_ref().map(ToString::to_string),
            tokens: sum.tokens,
        };
        Self {
            tools: sums.tools,
            prelude: sums.prelude,
            deferral: sums.deferral,
            system: sums.system,
            messages: sums.messages,
            frame: sums.frame,
            recorded: sums.recorded,
            residual: sums.residual,
            requests: sums.requests,
            unrecorded: sums.unrecorded,
            sections: sums.sections.iter().map(section).collect(),
        }
    }
}

impl From<&PartSumsRow> for PartSums {
    fn from(row: &PartSumsRow) -> Self {
        let mut sections = SectionSums::new();
        for section in &row.sections {
            let key = SectionKey {
                kind: section.kind,
                what: section.what.as_deref().map(Arc::from),
                owner: section.owner.as_deref().map(Arc::from),
            };
            let slot = sections.entry(key).or_default();
            slot.tokens = slot.tokens.merge(section.tokens);
        }
        Self {
            tools: row.tools,
            prelude: row.prelude,
            deferral: row.deferral,
            system: row.system,
            messages: row.messages,
            frame: row.frame,
            recorded: row.recorded,
            residual: row.residual,
            requests: row.requests,
            unrecorded: row.unrecorded,
            sections,
        }
    }
}

impl SumsRow {
    pub(super) fn of(summary: &RunSummary) -> Self {
        let gates = summary.gates.iter();
        let calls = summary.calls().into_iter();
        Self {
            first: summary.first.as_ref().map(AtRow::of),
            last: summary.last.as_ref().map(AtRow::of),
            parts: (&summary.total).into(),
            savings: summary.savings,
            gates: gates
                .map(|&(enabled, decided_by)| GateAnswer {
                    enabled,
                    decided_by,
                })
                .collect(),
            calls: calls
                .filter(|(_, calls)| *calls > 0)
                .map(|(name, calls)| (name.to_owned(), calls))
                .collect(),
        }
    }

    /// Joins two. The first and the last place are by path: a report knows no times.
    pub(super) fn merge(&self, other: &Self) -> Self {
        let pick = |a: &Option<AtRow>, b: &Option<AtRow>, wanted: Ordering| match (a, b) {
            (Some(a), Some(b)) if b.order(a) == wanted => Some(b.clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let gates = self.gates.iter().chain(&other.gates).copied();
        let gates: BTreeSet<GateAnswer> = gates.collect();
        let mut calls = self.calls.clone();
        for (name, more) in &other.calls {
            let slot = calls.entry(name.clone()).or_default();
            *slot = slot.saturating_add(*more);
        }
        let parts = PartSums::from(&self.parts).merge(&(&other.parts).into());
        Self {
            first: pick(&self.first, &other.first, Ordering::Less),
            last: pick(&self.last, &other.last, Ordering::Greater),
            parts: (&parts).into(),
            savings: self.savings.merge(&other.savings),
            gates: gates.into_iter().collect(),
            calls,
        }
    }
}
