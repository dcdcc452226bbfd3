//! The view behind `check`: limits, growth since a baseline, rules; one verdict.

mod baseline;
mod limits;
mod measured;
mod ratchet;

pub use baseline::{Baseline, BaselineError, BaselineRun};
pub use limits::LimitRow;

use super::{FindingRow, Settings, SkippedRow};
use crate::data::{DATA_VERSION, Data};
use crate::lint::LINTS;
use crate::model::{Level, Limits, Ratchet, RuleLevel};
use crate::pipeline::Outcome;
use crate::summary::RunSummary;
use measured::Measured;
use serde::Serialize;
use std::sync::Arc;

/// `toolcost.check/1`.
#[derive(Debug, Clone, Serialize)]
pub struct CheckView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// The program's version.
    pub toolcost: &'static str,
    /// The day of its tables.
    pub data_version: &'static str,
    /// Nothing failed, nothing is undecided, and everything could be read.
    pub passed: bool,
    /// What the numbers were made with.
    pub settings: Settings,
    /// Nobody named the model: a listing does not.
    pub model_assumed: bool,
    /// Each limit with how it came out, the worst first.
    pub limits: Vec<LimitRow>,
    /// The baseline that growth was held against.
    pub baseline: Option<BaselineUsed>,
    /// What the rules found, the worst first, and what is odd about the limits themselves.
    pub findings: Vec<FindingRow>,
    /// Runs that were looked at, with their requests.
    pub runs: Vec<CheckedRun>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// They are let pass.
    #[serde(skip)]
    pub tolerated: bool,
    /// PATHs as given.
    #[serde(skip)]
    pub paths: Vec<String>,
}

/// A run that was looked at.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedRun {
    /// Its name.
    pub run: String,
    /// Its main requests, or 1 for a listing.
    pub requests: u64,
    /// Definitions in the prompt, in the first main request.
    pub loaded: Option<u64>,
    /// Definitions held back.
    pub deferred: Option<u64>,
    /// Both.
    pub all: Option<u64>,
    /// The whole request.
    pub request: Option<u64>,
}

/// Which baseline was used.
#[derive(Debug, Clone, Serialize)]
pub struct BaselineUsed {
    /// The file as given.
    pub path: String,
    /// The version that wrote it.
    pub toolcost: String,
    /// Runs in it.
    pub runs: u64,
}

/// What the view is built from.
pub struct CheckOptions<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// What the numbers were made with.
    pub settings: Settings,
    /// The limits and rules.
    pub limits: &'a Limits,
    /// The baseline with its path, and what growth is allowed.
    pub ratchet: Option<(&'a str, &'a Baseline, &'a Ratchet)>,
    /// The inputs are listings of tools.
    pub listings: bool,
    /// Nobody named the model.
    pub model_assumed: bool,
    /// Inputs that could not be read are let pass.
    pub tolerated: bool,
}

/// How bad a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is within its limits.
    Passed,
    /// Something is not.
    Failed,
    /// Something could not be decided.
    Undecided,
}

impl CheckView {
    /// The verdict: what failed outweighs what could not be decided.
    pub fn verdict(&self) -> Verdict {
        let any = |status: &str| self.limits.iter().any(|row| row.status == status);
        let error = self.findings.iter().any(|f| f.level == Level::Error);
        match (any("failed") || error, any("undecided")) {
            (true, _) => Verdict::Failed,
            (false, true) => Verdict::Undecided,
            _ => Verdict::Passed,
        }
    }
}

/// Builds the view.
///
/// # Errors
/// A baseline that cannot be compared.
pub fn check(outcome: &Outcome, options: CheckOptions<'_>) -> Result<CheckView, BaselineError> {
    if let Some((_, baseline, _)) = options.ratchet {
        baseline.fits(outcome, &options.settings)?;
    }
    let measured: Vec<Measured<'_>> = outcome
        .runs
        .iter()
        .filter(|(_, summary)| summary.first.is_some())
        .map(|(name, summary)| Measured::of(name, summary, &options))
        .collect();
    let mut findings = rules(outcome, options.limits);
    let mut rows = Vec::new();
    for run in &measured {
        rows.extend(limits::rows(run, &options));
        if let Some((_, baseline, ratchet)) = options.ratchet {
            rows.extend(ratchet::rows(run, baseline, ratchet));
        }
    }
    findings.extend(limits::unmatched(&measured, &options));
    findings.extend(unchecked(outcome));
    if let Some((path, baseline, _)) = options.ratchet {
        findings.extend(ratchet::gone(&measured, baseline, path));
    }
    findings.sort_by(|a, b| {
        let key = |f: &FindingRow| (f.run.clone(), f.code, f.subject.clone());
        b.level.cmp(&a.level).then_with(|| key(a).cmp(&key(b)))
    });
    rows.sort_by(|a: &LimitRow, b| (a.order(), &a.id).cmp(&(b.order(), &b.id)));
    let mut view = CheckView {
        schema: "toolcost.check/1",
        toolcost: env!("CARGO_PKG_VERSION"),
        data_version: DATA_VERSION,
        passed: false,
        model_assumed: options.model_assumed,
        tolerated: options.tolerated,
        paths: options.settings.paths.clone(),
        baseline: options.ratchet.map(|(path, baseline, _)| BaselineUsed {
            path: path.to_owned(),
            toolcost: baseline.toolcost.clone(),
            runs: baseline.runs.len() as u64,
        }),
        settings: options.settings,
        limits: rows,
        findings,
        runs: measured.iter().map(Measured::checked).collect(),
        skipped: outcome
            .skipped
            .iter()
            .chain(&outcome.tools_skipped)
            .map(SkippedRow::from)
            .collect(),
    };
    view.passed = view.verdict() == Verdict::Passed && (view.tolerated || view.skipped.is_empty());
    Ok(view)
}

/// Runs without a main request: nothing in them was held against a limit.
fn unchecked(outcome: &Outcome) -> Vec<FindingRow> {
    let without = outcome.runs.iter().filter(|(_, run)| run.first.is_none());
    let row = |(name, run): (&Arc<str>, &RunSummary)| FindingRow {
        code: "run-not-checked",
        level: Level::Warn,
        message: format!(
            "no main request, only {} beside a conversation: no limit was held against it",
            run.subagents + run.side_requests()
        ),
        run: name.to_string(),
        path: run
            .paths
            .first()
            .map_or_else(String::new, ToString::to_string),
        line: None,
        element: None,
        pointer: String::new(),
        subject: name.to_string(),
        help: "capture the conversation, or leave these requests out".to_owned(),
        times: 1,
    };
    without.map(row).collect()
}

/// What the lints found, as the rules weigh it.
fn rules(outcome: &Outcome, limits: &Limits) -> Vec<FindingRow> {
    let level = |code: &str| match limits.rules.get(code) {
        Some(level) => *level,
        None if limits.all_rules => RuleLevel::Default,
        None => RuleLevel::Off,
    };
    let mut rows = Vec::new();
    for (run, summary) in &outcome.runs {
        for (_, finding, times) in summary.lints.values() {
            let level = match level(finding.code) {
                RuleLevel::Off => continue,
                RuleLevel::At(level) => level,
                RuleLevel::Default => finding.level,
            };
            rows.push(FindingRow {
                level,
                ..FindingRow::new(run, finding, *times)
            });
        }
    }
    rows
}

/// The codes of all lints.
pub fn lint_codes() -> impl Iterator<Item = &'static str> {
    LINTS.iter().map(|lint| lint.code)
}
