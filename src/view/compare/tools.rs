//! Tools of the first request, on both sides.

use super::pair::{Pair, signed};
use crate::audit::ToolAudit;
use crate::model::{Count, State};
use crate::summary::RunSummary;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What happened to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its definition is another.
    Changed,
    /// It was deferred and is in the prompt.
    Loaded,
    /// It was in the prompt and is deferred.
    Deferred,
    /// Nothing.
    Same,
    /// Nothing that could be seen: on one side nobody knows its definition.
    Unknown,
}

impl Change {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Loaded => "loaded",
            Self::Deferred => "deferred",
            Self::Same => "same",
            Self::Unknown => "unknown",
        }
    }
}

/// One tool on both sides.
#[derive(Debug, Clone, Serialize)]
pub struct ToolDelta {
    /// Its name.
    pub name: String,
    /// How many tools the row stands for: 1, but for a group that was counted together.
    pub tools: u64,
    /// The MCP server in its name.
    pub server: Option<String>,
    /// What happened.
    pub change: Change,
    /// One side has several tools of this name; they are paired in their order.
    pub duplicate: bool,
    /// What the wire shows; null = not there.
    pub states: (Option<State>, Option<State>),
    /// Tokens of its definition in the tool list of the base; what was discovered is paid in the messages, what is prompted with its text.
    pub a: Option<i64>,
    /// The same of the other.
    pub b: Option<i64>,
    /// The second less the first.
    pub delta: Option<i64>,
    /// The first is estimated, or rests on thin evidence.
    pub a_estimated: bool,
    /// The second is.
    pub b_estimated: bool,
    /// Which of the tools of its name it is, from 1.
    pub ordinal: u64,
    /// Tokens of the definition, in the prompt or not.
    pub size: Pair,
    /// Its parts, where the counter told them on both sides.
    pub parts: Option<PartsDelta>,
    /// Characters of its compact JSON.
    pub wire_chars: Pair,
    /// Characters of its description.
    pub description_chars: Pair,
    /// Bytes of its description, where a source counted these; never compared with characters.
    pub description_bytes: Pair,
}

/// Parts of a definition on both sides, in tokens.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PartsDelta {
    /// The name.
    pub name: Pair,
    /// The description.
    pub description: Pair,
    /// The schema.
    pub schema: Pair,
    /// What is left.
    pub wrapper: Pair,
}

type Keyed<'a> = BTreeMap<(Arc<str>, usize), &'a ToolAudit>;

/// A row a tool: those that changed most first, then by name.
pub(super) fn deltas(a: &RunSummary, b: &RunSummary) -> Vec<ToolDelta> {
    let (a, b) = (keyed(a), keyed(b));
    let mut names: Vec<&(Arc<str>, usize)> = a.keys().chain(b.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let twice = |name: &Arc<str>| {
        let second = (Arc::clone(name), 1);
        a.contains_key(&second) || b.contains_key(&second)
    };
    let mut rows: Vec<ToolDelta> = names
        .into_iter()
        .map(|key| row(key, a.get(key).copied(), b.get(key).copied(), twice(&key.0)))
        .collect();
    rows.sort_by(|x, y| {
        // What nobody knows may be the largest.
        let size = |row: &ToolDelta| Reverse(row.delta.map_or(u64::MAX, i64::unsigned_abs));
        let same = |row: &ToolDelta| row.change == Change::Same && row.delta == Some(0);
        (same(x), size(x), &x.name).cmp(&(same(y), size(y), &y.name))
    });
    rows
}

fn keyed(run: &RunSummary) -> Keyed<'_> {
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    let tools = run.first.iter().flat_map(|first| &first.audit.tools);
    tools
        .filter(|tool| tool.state != State::Placeholder)
        .map(|tool| {
            let at = order.entry(&tool.name).or_default();
            *at += 1;
            ((Arc::clone(&tool.name), *at - 1), tool)
        })
        .collect()
}

fn row(
    (name, at): &(Arc<str>, usize),
    a: Option<&ToolAudit>,
    b: Option<&ToolAudit>,
    duplicate: bool,
) -> ToolDelta {
    let any = a.or(b);
    let ordinal = *at as u64 + 1;
    let paid = |tool: Option<&ToolAudit>| match tool {
        // It stands in the messages, and in the section of discovered definitions.
        Some(tool) if tool.state == State::Discovered => Some(0),
        // The same of what is written into the system prompt.
        Some(tool) if tool.kind.is_prompted() => Some(0),
        Some(tool) => tool.in_prompt.tokens.map(signed),
        None => Some(0),
    };
    let size = |tool: Option<&ToolAudit>| tool.map_or(Count::UNKNOWN, |tool| tool.size);
    let rough = |tool: Option<&ToolAudit>| {
        tool.is_some_and(|tool| tool.in_prompt.is_rough() && tool.in_prompt != Count::nothing())
    };
    let own = Pair::new(paid(a), paid(b));
    let chars = |tool: Option<&ToolAudit>| {
        let definition = tool?.definition.as_ref();
        definition.and_then(|(definition, _)| i64::try_from(definition.sizes.wire_chars.0).ok())
    };
    let text = |pick: fn(&ToolAudit) -> Option<u64>| {
        let of = |tool: Option<&ToolAudit>| pick(tool?).and_then(|n| i64::try_from(n).ok());
        Pair::new(of(a), of(b))
    };
    ToolDelta {
        name: name.to_string(),
        tools: any.map_or(1, |tool| tool.kind.tools()),
        server: any
            .and_then(|tool| tool.kind.server())
            .map(ToString::to_string),
        change: change(a, b),
        duplicate,
        states: (a.map(|tool| tool.state), b.map(|tool| tool.state)),
        a: own.a,
        b: own.b,
        delta: own.delta,
        a_estimated: rough(a),
        b_estimated: rough(b),
        ordinal,
        size: Pair::of(size(a), size(b)),
        parts: a.zip(b).and_then(|(a, b)| parts(a, b)),
        wire_chars: Pair::new(chars(a), chars(b)),
        description_chars: text(|tool| tool.description.0),
        description_bytes: text(|tool| tool.description.1),
    }
}

fn change(a: Option<&ToolAudit>, b: Option<&ToolAudit>) -> Change {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (None, _) => return Change::Added,
        (_, None) => return Change::Removed,
    };
    let in_prompt = |tool: &ToolAudit| matches!(tool.state, State::Loaded | State::Discovered);
    match (in_prompt(a), in_prompt(b)) {
        (true, false) => return Change::Deferred,
        (false, true) => return Change::Loaded,
        _ => {}
    }
    match (&a.definition, &b.definition) {
        (Some((a, _)), Some((b, _))) if a.id == b.id => Change::Same,
        (Some(_), Some(_)) => Change::Changed,
        // Counts without definitions: another size is another definition.
        _ => match (a.size.tokens, b.size.tokens) {
            (Some(x), Some(y)) if x == y => Change::Same,
            (Some(_), Some(_)) => Change::Changed,
            // Names alone, deferred on both sides.
            (None, None) if !in_prompt(a) => Change::Same,
            _ => Change::Unknown,
        },
    }
}

fn parts(a: &ToolAudit, b: &ToolAudit) -> Option<PartsDelta> {
    let (a, b) = (a.parts?, b.parts?);
    let pair = |a: u64, b: u64| Pair::new(i64::try_from(a).ok(), i64::try_from(b).ok());
    Some(PartsDelta {
        name: pair(a.name, b.name),
        description: pair(a.description, b.description),
        schema: pair(a.schema, b.schema),
        wrapper: Pair::new(Some(a.wrapper), Some(b.wrapper)),
    })
}
