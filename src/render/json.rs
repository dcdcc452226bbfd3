//! JSON: the payload as it is. Characters that could fool a terminal are written as escapes.

use super::{Renderer, Style, escape};
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
            Payload::Count(view) => serde_json::to_string_pretty(view)?,
            Payload::List(rows) => serde_json::to_string_pretty(rows)?,
        };
        escape::json(&text, out)?;
        writeln!(out)
    }
}
