//! The document of `search`: what is found and for how many points; recorded searches replayed.

use super::skipped::skipped;
use super::words::{plural, thousands};
use super::{Block, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::view::{ReplayedCall, SearchHit, SearchView};

/// Tools beyond the answer that are shown.
const MORE: usize = 5;

/// Builds the document.
pub fn search(view: SearchView) -> Report {
    let mut blocks = vec![Block::Title(title(&view))];
    if view.by_rules {
        blocks.push(Block::Text(
            "Nothing was deferred in this request: the tools that the rules defer are searched, as with tool search on."
                .to_owned(),
        ));
    }
    if view.query.is_some() {
        answer(&view, &mut blocks);
    }
    if !view.calls.is_empty() {
        blocks.push(Block::Heading("Recorded searches, replayed".to_owned()));
        blocks.push(Block::Table(calls(&view.calls)));
        blocks.push(Block::Text(agreement(&view.calls)));
    } else if view.query.is_none() {
        blocks.push(Block::Text("No search was recorded here.".to_owned()));
    }
    let notes = skipped(&view.skipped, false);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Search(Box::new(view)),
    }
}

fn title(view: &SearchView) -> String {
    let pool = plural(view.deferred, "deferred tool", "deferred tools");
    let names_only = match view.names_only {
        0 => String::new(),
        n => format!(", {} of them by name alone", thousands(n)),
    };
    format!("{}, first request · {pool}{names_only}", view.run)
}

fn answer(view: &SearchView, blocks: &mut Vec<Block>) {
    let mode = match view.mode {
        Some("select") => "A selection: each name in the deferred set, else among all tools.",
        Some("exact") => "The query is a tool's whole name.",
        Some("prefix") => {
            "The query begins like the names of a server: its tools in their order, without points."
        }
        _ => "Words, scored; of equal points the first in the list comes first.",
    };
    blocks.push(Block::Text(mode.to_owned()));
    if view.results.is_empty() {
        blocks.push(Block::Text("No matching deferred tools found.".to_owned()));
    } else {
        blocks.push(Block::Table(hits(&view.results)));
    }
    if !view.more.is_empty() {
        let named: Vec<String> = view
            .more
            .iter()
            .take(MORE)
            .map(|hit| format!("{} {}", hit.name, hit.score.unwrap_or(0)))
            .collect();
        let rest = view.more.len().saturating_sub(MORE);
        let rest = match rest {
            0 => String::new(),
            n => format!(" and {} others", thousands(n as u64)),
        };
        blocks.push(Block::Text(format!(
            "Beyond the {} that were asked for: {}{rest}.",
            thousands(view.max_results),
            named.join(", ")
        )));
    }
    let mut notes: Vec<Note> = view
        .missing
        .iter()
        .map(|missing| {
            let near = match missing.near.is_empty() {
                true => String::new(),
                false => format!("; a suffix is no name: {}", missing.near.join(", ")),
            };
            note("missing", format!("{}{near}", missing.name))
        })
        .collect();
    let loaded: Vec<&str> = view
        .results
        .iter()
        .filter(|hit| hit.already_loaded)
        .map(|hit| hit.name.as_str())
        .collect();
    if !loaded.is_empty() {
        notes.push(note(
            "loaded",
            format!(
                "{}: in the prompt already; nothing is gained, and whether the client names it again depends on its version",
                loaded.join(", ")
            ),
        ));
    }
    if !view.pending_servers.is_empty() {
        notes.push(note(
            "pending",
            format!(
                "{}: still connecting, so that a miss proves nothing",
                view.pending_servers.join(", ")
            ),
        ));
    }
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
}

fn note(label: &str, text: String) -> Note {
    Note {
        tone: Tone::Warn,
        label: label.to_owned(),
        text,
    }
}

fn column(head: &'static str, right: bool) -> Column {
    Column {
        head,
        right,
        cut: !right,
    }
}

fn hits(hits: &[SearchHit]) -> Table {
    let rows = hits.iter().map(|hit| {
        let points = hit
            .terms
            .iter()
            .map(|term| format!("{} {} {}", term.term, term.place, term.points));
        vec![
            Cell::Text(hit.name.clone()),
            hit.score.map_or(Cell::Dash, Cell::Number),
            hit.size
                .map_or_else(|| Cell::Text("?".to_owned()), Cell::Number),
            Cell::Text(points.collect::<Vec<_>>().join(", ")),
        ]
    });
    Table {
        columns: vec![
            column("Tool", false),
            column("Points", true),
            column("Tokens", true),
            column("From", false),
        ],
        rows: rows.collect(),
        wrap: true,
    }
}

fn calls(calls: &[ReplayedCall]) -> Table {
    let rows = calls.iter().map(|call| {
        let turn = call
            .turn
            .map_or_else(|| "?".to_owned(), |turn| turn.to_string());
        let names = |names: &[String]| match names.is_empty() {
            true => "nothing".to_owned(),
            false => names.join(", "),
        };
        let agrees = match (call.equal, call.names_only) {
            (true, _) => "yes",
            // Points of descriptions are missing: the replay may rank otherwise.
            (false, 1..) => "?",
            (false, 0) => "no",
        };
        vec![
            Cell::Text(format!("{}.{turn}", call.session)),
            Cell::Text(call.query.clone().unwrap_or_else(|| call.mode.to_owned())),
            Cell::Text(names(&call.recorded)),
            Cell::Text(match call.equal {
                true => "the same".to_owned(),
                false => names(&call.replayed),
            }),
            Cell::Text(agrees.to_owned()),
        ]
    });
    Table {
        columns: vec![
            column("Turn", false),
            column("Query", false),
            column("Recorded", false),
            column("Replayed", false),
            column("Agrees", false),
        ],
        rows: rows.collect(),
        wrap: true,
    }
}

fn agreement(calls: &[ReplayedCall]) -> String {
    let equal = calls.iter().filter(|call| call.equal).count() as u64;
    let all = calls.len() as u64;
    let mut text = format!(
        "{} of {} agree with the algorithm.",
        thousands(equal),
        plural(all, "recorded search", "recorded searches")
    );
    if calls.iter().any(|call| !call.equal && call.names_only > 0) {
        text.push_str(
            " Where descriptions are not known (?), points are missing: give the definitions with --tools.",
        );
    }
    if calls.iter().all(|call| call.query.is_none()) {
        text.push_str(" --show-text shows what was asked.");
    }
    text
}
