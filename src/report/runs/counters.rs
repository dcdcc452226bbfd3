//! The table of several counters, side by side.

use crate::model::Tokens;
use crate::report::{Amount, Cell, Column, Table};
use crate::view::RunRow;

/// Tools in the order of the run's own table, a column a counter; `None` where one counter was asked for.
pub(super) fn table(run: &RunRow, top: usize) -> Option<Table> {
    if run.by_counter.is_empty() {
        return None;
    }
    let column = |head, right| Column {
        head,
        right,
        cut: !right,
    };
    let mut columns = vec![column("Tool", false)];
    columns.extend(run.by_counter.iter().map(|row| column(row.counter, true)));
    let cell = |counter: &str, tokens: Option<Tokens>, at_least| {
        Amount::new(tokens, !matches!(counter, "auto" | "claude"), at_least).cell()
    };
    let known = |name: &str| {
        let mut counters = run.by_counter.iter();
        counters.any(|row| row.sizes.contains_key(name))
    };
    let tools = run
        .tools
        .iter()
        .filter(|tool| tool.shown && known(&tool.name));
    let tools: Vec<&str> = tools.map(|tool| tool.name.as_str()).collect();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for name in tools.iter().take(top) {
        let mut cells = vec![Cell::Text((*name).to_owned())];
        cells.extend(run.by_counter.iter().map(|row| {
            let size = row.sizes.get(*name).copied().flatten();
            cell(row.counter, size, false)
        }));
        rows.push(cells);
    }
    if tools.len() > top {
        let mut cells = vec![Cell::Text(format!("… and {} smaller", tools.len() - top))];
        cells.extend(run.by_counter.iter().map(|row| {
            let rest = tools.iter().skip(top);
            let sizes = rest.filter_map(|name| row.sizes.get(*name).copied().flatten());
            let sum = sizes.map(|tokens| tokens.0).sum();
            cell(row.counter, Some(Tokens(sum)), row.at_least)
        }));
        rows.push(cells);
    }
    for (name, of) in [
        ("all loaded definitions", false),
        ("every definition of the pool", true),
    ] {
        let mut cells = vec![Cell::Text(name.to_owned())];
        cells.extend(run.by_counter.iter().map(|row| {
            let tokens = if of { row.all } else { row.loaded };
            cell(row.counter, tokens, of && row.at_least)
        }));
        rows.push(cells);
    }
    Some(Table {
        columns,
        rows,
        wrap: false,
    })
}
