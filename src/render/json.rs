//! JSON: the payload as it is.

use super::{Renderer, Style};
use crate::report::{Payload, Report};
use std::io::{self, Write};

pub(super) struct Json;

impl Renderer for Json {
    fn id(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        match &report.payload {
            Payload::Runs(view) => serde_json::to_writer_pretty(&mut *out, view)?,
            Payload::Explain(view) => serde_json::to_writer_pretty(&mut *out, view)?,
            Payload::List(rows) => serde_json::to_writer_pretty(&mut *out, rows)?,
        }
        writeln!(out)
    }
}
