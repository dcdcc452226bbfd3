//! Requests in few numbers, for what looks at each of them.

use crate::audit::{Audit, PartSums};
use crate::model::{Count, Kind, Role, State, Sum, ToolChoice, Usage};
use crate::session::Turn;
use std::sync::Arc;

/// One request in few numbers.
#[derive(Debug, Clone)]
pub struct RequestRow {
    /// Its rank in the run.
    pub rank: u64,
    /// File and place.
    pub path: Arc<str>,
    /// Place in the file.
    pub place: String,
    /// What it is for.
    pub role: Role,
    /// Number of the session.
    pub session: u64,
    /// Turn of the session.
    pub turn: Option<u64>,
    /// Tokens by part.
    pub parts: PartSums,
    /// The client's window.
    pub window: Option<u64>,
    /// The model.
    pub model: Option<Arc<str>>,
    /// `tool_choice`, where the request was captured and has tools.
    pub tool_choice: Option<ToolChoice>,
    /// It defers a tool, so that the API adds its block.
    pub defers: bool,
    /// Milliseconds since 1970.
    pub time: Option<i64>,
    /// Recorded usage.
    pub usage: Option<Usage>,
    /// Characters of the compact JSON of loaded and discovered definitions, where all are known.
    pub wire_chars: Option<u64>,
    /// The captured URL's host is a first-party one.
    pub first_party: Option<bool>,
    /// Definitions in the prompt, and those held back.
    pub definitions: (Sum, Sum),
    /// Its tools with their sizes; shared by requests that have the same.
    pub tools: Arc<[ToolSize]>,
}

/// A tool of a request: what limits are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSize {
    /// Its name.
    pub name: Arc<str>,
    /// What the wire shows.
    pub state: State,
    /// Tokens of its definition.
    pub size: Count,
}

/// The row of a request; `before`: the rows of the requests before it.
pub(super) fn row(rank: u64, turn: &Turn, audit: &Audit, before: &[RequestRow]) -> RequestRow {
    let request = turn.exchange.request();
    RequestRow {
        rank,
        path: Arc::clone(&turn.exchange.origin().path),
        place: turn.exchange.origin().place.to_string(),
        role: audit.role,
        session: turn.session,
        turn: turn.turn,
        parts: audit.parts.clone(),
        window: audit.window,
        model: turn.exchange.model().cloned(),
        tool_choice: request
            .filter(|request| !request.tools.tools.is_empty())
            .map(|request| request.tool_choice),
        defers: request.is_some_and(|request| request.tools.defers()),
        time: request.and_then(|request| request.time),
        usage: request.and_then(|request| request.usage),
        wire_chars: wire_chars(audit),
        first_party: request.and_then(|request| request.first_party),
        definitions: definitions(audit),
        tools: tool_sizes(turn.session, audit, before),
    }
}

/// The tools of a request; those of the request before it, where they are the same.
fn tool_sizes(session: u64, audit: &Audit, before: &[RequestRow]) -> Arc<[ToolSize]> {
    let tools = audit.tools.iter();
    let sizes: Vec<ToolSize> = tools
        .filter(|tool| tool.state != State::Placeholder)
        .map(|tool| ToolSize {
            name: Arc::clone(&tool.name),
            state: tool.state,
            size: tool.size,
        })
        .collect();
    // Sessions are interleaved at most a little; a look at every row would cost the square.
    let mut rows = before.iter().rev().take(64);
    let before = rows
        .find(|row| row.session == session)
        .map(|row| &row.tools);
    match before.filter(|before| before[..] == sizes[..]) {
        Some(before) => Arc::clone(before),
        None => sizes.into(),
    }
}

/// Definitions of the pool: in the prompt, and held back.
fn definitions(audit: &Audit) -> (Sum, Sum) {
    let mut sums = (Sum::default(), Sum::default());
    for tool in &audit.tools {
        match tool.state {
            State::Loaded | State::Discovered => sums.0.add(tool.size),
            State::Deferred | State::Announced => sums.1.add(tool.size),
            State::Placeholder => {}
        }
    }
    if !audit.pool_is_known {
        sums.0.add(Count::UNKNOWN);
        sums.1.add(Count::UNKNOWN);
    }
    sums
}

/// Characters of the definitions in the prompt; `None` where one of them was not captured.
fn wire_chars(audit: &Audit) -> Option<u64> {
    let sent = audit.tools.iter().filter(|tool| {
        matches!(tool.state, State::Loaded | State::Discovered) && tool.kind != Kind::Placeholder
    });
    let sizes = sent.map(|tool| {
        let definition = tool.definition.as_ref();
        definition.map(|(definition, _)| definition.sizes.wire_chars.0)
    });
    sizes.sum()
}
