//! The view behind `timeline`: sessions turn by turn, the prefix that stayed equal, and the cache against it.

mod cache;
mod common;
mod compactions;
mod prefix;
mod prompt;
mod rule;
mod session;
mod turns;

pub use cache::CacheRow;
pub use compactions::TimelineCompaction;
pub use prefix::{DifferingTool, PrefixLevel, PrefixRow, PrefixState};
pub use rule::{CacheRule, Tally};
pub use session::{TimelineSession, TimelineTotals};
pub use turns::{AnnouncementRow, CacheUsage, DiscoveryRow, PartTokens, TimelineTurn, ToolCounts};

use super::{Settings, SkippedRow};
use crate::pipeline::Outcome;
use serde::Serialize;

/// `toolcost.timeline/1`.
#[derive(Debug, Clone, Serialize)]
pub struct TimelineView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// What the captures were found at.
    pub paths: Vec<String>,
    /// The counter.
    pub counter: String,
    /// anthropic, prefix.
    pub cache: &'static str,
    /// Tokens of a block of a prefix cache.
    pub block: Option<u64>,
    /// Tokens that its server reads in a second.
    pub prefill: Option<f64>,
    /// Sessions with a main request, run by run.
    pub sessions: Vec<TimelineSession>,
    /// Requests of subagents, which are no turns.
    pub subagent_requests: u64,
    /// Side requests, compactions among them.
    pub side_requests: u64,
    /// Requests outside of `--since` and `--until`, or without a time.
    pub left_out: u64,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// What it was made with.
    #[serde(skip)]
    pub settings: Settings,
}

/// Builds the view; the runs were read with rows of turns.
pub fn timeline(outcome: &Outcome, rule: CacheRule, settings: Settings) -> TimelineView {
    let sessions = outcome
        .runs
        .iter()
        .flat_map(|(run, summary)| session::sessions(run, summary, rule));
    let runs = || outcome.runs.values();
    let (block, prefill) = match rule {
        CacheRule::Anthropic => (None, None),
        CacheRule::Prefix { block, prefill } => (Some(block), prefill),
    };
    TimelineView {
        schema: "toolcost.timeline/1",
        paths: settings.paths.clone(),
        counter: settings.counter.clone(),
        cache: rule.word(),
        block,
        prefill,
        sessions: sessions.collect(),
        subagent_requests: runs().map(|run| run.subagents).sum(),
        side_requests: runs().map(crate::summary::RunSummary::side_requests).sum(),
        left_out: outcome.outside + outcome.without_time,
        skipped: outcome.skipped.iter().map(SkippedRow::from).collect(),
        settings,
    }
}
