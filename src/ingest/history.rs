//! What the messages of a request say together: references, calls, searches.

use super::message::{MessageFacts, Speaker};
use crate::model::{Count, Reference, SEARCH_TOOLS, Sum};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the messages say together about references, calls and searches.
#[derive(Debug)]
pub(super) struct History {
    pub(super) references: Vec<Reference>,
    pub(super) calls: Vec<(Arc<str>, u64)>,
    pub(super) searches: Count,
    pub(super) answers_search: bool,
    /// Thinking blocks of the tool round that is still running, which the API counts at an unknown price.
    pub(super) running_thoughts: u64,
}

impl History {
    /// Walks the messages once.
    pub(super) fn of(messages: &[Arc<MessageFacts>]) -> Self {
        let mut references = Vec::new();
        let mut named = BTreeSet::new();
        let mut calls: BTreeMap<&Arc<str>, u64> = BTreeMap::new();
        let mut search_ids = BTreeSet::new();
        let mut searches = Sum::default();
        let mut answers_search = false;
        for (at, message) in messages.iter().enumerate() {
            for (name, how, block, item) in &message.references {
                if named.insert(name) {
                    let item = item.map_or(String::new(), |item| format!("/content/{item}"));
                    let pointer = Arc::from(format!("/messages/{at}/content/{block}{item}"));
                    references.push(Reference {
                        name: Arc::clone(name),
                        how: *how,
                        pointer,
                    });
                }
            }
            for call in &message.calls {
                *calls.entry(&call.name).or_default() += 1;
                if SEARCH_TOOLS.contains(&call.name.as_ref()) {
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
        let calls = calls
            .into_iter()
            .map(|(name, n)| (Arc::clone(name), n))
            .collect();
        let running = match messages {
            [.., thought, answer] if !answer.results.is_empty() => thought.thoughts,
            _ => 0,
        };
        Self {
            running_thoughts: running,
            references,
            calls,
            searches: searches.count(),
            answers_search,
        }
    }
}
