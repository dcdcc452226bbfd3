//! What is done to the bytes of a file, by numbers drawn from a seed.

use super::sources::Source;
use std::io::Write as _;

/// Numbers that are the same on every system (splitmix64).
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The numbers of one mutation of one seed.
    pub(crate) fn new(seed: u64, at: u64) -> Self {
        let mut numbers = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ at);
        numbers.next();
        numbers
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let drawn = self.next() % (end.max(1) as u64);
        usize::try_from(drawn).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// A range within `length`, short more often than long.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let most = match self.below(3) {
            0 => 8,
            1 => 400,
            _ => length,
        };
        let size = self.below(most.min(length - start) + 1);
        start..start + size
    }
}

type Change = fn(&mut Vec<u8>, &Source, &mut Numbers);

/// Every kind of mutation, by name. The other source is for those that put two together.
pub(crate) const KINDS: &[(&str, Change)] = &[
    ("cut", |bytes, _, numbers| {
        let end = numbers.below(bytes.len());
        bytes.truncate(end);
    }),
    ("behead", |bytes, _, numbers| {
        let start = numbers.below(bytes.len());
        bytes.drain(..start);
    }),
    ("flip-bit", |bytes, _, numbers| {
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
        }
    }),
    ("set-byte", |bytes, _, numbers| {
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(bytes.len());
            let new = match numbers.below(2) {
                0 => b"{}[]\",:\\0-9\n\r\t\x00 "[numbers.below(16)],
                _ => numbers.byte(),
            };
            if let Some(byte) = bytes.get_mut(at) {
                *byte = new;
            }
        }
    }),
    ("noise", |bytes, _, numbers| {
        let at = numbers.range(bytes.len());
        for byte in &mut bytes[at] {
            *byte = numbers.byte();
        }
    }),
    ("delete", |bytes, _, numbers| {
        let at = numbers.range(bytes.len());
        bytes.drain(at);
    }),
    ("glue", |bytes, other, numbers| {
        let between: &[u8] = [&b""[..], b"\n", b",", b"\x00"][numbers.below(4)];
        bytes.extend_from_slice(between);
        bytes.extend_from_slice(&other.bytes);
    }),
    ("insert", |bytes, other, numbers| {
        let at = numbers.below(bytes.len() + 1);
        bytes.splice(at..at, other.bytes.iter().copied());
    }),
    ("splice", |bytes, other, numbers| {
        let from = numbers.range(other.bytes.len());
        let to = numbers.range(bytes.len());
        bytes.splice(to, other.bytes[from].iter().copied());
    }),
    ("duplicate", |bytes, _, numbers| {
        let from = numbers.range(bytes.len());
        let piece = bytes[from.clone()].to_vec();
        let times = 1 + numbers.below(if piece.len() < 64 { 200 } else { 3 });
        bytes.splice(from.end..from.end, piece.repeat(times));
    }),
    ("repeat-lines", |bytes, _, numbers| {
        lines(bytes, |lines| {
            let from = numbers.below(lines.len());
            let line = lines[from].clone();
            lines.insert(numbers.below(lines.len() + 1), line);
        });
    }),
    ("reorder-lines", |bytes, _, numbers| {
        lines(bytes, |lines| {
            for at in (1..lines.len()).rev() {
                lines.swap(at, numbers.below(at + 1));
            }
        });
    }),
    ("break-lines", |bytes, _, numbers| {
        for _ in 0..=numbers.below(8) {
            let at = numbers.below(bytes.len() + 1);
            bytes.insert(at, [b'\n', b'\r', b' ', b'\n'][numbers.below(4)]);
        }
    }),
    ("value", |bytes, _, numbers| {
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b'\n');
        let colons: Vec<usize> = places(bytes, |byte| byte == b':');
        let Some(&colon) = colons.get(numbers.below(colons.len())) else {
            return;
        };
        let end = bytes[colon..].iter().position(ends);
        let end = end.map_or(bytes.len(), |end| colon + end);
        let new = VALUES[numbers.below(VALUES.len())];
        bytes.splice(colon + 1..end, new.bytes());
    }),
    ("nest", |bytes, _, numbers| {
        let depth = 1 << numbers.below(15);
        let at = numbers.below(bytes.len() + 1);
        let (open, close) =
            [("[", "]"), ("{\"a\":", "}"), ("[{\"content\":", "}]")][numbers.below(3)];
        let closed = numbers.below(2) * depth;
        let text = format!("{}1{}", open.repeat(depth), close.repeat(closed));
        bytes.splice(at..at, text.bytes());
    }),
    ("as-string", |bytes, _, numbers| {
        for _ in 0..=numbers.below(6) {
            if let Ok(text) = std::str::from_utf8(bytes) {
                *bytes = serde_json::Value::from(text).to_string().into_bytes();
            }
        }
    }),
    ("utf-16", |bytes, _, numbers| {
        let text = String::from_utf8_lossy(bytes);
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let wide: Vec<u8> = match numbers.below(2) {
            0 => units.flat_map(u16::to_le_bytes).collect(),
            _ => units.flat_map(u16::to_be_bytes).collect(),
        };
        *bytes = wide;
    }),
    ("pack", |bytes, _, numbers| {
        pack(bytes, numbers.below(3));
        if numbers.below(2) == 0 {
            let at = numbers.range(bytes.len());
            bytes.drain(at);
        }
    }),
];

/// Values that numbers, texts and lists are not expected to be.
const VALUES: &[&str] = &[
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "0",
    "-1",
    "1e400",
    "18446744073709551615",
    "9223372036854775808",
    "99999999999999999999999",
    "1.5",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "[null]",
    "[[]]",
    "{\"type\":\"text\"}",
    "\"{}\"",
    "\"[{\\\"messages\\\":[]}]\"",
];

fn places(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> Vec<usize> {
    let found = bytes.iter().enumerate().filter(|(_, byte)| wanted(**byte));
    found.map(|(at, _)| at).collect()
}

fn lines(bytes: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut lines);
    *bytes = lines.join(&b'\n');
}

fn pack(bytes: &mut Vec<u8>, how: usize) {
    let level = flate2::Compression::fast();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level);
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level);
    let packed = match how {
        0 => gzip.write_all(bytes).and_then(|()| gzip.finish()),
        1 => zlib.write_all(bytes).and_then(|()| zlib.finish()),
        _ => zstd::encode_all(bytes.as_slice(), 1),
    };
    if let Ok(packed) = packed {
        *bytes = packed;
    }
}
