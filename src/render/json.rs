//! JSON: the payload as it is. Characters that could fool a terminal are written as escapes.

use super::{Renderer, Style};
use crate::report::{Payload, Report};
use std::io::{self, Write};

pub(super) struct Json;

impl Renderer for Json {
    fn id(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let text = match &report.payload {
            Payload::Runs(view) => serde_json::to_string_pretty(view)?,
            Payload::Explain(view) => serde_json::to_string_pretty(view)?,
            Payload::List(rows) => serde_json::to_string_pretty(rows)?,
        };
        // Outside strings JSON is ASCII, so that an escape in its text says the same as the character.
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| fools(*c)) {
            out.write_all(&text.as_bytes()[from..at])?;
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        out.write_all(&text.as_bytes()[from..])?;
        writeln!(out)
    }
}

/// Control characters beyond ASCII, marks of direction, line separators, and what has no width.
fn fools(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}
