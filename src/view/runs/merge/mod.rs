//! Reports joined into one, as if their captures had been reported together.
//!
//! Numbers that can be added are added, from the sums behind them; of what is of one request (the first, the last, the
//! gate) one report's is taken, by the order of files. What cannot be known from reports is null, or told.

mod run;
mod settings;
mod tools;

use super::read::NamedReport;
use super::{CountedModel, OutsideWindow, Rows, RunRow, RunsView};
use crate::data::Data;
use crate::session::natural;
use crate::view::{FindingRow, SkippedRow};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Why reports cannot be joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Nothing was given.
    #[error("no report was given")]
    Nothing,
    /// More than can be added up in one go.
    #[error("more than {MOST} reports; join some of them first, and the results after that")]
    TooMany,
    /// Their numbers are in different units.
    #[error(
        "{other}: {what} is not that of {first}; report the captures of both with the same {flag}"
    )]
    Differ {
        /// What differs.
        what: &'static str,
        /// The flag that settles it.
        flag: &'static str,
        /// A file.
        first: String,
        /// One that differs from it.
        other: String,
    },
    /// A report that does not hold all tools of a run that others have, too.
    #[error(
        "{name}: tools of {run} are left out, so that it cannot be added to others; report it again without --filter"
    )]
    Filtered {
        /// The file.
        name: String,
        /// The run.
        run: String,
    },
}

/// Reports that are joined at most: so many of the largest numbers add up without overflow.
const MOST: usize = 1000;

/// Joins reports. Runs of one name are added up, runs of other names stand side by side.
///
/// # Errors
/// Reports whose numbers are not of one kind: another counter, model or calibration; one that leaves tools out.
pub fn merge(reports: Vec<NamedReport>, rows: &Rows, data: &Data) -> Result<RunsView, MergeError> {
    let names: Vec<String> = reports.iter().map(|report| report.name.clone()).collect();
    let mut view = match reports.len() {
        0 => return Err(MergeError::Nothing),
        1 => one(reports)?,
        2..=MOST => several(reports, data)?,
        _ => return Err(MergeError::TooMany),
    };
    view.settings.paths = names;
    view.settings.merged = true;
    if rows.chosen() {
        for run in &mut view.runs {
            rows.arrange(&mut run.tools);
            let left_out = run.tools.iter().filter(|tool| !tool.shown);
            run.tools_left_out += left_out.map(|tool| tool.tools).sum::<u64>();
        }
    }
    Ok(view)
}

/// A report alone stays as it is.
fn one(reports: Vec<NamedReport>) -> Result<RunsView, MergeError> {
    let mut reports = reports.into_iter().map(|report| report.view);
    reports.next().ok_or(MergeError::Nothing)
}

/// A run with the report it stands in.
struct Part {
    name: String,
    row: RunRow,
}

fn several(reports: Vec<NamedReport>, data: &Data) -> Result<RunsView, MergeError> {
    let mut told = settings::differences(&reports)?;
    told.extend(tools::apart(&reports));
    let settings = settings::joined(&reports);
    let (toolcost, data_version) = settings::versions(&reports);
    let mut by_name: BTreeMap<String, Vec<Part>> = BTreeMap::new();
    let mut counted_for = Vec::new();
    let mut view = RunsView {
        schema: super::read::SCHEMA,
        toolcost,
        data_version,
        settings,
        counted_for: Vec::new(),
        runs: Vec::new(),
        skipped: Vec::new(),
        not_captures: 0,
        other_records: 0,
        told_twice: 0,
        outside_window: OutsideWindow::default(),
        listings: 0,
        findings: Vec::new(),
        listings_unused: false,
    };
    for NamedReport { name, view: report } in reports {
        counted_for.extend(report.counted_for);
        view.skipped.extend(report.skipped);
        view.not_captures += report.not_captures;
        view.other_records += report.other_records;
        view.told_twice += report.told_twice;
        view.outside_window.outside += report.outside_window.outside;
        view.outside_window.without_time += report.outside_window.without_time;
        view.listings += report.listings;
        told.extend(report.findings);
        for row in report.runs {
            let name = name.clone();
            by_name
                .entry(row.run.clone())
                .or_default()
                .push(Part { name, row });
        }
    }
    view.counted_for = models(counted_for);
    view.skipped.sort_by(skipped_order);
    for (_, parts) in by_name {
        let (row, found) = run::joined(parts, &view.settings, data)?;
        told.extend(found);
        view.runs.push(row);
    }
    view.findings = findings(told);
    Ok(view)
}

/// Each model once; where reports differ, as the one that knows least says.
fn models(all: Vec<CountedModel>) -> Vec<CountedModel> {
    let doubt = |model: &CountedModel| {
        let error = model.error.as_ref();
        let p95 = error.map_or(f64::INFINITY, |error| error.p95);
        (
            model.vocabulary,
            model.prelude,
            p95,
            model.checked.clone(),
            model.thin.len(),
        )
    };
    let mut by_name: BTreeMap<String, CountedModel> = BTreeMap::new();
    for model in all {
        match by_name.get(&model.model) {
            Some(known) if doubt(known).partial_cmp(&doubt(&model)) != Some(Ordering::Less) => {}
            _ => {
                by_name.insert(model.model.clone(), model);
            }
        }
    }
    by_name.into_values().collect()
}

/// The order of a report: by path, the whole file before places in it, numbers as numbers.
fn skipped_order(a: &SkippedRow, b: &SkippedRow) -> Ordering {
    let place = |row: &SkippedRow| row.place != "whole file";
    let by_place = place(a)
        .cmp(&place(b))
        .then_with(|| natural(&a.place, &b.place));
    a.path
        .cmp(&b.path)
        .then(by_place)
        .then_with(|| a.reason.cmp(&b.reason))
}

/// Each kind once for a run and subject, with the first place by path and how often it was seen; the worst first.
fn findings(all: Vec<FindingRow>) -> Vec<FindingRow> {
    let mut by_kind: BTreeMap<(String, &'static str, String), FindingRow> = BTreeMap::new();
    for finding in all {
        let key = (finding.run.clone(), finding.code, finding.subject.clone());
        let Some(known) = by_kind.get_mut(&key) else {
            by_kind.insert(key, finding);
            continue;
        };
        let times = known.times.saturating_add(finding.times);
        if finding_order(&finding, known) == Ordering::Less {
            *known = finding;
        }
        known.times = times;
    }
    let mut findings: Vec<FindingRow> = by_kind.into_values().collect();
    // Stable: by run, code and subject within a level.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    findings
}

fn finding_order(a: &FindingRow, b: &FindingRow) -> Ordering {
    let rest = |row: &FindingRow| (row.line, row.pointer.clone(), row.message.clone());
    natural(&a.path, &b.path).then_with(|| rest(a).cmp(&rest(b)))
}
