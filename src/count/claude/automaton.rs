//! The set of pieces as it is packed: a minimal automaton over bytes, read in place.
//!
//! `examples/pack_vocabulary` writes it and documents the layout.

/// A packed set of words. Every byte string has an answer; a damaged file gives wrong ones, but no panic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Automaton {
    units: &'static [[u8; 4]],
    start: State,
}

/// Where a walk stands after some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u32);

impl State {
    /// Do the bytes walked so far make a word?
    pub(super) fn is_word(self) -> bool {
        self.0 & 1 << 8 != 0
    }
}

impl Automaton {
    pub(super) fn new(bytes: &'static [u8]) -> Self {
        // The last unit is the way to the first state, not an edge.
        let (start, units) = bytes.as_chunks().0.split_last().unwrap_or((&[0; 4], &[]));
        Self {
            units,
            start: State(u32::from_le_bytes(*start)),
        }
    }

    /// Before the first byte.
    pub(super) fn start(&self) -> State {
        self.start
    }

    /// One byte further; `None` when no word goes on so.
    #[inline]
    pub(super) fn step(&self, from: State, byte: u8) -> Option<State> {
        let at = (from.0 >> 9) ^ u32::from(byte);
        let unit = u32::from_le_bytes(*self.units.get(at as usize)?);
        (unit & 0xff == u32::from(byte)).then_some(State(unit))
    }

    /// All of these bytes further.
    pub(super) fn walk(&self, from: State, bytes: &[u8]) -> Option<State> {
        bytes
            .iter()
            .try_fold(from, |state, &byte| self.step(state, byte))
    }
}
