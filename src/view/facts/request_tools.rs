//! A row each tool of each request: what it is, what the wire and the rules say of it, what it costs.

use super::{FACTS, FactsTable, Rows};
use super::{REQUEST, ROLE, RUN, SESSION, SESSION_NUMBER, TURN};
use crate::audit::AuditDepth;
use crate::model::{Cell, Column, ColumnType, RowSink, Table};
use crate::pipeline::Audited;
use std::io;

pub(super) struct RequestTools;

const TABLE: Table = Table {
    schema: FACTS,
    name: "request_tools",
    doc: "A tool in a request: sent, announced, discovered, or written into the prompt. `run` and `request` are the key of the request.",
    columns: &[
        RUN,
        REQUEST,
        SESSION,
        SESSION_NUMBER,
        TURN,
        ROLE,
        Column::new("tool", ColumnType::String, "The tool's name."),
        Column::new(
            "kind",
            ColumnType::String,
            "`builtin`, `mcp`, `server`, `custom`, `prompted`, `placeholder`, or `group` where several were counted together.",
        ),
        Column::nullable("server", ColumnType::String, "The MCP server in its name."),
        Column::new(
            "state",
            ColumnType::String,
            "What the wire shows: `loaded`, `deferred`, `discovered`, `announced`, `placeholder`.",
        ),
        Column::new(
            "decision",
            ColumnType::String,
            "What the rules say: `load`, `defer`, `unknown`.",
        ),
        Column::new("rule", ColumnType::String, "The rule that decided."),
        Column::nullable(
            "index",
            ColumnType::U64,
            "Its place in the tool list, from 0; null where the list does not hold it.",
        ),
        Column::nullable(
            "definition",
            ColumnType::String,
            "The id of its definition: a hash of name, description and schema, 32 digits, the same on every machine. Null where no definition was captured.",
        ),
        Column::nullable(
            "bytes",
            ColumnType::U64,
            "Bytes of its entry in the tool list as captured, flags and white space among them; null where the list does not hold it.",
        ),
        Column::nullable("size", ColumnType::U64, "Tokens of its definition."),
        Column::nullable(
            "in_prompt",
            ColumnType::U64,
            "Tokens that this request pays for it: its size where it is loaded or discovered, 0 where it is held back. Of kind `prompted` they are an of-which of system or messages.",
        ),
        Column::new(
            "at_least",
            ColumnType::Bool,
            "`size` lacks a part that nobody knows.",
        ),
        Column::new(
            "source",
            ColumnType::String,
            "Where `size` comes from: `recorded`, `reconstructed`, `estimated`, `unknown`.",
        ),
        Column::nullable(
            "discovered_at",
            ColumnType::U64,
            "The turn whose request shows its discovery first.",
        ),
    ],
};

impl FactsTable for RequestTools {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn depth(&self) -> AuditDepth {
        AuditDepth::Tools
    }

    fn rows<'a>(&self, _counter: &'a str) -> Box<dyn Rows + 'a> {
        Box::new(Maker)
    }
}

struct Maker;

impl Rows for Maker {
    fn request(&mut self, audited: Audited<'_>, sink: &mut dyn RowSink) -> io::Result<()> {
        let (turn, audit) = (audited.turn, audited.audit);
        // What is the same in all rows of the request.
        let run = Cell::from(&**audited.run);
        let request = Cell::U64(super::number(&audited));
        let session = Cell::from(super::session(&audited));
        let role = Cell::from(audit.role.word());
        let (number, of_session) = (Cell::U64(turn.session), turn.turn.into());
        let shared = [run, request, session, number, of_session, role];
        if sink.block(audited.alike, &shared)? {
            return Ok(());
        }
        for tool in &audit.tools {
            let definition = tool.definition.as_ref();
            let definition = definition.and_then(|(own, _)| own.stable.as_deref());
            sink.row(&[
                run,
                request,
                session,
                number,
                of_session,
                role,
                Cell::from(&*tool.name),
                Cell::from(tool.kind.word()),
                tool.kind.server().map(|server| &**server).into(),
                Cell::from(tool.state.word()),
                Cell::from(tool.verdict.decision.word()),
                Cell::from(tool.verdict.rule),
                tool.index.map(|index| index as u64).into(),
                definition.map(|id| &*id.shown).into(),
                tool.bytes.into(),
                super::tokens(tool.size).into(),
                super::tokens(tool.in_prompt).into(),
                Cell::Bool(tool.size.at_least),
                Cell::from(tool.size.source.word()),
                tool.discovered.map(|(_, turn)| turn).into(),
            ])?;
        }
        Ok(())
    }
}
