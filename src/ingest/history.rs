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
            let mut answers = false;
            for result in &message.results {
                if result.has_references || search_ids.contains(&result.id) {
                    searches.add(result.tokens);
                    answers = true;
                }
            }
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
        Self {
            references,
            calls,
            searches: searches.count(),
            answers_search,
        }
    }
}
