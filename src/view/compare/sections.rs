//! Sections of the first request, on both sides: what a plugin adds besides tools, and what changes by itself.

use super::pair::Pair;
use crate::audit::{SectionKey, SectionSum, SectionSums};
use crate::summary::RunSummary;
use serde::Serialize;
use std::collections::BTreeSet;

/// One section on both sides.
#[derive(Debug, Clone, Serialize)]
pub struct SectionDelta {
    /// names, mcp-instructions, skills, agents, hook, memory, search, discovered, output-schema, other.
    pub kind: &'static str,
    /// Its name among those of its kind.
    pub what: Option<String>,
    /// A server or plugin that also stands in a tool name.
    pub owner: Option<String>,
    /// It changes without anybody changing the set-up.
    pub by_itself: bool,
    /// Its text is another, be it of the same size.
    pub changed: bool,
    /// Tokens of both.
    #[serde(flatten)]
    pub tokens: Pair,
}

pub(super) fn deltas(a: &RunSummary, b: &RunSummary) -> Vec<SectionDelta> {
    let none = SectionSums::new();
    let of = |run: &'_ RunSummary| {
        let first = run.first.as_ref();
        first.map_or_else(|| none.clone(), |first| first.audit.parts.sections.clone())
    };
    let (a, b) = (of(a), of(b));
    let keys: BTreeSet<&SectionKey> = a.keys().chain(b.keys()).collect();
    let rows = keys.into_iter().map(|key| {
        let sides = [a.get(key), b.get(key)];
        let [x, y] = sides.map(|side| side.copied().unwrap_or_default());
        let pair = Pair::of(x.tokens, y.tokens);
        SectionDelta {
            kind: key.kind.word(),
            what: key.what.as_ref().map(ToString::to_string),
            owner: key.owner.as_ref().map(ToString::to_string),
            by_itself: x.by_itself || y.by_itself,
            changed: differs(x, y) || sides.iter().any(Option::is_none),
            tokens: pair,
        }
    });
    let mut rows: Vec<SectionDelta> = rows.collect();
    rows.sort_by_key(|row| {
        (
            row.by_itself,
            std::cmp::Reverse(row.tokens.delta.map_or(0, i64::unsigned_abs)),
        )
    });
    rows
}

/// Of sections without a text of their own the size tells.
fn differs(a: SectionSum, b: SectionSum) -> bool {
    a.content != b.content || a.tokens.tokens != b.tokens.tokens
}
