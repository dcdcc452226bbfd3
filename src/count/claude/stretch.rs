//! Long stretches of one character, shortened before they are tiled.
//!
//! Let the longest piece of that character alone have `n` of it. Of any `n` shorter tiles inside a stretch some have
//! together a multiple of `n` characters (two of their running sums agree modulo `n`), so that full tiles can stand in
//! their place, and these are fewer. Hence a least tiling has fewer than `n` shorter ones inside, fewer than `n²`
//! characters; a stretch that is longer by what tiles across its two ends may take has a full tile, and taking its
//! characters out takes away one token.

use super::automaton::Automaton;

/// Shorter parts are tiled as they are.
const LONG_PART: usize = 32_768;

/// More bytes than two pieces have.
const TWO_PIECES: usize = 1_024;

/// The part with its long stretches shortened, and the tokens that were taken out. `None` = nothing to shorten.
pub(super) fn shortened(pieces: &Automaton, part: &[u8]) -> Option<(Vec<u8>, u64)> {
    if part.len() < LONG_PART {
        return None;
    }
    let mut short = Vec::new();
    let mut taken = 0;
    for stretch in part.chunk_by(|a, b| a == b) {
        let full = longest(pieces, stretch[0]);
        // Bytes beyond ASCII are no characters of their own.
        let spare = match stretch[0].is_ascii() && full > 1 {
            true => stretch.len().saturating_sub(full * full + TWO_PIECES),
            false => 0,
        };
        let tiles = spare / full.max(1);
        taken += tiles;
        short.extend_from_slice(&stretch[tiles * full..]);
    }
    (taken > 0).then_some((short, taken as u64))
}

/// How many of a byte the longest piece of it alone has.
fn longest(pieces: &Automaton, byte: u8) -> usize {
    let mut state = pieces.start();
    let mut longest = 0;
    for length in 1.. {
        let Some(next) = pieces.step(state, byte) else {
            break;
        };
        state = next;
        if state.is_word() {
            longest = length;
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::super::Family;
    use super::super::tiling::Tiler;
    use super::*;

    #[test]
    fn a_shortened_part_costs_what_it_did() {
        for family in [Family::V3, Family::V48] {
            let pieces = family.vocabulary();
            let mut tiler = Tiler::new(pieces);
            for (unit, around) in [
                ("\n", ["", ""]),
                (" ", ["", ""]),
                ("-", ["\"a", "?"]),
                ("=", ["1", "."]),
                ("a", ["hel", "b"]),
            ] {
                for n in [LONG_PART, LONG_PART + 77] {
                    let part = format!("{}{}{}", around[0], unit.repeat(n), around[1]);
                    let (short, taken) = shortened(&pieces, part.as_bytes()).unwrap_or_else(|| {
                        // Only what has no pieces of several characters may stay.
                        assert!(longest(&pieces, unit.as_bytes()[0]) < 2);
                        (part.clone().into_bytes(), 0)
                    });
                    let whole = tiler.least(part.as_bytes());
                    assert_eq!(tiler.least(&short) + taken, whole, "{unit:?} {n}");
                    assert_eq!(tiler.cost(part.as_bytes()), whole);
                }
            }
        }
    }
}
