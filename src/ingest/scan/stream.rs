//! JSON values one after another in a buffer: glued, on lines, or over many lines, with broken stretches between.

use serde_json::value::RawValue;

/// What comes next.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A value at this offset.
    Value(usize, &'a RawValue),
    /// Something that is no value: offset of the fault, and what is wrong.
    Broken(usize, String),
}

/// Iterates over the values of a buffer. After a fault it goes on at the next line that starts with a value.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Values<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn resume(&mut self) {
        // Only a line that begins at its first column: the inner lines of a pretty-printed value are indented.
        let mut rest = self.at;
        while let Some(newline) = self.bytes[rest..].iter().position(|&b| b == b'\n') {
            rest += newline + 1;
            if matches!(self.bytes.get(rest), Some(b'{' | b'[' | b'"')) {
                self.at = rest;
                return;
            }
        }
        self.at = self.bytes.len();
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        let rest = &self.bytes[self.at..];
        self.at += rest
            .iter()
            .position(|b| !b.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let mut stream = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        match stream.next()? {
            Ok(raw) => {
                self.at += stream.byte_offset();
                Some(Step::Value(start, raw))
            }
            Err(error) => {
                // Of a value that does not end, its start says more than the end of the file.
                let fault = if error.is_eof() {
                    start
                } else {
                    start + offset_of(rest, error.line(), error.column())
                };
                self.resume();
                Some(Step::Broken(fault.min(self.bytes.len()), reason(&error)))
            }
        }
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
    at + column.saturating_sub(1)
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
                Step::Value(at, raw) => format!("{at}:{} ", raw.get()),
                Step::Broken(at, _) => format!("{at}! "),
            })
            .collect()
    }

    #[test]
    fn values_are_found_glued_spread_and_after_a_fault() {
        assert_eq!(shape("{}{\"a\":1}\n\n [1]"), "0:{} 2:{\"a\":1} 12:[1] ");
        assert_eq!(shape("{\"a\": [1,\n{}"), "0! 10:{} ");
        assert_eq!(shape("{\"a\": x}\n{\"b\":2}\n"), "6! 9:{\"b\":2} ");
        assert_eq!(shape(""), "");
    }
}
