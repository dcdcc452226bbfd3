//! Cache breakpoints, calls without results, large results: what a body shows of itself.

use super::message::{MessageFacts, Speaker};
use crate::model::{EarlyCall, Hazards, LargeResult, Orphan, Tokens, ToolList};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many of a kind are kept.
const KEPT: usize = 50;

/// The client warns of results above this (mcp page: `MAX_MCP_OUTPUT_TOKENS`, warning at 10,000 tokens).
const LARGE: Tokens = Tokens(10_000);

/// The hazards of a body; `root` is the pointer to its messages, `system` pointers to marked blocks there.
pub(super) fn hazards(
    list: &ToolList,
    system: &[Box<str>],
    messages: &[Arc<MessageFacts>],
    root: &str,
) -> Hazards {
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
    // Items of Responses are joined by ids anywhere; only messages must answer at once.
    if root == "/messages" {
        orphans(messages, &mut hazards);
    }
    large(messages, root, &mut hazards);
    early(list, messages, root, &mut hazards);
    hazards
}

/// A call must be answered in the message that follows, and a result must answer the message before.
fn orphans(messages: &[Arc<MessageFacts>], hazards: &mut Hazards) {
    let mut note = |is_result, at: usize, index: usize| {
        if hazards.orphans.len() < KEPT {
            hazards.orphans.push(Orphan {
                is_result,
                pointer: Arc::from(format!("/messages/{at}/content/{index}")),
            });
        }
    };
    let mut open: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    let mut answered: BTreeSet<u64> = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        match message.speaker {
            Speaker::System => continue,
            Speaker::Assistant | Speaker::Other => {
                // What is still open when the assistant speaks again was never answered.
                for (at, index) in std::mem::take(&mut open).into_values() {
                    note(false, at, index);
                }
                answered.clear();
                let own = message.calls.iter().filter(|call| call.awaits);
                open.extend(own.map(|call| (call.id, (at, call.index))));
            }
            Speaker::User => {
                let own = message.results.iter().filter(|result| result.answers);
                for result in own {
                    let known = open.remove(&result.id).is_some();
                    // A second result of one call is as refused as one of none.
                    if !known || !answered.insert(result.id) {
                        note(true, at, result.index);
                    }
                }
            }
        }
    }
    // Calls at the very end wait for their results in the next request, but for a request that goes on with text.
    if messages
        .last()
        .is_some_and(|last| last.speaker == Speaker::User)
    {
        for (at, index) in open.into_values() {
            note(false, at, index);
        }
    }
    hazards.orphans.sort_by_key(|a| order(&a.pointer));
}

/// Message and block of a pointer.
fn order(pointer: &str) -> (usize, usize) {
    let mut steps = pointer.split('/').filter_map(|step| step.parse().ok());
    (steps.next().unwrap_or(0), steps.next().unwrap_or(0))
}

/// Calls of tools that are deferred and to which nothing had referred yet, where the answer is an error: after a
/// compaction the reference may be gone, and then the call succeeds.
fn early(list: &ToolList, messages: &[Arc<MessageFacts>], root: &str, hazards: &mut Hazards) {
    let flagged = list.tools.iter().filter(|tool| tool.flags.defer.defers());
    let announced = messages.iter().flat_map(|message| &message.announcements);
    let announced = announced.flat_map(|announcement| &announcement.names);
    let deferred: BTreeSet<&Arc<str>> = flagged.map(|tool| &tool.name).chain(announced).collect();
    let mut known: BTreeSet<&Arc<str>> = BTreeSet::new();
    let mut open: BTreeMap<u64, (&Arc<str>, String)> = BTreeMap::new();
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
