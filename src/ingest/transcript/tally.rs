//! What a transcript holds, counted by name.

use super::super::memo::Memo;
use crate::model::TranscriptFacts;

/// Distinct names of unknown types that are kept.
const MOST_UNKNOWN: usize = 50;

/// Longer names are no names of types.
const LONGEST: usize = 80;

impl TranscriptFacts {
    /// Counts a record by its type.
    pub(super) fn count(&mut self, kind: &str, known: &[String], memo: &mut Memo) {
        self.named(kind, known.iter().any(|own| own == kind), memo);
    }

    /// Counts something by its name. Names are strangers' words: of endless ones only the first are kept.
    pub(super) fn named(&mut self, name: &str, known: bool, memo: &mut Memo) {
        let table = match known {
            true => &mut self.records,
            false => &mut self.unknown,
        };
        let fits = table.len() < MOST_UNKNOWN && name.len() <= LONGEST;
        let name = match known || fits || table.contains_key(name) {
            true => memo.name(name),
            false => memo.name("another type"),
        };
        *table.entry(name).or_default() += 1;
    }
}
