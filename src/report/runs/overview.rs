//! The table of runs, and the amounts that other parts of the document repeat.

use crate::model::State;
use crate::report::{Amount, Bound, Cell, Column, Table};
use crate::view::{RunRow, RunsView};

/// One row a run.
pub(super) fn table(view: &RunsView) -> Table {
    let column = |head, right| Column {
        head,
        right,
        cut: !right,
    };
    let columns = vec![
        column("Run", false),
        column("Requests", true),
        column("Loaded", true),
        column("Deferred", true),
        column("As sent", true),
        column("Share", true),
        column("Saved", true),
        column("", true),
    ];
    let rows = view.runs.iter().map(|run| {
        let count = |states: &[State]| {
            let of_first = run
                .tools
                .iter()
                .filter(|tool| !tool.later && states.contains(&tool.state));
            of_first.map(|tool| tool.tools).sum::<u64>()
        };
        let mut cells = vec![Cell::Text(run.run.clone()), Cell::Number(run.requests)];
        let Some(first) = &run.first else {
            cells.extend([
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Blank,
            ]);
            return cells;
        };
        let deferred = count(&[State::Deferred, State::Announced]);
        // A list that is not known is not empty.
        let loaded = count(&[State::Loaded, State::Discovered]);
        cells.push(
            match first.unknown_parts.contains(&"tools") && loaded == 0 {
                true => Cell::Text("?".to_owned()),
                false => Cell::Number(loaded),
            },
        );
        cells.push(Cell::Number(deferred));
        cells.push(as_sent(run).cell());
        cells.push(match first.share {
            Some(share) if first.has_rough_share() => Cell::EstimatedShare(share),
            share => Cell::Share(share),
        });
        match run.savings.saved {
            None => cells.extend([Cell::Text("?".to_owned()), Cell::Blank]),
            Some(..=0) if run.savings.at_least => {
                cells.extend([Cell::Text("?".to_owned()), Cell::Blank]);
            }
            Some(0) if deferred == 0 => cells.extend([Cell::Dash, Cell::Blank]),
            Some(tokens) => {
                let rough = run.savings.estimated.contains(&"saved");
                cells.push(saved(run, tokens, rough).cell());
                cells.push(
                    run.savings
                        .saved_share
                        .map_or(Cell::Blank, |share| Cell::Share(Some(share))),
                );
            }
        }
        cells
    });
    Table {
        columns,
        rows: rows.collect(),
        wrap: false,
    }
}

fn as_sent(run: &RunRow) -> Amount {
    let lacks = run
        .tools
        .iter()
        .any(|tool| tool.state == State::Loaded && !tool.later && tool.size.is_none());
    let first_lacks = run.first.as_ref().is_some_and(|first| {
        first
            .unknown_parts
            .iter()
            .any(|part| matches!(*part, "tools" | "prelude" | "deferral"))
    });
    let at_least = lacks || first_lacks || run.savings.at_most;
    let rough = run.savings.estimated.contains(&"as_sent");
    Amount::new(Some(run.savings.as_sent), rough, at_least)
}

/// What deferral saved, with what is missing of it.
pub(super) fn saved(run: &RunRow, tokens: i64, rough: bool) -> Amount {
    let bound = match (run.savings.at_least, run.savings.at_most) {
        (true, _) => Bound::AtLeast,
        (false, true) => Bound::AtMost,
        (false, false) => Bound::Whole,
    };
    Amount {
        tokens: Some(tokens),
        estimated: rough,
        bound,
    }
}
