//! The tools of a run from several reports.

use super::Part;
use crate::model::{Level, Tokens};
use crate::view::FindingRow;
use crate::view::runs::ToolRow;
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

/// Tools whose size one report lacks and another has: together the captures would give more numbers than the reports.
pub(super) fn apart(parts: &[Part], run: &str) -> Vec<FindingRow> {
    let mut known: BTreeMap<&str, (bool, Option<&Part>)> = BTreeMap::new();
    for part in parts {
        for tool in &part.row.tools {
            let (sized, lacking) = known.entry(&tool.name).or_default();
            match tool.size {
                Some(_) => *sized = true,
                None => *lacking = lacking.or(Some(part)),
            }
        }
    }
    let apart = known.into_iter().filter_map(|(name, (sized, lacking))| {
        let first = lacking.filter(|_| sized)?;
        Some(FindingRow {
            code: APART,
            level: Level::Info,
            message: "its definition is unknown in one report and known in another".to_owned(),
            run: run.to_owned(),
            path: first.row.paths.first().cloned().unwrap_or_default(),
            line: None,
            element: None,
            pointer: String::new(),
            subject: name.to_owned(),
            help: "report the captures together, or give --tools to each report".to_owned(),
            times: 1,
        })
    });
    apart.collect()
}
