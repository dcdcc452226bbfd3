//! The view behind `compare`: what changed between runs, and what else differs.

mod confounds;
mod growth;
mod pair;
mod sections;
mod tokens;
mod tools;
mod turns;

pub use confounds::Confound;
pub use growth::{GROWTH_KEYS, Grown, Growth, GrowthRow};
pub use pair::Pair;
pub use sections::SectionDelta;
pub use tokens::TokensDelta;
pub use tools::{Change as ToolChange, ToolDelta};
pub use turns::{TurnDelta, Unmatched};

use super::{CountedModel, FindingRow, Settings, SkippedRow, runs};
use crate::data::{DATA_VERSION, Data};
use crate::pipeline::Outcome;
use crate::summary::RunSummary;
use serde::Serialize;
use std::sync::Arc;

/// `toolcost.compare/1`.
#[derive(Debug, Clone, Serialize)]
pub struct CompareView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// The program's version.
    pub toolcost: &'static str,
    /// The day of its tables.
    pub data_version: &'static str,
    /// What the numbers were made with.
    pub settings: Settings,
    /// The models that were counted for, and how well they are known.
    pub counted_for: Vec<CountedModel>,
    /// The run that the others are held against.
    pub base: String,
    /// The others, in the order given.
    pub others: Vec<Other>,
    /// Limits of growth that were asked for.
    pub growth: Vec<GrowthRow>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// What is worth telling of each run.
    pub findings: Vec<FindingRow>,
}

/// One run against the base.
#[derive(Debug, Clone, Serialize)]
pub struct Other {
    /// Its name.
    pub run: String,
    /// The first main request of each.
    pub tokens: TokensDelta,
    /// All main requests of each.
    pub total: TokensDelta,
    /// Money of all main requests, in dollars; null unless usage was recorded for every one and prices are known.
    pub usd: Option<MoneyDelta>,
    /// Main requests of the same session and turn.
    pub turns: Vec<TurnDelta>,
    /// Main requests that have no partner.
    pub unmatched: Unmatched,
    /// Of-which of system and messages, in the first request.
    pub sections: Vec<SectionDelta>,
    /// Tools of the first request.
    pub deltas: Vec<ToolDelta>,
    /// What else differs.
    pub confounds: Vec<Confound>,
}

/// Money of both.
#[derive(Debug, Clone, Serialize)]
pub struct MoneyDelta {
    /// Of the base.
    pub a: String,
    /// Of the other.
    pub b: String,
    /// The second less the first.
    pub delta: String,
}

/// Why runs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// There is no run of that name.
    #[error("{run}: nothing was captured under that name")]
    NoRun {
        /// The name.
        run: String,
    },
    /// It has no main request.
    #[error(
        "{run}: no main request in it, only {requests} beside a conversation; nothing to compare"
    )]
    Empty {
        /// The name.
        run: String,
        /// Requests of subagents and side requests.
        requests: u64,
    },
}

/// A run under its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) name: &'a str,
    pub(super) summary: &'a RunSummary,
}

/// What the view is built from.
pub struct CompareOptions<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// What the numbers were made with.
    pub settings: Settings,
    /// The names of the runs, the base first.
    pub runs: &'a [Arc<str>],
    /// Limits of growth.
    pub growth: &'a [Growth],
}

/// Builds the view.
///
/// # Errors
/// A run that is not there, or has no main request.
pub fn compare(
    outcome: &Outcome,
    options: CompareOptions<'_>,
) -> Result<CompareView, CompareError> {
    let side = |name: &Arc<str>| {
        let (name, summary) =
            outcome
                .runs
                .get_key_value(name)
                .ok_or_else(|| CompareError::NoRun {
                    run: name.to_string(),
                })?;
        if summary.first.is_none() {
            return Err(CompareError::Empty {
                run: name.to_string(),
                requests: summary.subagents + summary.side_requests(),
            });
        }
        Ok(Side { name, summary })
    };
    let sides: Vec<Side<'_>> = options.runs.iter().map(side).collect::<Result<_, _>>()?;
    let Some((base, others)) = sides.split_first() else {
        return Err(CompareError::NoRun {
            run: "base".to_owned(),
        });
    };
    let model = options.settings.model.as_deref();
    let others: Vec<Other> = others
        .iter()
        .map(|side| other(*base, *side, options.data, model))
        .collect();
    let growth = options.growth;
    let rows = others
        .iter()
        .flat_map(|other| growth.iter().map(move |limit| limit.row(other)));
    Ok(CompareView {
        schema: "toolcost.compare/1",
        toolcost: env!("CARGO_PKG_VERSION"),
        data_version: DATA_VERSION,
        counted_for: runs::counted_models(outcome, &options.settings, options.data),
        base: base.name.to_owned(),
        growth: rows.collect(),
        others,
        skipped: outcome
            .skipped
            .iter()
            .chain(&outcome.tools_skipped)
            .map(SkippedRow::from)
            .collect(),
        findings: runs::findings(outcome),
        settings: Settings {
            listed_tools: outcome.listed_tools,
            ..options.settings
        },
    })
}

fn other(a: Side<'_>, b: Side<'_>, data: &Data, model: Option<&str>) -> Other {
    let (turns, unmatched) = turns::turns(a, b);
    Other {
        run: b.name.to_owned(),
        tokens: tokens::of_requests(turns::first_row(a.summary), turns::first_row(b.summary)),
        total: tokens::of_runs(a.summary, b.summary),
        usd: turns::money(a, b, data, model),
        turns,
        unmatched,
        sections: sections::deltas(a.summary, b.summary),
        deltas: tools::deltas(a.summary, b.summary),
        confounds: confounds::confounds(a, b, data, model),
    }
}
