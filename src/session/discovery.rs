//! Which deferred tools a session has loaded by now. The set only grows (seeds 000 and 003).

use crate::model::{Announcement, Exchange, PLACEHOLDER, Role, Thread};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How and when a tool was discovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discovery {
    /// `search`, `server-search`, `addition`; `sent` where only its flagged definition shows it.
    pub how: &'static str,
    /// The turn whose request shows it first.
    pub turn: u64,
    /// It was seen as a reference in the body it is told for.
    pub referenced: bool,
}

/// What a turn knows of discoveries, and the announcements that still hold of earlier requests.
pub type TurnPool = (Arc<BTreeMap<Arc<str>, Discovery>>, Vec<Arc<Announcement>>);

/// Walks the exchanges of one run, given in order with session and turn.
pub fn discover_tools(exchanges: &[(&Exchange, u64, Option<u64>)]) -> Vec<TurnPool> {
    #[derive(Default)]
    struct Known {
        tools: Arc<BTreeMap<Arc<str>, Discovery>>,
        announcements: Vec<Arc<Announcement>>,
        turn: u64,
    }
    let mut sessions: BTreeMap<(u64, bool), Known> = BTreeMap::new();
    exchanges
        .iter()
        .map(|(exchange, session, turn)| {
            // A subagent searches for itself; side requests repeat what their conversation knows.
            let known = sessions
                .entry((*session, exchange.role() == Role::Subagent))
                .or_default();
            known.turn = turn.unwrap_or(known.turn);
            let Some(request) = exchange.request() else {
                return TurnPool::default();
            };
            let placeholder = request
                .tools
                .tools
                .iter()
                .any(|tool| &*tool.name == PLACEHOLDER);
            let mut found: Vec<(Arc<str>, &'static str)> = request
                .references
                .iter()
                .map(|r| (Arc::clone(&r.name), r.how.word()))
                .collect();
            if placeholder {
                // Newer clients send only discovered definitions beside the placeholder.
                let sent = request
                    .tools
                    .tools
                    .iter()
                    .filter(|t| t.flags.defer.defers() && &*t.name != PLACEHOLDER);
                found.extend(sent.map(|tool| (Arc::clone(&tool.name), "sent")));
            }
            for (name, how) in found {
                if !known.tools.contains_key(&name) {
                    let discovery = Discovery {
                        how,
                        turn: known.turn.max(1),
                        referenced: how != "sent",
                    };
                    Arc::make_mut(&mut known.tools).insert(name, discovery);
                }
            }
            let carried = if request.thread == Thread::Continue {
                known.announcements.clone()
            } else {
                Vec::new()
            };
            known
                .announcements
                .extend(request.announcements.iter().cloned());
            if request.thread == Thread::Whole {
                known.announcements.clone_from(&request.announcements);
            }
            (Arc::clone(&known.tools), carried)
        })
        .collect()
}
