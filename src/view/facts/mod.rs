//! Facts: rows for whatever adds them up elsewhere. The one view without a document: a table hands its rows to a sink
//! as the requests come, and keeps none. One file and two lines each; docs/FACTS.md has the columns.

mod definitions;
mod request_tools;
mod requests;

use crate::audit::AuditDepth;
use crate::model::{Column, ColumnType, Count, RowSink, Table};
use crate::pipeline::Audited;
use std::io;

/// The version of all tables. Columns may be added; what one is called, holds or means does not change within it.
pub const FACTS: &str = "toolcost.facts/1";

/// Every table.
pub const TABLES: &[&dyn FactsTable] = &[
    &requests::Requests,
    &request_tools::RequestTools,
    &definitions::Definitions,
];

/// A table.
pub trait FactsTable: Sync {
    /// Its name and columns.
    fn table(&self) -> &'static Table;
    /// How much of each request it needs to know.
    fn depth(&self) -> AuditDepth;
    /// What makes its rows; `counter` is the name of the counter.
    fn rows<'a>(&self, counter: &'a str) -> Box<dyn Rows + 'a>;
}

/// What makes the rows of a table.
pub trait Rows {
    /// Takes the next request; requests come run by run and in order.
    ///
    /// # Errors
    /// What the sink answers.
    fn request(&mut self, audited: Audited<'_>, sink: &mut dyn RowSink) -> io::Result<()>;

    /// Hands out what only the end tells.
    ///
    /// # Errors
    /// What the sink answers.
    fn end(&mut self, _sink: &mut dyn RowSink) -> io::Result<()> {
        Ok(())
    }
}

/// The table of that name.
pub fn facts_table(name: &str) -> Option<&'static dyn FactsTable> {
    let mut tables = TABLES.iter().copied();
    tables.find(|table| table.table().name == name)
}

/// The number of a request in its run, from 1: a key that joins tables.
fn number(audited: &Audited<'_>) -> u64 {
    audited.rank + 1
}

/// The id of a request's session as it may be shown.
fn session<'a>(audited: &Audited<'a>) -> Option<&'a str> {
    audited.turn.exchange.request()?.session_id.as_deref()
}

/// Tokens of a count.
fn tokens(count: Count) -> Option<u64> {
    count.tokens.map(|tokens| tokens.0)
}

/// Columns that name a request, the same in every table that has a row a request.
const RUN: Column = Column::new("run", ColumnType::String, "The run, as `report` names it.");
const REQUEST: Column = Column::new(
    "request",
    ColumnType::U64,
    "The request's number in its run, from 1, in the order of `report`. `run` and `request` are a key.",
);
const SESSION: Column = Column::nullable(
    "session",
    ColumnType::String,
    "The session's id, hashed: 16 digits, the same on every machine. With `--raw-ids` the id itself. Null where the capture has none.",
);
const SESSION_NUMBER: Column = Column::new(
    "session_number",
    ColumnType::U64,
    "The conversation's number in its run, from 1; known without an id too.",
);
const TURN: Column = Column::nullable(
    "turn",
    ColumnType::U64,
    "Which main request of its conversation it is, from 1; null of others.",
);
const ROLE: Column = Column::new(
    "role",
    ColumnType::String,
    "`main`, `subagent` or `side`. The sums of `report` are over `main`.",
);
