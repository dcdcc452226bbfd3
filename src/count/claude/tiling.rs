//! The cost of a part of the marked stream: the least number of tiles that cover it.
//!
//! A tile is a piece (one token), or a code point that is none, spelled in bytes.

use super::automaton::Automaton;
use super::stretch;

/// Markers are bytes that no UTF-8 text holds, so a stream is UTF-8 with markers between its code points.
pub(super) mod marker {
    /// Begin of word.
    pub(in super::super) const BOW: u8 = 0xf8;
    /// End of word.
    pub(in super::super) const EOW: u8 = 0xf9;
    /// The word began with a capital.
    pub(in super::super) const SHIFT: u8 = 0xfa;
    /// The word was in capitals.
    pub(in super::super) const CAPS: u8 = 0xfb;
    /// Stands before the byte prefixes in the packed vocabulary; never in a stream.
    pub(in super::super) const PREFIXES: u8 = 0xfc;
}

/// Costs are kept for so many bytes ahead. The longest piece has 256 bytes (64 times U+2500 and the like); a test checks it.
const WINDOW: usize = 1024;

/// Counts tiles with one family's pieces.
pub(super) struct Tiler {
    pieces: Automaton,
    /// Cost of the stream up to a place, by the place modulo the window; `u64::MAX` = not reached.
    costs: Box<[u64; WINDOW]>,
}

impl Tiler {
    pub(super) fn new(pieces: Automaton) -> Self {
        Self {
            pieces,
            costs: Box::new([u64::MAX; WINDOW]),
        }
    }

    /// The cost of one part. Takes time in proportion to its length.
    pub(super) fn cost(&mut self, part: &[u8]) -> u64 {
        if part.is_empty() {
            return 0;
        }
        // Most parts are one piece.
        let whole = self.pieces.walk(self.pieces.start(), part);
        if whole.is_some_and(|state| state.is_word()) {
            return 1;
        }
        match stretch::shortened(&self.pieces, part) {
            Some((short, taken)) => self.least(&short) + taken,
            None => self.least(part),
        }
    }

    /// The least number of tiles of a part that is not empty, by going through all of its places.
    pub(super) fn least(&mut self, part: &[u8]) -> u64 {
        let start = self.pieces.start();
        for (at, &first) in part.iter().enumerate() {
            // Places inside a code point are never reached. What is read is cleared for the place a window further on.
            let cost = std::mem::replace(&mut self.costs[at % WINDOW], u64::MAX);
            let cost = if at == 0 { 0 } else { cost };
            if cost == u64::MAX {
                continue;
            }
            let mut state = start;
            for (to, &byte) in part.iter().enumerate().skip(at) {
                let Some(next) = self.pieces.step(state, byte) else {
                    break;
                };
                state = next;
                if state.is_word() {
                    self.offer(to + 1, cost + 1);
                }
            }
            let length = length(first);
            let end = (at + length).min(part.len());
            self.offer(end, cost + self.spelled(&part[at..end]));
        }
        // The end is always reached: every code point can be spelled.
        std::mem::replace(&mut self.costs[part.len() % WINDOW], u64::MAX)
    }

    fn offer(&mut self, to: usize, cost: u64) {
        let known = &mut self.costs[to % WINDOW];
        *known = cost.min(*known);
    }

    /// Tokens of a code point spelled in bytes: one for each, but a known prefix of two or three is one token.
    fn spelled(&self, bytes: &[u8]) -> u64 {
        let length = bytes.len() as u64;
        if length < 3 {
            return length;
        }
        let Some(start) = self.pieces.step(self.pieces.start(), marker::PREFIXES) else {
            return length;
        };
        let known = |n: usize| {
            let state = self.pieces.walk(start, &bytes[..n]);
            state.is_some_and(|state| state.is_word())
        };
        match () {
            () if known(3) => length - 2,
            () if known(2) => length - 1,
            () => length,
        }
    }
}

/// Bytes of the code point or marker that starts with this one.
fn length(first: u8) -> usize {
    match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    }
}
