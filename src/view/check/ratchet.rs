//! Growth since a baseline: of scopes, and of each tool.

use super::baseline::{Baseline, BaselineRun};
use super::limits::{Asked, Had, LimitRow, decide, float, four_digits, worst};
use super::measured::{Measured, numbered};
use crate::model::{Level, LimitScope, Ratchet};
use crate::view::FindingRow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rows of a run: one a scope, and one for each tool that grew too much.
pub(super) fn rows(run: &Measured<'_>, baseline: &Baseline, ratchet: &Ratchet) -> Vec<LimitRow> {
    let Some(known) = baseline.run(run.run) else {
        // Nothing to hold it against: that is no reason to pass.
        return vec![LimitRow {
            id: "growth".to_owned(),
            run: run.run.to_owned(),
            path: None,
            scope: LimitScope::All,
            kind: "growth",
            matched: None,
            limit: 0.0,
            value: None,
            unit: "tokens",
            base: None,
            status: "undecided",
            margin: None,
            reason: "the run is not in the baseline; write it anew with --update-baseline"
                .to_owned(),
        }];
    };
    let scopes = [
        LimitScope::Loaded,
        LimitScope::Deferred,
        LimitScope::All,
        LimitScope::Request,
    ];
    let mut rows: Vec<LimitRow> = Vec::new();
    for scope in scopes {
        let decided = run.rows.iter().map(|row| {
            let had = Had::tokens(run.scope(row, scope));
            grown(
                run,
                scope,
                None,
                (known.scope(scope), had, &row.path),
                ratchet,
            )
        });
        let nothing = |row: &LimitRow| row.base == Some(0.0) && row.value == Some(0.0);
        rows.extend(worst(decided).filter(|row| !nothing(row)));
    }
    rows.extend(tools(run, known, ratchet));
    rows
}

/// Tools that grew too much; those that did not are no rows.
fn tools(run: &Measured<'_>, known: &BaselineRun, ratchet: &Ratchet) -> Vec<LimitRow> {
    let mut most: BTreeMap<(&str, usize), LimitRow> = BTreeMap::new();
    let mut bases: BTreeMap<&str, Vec<Option<u64>>> = BTreeMap::new();
    for tool in &known.tools {
        bases.entry(&tool.name).or_default().push(tool.size);
    }
    for row in &run.rows {
        for (at, tool) in numbered(row) {
            // A new tool is growth of its scope.
            let Some(base) = bases.get(&*tool.name).and_then(|sizes| sizes.get(at)) else {
                continue;
            };
            let had = Had::tokens(run.value(tool.size.into()));
            if base.is_none() && had.value.is_none() {
                continue;
            }
            let name = Some(tool.name.to_string());
            let grown = grown(run, LimitScope::All, name, (*base, had, &row.path), ratchet);
            if grown.status != "passed" {
                let before = most.remove(&(&*tool.name, at));
                let worst = worst(before.into_iter().chain([grown]));
                most.extend(worst.map(|row| ((&*tool.name, at), row)));
            }
        }
    }
    most.into_values().collect()
}

fn grown(
    run: &Measured<'_>,
    scope: LimitScope,
    tool: Option<String>,
    (base, had, path): (Option<u64>, Had, &Arc<str>),
    ratchet: &Ratchet,
) -> LimitRow {
    let grow = ratchet.scopes.get(&scope).filter(|_| tool.is_none());
    let share = grow.unwrap_or(&ratchet.grow).share;
    let id = match &tool {
        Some(name) => format!("growth {name}"),
        None => format!("growth {}", scope.word()),
    };
    let base = base.map(float);
    let allowed = base.map(|base| (base * share).max(float(ratchet.at_least)));
    let most = base
        .zip(allowed)
        .map_or(0.0, |(base, allowed)| base + allowed);
    let asked = Asked {
        id,
        scope,
        matched: tool,
        most: four_digits(most),
        unit: "tokens",
        base: None,
        why: None,
    };
    // The same counter on both sides: its error is on both sides too.
    let had = Had { band: 0.0, ..had };
    let value = had.value;
    let mut row = decide(run, asked, had, Some(path));
    row.kind = "growth";
    row.base = base;
    row.reason = match (base, value) {
        (None, _) => "the baseline does not know the number".to_owned(),
        (Some(base), Some(value)) => {
            let moved = value - base;
            let by = match base > 0.0 {
                true => format!("{:+.1} %", moved / base * 100.0),
                false => "from nothing".to_owned(),
            };
            format!("{moved:+.0} tokens, {by}; {:.0} allowed", most - base)
        }
        (Some(_), None) => row.reason,
    };
    if base.is_none() {
        row.status = "undecided";
        row.margin = None;
    }
    row
}

/// Runs of the baseline that are not there now.
pub(super) fn gone(runs: &[Measured<'_>], baseline: &Baseline, path: &str) -> Vec<FindingRow> {
    let gone = baseline.runs.iter().filter(|known| {
        let mut now = runs.iter();
        !now.any(|run| run.run == known.run)
    });
    let row = |known: &BaselineRun| FindingRow {
        code: "baseline-run-gone",
        level: Level::Warn,
        message: format!("{} is in the baseline and was not captured", known.run),
        run: known.run.clone(),
        path: path.to_owned(),
        line: None,
        element: None,
        pointer: String::new(),
        subject: known.run.clone(),
        help: "capture it, or write the baseline anew with --update-baseline".to_owned(),
        times: 1,
    };
    gone.map(row).collect()
}
