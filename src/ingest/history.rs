//! What the messages of a request say together: references, calls, searches.

use super::message::{MessageFacts, Speaker};
use crate::model::{Count, Definition, Reference, SearchCall, Sum, ToolEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the messages say together about references, calls and searches.
#[derive(Debug)]
pub(super) struct History {
    pub(super) references: Vec<Reference>,
    pub(super) calls: Vec<(Arc<str>, u64)>,
    pub(super) searches: Count,
    pub(super) answers_search: bool,
    /// Tools that were taken away and not given back.
    pub(super) removed: Vec<Arc<str>>,
    /// Searches with their answers, where texts are kept.
    pub(super) search_calls: Vec<SearchCall>,
    /// Definitions that stand in the messages, in order.
    pub(super) inline: Vec<ToolEntry>,
    /// Definitions that stand as text in what the system says, in order.
    pub(super) prompted: Vec<Arc<Definition>>,
    /// The same in what searches brought, with the place of the message.
    pub(super) found: Vec<(usize, Arc<Definition>)>,
    /// Thinking blocks of the tool round that is still running, which the API counts at an unknown price.
    pub(super) running_thoughts: u64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            references: Vec::new(),
            calls: Vec::new(),
            searches: Count::nothing(),
            answers_search: false,
            removed: Vec::new(),
            search_calls: Vec::new(),
            inline: Vec::new(),
            prompted: Vec::new(),
            found: Vec::new(),
            running_thoughts: 0,
        }
    }
}

impl History {
    /// Walks the messages once; `root` is the pointer to their list.
    pub(super) fn of(messages: &[Arc<MessageFacts>], root: &str) -> Self {
        let mut references = Vec::new();
        let mut named = BTreeSet::new();
        let mut calls: BTreeMap<&Arc<str>, u64> = BTreeMap::new();
        let mut search_ids = BTreeSet::new();
        let mut searches = Sum::default();
        let mut answers_search = false;
        let mut removed = BTreeSet::new();
        let mut inline: Vec<ToolEntry> = Vec::new();
        let (mut prompted, mut found) = (Vec::new(), Vec::new());
        for (at, message) in messages.iter().enumerate() {
            for (name, how, tail) in &message.references {
                if named.insert(name) {
                    let pointer = Arc::from(format!("{root}/{at}{tail}"));
                    references.push(Reference {
                        name: Arc::clone(name),
                        how: *how,
                        pointer,
                    });
                }
            }
            for change in &message.withdrawals {
                match change.removed {
                    true => removed.insert(Arc::clone(&change.name)),
                    false => removed.remove(&change.name),
                };
            }
            inline.extend(message.inline.iter().cloned());
            prompted.extend(message.prompted.iter().cloned());
            for call in &message.calls {
                *calls.entry(&call.name).or_default() += 1;
                if call.search {
                    search_ids.insert(call.id);
                    searches.add(call.tokens);
                }
            }
            let mut answered = 0;
            for result in &message.results {
                if result.has_references || search_ids.contains(&result.id) {
                    searches.add(result.tokens);
                    answered += 1;
                }
                // A result without an id answers nobody knows what.
                if result.id != 0 && search_ids.contains(&result.id) {
                    let own = result.prompted.iter();
                    found.extend(own.map(|definition| (at, Arc::clone(definition))));
                }
            }
            // A turn that ran other tools too would have been needed without the search.
            let answers = answered > 0 && answered == message.results.len();
            match message.speaker {
                // A later message of the user that answers no search is the one that caused the request.
                Speaker::User => answers_search = answers,
                Speaker::Assistant => answers_search = false,
                _ => {}
            }
        }
        let search_calls = search_calls(messages);
        let calls = calls
            .into_iter()
            .map(|(name, n)| (Arc::clone(name), n))
            .collect();
        let running = match messages {
            [.., thought, answer] if !answer.results.is_empty() => thought.thoughts,
            _ => 0,
        };
        Self {
            removed: removed.into_iter().collect(),
            inline,
            prompted,
            found,
            running_thoughts: running,
            search_calls,
            references,
            calls,
            searches: searches.count(),
            answers_search,
        }
    }
}

/// Searches and what came back, by the ids of their calls.
fn search_calls(messages: &[Arc<MessageFacts>]) -> Vec<SearchCall> {
    let mut calls: Vec<SearchCall> = Vec::new();
    for message in messages {
        let asked = message.calls.iter().filter_map(|call| {
            let (query, max_results) = call.query.clone()?;
            Some(SearchCall {
                id: call.id,
                query,
                max_results,
                found: None,
            })
        });
        calls.extend(asked);
        for result in &message.results {
            let Some(call) = calls.iter_mut().find(|call| call.id == result.id) else {
                continue;
            };
            let place = format!("/content/{}/", result.index);
            let own = message.references.iter();
            let own = own.filter(|(_, _, tail)| tail.starts_with(&place));
            let own = own.map(|(name, ..)| name);
            let texts = result.prompted.iter().map(|definition| &definition.name);
            call.found = Some(own.chain(texts).cloned().collect());
        }
    }
    calls
}
