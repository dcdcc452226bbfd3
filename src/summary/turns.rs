//! Turns with what changed in them, for what follows a session over time.

use crate::audit::Audit;
use crate::model::{
    Announcement, Boundary, Count, PrefixNode, Role, Shared, State, SystemBlock, Tokens, ToolList,
};
use crate::savings::{SavingSums, savings};
use crate::session::{Parents, Turn};
use std::sync::Arc;

/// A main request in its session, beside its [`super::RequestRow`] of the same rank. Compactions stand among them.
#[derive(Debug, Clone)]
pub struct TurnRow {
    /// Its rank in the run.
    pub rank: u64,
    /// What it is for: main, or a compaction.
    pub role: Role,
    /// The session.
    pub session: u64,
    /// Which main request of the session it is.
    pub turn: Option<u64>,
    /// It holds the same messages as the main request before it.
    pub repeats: bool,
    /// The tool list as sent; absent where the request does not show it.
    pub list: Option<Arc<ToolList>>,
    /// Blocks of the system prompt; empty where the request does not show it.
    pub system: Arc<[SystemBlock]>,
    /// Messages.
    pub messages: u64,
    /// What its messages share with those of the main request before it.
    pub shared: Option<SharedTokens>,
    /// Tools by state: loaded, deferred, discovered, announced.
    pub states: [u64; 4],
    /// Tools that are in its prompt by a discovery, each with the turn that discovered it and its size.
    pub found: Vec<Found>,
    /// Announcements in its body, in order.
    pub announcements: Vec<Arc<Announcement>>,
    /// Compactions since the request before, as a transcript tells them.
    pub boundaries: Vec<Boundary>,
    /// Its newest message answers a search, and nothing else.
    pub answers_search: bool,
    /// Tokens of searches in its history.
    pub searches: Count,
    /// What it pays and saves.
    pub savings: SavingSums,
    /// Tools called in its history.
    pub calls: Vec<(Arc<str>, u64)>,
    /// What the client mended, in words.
    pub repairs: Vec<String>,
}

/// A discovered tool.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its name.
    pub name: Arc<str>,
    /// How: search, snapshot, sent and so on.
    pub how: &'static str,
    /// The turn that discovered it.
    pub turn: u64,
    /// Tokens of its definition.
    pub size: Count,
}

/// What two requests share at the beginning of their messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedTokens {
    /// Messages.
    pub messages: u64,
    /// Their own tokens.
    pub tokens: Tokens,
    /// Some of them could not be counted.
    pub at_least: bool,
    /// All messages of the one before are among them.
    pub whole: bool,
}

impl SharedTokens {
    /// Adds up what the messages hold.
    fn of(shared: Shared, parents: &dyn Parents) -> Self {
        let mut here = shared.at;
        let mut sum = Self {
            messages: u64::from(shared.messages),
            tokens: Tokens(0),
            at_least: false,
            whole: shared.whole,
        };
        while let Some(PrefixNode {
            parent,
            tokens,
            at_least,
            ..
        }) = parents.node(here)
        {
            sum.tokens = sum.tokens + Tokens(tokens);
            sum.at_least |= at_least;
            here = parent;
        }
        sum
    }
}

/// The row of a turn, or of a compaction.
pub(super) fn row(rank: u64, turn: &Turn, audit: &Audit, parents: &dyn Parents) -> Option<TurnRow> {
    let kept = matches!(audit.role, Role::Main | Role::Side("compaction"));
    let request = turn.exchange.request().filter(|_| kept)?;
    let states = [
        State::Loaded,
        State::Deferred,
        State::Discovered,
        State::Announced,
    ];
    let states = states.map(|state| {
        let own = audit.tools.iter().filter(|tool| tool.state == state);
        own.map(|tool| tool.kind.tools()).sum()
    });
    let found = audit.tools.iter().filter_map(|tool| {
        let (how, turn) = tool.discovered?;
        (tool.state == State::Discovered).then(|| Found {
            name: Arc::clone(&tool.name),
            how,
            turn,
            size: tool.size,
        })
    });
    Some(TurnRow {
        rank,
        role: audit.role,
        session: turn.session,
        turn: turn.turn,
        repeats: turn.repeats,
        list: audit.pool_is_known.then(|| Arc::clone(&request.tools)),
        system: Arc::clone(&request.system_parts),
        messages: request.shape.messages,
        shared: turn.shared.map(|shared| SharedTokens::of(shared, parents)),
        states,
        found: found.collect(),
        announcements: request.announcements.clone(),
        boundaries: request.boundaries.clone(),
        answers_search: request.answers_search,
        searches: request.searches,
        savings: savings(turn, audit),
        calls: request.calls.clone(),
        repairs: audit.repairs.clone(),
    })
}
