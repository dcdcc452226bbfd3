//! A turn's prompt in the pieces that a cache sees: definitions in order, blocks of the system prompt, messages.

use super::rule::{CacheRule, Tally};
use crate::model::{Count, DefId, PLACEHOLDER, State, Sum, SystemBlock, Tokens};
use crate::summary::{RequestRow, TurnRow};
use std::collections::BTreeMap;

/// A definition in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) name: &'a str,
    id: Option<DefId>,
    type_: Option<&'a str>,
    /// Bytes of its compact JSON.
    pub(super) bytes: Option<u64>,
    pub(super) tokens: Count,
}

impl<'a> Piece<'a> {
    /// What tells it from others: its name, its content, its type.
    pub(super) fn key(&self) -> (&'a str, Option<DefId>, Option<&'a str>) {
        (self.name, self.id, self.type_)
    }
}

/// A main request as a cache sees it.
#[derive(Clone)]
pub(super) struct Prompt<'a> {
    pub(super) row: &'a RequestRow,
    /// What it holds; absent where only counts were kept.
    pub(super) turn: Option<&'a TurnRow>,
    /// Its definitions; absent where the request does not show them.
    pub(super) tools: Option<Vec<Piece<'a>>>,
    /// All of it.
    pub(super) whole: Tally,
}

impl<'a> Prompt<'a> {
    pub(super) fn new(row: &'a RequestRow, turn: Option<&'a TurnRow>, rule: CacheRule) -> Self {
        Self {
            row,
            turn,
            tools: turn.and_then(|turn| pieces(row, turn, rule)),
            whole: whole(row, turn, rule),
        }
    }

    /// Blocks of its system prompt; `None` where the request does not show them.
    pub(super) fn system(&self) -> Option<&'a [SystemBlock]> {
        let blocks = &*self.turn?.system;
        let known = !blocks.is_empty() || self.row.parts.system.count().tokens.is_some();
        known.then_some(blocks)
    }

    /// Tokens of its messages with what was discovered in them, and of their frames.
    pub(super) fn messages(&self, rule: CacheRule) -> Sum {
        let parts = &self.row.parts;
        let mut sum = parts.messages.merge(parts.frame);
        if !rule.skips_deferred() {
            // There a discovered definition stands with the tools.
            let found = self.turn.iter().flat_map(|turn| &turn.found);
            let found: Sum = found.map(|found| found.size).collect();
            sum.tokens = Tokens(sum.tokens.0.saturating_sub(found.tokens.0));
        }
        sum
    }
}

/// The whole prompt: as recorded, else its known parts.
fn whole(row: &RequestRow, turn: Option<&TurnRow>, rule: CacheRule) -> Tally {
    let known = match row.parts.all_recorded() {
        true => row.parts.recorded,
        false => row.parts.known(),
    };
    // A server that knows no deferral is sent all definitions; another's record lacks those that were held back.
    let own_record = row.parts.all_recorded() && row.first_party == Some(false);
    if rule.skips_deferred() || own_record || turn.is_none() {
        return known.count().into();
    }
    let held = row
        .tools
        .iter()
        .filter(|tool| tool.state == State::Deferred);
    let held: Sum = held.map(|tool| tool.size).collect();
    known.merge(held).count().into()
}

fn pieces<'a>(row: &'a RequestRow, turn: &'a TurnRow, rule: CacheRule) -> Option<Vec<Piece<'a>>> {
    let list = turn.list.as_ref()?;
    // Sizes as they were recorded or found elsewhere; of two of one name each has its own, in order.
    let mut sizes: BTreeMap<&str, Vec<Count>> = BTreeMap::new();
    for tool in row.tools.iter().rev() {
        sizes.entry(&tool.name).or_default().push(tool.size);
    }
    let mut all = Vec::with_capacity(list.tools.len());
    for entry in &list.tools {
        let definition = entry.definition.as_ref();
        let own = definition.map_or(Count::UNKNOWN, |own| own.tokens.count);
        let size = sizes.get_mut(&*entry.name).and_then(Vec::pop);
        let outside = entry.flags.defer.defers() || &*entry.name == PLACEHOLDER;
        if rule.skips_deferred() && outside {
            continue;
        }
        all.push(Piece {
            name: &entry.name,
            id: definition.map(|own| own.id),
            type_: entry.server_type.as_deref(),
            bytes: definition.map(|own| own.sizes.bytes),
            tokens: size.unwrap_or(own),
        });
    }
    Some(all)
}
