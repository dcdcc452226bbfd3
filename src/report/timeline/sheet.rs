//! The timeline as one flat table: a row for each turn.

use crate::report::{Field, Sheet};
use crate::view::{PrefixLevel, PrefixState, TimelineSession, TimelineTurn, TimelineView};

const HEAD: &[&str] = &[
    "run",
    "session",
    "turn",
    "path",
    "place",
    "model",
    "loaded",
    "discovered",
    "deferred",
    "announced",
    "new",
    "prompt",
    "at_least",
    "prefix",
    "level",
    "tool",
    "change",
    "index",
    "kept",
    "reread",
    "read",
    "written",
    "uncached",
    "output",
    "expected",
    "agrees",
    "why",
];

pub(in crate::report) fn sheet(view: &TimelineView) -> Sheet {
    let rows = view.sessions.iter().flat_map(|session| {
        let turns = session.turns.iter();
        turns.map(move |turn| row(session, turn))
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}

fn row(session: &TimelineSession, turn: &TimelineTurn) -> Vec<Field> {
    let (prefix, cache, usage) = (&turn.prefix, &turn.cache, turn.usage.as_ref());
    let tool = prefix.tool.as_ref();
    vec![
        session.run.as_str().into(),
        session.session.into(),
        turn.turn.into(),
        turn.path.as_str().into(),
        turn.place.as_str().into(),
        turn.model.as_deref().into(),
        turn.tools.loaded.into(),
        turn.tools.discovered.into(),
        turn.tools.deferred.into(),
        turn.tools.announced.into(),
        (turn.discoveries.len() as u64).into(),
        turn.prompt.tokens.into(),
        turn.prompt.at_least.into(),
        state(prefix.state).into(),
        prefix.level.map(level).into(),
        tool.map(|tool| tool.name.as_str()).into(),
        tool.map(|tool| tool.change).into(),
        tool.map(|tool| tool.index).into(),
        prefix.kept.tokens.into(),
        prefix.reread.tokens.into(),
        usage.and_then(|usage| usage.read).into(),
        usage.and_then(|usage| usage.written).into(),
        usage.map(|usage| usage.uncached).into(),
        usage.map(|usage| usage.output).into(),
        cache.expected.into(),
        cache.agrees.into(),
        cache.why.as_str().into(),
    ]
}

fn state(state: PrefixState) -> &'static str {
    match state {
        PrefixState::First => "first",
        PrefixState::Stable => "stable",
        PrefixState::Broken => "broken",
        PrefixState::Unknown => "unknown",
    }
}

fn level(level: PrefixLevel) -> &'static str {
    match level {
        PrefixLevel::Model => "model",
        PrefixLevel::Tools => "tools",
        PrefixLevel::System => "system",
        PrefixLevel::ToolChoice => "tool-choice",
        PrefixLevel::Messages => "messages",
    }
}
