//! The view of all runs: its shape, and how it is built from summaries.

use super::by_counter::{self, CounterRow};
use super::counted::{self, CountedModel};
use super::rows::{Rows, shown_only};
use super::{
    DistributionRow, GateRead, SavingsRow, ServerRow, SumsRow, TokensRow, ToolRow, TranscriptRow,
    savings, tokens, tools, transcripts,
};
use crate::data::{DATA_VERSION, Data};
use crate::model::{GateTrace, Role, Word};
use crate::pipeline::Outcome;
use crate::summary::RunSummary;
use crate::view::{FindingRow, SkippedRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `toolcost.report/1`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunsView {
    /// The name and version of this document's shape.
    #[serde(deserialize_with = "crate::model::word")]
    pub schema: Word,
    /// The program's version.
    #[serde(deserialize_with = "crate::model::word")]
    pub toolcost: Word,
    /// The day of the embedded tables.
    #[serde(deserialize_with = "crate::model::word")]
    pub data_version: Word,
    /// What the numbers were made with.
    pub settings: Settings,
    /// How well the counts for each model are known.
    pub counted_for: Vec<CountedModel>,
    /// Runs by name.
    pub runs: Vec<RunRow>,
    /// What could not be read.
    pub skipped: Vec<SkippedRow>,
    /// Files that no format claims.
    pub not_captures: u64,
    /// Records of captures that are known to hold no request: other traffic, figures, skeletons.
    pub other_records: u64,
    /// Calls that a second transcript tells of too, counted once.
    pub told_twice: u64,
    /// Requests outside of `--since` and `--until`.
    pub outside_window: OutsideWindow,
    /// Tool listings among the PATHs; they belong to `--tools`.
    pub listings: u64,
    /// Findings, worst first.
    pub findings: Vec<FindingRow>,
    /// Nothing that `--tools` gave was asked for.
    #[serde(skip)]
    pub listings_unused: bool,
}

/// What the numbers were made with.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The counter.
    pub counter: String,
    /// How wrong its estimates may be, in a sentence.
    #[serde(skip)]
    pub about_estimates: String,
    /// What `--calibration` gave.
    pub calibrated: Option<super::Calibrations>,
    /// The gate's profile.
    pub profile: String,
    /// The model given by flag.
    pub model: Option<String>,
    /// The window given by flag.
    pub context_window: Option<u64>,
    /// Names of the environment variables that were given by flag.
    pub env: Vec<String>,
    /// Definitions that `--tools` gave.
    pub listed_tools: u64,
    /// PATHs as given, for the hint what to type next.
    #[serde(skip)]
    pub paths: Vec<String>,
    /// None was given: they are this project's transcripts.
    #[serde(skip)]
    pub here: bool,
    /// The PATHs are reports that were joined.
    #[serde(skip)]
    pub merged: bool,
}

/// What a view needs besides the outcome.
pub struct ViewOptions<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// What the numbers were made with.
    pub settings: Settings,
    /// Add rows by request.
    pub by_request: bool,
    /// What came of the same captures by several counters; empty where one was asked for.
    pub by_counter: &'a [(&'static str, &'a Outcome)],
    /// Which rows of tools are shown, and in which order.
    pub rows: &'a Rows,
}

/// Requests that a time window leaves out.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutsideWindow {
    /// Their time is outside of it.
    pub outside: u64,
    /// Nobody knows their time.
    pub without_time: u64,
}

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRow {
    /// Its name.
    pub run: String,
    /// Its files.
    pub paths: Vec<String>,
    /// Main requests.
    pub requests: u64,
    /// Side requests.
    pub side_requests: u64,
    /// Side requests by kind.
    #[serde(deserialize_with = "crate::model::by_word")]
    pub side_kinds: BTreeMap<Word, u64>,
    /// Requests of subagents.
    pub subagent_requests: u64,
    /// Conversations.
    pub sessions: u64,
    /// Models of main requests.
    pub models: Vec<String>,
    /// Versions of the client.
    pub client_versions: Vec<String>,
    /// Rows by request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_request: Option<Vec<RequestView>>,
    /// The client's context window in tokens, for the first main request.
    pub context_window: Option<u64>,
    /// The first main request.
    pub first: Option<TokensRow>,
    /// The last main request.
    pub last: Option<TokensRow>,
    /// All main requests.
    pub total: TokensRow,
    /// How large the main requests are, and the definitions in them.
    pub distribution: DistributionRow,
    /// Tools, in the order that was asked for, else the largest first.
    #[serde(serialize_with = "shown_only")]
    pub tools: Vec<ToolRow>,
    /// Tools that `--filter` leaves out of `tools`; every sum holds them.
    pub tools_left_out: u64,
    /// The first request's tools by each counter, where several were asked for.
    pub by_counter: Vec<CounterRow>,
    /// MCP servers.
    pub by_server: Vec<ServerRow>,
    /// The gate of the first main request.
    pub gate: Option<GateRow>,
    /// Tools without a definition, over all main requests.
    #[serde(skip)]
    pub total_unknown_definitions: u64,
    /// The gate answers differently later.
    pub gates_differ: bool,
    /// Savings of the first main request, and of all.
    pub savings: SavingsRow,
    /// Session transcripts among its files.
    pub transcripts: Vec<TranscriptRow>,
    /// The sums behind the numbers, with what is known of each: what `--merge` adds up.
    pub sums: SumsRow,
}

/// The gate with the signs behind `observed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "GateRead")]
pub struct GateRow {
    /// The trace.
    #[serde(flatten)]
    pub trace: GateTrace,
    /// What the wire shows, in words.
    pub signs: Vec<String>,
}

/// One request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestView {
    /// The file.
    pub path: String,
    /// The place in it.
    pub place: String,
    /// main, subagent, side.
    #[serde(deserialize_with = "crate::model::word")]
    pub role: Word,
    /// The kind of a side request.
    #[serde(deserialize_with = "crate::model::word_or_null")]
    pub side_kind: Option<Word>,
    /// Number of the conversation.
    pub session: u64,
    /// Turn of the conversation.
    pub turn: Option<u64>,
    /// Tokens.
    pub tokens: TokensRow,
}

/// The findings of all runs, the worst first.
pub(in crate::view) fn findings(outcome: &Outcome) -> Vec<FindingRow> {
    let mut findings: Vec<FindingRow> = Vec::new();
    for (name, summary) in &outcome.runs {
        findings.extend(
            summary
                .findings
                .values()
                .map(|(_, finding, times)| FindingRow::new(name, finding, *times)),
        );
    }
    findings.sort_by(|a, b| {
        b.level
            .cmp(&a.level)
            .then_with(|| (&a.run, a.code, &a.subject).cmp(&(&b.run, b.code, &b.subject)))
    });
    findings
}

/// Builds the view.
pub fn runs(outcome: &Outcome, options: ViewOptions<'_>) -> RunsView {
    let findings = findings(outcome);
    let rows = outcome
        .runs
        .iter()
        .map(|(name, summary)| run_row(name, summary, &options))
        .collect();
    let skipped = outcome
        .skipped
        .iter()
        .chain(&outcome.tools_skipped)
        .map(SkippedRow::from)
        .collect();
    let settings = Settings {
        listed_tools: outcome.listed_tools,
        ..options.settings
    };
    RunsView {
        schema: "toolcost.report/1",
        toolcost: env!("CARGO_PKG_VERSION"),
        data_version: DATA_VERSION,
        counted_for: counted::models(outcome, &settings, options.data),
        settings,
        runs: rows,
        skipped,
        not_captures: outcome.not_captures,
        other_records: outcome.asides,
        told_twice: outcome.told_twice,
        outside_window: OutsideWindow {
            outside: outcome.outside,
            without_time: outcome.without_time,
        },
        listings: outcome.listings,
        findings,
        listings_unused: outcome.listings_unused,
    }
}

fn run_row(name: &str, summary: &RunSummary, options: &ViewOptions<'_>) -> RunRow {
    let first = summary.first.as_ref();
    let names = |set: &std::collections::BTreeSet<std::sync::Arc<str>>| {
        set.iter().map(ToString::to_string).collect::<Vec<String>>()
    };
    let mut tools = tools::rows(summary);
    let models = names(&summary.models);
    tools::set_errors(&mut tools, &models, &options.settings, options.data);
    options.rows.arrange(&mut tools);
    let left_out = tools.iter().filter(|tool| !tool.shown);
    RunRow {
        tools_left_out: left_out.map(|tool| tool.tools).sum(),
        run: name.to_owned(),
        paths: names(&summary.paths),
        requests: summary.requests,
        side_requests: summary.side_requests(),
        side_kinds: summary.sides.clone(),
        subagent_requests: summary.subagents,
        sessions: summary.sessions.len() as u64,
        models,
        client_versions: names(&summary.client_versions),
        by_request: options.by_request.then(|| by_request(summary)),
        context_window: first.and_then(|placed| placed.audit.window),
        first: first.map(|placed| tokens::row(&placed.audit.parts, placed.audit.window)),
        last: summary
            .last
            .as_ref()
            .map(|placed| tokens::row(&placed.audit.parts, placed.audit.window)),
        total: tokens::row(&summary.total, None),
        distribution: DistributionRow::of(&summary.sizes),
        by_server: tools::by_server(&tools),
        tools,
        by_counter: by_counter::rows(name, options.by_counter),
        gate: first
            .and_then(|placed| {
                placed
                    .audit
                    .gate
                    .clone()
                    .map(|trace| (trace, placed.audit.signs.clone()))
            })
            .map(|(trace, signs)| GateRow { trace, signs }),
        total_unknown_definitions: summary.savings.unknown_definitions,
        gates_differ: summary.gates.len() > 1,
        savings: savings::row(summary, options.data),
        transcripts: transcripts::rows(summary),
        sums: SumsRow::of(summary),
    }
}

fn by_request(summary: &RunSummary) -> Vec<RequestView> {
    summary
        .by_request
        .iter()
        .map(|row| RequestView {
            path: row.path.to_string(),
            place: row.place.clone(),
            role: row.role.word(),
            side_kind: match row.role {
                Role::Side(kind) => Some(kind),
                _ => None,
            },
            session: row.session,
            turn: row.turn,
            tokens: tokens::row(&row.parts, row.window),
        })
        .collect()
}
