//! The document of `count`: a row for each input and counter.

use super::{Amount, Block, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::model::{Evidence, Source};
use crate::view::CountView;

/// Builds the document.
pub fn count(view: CountView) -> Report {
    let column = |head, right, cut| Column { head, right, cut };
    let columns = vec![
        column("What", false, true),
        column("Kind", false, false),
        column("Counter", false, false),
        column("Model", false, true),
        column("Tokens", true, false),
        column("Source", false, false),
    ];
    let rows = view.rows.iter().map(|row| {
        let rough = row.source == Source::Estimated || row.evidence == Some(Evidence::C);
        let tokens = row.tokens.filter(|_| row.source != Source::Unknown);
        vec![
            Cell::Text(row.id.clone()),
            Cell::Text(row.kind.to_owned()),
            Cell::Text(row.counter.clone()),
            row.model.clone().map_or(Cell::Dash, Cell::Text),
            Amount::new(tokens, rough, row.at_least).cell(),
            Cell::Text(row.source.word().to_owned()),
        ]
    });
    let table = Table {
        columns,
        rows: rows.collect(),
        wrap: false,
    };
    let mut blocks = vec![Block::Table(table)];
    let unknown = view.rows.iter().filter_map(|row| {
        Some(Note {
            tone: Tone::Warn,
            label: format!("? {}", row.counter),
            text: row.reason.clone()?,
        })
    });
    let mut notes: Vec<Note> = unknown.collect();
    notes.dedup_by(|a, b| a.label == b.label);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Count(Box::new(view)),
    }
}
