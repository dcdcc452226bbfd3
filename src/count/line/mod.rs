//! The line of a tool: the JSON that the API writes into the prompt for it.
//!
//! An object of description, name and parameters as Python's `json.dumps` writes it, keys sorted at every level.

mod members;
mod number;
mod sorted;
mod string;

pub(super) use members::{members, respaced};

use crate::model::RawTool;
use std::ops::Range;

/// How a model is shown what is not ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escaping {
    /// As it is.
    Raw,
    /// As `\uxxxx`, in pairs beyond the basic plane.
    Escaped,
}

/// JSON while it is written.
#[derive(Debug)]
pub(super) struct Writer {
    text: String,
    escaping: Escaping,
    /// Something not ASCII was written, in either form.
    non_ascii: bool,
    /// Something was written whose form no recording shows: floats, doubled keys, lone surrogates.
    untested: bool,
}

/// A tool's line without the tags round it.
#[derive(Debug)]
pub(super) struct Line {
    /// The JSON.
    pub(super) json: String,
    /// It holds something not ASCII, perhaps escaped.
    pub(super) non_ascii: bool,
    /// Its form is not seen in any recording.
    pub(super) untested: bool,
    name: Range<usize>,
    description: Option<Range<usize>>,
    schema: Option<Range<usize>>,
}

impl Line {
    /// The line of a tool. `None` when its schema is no JSON value.
    ///
    /// An empty description is left out as a missing one. A missing schema is left out too: no recording shows it.
    pub(super) fn of(tool: &RawTool<'_>, escaping: Escaping) -> Option<Self> {
        let mut writer = Writer::new(escaping);
        writer.text.push('{');
        let mut description = None;
        if let Some(text) = tool.description {
            writer.text.push_str("\"description\": \"");
            let start = writer.text.len();
            writer.string(text);
            if writer.text.len() == start {
                writer.text.truncate(1);
            } else {
                description = Some(start..writer.text.len());
                writer.text.push_str("\", ");
            }
        }
        writer.text.push_str("\"name\": \"");
        let start = writer.text.len();
        writer.string(tool.name);
        let name = start..writer.text.len();
        writer.text.push('"');
        let mut schema = None;
        match tool.schema {
            Some(json) => {
                writer.text.push_str(", \"parameters\": ");
                let start = writer.text.len();
                writer.sorted(json)?;
                schema = Some(start..writer.text.len());
            }
            None => writer.untested = true,
        }
        writer.text.push('}');
        Some(Self {
            json: writer.text,
            non_ascii: writer.non_ascii,
            untested: writer.untested,
            name,
            description,
            schema,
        })
    }

    /// The name as written, without quotes.
    pub(super) fn name(&self) -> &str {
        self.part(Some(&self.name))
    }

    /// The description as written, without quotes; empty if there is none.
    pub(super) fn description(&self) -> &str {
        self.part(self.description.as_ref())
    }

    /// The schema as written; empty if there is none.
    pub(super) fn schema(&self) -> &str {
        self.part(self.schema.as_ref())
    }

    fn part(&self, range: Option<&Range<usize>>) -> &str {
        range
            .and_then(|range| self.json.get(range.clone()))
            .unwrap_or_default()
    }
}

impl Writer {
    fn new(escaping: Escaping) -> Self {
        Self {
            text: String::new(),
            escaping,
            non_ascii: false,
            untested: false,
        }
    }
}

#[cfg(test)]
mod tests;
