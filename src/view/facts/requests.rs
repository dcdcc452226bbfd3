//! A row each request: its tokens by part, its tools by state, its usage, its gate, its savings.

use super::{FACTS, FactsTable, Rows};
use super::{REQUEST, ROLE, RUN, SESSION, SESSION_NUMBER, TURN};
use crate::audit::AuditDepth;
use crate::model::{Cell, Column, ColumnType, Role, RowSink, Source, State, Sum, Table};
use crate::pipeline::Audited;
use crate::savings::savings;
use std::fmt::Write as _;
use std::io;

pub(super) struct Requests;

const TABLE: Table = Table {
    schema: FACTS,
    name: "requests",
    doc: "A request. `run` and `request` are its key.",
    columns: &[
        RUN,
        REQUEST,
        SESSION,
        SESSION_NUMBER,
        TURN,
        ROLE,
        Column::nullable(
            "side_kind",
            ColumnType::String,
            "What a side request is for, as `report` names it; null of others.",
        ),
        Column::new(
            "path",
            ColumnType::String,
            "The file: the PATH given and what was found below it.",
        ),
        Column::new("place", ColumnType::String, "The record in the file."),
        Column::nullable("time_ms", ColumnType::I64, "Milliseconds since 1970, UTC."),
        Column::nullable("model", ColumnType::String, "The model it was counted for."),
        Column::nullable(
            "client_version",
            ColumnType::String,
            "The version of the client.",
        ),
        Column::new(
            "counter",
            ColumnType::String,
            "The counter, where nothing was recorded.",
        ),
        Column::nullable(
            "tokens_tools",
            ColumnType::U64,
            "Tokens of the loaded definitions.",
        ),
        Column::nullable(
            "tokens_prelude",
            ColumnType::U64,
            "Tokens of the tool-use prompt.",
        ),
        Column::nullable(
            "tokens_deferral",
            ColumnType::U64,
            "Tokens that the API adds where tools are deferred.",
        ),
        Column::nullable(
            "tokens_system",
            ColumnType::U64,
            "Tokens of the system prompt.",
        ),
        Column::nullable(
            "tokens_messages",
            ColumnType::U64,
            "Tokens of the messages, discovered definitions among them.",
        ),
        Column::nullable(
            "tokens_frame",
            ColumnType::U64,
            "Tokens that frame the messages.",
        ),
        Column::nullable(
            "tokens_residual",
            ColumnType::I64,
            "Tokens recorded less the known parts; null where nothing was recorded.",
        ),
        Column::nullable(
            "tokens_request",
            ColumnType::U64,
            "Tokens of the whole: recorded, else the known parts together; null where no part is known.",
        ),
        Column::nullable(
            "tokens_recorded",
            ColumnType::U64,
            "Tokens of the whole as recorded.",
        ),
        Column::new(
            "at_least",
            ColumnType::Bool,
            "`tokens_request` lacks parts that nobody knows.",
        ),
        Column::new(
            "source",
            ColumnType::String,
            "Where `tokens_request` comes from: `recorded`, `reconstructed`, `estimated`, `unknown`.",
        ),
        Column::nullable(
            "tools_loaded",
            ColumnType::U64,
            "Tools whose definition is in the prompt from the start; null where the list was not captured.",
        ),
        Column::nullable(
            "tools_deferred",
            ColumnType::U64,
            "Tools that were sent with the flag and are held back; null where the list was not captured.",
        ),
        Column::new(
            "tools_discovered",
            ColumnType::U64,
            "Tools that were deferred and that a search loaded.",
        ),
        Column::new(
            "tools_announced",
            ColumnType::U64,
            "Tools that are there by name only.",
        ),
        Column::nullable(
            "tools_bytes",
            ColumnType::U64,
            "Bytes of the entries of the tool list as captured; null where the list was not captured.",
        ),
        Column::nullable(
            "references",
            ColumnType::U64,
            "Blocks of the body that refer to a tool, repeats among them; null where there is no body.",
        ),
        Column::nullable(
            "input_tokens",
            ColumnType::U64,
            "Recorded tokens of the prompt that went by no cache.",
        ),
        Column::nullable(
            "cache_write_tokens",
            ColumnType::U64,
            "Recorded tokens that were written to a cache.",
        ),
        Column::nullable(
            "cache_read_tokens",
            ColumnType::U64,
            "Recorded tokens that were read from a cache.",
        ),
        Column::nullable(
            "output_tokens",
            ColumnType::U64,
            "Recorded tokens of the answer.",
        ),
        Column::nullable(
            "gate_enabled",
            ColumnType::Bool,
            "The rules turn tool search on; null where they cannot say, and of requests that are not main.",
        ),
        Column::nullable(
            "gate_observed",
            ColumnType::String,
            "Tool search as the wire shows it: `on`, `off`, `unknown`; null of requests that are not main.",
        ),
        Column::nullable(
            "gate_decided_by",
            ColumnType::String,
            "The step of the gate that decided; null of requests that are not main.",
        ),
        Column::nullable(
            "all_loaded",
            ColumnType::U64,
            "Tokens of the tools, were all loaded; null of requests that are not main.",
        ),
        Column::nullable(
            "as_sent",
            ColumnType::U64,
            "Tokens that were paid for tools; null of requests that are not main.",
        ),
        Column::nullable(
            "saved",
            ColumnType::I64,
            "`all_loaded` less `as_sent`; null where both lack something, and of requests that are not main.",
        ),
        Column::nullable(
            "saved_at_least",
            ColumnType::Bool,
            "Definitions are unknown: `all_loaded` and `saved` are lower bounds; null of requests that are not main.",
        ),
    ],
};

impl FactsTable for Requests {
    fn table(&self) -> &'static Table {
        &TABLE
    }

    fn depth(&self) -> AuditDepth {
        AuditDepth::Numbers
    }

    fn rows<'a>(&self, counter: &'a str) -> Box<dyn Rows + 'a> {
        Box::new(Maker {
            counter,
            place: String::new(),
        })
    }
}

struct Maker<'a> {
    counter: &'a str,
    /// The place in words; one text for all rows.
    place: String,
}

impl Rows for Maker<'_> {
    fn request(&mut self, audited: Audited<'_>, sink: &mut dyn RowSink) -> io::Result<()> {
        let Audited {
            turn, audit, run, ..
        } = audited;
        let request = turn.exchange.request();
        let origin = turn.exchange.origin();
        self.place.clear();
        let _ = write!(self.place, "{}", origin.place);
        let side = match audit.role {
            Role::Side(kind) => Some(kind),
            _ => None,
        };
        let parts = &audit.parts;
        let part = |sum: Sum| Cell::from(super::tokens(sum.count()));
        let recorded = parts.all_recorded();
        let known = parts.known();
        let whole = match recorded {
            true => Some(parts.request().0),
            false => super::tokens(known.count()),
        };
        let source = match recorded {
            true => Source::Recorded,
            false => known.count().source,
        };
        let tools = |state: State| {
            let tools = audit.tools.iter().filter(|tool| tool.state == state);
            Cell::U64(tools.map(|tool| tool.kind.tools()).sum())
        };
        // A list that is not there is unknown, not empty.
        let listing = |state: State| match audit.pool_is_known {
            true => tools(state),
            false => Cell::Null,
        };
        let listed = request.filter(|_| audit.pool_is_known);
        let bytes = listed.map(|_| {
            audit
                .tools
                .iter()
                .filter_map(|tool| tool.bytes)
                .sum::<u64>()
        });
        let usage = request.and_then(|request| request.usage);
        let gate = audit.gate.as_ref();
        let savings = (audit.role == Role::Main).then(|| savings(turn, audit));
        let savings = savings.as_ref();
        sink.row(&[
            Cell::from(&**run),
            Cell::U64(super::number(&audited)),
            super::session(&audited).into(),
            Cell::U64(turn.session),
            turn.turn.into(),
            Cell::from(audit.role.word()),
            side.into(),
            Cell::from(&*origin.path),
            Cell::from(self.place.as_str()),
            request.and_then(|request| request.time).into(),
            turn.exchange.model().map(|model| &**model).into(),
            turn.exchange.client_version().map(|own| &**own).into(),
            Cell::from(self.counter),
            part(parts.tools),
            part(parts.prelude),
            part(parts.deferral),
            part(parts.system),
            part(parts.messages),
            part(parts.frame),
            recorded.then_some(parts.residual).into(),
            whole.into(),
            recorded.then_some(parts.recorded.tokens.0).into(),
            Cell::Bool(!recorded && known.missing > 0),
            Cell::from(source.word()),
            listing(State::Loaded),
            listing(State::Deferred),
            tools(State::Discovered),
            tools(State::Announced),
            bytes.into(),
            request.and_then(|own| own.reference_blocks).into(),
            usage.map(|usage| usage.input.0).into(),
            usage.and_then(|usage| usage.written()).map(|t| t.0).into(),
            usage.and_then(|usage| usage.read()).map(|t| t.0).into(),
            usage.map(|usage| usage.output.0).into(),
            gate.and_then(|gate| gate.enabled).into(),
            gate.map(|gate| gate.observed.word()).into(),
            gate.map(|gate| gate.decided_by).into(),
            savings
                .and_then(|own| super::tokens(own.all_loaded().count()))
                .into(),
            savings
                .and_then(|own| super::tokens(own.as_sent().count()))
                .into(),
            savings.and_then(|own| own.saved()).map(|own| own.0).into(),
            savings.map(|own| own.at_least()).into(),
        ])
    }
}
