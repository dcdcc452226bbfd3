//! A text as it stands in a capture, measured without being decoded.
//!
//! Captured text may hold lone surrogates, which are legal JSON and no Rust string: sizes come from the
//! escapes themselves, and decoding replaces them with U+FFFD.

use memchr::memmem::Finder;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A text: the inside of a JSON string literal as captured, or a plain string.
#[derive(Debug, Clone, Copy)]
pub enum Text<'a> {
    /// What stands between the quotes of a valid JSON string.
    Literal(&'a str),
    /// Already decoded.
    Plain(&'a str),
}

/// Sizes of a text in the units that counters and the client use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextSize {
    /// UTF-16 units of the text.
    pub units: u64,
    /// UTF-8 bytes of the text.
    pub bytes: u64,
    /// UTF-16 units of the text as JavaScript's `JSON.stringify` writes it, quotes left out.
    pub json_units: u64,
    /// UTF-8 bytes of that form.
    pub json_bytes: u64,
    /// Surrogates without a partner.
    pub lone_surrogates: u64,
}

impl TextSize {
    fn push(&mut self, unit: Unit) {
        match unit {
            Ok(c) => {
                self.units += c.len_utf16() as u64;
                self.bytes += c.len_utf8() as u64;
                let (units, bytes) = match c {
                    '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => (2, 2),
                    c if c < ' ' => (6, 6),
                    c => (c.len_utf16() as u64, c.len_utf8() as u64),
                };
                self.json_units += units;
                self.json_bytes += bytes;
            }
            Err(_) => {
                self.units += 1;
                self.bytes += char::REPLACEMENT_CHARACTER.len_utf8() as u64;
                self.json_units += 6;
                self.json_bytes += 6;
                self.lone_surrogates += 1;
            }
        }
    }

    /// Adds a text in which nothing needs an escape.
    fn plain(&mut self, run: &str) {
        let bytes = run.len() as u64;
        let mut units = bytes;
        if !run.is_ascii() {
            // A character is a unit, and one of four bytes is two: its first byte is 0xf0 or more.
            units =
                units - count(run, |byte| byte & 0xc0 == 0x80) + count(run, |byte| byte >= 0xf0);
        }
        self.units += units;
        self.bytes += bytes;
        self.json_units += units;
        self.json_bytes += bytes;
    }
}

/// Bytes of a kind. Sums of a few bytes fit into a byte, which the processor adds up many at a time.
fn count(text: &str, which: impl Fn(u8) -> bool) -> u64 {
    let of = |few: &[u8]| {
        few.iter()
            .fold(0u8, |sum, byte| sum + u8::from(which(*byte)))
    };
    text.as_bytes()
        .chunks(u8::MAX.into())
        .map(|few| u64::from(of(few)))
        .sum()
}

/// A character, or the code of a surrogate that has no partner.
type Unit = Result<char, u32>;

impl<'a> Text<'a> {
    /// The text as it is written: escapes are as they stand.
    pub fn written(self) -> &'a str {
        match self {
            Self::Literal(text) | Self::Plain(text) => text,
        }
    }

    /// Sizes, in one pass.
    pub fn size(self) -> TextSize {
        let mut size = TextSize::default();
        match self {
            Self::Plain(text) => {
                size.plain(text);
                // JSON writes a quote, a backslash and five control characters with two, any other of those with six.
                let marks = count(text, |byte| matches!(byte, b'"' | b'\\'));
                let controls = count(text, |byte| byte < b' ');
                let short = |byte| matches!(byte, 8 | b'\t' | b'\n' | 12 | b'\r');
                let more = marks + 5 * controls - 4 * count(text, short);
                size.json_units += more;
                size.json_bytes += more;
            }
            // The whole as it is written, and the difference that each escape makes.
            Self::Literal(literal) => {
                size.plain(literal);
                let mut after = 0;
                for at in memchr::memchr_iter(b'\\', literal.as_bytes()) {
                    // The second of two backslashes.
                    if at < after {
                        continue;
                    }
                    let (unit, used) = escape(&literal[at..]);
                    let written = used as u64;
                    size.units -= written;
                    size.bytes -= written;
                    size.json_units -= written;
                    size.json_bytes -= written;
                    size.push(unit);
                    after = at + used;
                }
            }
        }
        size
    }

    /// Surrogates without a partner.
    pub fn lone_surrogates(self) -> u64 {
        match self {
            Self::Literal(literal) if escapes_unicode(literal) => self.size().lone_surrogates,
            // Only an escape can write one.
            _ => 0,
        }
    }

    /// Hands out the characters one by one; a surrogate without a partner as `Err` of its code.
    pub fn units(self, mut each: impl FnMut(Result<char, u32>)) {
        match self {
            Self::Plain(text) => text.chars().for_each(|c| each(Ok(c))),
            Self::Literal(literal) => {
                let mut rest = literal;
                while let Some(at) = find_escape(rest) {
                    rest[..at].chars().for_each(|c| each(Ok(c)));
                    let (unit, used) = escape(&rest[at..]);
                    each(unit);
                    rest = &rest[at + used..];
                }
                rest.chars().for_each(|c| each(Ok(c)));
            }
        }
    }

    /// The text itself; lone surrogates become U+FFFD.
    pub fn decode(self) -> Cow<'a, str> {
        match self {
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Literal(literal) if find_escape(literal).is_none() => Cow::Borrowed(literal),
            Self::Literal(literal) => {
                let mut out = String::with_capacity(literal.len());
                let mut rest = literal;
                while let Some(at) = find_escape(rest) {
                    out.push_str(&rest[..at]);
                    let (unit, used) = escape(&rest[at..]);
                    out.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = &rest[at + used..];
                }
                out.push_str(rest);
                Cow::Owned(out)
            }
        }
    }
}

/// Where the next escape begins.
fn find_escape(text: &str) -> Option<usize> {
    memchr::memchr(b'\\', text.as_bytes())
}

/// Reads the escape at the start of `text`: what it stands for and how many bytes it takes.
/// A pair of surrogate escapes is one character.
fn escape(text: &str) -> (Unit, usize) {
    let simple = |c| (Ok(c), 2);
    match text.as_bytes().get(1) {
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => {
            let Some(high) = unit_at(text, 2) else {
                return (Err(0xfffd), 2);
            };
            if let Some(c) = char::from_u32(high) {
                return (Ok(c), 6);
            }
            let low = text
                .get(6..8)
                .filter(|&pair| pair == "\\u")
                .and_then(|_| unit_at(text, 8));
            match low {
                Some(low) if high < 0xdc00 && (0xdc00..0xe000).contains(&low) => {
                    let c = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(c).ok_or(high), 12)
                }
                _ => (Err(high), 6),
            }
        }
        Some(&other) if other.is_ascii() => simple(char::from(other)),
        _ => (Err(0xfffd), 1),
    }
}

fn unit_at(text: &str, at: usize) -> Option<u32> {
    text.get(at..at + 4)
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
}

/// Does a literal name a character by its number?
fn escapes_unicode(literal: &str) -> bool {
    static ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\\u"));
    ESCAPE.find(literal.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_escapes() {
        let size = Text::Literal(r"a\n\u00e9\ud83d\ude00\ud83d\u0061\/").size();
        assert_eq!((size.units, size.lone_surrogates), (8, 1));
        // a, \n as two, é, the pair as two, the lone one as \ud83d, a, / as itself
        assert_eq!(size.json_units, 1 + 2 + 1 + 2 + 6 + 1 + 1);
        assert_eq!(Text::Literal(r"\ud83d\u0061").decode(), "\u{fffd}a");
        assert_eq!(Text::Literal(r"\udc00\ud83c\n").size().lone_surrogates, 2);
    }

    #[test]
    fn a_literal_and_its_decoded_text_have_one_size() {
        for (literal, plain) in [
            (r#"say \"hi\"\t"#, "say \"hi\"\t"),
            (r"\u0001\u001f", "\u{1}\u{1f}"),
            ("ünïcödé 😀", "ünïcödé 😀"),
        ] {
            assert_eq!(
                Text::Literal(literal).size(),
                Text::Plain(plain).size(),
                "{literal}"
            );
            assert_eq!(Text::Literal(literal).decode(), plain);
        }
    }
}
