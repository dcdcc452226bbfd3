//! JSON: the payload as it is. Characters that could fool a terminal are written as escapes.

use super::{Renderer, Style, escape};
use crate::report::Report;
use std::io::{self, Write};

pub(super) struct Json;

impl Renderer for Json {
    fn id(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&report.payload)?;
        escape::json(&text, out)?;
        writeln!(out)
    }
}
