//! Notes on inputs that could not be read: any command that reads captures ends with them.

use super::words::plural;
use super::{Note, Tone};
use crate::view::SkippedRow;

/// Notes of one kind shown before the rest is only counted.
pub(super) const SHOWN: usize = 8;

/// One note an input, the rest counted unless all of them are asked for.
pub(super) fn skipped(rows: &[SkippedRow], all: bool) -> Vec<Note> {
    let most = if all { usize::MAX } else { SHOWN };
    let mut notes: Vec<Note> = rows
        .iter()
        .take(most)
        .map(|row| format!("{}, {}: {}.", row.path, row.place, row.reason))
        .map(note)
        .collect();
    if let more @ 1.. = rows.len().saturating_sub(most) {
        let more = plural(more as u64, "more input", "more inputs");
        notes.push(note(format!("{more}: see --format json.")));
    }
    notes
}

fn note(text: String) -> Note {
    Note {
        tone: Tone::Warn,
        label: "skipped".to_owned(),
        text,
    }
}
