//! A row each distinct definition: how large it is, and how many requests carried it.

use super::{FACTS, FactsTable, Rows};
use crate::audit::{AuditDepth, ToolAudit};
use crate::model::{Cell, Column, ColumnType, Definition, RowSink, Table};
use crate::pipeline::Audited;
use crate::session::Provenance;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

pub(super) struct Definitions;

const TABLE: Table = Table {
    schema: FACTS,
    name: "definitions",
    doc: "A definition by its content, in the order of first appearance. `definition` is the key; `request_tools` refers to it.",
    columns: &[
        Column::new(
            "definition",
            ColumnType::String,
            "A hash of name, description and schema: 32 digits, the same on every machine.",
        ),
        Column::new("name", ColumnType::String, "The tool's name."),
        Column::new(
            "kind",
            ColumnType::String,
            "What the tool is, where it appears first; see `request_tools`.",
        ),
        Column::nullable("server", ColumnType::String, "The MCP server in its name."),
        Column::new(
            "chars",
            ColumnType::U64,
            "UTF-16 units of name, description and `JSON.stringify(schema)`, as the client sums them.",
        ),
        Column::new(
            "wire_chars",
            ColumnType::U64,
            "UTF-16 units of the compact JSON of name, description and schema.",
        ),
        Column::new("bytes", ColumnType::U64, "UTF-8 bytes of that JSON."),
        Column::nullable(
            "size",
            ColumnType::U64,
            "Tokens, counted for the model of the request it appears in first.",
        ),
        Column::new(
            "source",
            ColumnType::String,
            "Where `size` comes from: `recorded`, `reconstructed`, `estimated`, `unknown`.",
        ),
        Column::new(
            "counter",
            ColumnType::String,
            "The counter, where nothing was recorded.",
        ),
        Column::nullable(
            "description_chars",
            ColumnType::U64,
            "UTF-16 units of the description; null where there is none.",
        ),
        Column::nullable(
            "schema_chars",
            ColumnType::U64,
            "UTF-16 units of the compact schema; null where there is none.",
        ),
        Column::new(
            "schema_depth",
            ColumnType::U64,
            "How deep arrays and objects of the schema are nested.",
        ),
        Column::new(
            "requests",
            ColumnType::U64,
            "Requests of every role that carried it, in the list or as text; 0 where a `--tools` file has it alone.",
        ),
        Column::new(
            "first_run",
            ColumnType::String,
            "The run in which it appears first.",
        ),
        Column::new(
            "first_path",
            ColumnType::String,
            "The file of the request that carried it first, or named its tool.",
        ),
    ],
};

impl FactsTable for Definitions {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn depth(&self) -> AuditDepth {
        AuditDepth::Tools
    }

    fn rows<'a>(&self, counter: &'a str) -> Box<dyn Rows + 'a> {
        Box::new(Maker {
            counter,
            at: HashMap::new(),
            seen: Vec::new(),
            requests: 0,
        })
    }
}

/// A definition on its way.
struct Seen {
    definition: Arc<Definition>,
    /// The tool that it was seen of first.
    first: ToolAudit,
    run: Arc<str>,
    path: Arc<str>,
    requests: u64,
    /// The last request that carried it, by its number among all.
    last: Option<u64>,
}

struct Maker<'a> {
    counter: &'a str,
    at: HashMap<Box<str>, usize>,
    seen: Vec<Seen>,
    /// Requests so far.
    requests: u64,
}

impl Rows for Maker<'_> {
    fn request(&mut self, audited: Audited<'_>, _sink: &mut dyn RowSink) -> io::Result<()> {
        self.requests += 1;
        for tool in &audited.audit.tools {
            let Some((definition, provenance)) = &tool.definition else {
                continue;
            };
            let Some(id) = definition.stable.as_deref() else {
                continue;
            };
            let at = match self.at.get(&id.shown) {
                Some(&at) => at,
                None => {
                    self.at.insert(id.shown.clone(), self.seen.len());
                    self.seen.push(Seen {
                        definition: Arc::clone(definition),
                        first: tool.clone(),
                        run: Arc::clone(audited.run),
                        path: Arc::clone(&audited.turn.exchange.origin().path),
                        requests: 0,
                        last: None,
                    });
                    self.seen.len() - 1
                }
            };
            let seen = &mut self.seen[at];
            // A list may hold it twice.
            if *provenance == Provenance::Own && seen.last != Some(self.requests) {
                seen.requests += 1;
                seen.last = Some(self.requests);
            }
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn RowSink) -> io::Result<()> {
        for seen in &self.seen {
            let (definition, tool) = (&seen.definition, &seen.first);
            let sizes = definition.sizes;
            let id = definition.stable.as_deref();
            sink.row(&[
                Cell::from(id.map_or("", |id| &*id.shown)),
                Cell::from(&*definition.name),
                Cell::from(tool.kind.word()),
                tool.kind.server().map(|server| &**server).into(),
                Cell::U64(sizes.chars.0),
                Cell::U64(sizes.wire_chars.0),
                Cell::U64(sizes.bytes),
                super::tokens(tool.size).into(),
                Cell::from(tool.size.source.word()),
                Cell::from(self.counter),
                sizes.description.map(|chars| chars.0).into(),
                sizes.schema.map(|chars| chars.0).into(),
                Cell::U64(sizes.depth.into()),
                Cell::U64(seen.requests),
                Cell::from(&*seen.run),
                Cell::from(&*seen.path),
            ])?;
        }
        Ok(())
    }
}
