//! One run from several reports.

use super::{MergeError, Part, tools};
use crate::audit::PartSums;
use crate::data::Data;
use crate::model::{Level, Word};
use crate::session::natural;
use crate::view::FindingRow;
use crate::view::runs::tools::{by_cost, by_server, set_errors};
use crate::view::runs::{
    ModeRow, RequestView, RunRow, SavingsRow, Settings, SumsRow, TranscriptRow, savings, tokens,
};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The finding of rows by request that not every report has.
const ROWS: &str = "requests-left-out";

/// The run, and what is to be told of it. A run that stands in one report stays as it is.
pub(super) fn joined(
    mut parts: Vec<Part>,
    settings: &Settings,
    data: &Data,
) -> Result<(RunRow, Vec<FindingRow>), MergeError> {
    if parts.len() > 1
        && let Some(filtered) = parts.iter().find(|part| part.row.tools_left_out > 0)
    {
        return Err(MergeError::Filtered {
            name: filtered.name.clone(),
            run: filtered.row.run.clone(),
        });
    }
    parts.sort_by(order);
    let Some(last) = last(&parts) else {
        return Err(MergeError::Nothing);
    };
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return Ok((only.row, Vec::new()));
    }
    let mut found = Vec::new();
    let by_request = by_request(&parts, &mut found);
    let row = sum(&parts, last, by_request, settings, data);
    Ok((row, found))
}

/// By the place of the first main request; reports without one last. Of one place, by files; what is left is told by
/// nothing, and stays in the order in which it was given.
fn order(a: &Part, b: &Part) -> Ordering {
    let by_first = match (&a.row.sums.first, &b.row.sums.first) {
        (Some(a), Some(b)) => a.order(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    by_first.then_with(|| a.row.paths.cmp(&b.row.paths))
}

/// The report with the last main request.
fn last(parts: &[Part]) -> Option<usize> {
    let at = |part: &usize| parts[*part].row.sums.last.as_ref();
    (0..parts.len()).max_by(|a, b| match (at(a), at(b)) {
        (Some(a), Some(b)) => a.order(b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    })
}

fn sum(
    parts: &[Part],
    last: usize,
    by_request: Option<Vec<RequestView>>,
    settings: &Settings,
    data: &Data,
) -> RunRow {
    let rows = || parts.iter().map(|part| &part.row);
    let total = |of: fn(&RunRow) -> u64| rows().map(of).fold(0, u64::saturating_add);
    let all = |of: fn(&RunRow) -> &Vec<String>| {
        let names: BTreeSet<&String> = rows().flat_map(of).collect();
        names.into_iter().cloned().collect::<Vec<String>>()
    };
    let first = &parts[0].row;
    let (sums, distribution) = parts[1..].iter().fold(
        (first.sums.clone(), first.distribution.clone()),
        |(sums, distribution), part| {
            let sums: SumsRow = sums.merge(&part.row.sums);
            (sums, distribution.merge(&part.row.distribution))
        },
    );
    let requests = total(|row| row.requests);
    let models = all(|row| &row.models);
    let mut tools = tools::joined(parts, &sums.calls);
    set_errors(&mut tools, &models, settings, data);
    by_cost(&mut tools);
    RunRow {
        run: first.run.clone(),
        paths: all(|row| &row.paths),
        requests,
        side_requests: total(|row| row.side_requests),
        side_kinds: side_kinds(rows()),
        subagent_requests: total(|row| row.subagent_requests),
        sessions: total(|row| row.sessions),
        models,
        client_versions: all(|row| &row.client_versions),
        by_request,
        context_window: first.context_window,
        first: first.first.clone(),
        last: parts[last].row.last.clone(),
        total: tokens::row(&PartSums::from(&sums.parts), None),
        distribution,
        by_server: by_server(&tools),
        tools,
        tools_left_out: 0,
        by_counter: first.by_counter.clone(),
        gate: first.gate.clone(),
        total_unknown_definitions: sums.savings.unknown_definitions,
        gates_differ: sums.gates.len() > 1,
        savings: saved(first, last == 0, requests, &sums),
        transcripts: transcripts(rows()),
        sums,
    }
}

/// Savings of the first request as they are, and of all anew. At the last request's rates the first one's tools have a
/// price only where one report knows both.
fn saved(first: &RunRow, has_last: bool, requests: u64, sums: &SumsRow) -> SavingsRow {
    let modes = first.savings.modes.iter().cloned();
    let modes = modes.map(|mode| ModeRow {
        usd_steady: mode.usd_steady.filter(|_| has_last),
        ..mode
    });
    SavingsRow {
        modes: modes.collect(),
        search_turns: sums.savings.searches,
        search_turns_reread: sums.savings.reread.count().tokens,
        per_run_total: savings::total_row(requests, &sums.savings),
        ..first.savings.clone()
    }
}

fn side_kinds<'r>(rows: impl Iterator<Item = &'r RunRow>) -> BTreeMap<Word, u64> {
    let mut kinds: BTreeMap<Word, u64> = BTreeMap::new();
    for (kind, n) in rows.flat_map(|row| &row.side_kinds) {
        let slot = kinds.entry(kind).or_default();
        *slot = slot.saturating_add(*n);
    }
    kinds
}

fn transcripts<'r>(rows: impl Iterator<Item = &'r RunRow>) -> Vec<TranscriptRow> {
    let mut all: Vec<TranscriptRow> = rows.flat_map(|row| &row.transcripts).cloned().collect();
    all.sort_by(|a, b| natural(&a.path, &b.path));
    all
}

/// Rows by request, report after report. Sessions of one number in two reports are two sessions: those of the later
/// report are numbered on.
fn by_request(parts: &[Part], found: &mut Vec<FindingRow>) -> Option<Vec<RequestView>> {
    let with = parts.iter().filter(|part| part.row.by_request.is_some());
    if with.count() == 0 {
        return None;
    }
    let mut all: Vec<RequestView> = Vec::new();
    let mut before = 0;
    for part in parts {
        let Some(rows) = &part.row.by_request else {
            found.push(left_out(part));
            return None;
        };
        let most = rows.iter().map(|row| row.session).max().unwrap_or_default();
        all.extend(rows.iter().map(|row| RequestView {
            session: row.session.saturating_add(before),
            ..row.clone()
        }));
        before = most.saturating_add(before);
    }
    Some(all)
}

fn left_out(part: &Part) -> FindingRow {
    FindingRow {
        code: ROWS,
        level: Level::Warn,
        message: "rows by request are left out: one of the joined reports has none".to_owned(),
        run: part.row.run.clone(),
        path: part.row.paths.first().cloned().unwrap_or_default(),
        line: None,
        element: None,
        pointer: String::new(),
        subject: part.name.clone(),
        help: "write every report with --per-request".to_owned(),
        times: 1,
    }
}
