//! The document of `timeline`: a table for each session, and a line for what happened in a turn.

mod lines;
mod sheet;

pub(super) use sheet::sheet;

use super::skipped::skipped;
use super::words::{plural, thousands};
use super::{Amount, Block, Cell, Column, Payload, Report, Table};
use crate::model::Tokens;
use crate::view::{PrefixState, Tally, TimelineSession, TimelineTurn, TimelineView};

/// Sessions with a table of their own.
const MOST_SESSIONS: usize = 40;

/// Builds the document; `top`: turns of each session that are shown.
pub fn timeline(view: TimelineView, top: usize, verbose: bool) -> Report {
    let mut blocks = vec![Block::Title(title(&view)), Block::Text(legend(&view))];
    let most = if verbose { usize::MAX } else { MOST_SESSIONS };
    for session in view.sessions.iter().take(most) {
        blocks.push(Block::Heading(heading(session)));
        blocks.push(Block::Table(table(session, top, view.prefill.is_some())));
        let notes = lines::notes(session, top);
        if !notes.is_empty() {
            blocks.push(Block::Notes(notes));
        }
        blocks.push(Block::Text(lines::sums(session, top)));
    }
    if let more @ 1.. = view.sessions.len().saturating_sub(most) {
        let more = plural(more as u64, "more session", "more sessions");
        blocks.push(Block::Text(format!(
            "{more}: see --verbose or --format json."
        )));
    }
    let notes = skipped(&view.skipped, verbose);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Timeline(Box::new(view)),
    }
}

fn title(view: &TimelineView) -> String {
    let turns = view.sessions.iter().map(|session| session.turns.len());
    let mut said = vec![
        view.paths.join(", "),
        plural(view.sessions.len() as u64, "session", "sessions"),
        plural(turns.sum::<usize>() as u64, "turn", "turns"),
    ];
    let beside = [
        (view.side_requests, "side request", "side requests"),
        (
            view.subagent_requests,
            "subagent request",
            "subagent requests",
        ),
        (view.left_out, "request left out", "requests left out"),
    ];
    let beside = beside.into_iter().filter(|(number, ..)| *number > 0);
    said.extend(beside.map(|(number, one, many)| plural(number, one, many)));
    said.join(" · ")
}

fn legend(view: &TimelineView) -> String {
    let rule = match (view.cache, view.block) {
        ("anthropic", _) => "by Anthropic's rule: tools, then system, then messages, with deferred and discovered definitions outside of the tools".to_owned(),
        (_, Some(1) | None) => "as a plain prefix: all definitions in the order sent, deferred ones too".to_owned(),
        (_, Some(block)) => format!(
            "as a plain prefix in blocks of {}: all definitions in the order sent, deferred ones too",
            thousands(block)
        ),
    };
    let seconds = match view.prefill {
        Some(rate) => format!(" Seconds: for all that is not kept, at {rate} tokens a second."),
        None => String::new(),
    };
    format!(
        "Tools: loaded + discovered; New: discovered since the turn before. Kept: what begins like the turn before, {rule}. \
         Re-read: what both hold behind the first difference. Read, Written: the cache, as recorded.{seconds} \
         Counter: {}; ~ rests on an estimate.",
        view.counter
    )
}

fn heading(session: &TimelineSession) -> String {
    let mut models: Vec<&str> = Vec::new();
    for model in session
        .turns
        .iter()
        .filter_map(|turn| turn.model.as_deref())
    {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    let models = match models.is_empty() {
        true => "model unknown".to_owned(),
        false => models.join(", "),
    };
    format!("{}, session {} · {models}", session.run, session.session)
}

/// A tally as it is shown.
fn amount(tally: Tally) -> Amount {
    Amount::new(tally.tokens.map(Tokens), tally.estimated, tally.at_least)
}

fn number(number: Option<u64>) -> Cell {
    number.map_or_else(|| Cell::Text("?".to_owned()), Cell::Number)
}

/// Loaded and discovered: "12+2".
fn tools(turn: &TimelineTurn) -> String {
    let word = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), thousands);
    match turn.tools.discovered {
        Some(0) => word(turn.tools.loaded),
        None if turn.tools.loaded.is_none() => "?".to_owned(),
        discovered => format!("{}+{}", word(turn.tools.loaded), word(discovered)),
    }
}

fn table(session: &TimelineSession, top: usize, seconds: bool) -> Table {
    let column = |head| Column {
        head,
        right: true,
        cut: false,
    };
    let mut heads = vec![
        "Turn", "Tools", "New", "Prompt", "Kept", "Re-read", "Read", "Written",
    ];
    if seconds {
        heads.push("Seconds");
    }
    let rows = session.turns.iter().take(top).map(|turn| {
        let first = turn.prefix.state == PrefixState::First;
        let of_prefix = |tally| {
            if first {
                Cell::Dash
            } else {
                amount(tally).cell()
            }
        };
        let usage = turn.usage;
        let mut cells = vec![
            number(turn.turn),
            Cell::Text(tools(turn)),
            match turn.discoveries.len() as u64 {
                0 if turn.tools.discovered.is_none() => number(None),
                new => Cell::Number(new),
            },
            amount(turn.prompt).cell(),
            of_prefix(turn.prefix.kept),
            of_prefix(turn.prefix.reread),
            number(usage.and_then(|usage| usage.read)),
            number(usage.and_then(|usage| usage.written)),
        ];
        if seconds {
            let text = |seconds: f64| Cell::Text(format!("{seconds:.1}"));
            cells.push(match turn.prefix.prefill_seconds {
                Some(seconds) => text(seconds),
                None if first => Cell::Dash,
                None => number(None),
            });
        }
        cells
    });
    Table {
        rows: rows.collect(),
        columns: heads.into_iter().map(column).collect(),
        wrap: false,
    }
}
