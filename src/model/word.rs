//! Words of the program's own tables, when they come back from a report that it wrote.

use serde::{Deserialize, Deserializer, de::Error};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// A word from the program's own tables: the name of a part, a rule, a step.
///
/// A name of its own, since serde would take the bare reference for one into what is read.
pub type Word = &'static str;

/// The longest word, in bytes.
const LONGEST: usize = 80;

/// Words that are kept at most. The tables hold some hundreds; a report is a stranger's file.
const MOST: usize = 4096;

/// Words that were read, each once: they stay for good.
static READ: Mutex<BTreeSet<Word>> = Mutex::new(BTreeSet::new());

/// A word as one that stays; `None` where it is too long, or where there are too many.
fn keep(word: &str) -> Option<Word> {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = read.get(word) {
        return Some(known);
    }
    if word.len() > LONGEST || read.len() >= MOST {
        return None;
    }
    let kept: Word = Box::leak(word.to_owned().into_boxed_str());
    read.insert(kept);
    Some(kept)
}

/// A word, for `deserialize_with`.
///
/// # Errors
/// No string, one that is too long for a word, or more words than there are.
pub fn word<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    kept(&String::deserialize(from)?)
}

/// A word or null.
///
/// # Errors
/// As [`word`].
pub fn word_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Word>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.as_deref().map(kept).transpose()
}

/// A list of words.
///
/// # Errors
/// As [`word`].
pub fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Word>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| kept(text)).collect()
}

/// Numbers by word.
///
/// # Errors
/// As [`word`].
pub fn by_word<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Word, u64>, D::Error> {
    let numbers = BTreeMap::<String, u64>::deserialize(from)?;
    let numbers = numbers.iter();
    numbers.map(|(word, n)| Ok((kept(word)?, *n))).collect()
}

fn kept<E: Error>(word: &str) -> Result<Word, E> {
    keep(word).ok_or_else(|| E::custom("no word of a report, or more words than reports have"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_kept_once_and_held_to_its_length() {
        let first = keep("tool-search").unwrap();
        assert!(std::ptr::eq(first, keep("tool-search").unwrap()));
        assert_eq!(keep(&"x".repeat(LONGEST + 1)), None);
    }
}
