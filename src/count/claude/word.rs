//! How a word is written into the stream: capitals become markers before lower-case letters.

use super::class::{Traits, lower};
use super::family::Family;
use super::runs::Run;
use super::tiling::marker;

const DOTTED_I: char = '\u{130}';
const CAPITAL_SHARP_S: char = '\u{1e9e}';

/// What becomes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// Written as it stands.
    Kept,
    /// A capital first, and no other.
    Shift,
    /// All in capitals.
    Caps,
}

/// Appends marker, begin of word and letters of a word that stands on its own.
pub(super) fn write(family: Family, run: &Run<'_>, part: &mut Vec<u8>) {
    let text = run.text;
    let case = if text.is_ascii() {
        ascii_case(family, run)
    } else {
        case(family, text)
    };
    match case {
        Case::Kept => {}
        Case::Shift => part.push(marker::SHIFT),
        Case::Caps => part.push(marker::CAPS),
    }
    part.push(marker::BOW);
    let start = part.len();
    if case == Case::Kept || text.is_ascii() {
        part.extend_from_slice(text.as_bytes());
        if case != Case::Kept {
            part[start..].make_ascii_lowercase();
        }
        return;
    }
    for c in text.chars() {
        let c = if c == DOTTED_I { c } else { lower(c) };
        part.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// ASCII letters all have case, so counting capitals is enough.
fn ascii_case(family: Family, run: &Run<'_>) -> Case {
    let capital = run.text.as_bytes()[0].is_ascii_uppercase();
    let all = capital && run.later_capitals + 1 == run.text.len();
    let long = |from| run.text.len() >= from;
    match run.later_capitals {
        _ if all && family.capitals_from().is_some_and(long) => Case::Caps,
        0 if capital => Case::Shift,
        _ => Case::Kept,
    }
}

/// The first rule that applies: capital sharp s, dotted I, all in capitals, a capital first.
fn case(family: Family, text: &str) -> Case {
    let upper = |c: char| Traits::of(c).is_upper();
    let mut dotted = false;
    for c in text.chars() {
        match c {
            CAPITAL_SHARP_S => return Case::Kept,
            DOTTED_I => dotted = true,
            _ => {}
        }
    }
    let mut later = text.chars();
    let Some(first) = later.next() else {
        return Case::Kept;
    };
    if dotted {
        let alone = upper(first) && first != DOTTED_I;
        let others = later.any(|c| upper(c) && c != DOTTED_I);
        return if alone && !others {
            Case::Shift
        } else {
            Case::Kept
        };
    }
    let capitals = later.clone().filter(|&c| upper(c)).count();
    if let Some(least) = family.capitals_from() {
        let small = |c| Traits::of(c).is_lower() || Traits::of(c).is_caseless();
        let some = capitals > 0 || upper(first);
        if some && text.chars().count() >= least && !text.chars().any(small) {
            return Case::Caps;
        }
    }
    if upper(first) && capitals == 0 {
        Case::Shift
    } else {
        Case::Kept
    }
}
