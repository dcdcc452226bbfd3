//! JSON values one after another in a buffer: glued, on lines, or over many lines, with broken stretches between.

use super::raw::Raw;
use super::walk::{Found, Opener, Walked, walk};
use serde_json::value::RawValue;

/// What comes next.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A value at this offset, with its levels where they were opened on the way.
    Value(usize, Walked<'a>),
    /// An array at this offset by its elements; of one that does not end, those that do.
    Elements(usize, Vec<Walked<'a>>),
    /// Something that is no value.
    Broken(Fault),
}

/// A stretch that is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where the stretch starts.
    pub(crate) start: usize,
    /// Where it goes wrong; absent where it does not end.
    pub(crate) at: Option<usize>,
    /// What is wrong, and what to do.
    pub(crate) reason: String,
}

/// How often the bytes of a buffer may be scanned before faults are looked for line by line: a buffer of
/// nothing but opening brackets would otherwise be scanned to its end from every line.
const PATIENCE: usize = 8;

/// Iterates over the values of a buffer. After a fault it goes on at the next line that starts with a value.
pub(crate) struct Values<'a, 'o, 'm> {
    bytes: &'a [u8],
    at: usize,
    scanned: usize,
    pending: Option<Fault>,
    /// How records are opened on the way; not after a fault.
    opener: Option<&'o mut Opener<'m>>,
}

impl<'a, 'o, 'm> Values<'a, 'o, 'm> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            scanned: 0,
            pending: None,
            opener: None,
        }
    }

    /// Records are opened on the way, and what is known of their values is used.
    pub(crate) fn opening(bytes: &'a [u8], opener: &'o mut Opener<'m>) -> Self {
        Self {
            opener: Some(opener),
            ..Self::new(bytes)
        }
    }

    fn resume(&mut self) {
        // Only a line that begins at its first column: the inner lines of a pretty-printed value are indented.
        let mut rest = self.at;
        while let Some(newline) = self.bytes[rest..].iter().position(|&b| b == b'\n') {
            rest += newline + 1;
            if self.bytes.get(rest).is_some_and(|&byte| starts_value(byte)) {
                self.at = rest;
                return;
            }
        }
        self.at = self.bytes.len();
    }

    /// What is looked at next: the rest of the buffer, or once patience is gone the rest of the line.
    fn window(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        if self.scanned / PATIENCE <= self.bytes.len() {
            return rest;
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        &rest[..end]
    }
}

/// White space, and lines of dashes that some logs write between records.
fn separators(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let blank = rest.iter().position(|b| !b.is_ascii_whitespace());
        at += blank.unwrap_or(rest.len());
        let rest = &bytes[at..];
        let dashes = rest.iter().position(|b| *b != b'-').unwrap_or(rest.len());
        let ends_line = matches!(rest.get(dashes), None | Some(b'\n' | b'\r'));
        if dashes < 3 || !ends_line {
            return at;
        }
        at += dashes;
    }
}

/// May a record begin with this byte?
pub(crate) fn starts_value(byte: u8) -> bool {
    matches!(byte, b'{' | b'[' | b'"')
}

impl<'a> Iterator for Values<'a, '_, '_> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if let Some(fault) = self.pending.take() {
            return Some(Step::Broken(fault));
        }
        self.at += separators(&self.bytes[self.at..]);
        let start = self.at;
        let window = Some(self.window()).filter(|window| !window.is_empty())?;
        if let Some(opener) = &mut self.opener {
            match walk(window, opener) {
                Some(Found::One((raw, opened))) => {
                    self.at += raw.bytes().len();
                    return Some(Step::Value(start, (raw, opened)));
                }
                Some(Found::Many(raw, records)) => {
                    self.at += raw.bytes().len();
                    return Some(Step::Elements(start, records));
                }
                // A fault, most likely: it is read as a whole for its place and words, and so is what follows.
                None => self.opener = None,
            }
        }
        let mut stream = serde_json::Deserializer::from_slice(window).into_iter::<&RawValue>();
        match stream.next()? {
            Ok(raw) => {
                self.at += stream.byte_offset();
                self.scanned += stream.byte_offset();
                Some(Step::Value(start, (Raw::known(raw.get()), None)))
            }
            Err(error) => {
                let at = offset_of(window, error.line(), error.column());
                self.scanned += at;
                // Of a value that does not end, its start says more than the end of the file.
                let at = if error.is_eof() {
                    None
                } else {
                    Some((start + at).min(self.bytes.len()))
                };
                let fault = Fault {
                    start,
                    at,
                    reason: reason(&error),
                };
                let elements: Vec<Walked<'a>> = if window.first() == Some(&b'[') {
                    let complete = complete_elements(window).into_iter();
                    complete.map(|raw| (raw, None)).collect()
                } else {
                    Vec::new()
                };
                self.resume();
                if elements.is_empty() {
                    return Some(Step::Broken(fault));
                }
                self.scanned += window.len();
                self.pending = Some(fault);
                Some(Step::Elements(start, elements))
            }
        }
    }
}

/// The elements of an array up to the first that is broken.
fn complete_elements(array: &[u8]) -> Vec<Raw<'_>> {
    let mut elements = Vec::new();
    let mut rest = &array[1..];
    loop {
        let mut stream = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        let Some(Ok(element)) = stream.next() else {
            return elements;
        };
        rest = rest[stream.byte_offset()..].trim_ascii_start();
        // An element counts when what follows it says that it has ended.
        match rest.first() {
            Some(b',') => rest = &rest[1..],
            Some(b']') | None if element.get().ends_with(['}', ']', '"']) => {
                elements.push(Raw::known(element.get()));
                return elements;
            }
            _ => return elements,
        }
        elements.push(Raw::known(element.get()));
    }
}

fn offset_of(bytes: &[u8], line: usize, column: usize) -> usize {
    let mut at = 0;
    for _ in 1..line {
        at += bytes[at..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(0, |newline| newline + 1);
    }
    (at + column.saturating_sub(1)).min(bytes.len())
}

fn reason(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "cut off: the JSON value that starts here does not end".to_owned();
    }
    // The parser's own message without its position, which is relative to the value. It names no content.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if message.contains("unicode") {
        return "not valid UTF-8; save the file as UTF-8".to_owned();
    }
    format!("not valid JSON: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        Values::new(text.as_bytes())
            .map(|step| match step {
                Step::Value(at, (raw, _)) => format!("{at}:{} ", raw.text()),
                Step::Elements(at, raws) => format!("{at}:{} elements ", raws.len()),
                Step::Broken(Fault { start, at, .. }) => format!("{start}-{at:?}! "),
            })
            .collect()
    }

    #[test]
    fn values_are_found_glued_spread_and_after_a_fault() {
        assert_eq!(shape("{}{\"a\":1}\n\n [1]"), "0:{} 2:{\"a\":1} 12:[1] ");
        assert_eq!(shape("{\"a\": [1,\n{}"), "0-None! 10:{} ");
        assert_eq!(shape("{\"a\": x}\n{\"b\":2}\n"), "0-Some(6)! 9:{\"b\":2} ");
        assert_eq!(shape(""), "");
    }

    #[test]
    fn an_array_that_is_cut_gives_its_complete_elements() {
        assert_eq!(shape("[{},{\"a\":1},{\"b\":"), "0:2 elements 0-None! ");
        assert_eq!(shape("[{},{\"a\":1}"), "0:2 elements 0-None! ");
        assert_eq!(shape("[{}, oops]\n{}"), "0:1 elements 0-Some(5)! 11:{} ");
        assert_eq!(shape("[12"), "0-None! ");
    }

    #[test]
    fn brackets_that_never_close_cost_no_more_than_their_length() {
        let text = "[\n".repeat(200_000);
        assert_eq!(Values::new(text.as_bytes()).count(), 200_000);
    }
}
