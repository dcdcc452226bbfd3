//! Savings of a run: its first request, the run as a whole, and each mode.

use super::modes::{self, ModeRow};
use crate::data::Data;
use crate::model::{Sum, Tokens, Word};
use crate::savings::SavingSums;
use crate::summary::RunSummary;
use serde::{Deserialize, Serialize};

/// `SAVINGS` of the report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavingsRow {
    /// Everything of the pool in the prompt.
    pub all_loaded: Tokens,
    /// What was paid for tools.
    pub as_sent: Tokens,
    /// What deferral saved; may be negative; null where both sides lack something.
    pub saved: Option<i64>,
    /// saved / `all_loaded`.
    pub saved_share: Option<f64>,
    /// Definitions are unknown: `all_loaded` and `saved` are lower bounds.
    pub at_least: bool,
    /// Overhead is unknown: `as_sent` is a lower bound and `saved` an upper one.
    pub at_most: bool,
    /// Of `all_loaded`, `as_sent` and `saved` those that are estimated, or rest on thin evidence (class C).
    #[serde(deserialize_with = "crate::model::words")]
    pub estimated: Vec<Word>,
    /// Tools without a definition.
    pub unknown_definitions: u64,
    /// Of which of `as_sent` deferring added.
    pub overhead: Overhead,
    /// Requests of the run that exist only to answer a search.
    pub search_turns: u64,
    /// Prompt tokens of these requests: recorded, else their known parts. Not subtracted from what was saved.
    pub search_turns_reread: Option<Tokens>,
    /// What each mode would cost.
    pub modes: Vec<ModeRow>,
    /// The sum over the main requests.
    pub per_run_total: TotalRow,
}

/// The part of what was paid that deferring added.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// The search tool's definition.
    pub tool_search: Option<Tokens>,
    /// What the API adds.
    pub block: Option<Tokens>,
    /// Announced names.
    pub names: Option<Tokens>,
    /// What references cost beyond their definitions.
    pub discovered: Option<Tokens>,
    /// Searches in the history.
    pub calls: Option<Tokens>,
    /// Those of them that are estimated, or rest on thin evidence.
    #[serde(deserialize_with = "crate::model::words")]
    pub estimated: Vec<Word>,
}

/// Savings over a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TotalRow {
    /// Main requests.
    pub requests: u64,
    /// See [`SavingsRow::all_loaded`].
    pub all_loaded: Tokens,
    /// See [`SavingsRow::as_sent`].
    pub as_sent: Tokens,
    /// See [`SavingsRow::saved`].
    pub saved: Option<i64>,
    /// See [`SavingsRow::saved_share`].
    pub saved_share: Option<f64>,
    /// See [`SavingsRow::at_least`].
    pub at_least: bool,
    /// See [`SavingsRow::at_most`].
    pub at_most: bool,
    /// See [`SavingsRow::estimated`].
    #[serde(deserialize_with = "crate::model::words")]
    pub estimated: Vec<Word>,
}

pub(super) fn row(summary: &RunSummary, data: &Data) -> SavingsRow {
    let first = summary
        .first
        .as_ref()
        .map(|placed| placed.savings)
        .unwrap_or_default();
    let total = &summary.savings;
    let known = |sum: Sum| sum.count().tokens;
    SavingsRow {
        all_loaded: first.all_loaded().tokens,
        as_sent: first.as_sent().tokens,
        saved: first.saved().map(|saved| saved.0),
        saved_share: first.saved_share(),
        at_least: first.at_least(),
        at_most: first.at_most(),
        estimated: estimated(&first),
        unknown_definitions: first.unknown_definitions,
        overhead: Overhead {
            tool_search: known(first.tool_search),
            block: known(first.block),
            names: known(first.names),
            discovered: known(first.extras),
            calls: known(first.calls),
            estimated: rough(&[
                ("tool_search", first.tool_search),
                ("block", first.block),
                ("names", first.names),
                ("discovered", first.extras),
                ("calls", first.calls),
            ]),
        },
        search_turns: total.searches,
        search_turns_reread: known(total.reread),
        modes: modes::rows(summary, data),
        per_run_total: total_row(summary.requests, total),
    }
}

pub(super) fn total_row(requests: u64, total: &SavingSums) -> TotalRow {
    TotalRow {
        requests,
        all_loaded: total.all_loaded().tokens,
        as_sent: total.as_sent().tokens,
        saved: total.saved().map(|saved| saved.0),
        saved_share: total.saved_share(),
        at_least: total.at_least(),
        at_most: total.at_most(),
        estimated: estimated(total),
    }
}

fn estimated(sums: &SavingSums) -> Vec<&'static str> {
    rough(&[
        ("all_loaded", sums.all_loaded()),
        ("as_sent", sums.as_sent()),
        ("saved", sums.held.merge(sums.overhead())),
    ])
}

fn rough(sums: &[(&'static str, Sum)]) -> Vec<&'static str> {
    let rough = sums.iter().filter(|(_, sum)| sum.is_rough());
    rough.map(|(name, _)| *name).collect()
}
