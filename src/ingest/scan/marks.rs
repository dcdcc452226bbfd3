//! Quotes, backslashes and control characters of a text, sixty-four bytes at a time.
//!
//! Code has such a byte every two dozen bytes. To start a search anew behind each costs more than to find all of a block
//! at once and to go through their bits.

use wide::u8x16;

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Bytes that one instruction looks at.
const PART: usize = 16;

/// Goes through the marks of a text.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    text: &'a [u8],
    /// Where the block starts that was looked at last; past the end before the first.
    block: usize,
    /// Its marks, the first byte lowest.
    bits: u64,
}

impl<'a> Marks<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        Self {
            text,
            block: usize::MAX,
            bits: 0,
        }
    }

    /// The place of the first mark at this place or later; the end of the text where there is none.
    pub(super) fn next(&mut self, from: usize) -> usize {
        let mut block = from - from % BLOCK;
        // Marks before the place are passed.
        let mut wanted = u64::MAX << (from % BLOCK);
        while block < self.text.len() {
            if block != self.block {
                self.block = block;
                self.bits = bits(&self.text[block..]);
            }
            let bits = self.bits & wanted;
            if bits != 0 {
                return block + bits.trailing_zeros() as usize;
            }
            block += BLOCK;
            wanted = u64::MAX;
        }
        self.text.len()
    }
}

/// Where the first quote or backslash stands.
pub(super) fn first_end(part: &[u8; PART]) -> Option<usize> {
    let part = u8x16::new(*part);
    let ends = part.simd_eq(u8x16::splat(b'"')) | part.simd_eq(u8x16::splat(b'\\'));
    match ends.to_bitmask() {
        0 => None,
        bits => Some(bits.trailing_zeros() as usize),
    }
}

/// The marks of the first block of a text.
fn bits(text: &[u8]) -> u64 {
    match text.first_chunk::<BLOCK>() {
        Some(block) => whole(block),
        None => {
            // Spaces are no marks.
            let mut block = [b' '; BLOCK];
            block[..text.len()].copy_from_slice(text);
            whole(&block)
        }
    }
}

fn whole(block: &[u8; BLOCK]) -> u64 {
    let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
    let control = u8x16::splat(0x1f);
    let (parts, _) = block.as_chunks::<PART>();
    let parts = parts.iter().rev().map(|part| {
        let part = u8x16::new(*part);
        let marks = part.simd_eq(quote) | part.simd_eq(backslash) | part.min(control).simd_eq(part);
        u64::from(marks.to_bitmask())
    });
    parts.fold(0, |bits, part| bits << 16 | part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_wherever_it_stands() {
        let is_mark = |byte: u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        // All bytes, at all places of a block, and ends of all lengths.
        let text: Vec<u8> = (0..4_000_u32)
            .map(|at| (at * at / 7).to_le_bytes()[0])
            .collect();
        for length in (0..200).chain([text.len()]) {
            let text = &text[..length];
            let mut marks = Marks::of(text);
            for from in (0..=length).rev().chain(0..=length) {
                let rest = text[from..].iter().position(|byte| is_mark(*byte));
                let want = rest.map_or(length, |rest| from + rest);
                assert_eq!(marks.next(from), want, "{length} {from}");
            }
        }
        for byte in 0..=255 {
            for at in 0..PART {
                let mut part = [b'a'; PART];
                part[at] = byte;
                let want = matches!(byte, b'"' | b'\\').then_some(at);
                assert_eq!(first_end(&part), want);
            }
            let found = bits(&[byte]) != 0;
            assert_eq!(found, is_mark(byte), "{byte}");
        }
    }
}
