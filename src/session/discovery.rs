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

/// The discoveries of a session up to one of its exchanges. All of them share one table, since the set only
/// grows: one table each would cost the square of what a long session discovers.
#[derive(Debug, Clone, Default)]
pub struct Discovered {
    tools: Arc<BTreeMap<Arc<str>, (usize, Discovery)>>,
    /// What was found as text, with the place of the exchange and its turn: nothing that the API expands.
    texts: Arc<BTreeMap<Arc<str>, (usize, u64)>>,
    /// The place of the exchange; what was discovered later it does not know.
    upto: usize,
}

impl Discovered {
    /// How a tool was discovered, where it was.
    pub fn get(&self, name: &str) -> Option<&Discovery> {
        let (at, discovery) = self.tools.get(name)?;
        (*at <= self.upto).then_some(discovery)
    }

    /// The turn that found a tool as text, where one did.
    pub fn as_text(&self, name: &str) -> Option<u64> {
        let (at, turn) = self.texts.get(name)?;
        (*at <= self.upto).then_some(*turn)
    }
}

/// What a turn knows of discoveries, and the announcements that still hold of earlier requests.
pub type TurnPool = (Discovered, Vec<Arc<Announcement>>);

/// Who discovers: the session, and whether it is a subagent of it.
type Who = (u64, bool);

/// Walks the exchanges of one run, given in order with session and turn.
pub fn discover_tools(exchanges: &[(&Exchange, u64, Option<u64>)]) -> Vec<TurnPool> {
    #[derive(Default)]
    struct Known {
        tools: BTreeMap<Arc<str>, (usize, Discovery)>,
        texts: BTreeMap<Arc<str>, (usize, u64)>,
        announcements: Vec<Arc<Announcement>>,
        turn: u64,
    }
    let mut sessions: BTreeMap<Who, Known> = BTreeMap::new();
    let carried: Vec<(Who, Option<Vec<Arc<Announcement>>>)> = exchanges
        .iter()
        .enumerate()
        .map(|(at, (exchange, session, turn))| {
            // A subagent searches for itself; side requests repeat what their conversation knows.
            let key = (*session, exchange.role() == Role::Subagent);
            let known = sessions.entry(key).or_default();
            known.turn = turn.unwrap_or(known.turn);
            let Some(request) = exchange.request() else {
                return (key, None);
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
                let discovery = Discovery {
                    how,
                    turn: known.turn.max(1),
                    referenced: how != "sent",
                };
                known.tools.entry(name).or_insert((at, discovery));
            }
            for text in request.wire.prompted.iter().filter(|text| text.found) {
                let name = Arc::clone(&text.definition.name);
                known.texts.entry(name).or_insert((at, known.turn.max(1)));
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
            (key, Some(carried))
        })
        .collect();
    let tables: BTreeMap<Who, (Arc<_>, Arc<_>)> = sessions
        .into_iter()
        .map(|(key, known)| (key, (Arc::new(known.tools), Arc::new(known.texts))))
        .collect();
    let placed = carried.into_iter().enumerate();
    placed
        .map(|(upto, (key, carried))| match (tables.get(&key), carried) {
            (Some((tools, texts)), Some(carried)) => {
                let (tools, texts) = (Arc::clone(tools), Arc::clone(texts));
                (Discovered { tools, texts, upto }, carried)
            }
            _ => TurnPool::default(),
        })
        .collect()
}
