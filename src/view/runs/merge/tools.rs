//! The tools of a run from several reports.

use super::Part;
use crate::model::{Level, Tokens};
use crate::view::FindingRow;
use crate::view::runs::read::NamedReport;
use crate::view::runs::{RunRow, ToolRow};
use std::collections::BTreeMap;

/// The finding of a tool that only one of the reports can size.
const APART: &str = "definition-in-other-report";

/// Tools by name, and by their order among those of one name in one report.
pub(super) fn joined(parts: &[Part], calls: &BTreeMap<String, u64>) -> Vec<ToolRow> {
    let mut by_name: BTreeMap<(&str, usize), Vec<(usize, &ToolRow)>> = BTreeMap::new();
    for (part, Part { row, .. }) in parts.iter().enumerate() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for tool in &row.tools {
            let order = seen.entry(&tool.name).or_default();
            by_name
                .entry((&tool.name, *order))
                .or_default()
                .push((part, tool));
            *order += 1;
        }
    }
    let rows = by_name.into_values().filter_map(|rows| row(&rows, calls));
    rows.collect()
}

/// A tool from its rows. What it is, is what the first request of the first report with it shows; a report in which it
/// came later stands behind those that had it from the start.
fn row(rows: &[(usize, &ToolRow)], calls: &BTreeMap<String, u64>) -> Option<ToolRow> {
    let of_start = rows.iter().find(|(_, row)| !row.later);
    let (part, shown) = of_start.or(rows.first())?;
    let later = *part > 0 || shown.later;
    let turns = rows.iter().map(|(_, row)| row.turns);
    Some(ToolRow {
        turns: turns.fold(0, u64::saturating_add),
        calls: calls.get(&shown.name).copied().unwrap_or(0),
        discovered_at: rows.iter().filter_map(|(_, row)| row.discovered_at).min(),
        later,
        in_prompt: if later {
            Some(Tokens(0))
        } else {
            shown.in_prompt
        },
        error: None,
        ..(*shown).clone()
    })
}

/// Tools whose size one report lacks and another has: together the captures might give more numbers than the reports,
/// since runs of one client version lend one another definitions.
pub(super) fn apart(reports: &[NamedReport]) -> Vec<FindingRow> {
    let runs = || {
        let reports = reports.iter().enumerate();
        reports.flat_map(|(at, report)| report.view.runs.iter().map(move |run| (at, run)))
    };
    let mut sized: BTreeMap<&str, Vec<(usize, &RunRow)>> = BTreeMap::new();
    for (at, run) in runs() {
        // A size that was only recorded is nobody else's.
        let defined = |tool: &&ToolRow| tool.size.is_some() && tool.definition_from.is_some();
        for tool in run.tools.iter().filter(defined) {
            sized.entry(&tool.name).or_default().push((at, run));
        }
    }
    let alike = |a: &RunRow, b: &RunRow| {
        let (ours, theirs) = (&a.client_versions, &b.client_versions);
        a.run == b.run || ours == theirs || ours.iter().any(|version| theirs.contains(version))
    };
    let mut found = Vec::new();
    for (at, run) in runs() {
        let lacking = run.tools.iter().filter(|tool| tool.size.is_none());
        for tool in lacking {
            let others = sized.get(tool.name.as_str()).into_iter().flatten();
            let mut others = others.filter(|(other, _)| *other != at);
            if others.any(|(_, other)| alike(run, other)) {
                found.push(finding(run, &tool.name));
            }
        }
    }
    found
}

fn finding(run: &RunRow, tool: &str) -> FindingRow {
    FindingRow {
        code: APART,
        level: Level::Info,
        message: "its definition is unknown in one report and known in another".to_owned(),
        run: run.run.clone(),
        path: run.paths.first().cloned().unwrap_or_default(),
        line: None,
        element: None,
        pointer: String::new(),
        subject: tool.to_owned(),
        help: "report the captures together, or give --tools to each report".to_owned(),
        times: 1,
    }
}
