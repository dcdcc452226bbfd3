//! Claude's tokenizers, rebuilt from measurements: text to content tokens, without the frame of a message.
//!
//! An unofficial reconstruction (data/claude/NOTICE). A text is normalised, cut into runs, rewritten as a stream with
//! markers for word borders and capitals, and the stream is covered by as few pieces as possible.

mod automaton;
mod class;
mod counter;
mod family;
mod normal;
mod round;
mod runs;
mod scope;
mod stream;
mod stretch;
mod tiling;
mod word;

pub(super) use counter::Claude;
pub use family::Family;
pub(super) use scope::STRANGER;

use crate::model::Text;
use tiling::Tiler;

/// The notice and licence that travel with the vocabulary.
pub const NOTICE: &str = include_str!("../../../data/claude/NOTICE");

/// Content tokens of a text: what it adds to a message of its own. Any text has a count; a surrogate without a partner
/// counts as U+FFFD. Time grows with the length.
pub fn content_tokens(family: Family, text: Text<'_>) -> u64 {
    let text = text.decode();
    let normal = normal::normalise(family, &text);
    let starts_with_space = text.starts_with(' ');
    let mut body = normal.trim_end_matches('\n');
    let newlines = normal.len() - body.len();
    if family.opens_word() && starts_with_space && is_one_space(body) {
        body = &body[1..];
    }
    let mut tiler = Tiler::new(family.vocabulary());
    let mut total = tail(&mut tiler, newlines);
    stream::parts(family, body, |part| total += tiler.cost(part));
    total
}

/// Starts with exactly one space, which the frame's begin of word swallows.
fn is_one_space(text: &str) -> bool {
    text.starts_with(' ') && text.as_bytes().get(1) != Some(&b' ')
}

/// Newlines at the end join the two that the frame puts behind a message, which count as one token.
fn tail(tiler: &mut Tiler, newlines: usize) -> u64 {
    match newlines {
        0 => 0,
        n => tiler.cost(&vec![b'\n'; n + 2]).saturating_sub(1),
    }
}

#[cfg(test)]
mod tests;
