//! Cache breakpoints, calls without results, large results: what a body shows of itself.

use super::message::{MessageFacts, Speaker};
use super::repair;
use crate::model::{
    Definition, EarlyCall, Hazards, LargeResult, Orphan, Reference, ReferenceHow, Tokens, ToolList,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many of a kind are kept.
const KEPT: usize = 50;

/// The client warns of results above this (mcp page: `MAX_MCP_OUTPUT_TOKENS`, warning at 10,000 tokens).
const LARGE: Tokens = Tokens(10_000);

/// A body of which hazards are looked for.
pub(super) struct Looked<'a> {
    /// Its tools.
    pub(super) list: &'a ToolList,
    /// It has a breakpoint of its own, outside of tools, system and messages.
    pub(super) marked: bool,
    /// Pointers to marked blocks of the system prompt.
    pub(super) system: &'a [Box<str>],
    /// Its messages.
    pub(super) messages: &'a [Arc<MessageFacts>],
    /// The pointer to them.
    pub(super) root: &'a str,
    /// What searches brought as text, with the places of the messages, in order.
    pub(super) found: &'a [(usize, Arc<Definition>)],
    /// It holds only the end of its conversation.
    pub(super) continues: bool,
}

/// The hazards of a body.
pub(super) fn hazards(body: &Looked<'_>) -> Hazards {
    let Looked {
        list,
        marked: body_marked,
        system,
        messages,
        root,
        continues,
        ..
    } = *body;
    let mut hazards = Hazards::default();
    let tools = list.tools.iter().filter(|tool| tool.flags.cache_control);
    let mut marked = |pointer: String| {
        hazards.breakpoints += 1;
        if hazards.breakpoint_pointers.len() < KEPT {
            hazards.breakpoint_pointers.push(Arc::from(pointer));
        }
    };
    tools.for_each(|tool| marked(format!("/tools/{}", tool.index)));
    system
        .iter()
        .for_each(|block| marked(format!("/system{block}")));
    for (at, message) in messages.iter().enumerate() {
        for tail in &message.breakpoints {
            marked(format!("{root}/{at}{tail}"));
        }
    }
    // Caching that the API places by itself takes one too (prompt caching page).
    if body_marked {
        marked("/cache_control".to_owned());
    }
    // Items of Responses are joined by ids anywhere; only messages must answer at once.
    if root == "/messages" {
        orphans(messages, continues, &mut hazards);
    }
    large(messages, root, &mut hazards);
    early(body, &mut hazards);
    finders(messages, &mut hazards);
    hazards.kept_references = kept_references(messages, root);
    hazards.repairs = repair::repairs(messages, root);
    hazards
}

/// Which tools found others, and whether tools were added without one.
fn finders(messages: &[Arc<MessageFacts>], hazards: &mut Hazards) {
    let mut calls: BTreeMap<u64, &Arc<str>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for message in messages {
        calls.extend(message.calls.iter().map(|call| (call.id, &call.name)));
        let finds = message.results.iter().filter(|own| own.has_references);
        found.extend(finds.filter_map(|result| calls.get(&result.id).copied()));
        let mut references = message.references.iter();
        hazards.adds_tools |= references.any(|(_, how, _)| *how == ReferenceHow::Addition);
    }
    hazards.finders = found.into_iter().cloned().collect();
}

/// References that the API still sees, of each tool the first, where a compaction drops what stands before it.
fn kept_references(messages: &[Arc<MessageFacts>], root: &str) -> Option<Vec<Reference>> {
    let last = messages
        .iter()
        .rposition(|message| message.compaction.is_some())?;
    let mut named = BTreeSet::new();
    let mut kept = Vec::new();
    for (at, message) in messages.iter().enumerate().skip(last) {
        let block = message.compaction.filter(|_| at == last);
        for (name, how, tail) in &message.references {
            let index = tail.split('/').nth(2).and_then(|step| step.parse().ok());
            let dropped =
                block.is_some_and(|block| index.is_some_and(|index: usize| index < block));
            if !dropped && named.insert(name) {
                kept.push(Reference {
                    name: Arc::clone(name),
                    how: *how,
                    pointer: Arc::from(format!("{root}/{at}{tail}")),
                });
            }
        }
    }
    Some(kept)
}

/// A call must be answered in the message that follows, and a result must answer the message before. Messages of
/// one speaker are joined by the API. A body that goes on may answer calls that stand in an earlier one.
fn orphans(messages: &[Arc<MessageFacts>], continues: bool, hazards: &mut Hazards) {
    let mut orphans: Vec<(usize, usize, bool)> = Vec::new();
    let mut open: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    let calls = messages.iter().flat_map(|message| &message.calls);
    let here: BTreeSet<u64> = match continues {
        true => calls.map(|call| call.id).collect(),
        false => BTreeSet::new(),
    };
    let unanswered = |open: &mut BTreeMap<u64, (usize, usize)>, to: &mut Vec<_>| {
        let places = std::mem::take(open).into_values();
        to.extend(places.map(|(at, index)| (at, index, false)));
    };
    let mut before = Speaker::System;
    for (at, message) in messages.iter().enumerate() {
        if message.compaction.is_some() {
            orphans.clear();
            open.clear();
        }
        let kept = |index: usize| message.compaction.is_none_or(|block| index > block);
        match message.speaker {
            Speaker::System => continue,
            Speaker::Assistant | Speaker::Other => {
                // What is still open when the assistant speaks again was never answered.
                if before == Speaker::User {
                    unanswered(&mut open, &mut orphans);
                }
                let own = message.calls.iter();
                let own = own.filter(|call| call.awaits && kept(call.index));
                open.extend(own.map(|call| (call.id, (at, call.index))));
            }
            Speaker::User => {
                let own = message.results.iter();
                for result in own.filter(|result| result.answers && kept(result.index)) {
                    let elsewhere = continues && !here.contains(&result.id);
                    // A second result of one call is as refused as one of none.
                    if open.remove(&result.id).is_none() && !elsewhere {
                        orphans.push((at, result.index, true));
                    }
                }
            }
        }
        before = message.speaker;
    }
    // Calls at the very end wait for their results in the next request, but for a request that goes on with text.
    if before == Speaker::User {
        unanswered(&mut open, &mut orphans);
    }
    orphans.sort_unstable();
    let first = orphans.into_iter().take(KEPT);
    hazards.orphans = first
        .map(|(at, index, is_result)| Orphan {
            is_result,
            pointer: Arc::from(format!("/messages/{at}/content/{index}")),
        })
        .collect();
}

/// Calls of tools that are deferred and to which nothing had referred yet, where the answer is an error: after a
/// compaction the reference may be gone, and then the call succeeds.
fn early(body: &Looked<'_>, hazards: &mut Hazards) {
    let Looked {
        list,
        messages,
        root,
        found,
        ..
    } = *body;
    let flagged = list.tools.iter().filter(|tool| tool.flags.defer.defers());
    let announced = messages.iter().flat_map(|message| &message.announcements);
    let announced = announced.flat_map(|announcement| &announcement.names);
    let deferred: BTreeSet<&Arc<str>> = flagged.map(|tool| &tool.name).chain(announced).collect();
    let mut known: BTreeSet<&Arc<str>> = BTreeSet::new();
    let mut open: BTreeMap<u64, (&Arc<str>, String)> = BTreeMap::new();
    let mut texts = found.iter().peekable();
    for (at, message) in messages.iter().enumerate() {
        for result in &message.results {
            let Some((tool, pointer)) = open.remove(&result.id) else {
                continue;
            };
            if result.failed && hazards.early_calls.len() < KEPT {
                hazards.early_calls.push(EarlyCall {
                    tool: Arc::clone(tool),
                    pointer: Arc::from(pointer),
                    result: Arc::from(format!("{root}/{at}/content/{}", result.index)),
                });
            }
        }
        known.extend(message.references.iter().map(|(name, ..)| name));
        while let Some((_, text)) = texts.next_if(|(place, _)| *place <= at) {
            known.insert(&text.name);
        }
        for call in &message.calls {
            if deferred.contains(&call.name) && !known.contains(&call.name) {
                let pointer = format!("{root}/{at}/content/{}", call.index);
                open.insert(call.id, (&call.name, pointer));
            }
        }
    }
}

fn large(messages: &[Arc<MessageFacts>], root: &str, hazards: &mut Hazards) {
    let calls = messages.iter().flat_map(|message| &message.calls);
    let names: BTreeMap<u64, &Arc<str>> = calls.map(|call| (call.id, &call.name)).collect();
    for (at, message) in messages.iter().enumerate() {
        for result in &message.results {
            let Some(tokens) = result.tokens.tokens.filter(|tokens| *tokens > LARGE) else {
                continue;
            };
            if hazards.large_results.len() < KEPT {
                hazards.large_results.push(LargeResult {
                    tool: names.get(&result.id).map(|name| Arc::clone(name)),
                    pointer: Arc::from(format!("{root}/{at}/content/{}", result.index)),
                    tokens,
                });
            }
        }
    }
}
