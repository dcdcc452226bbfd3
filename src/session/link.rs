//! Requests → conversations: by session id, else by the messages that one request repeats of another.

use crate::model::{Exchange, Prefix, PrefixNode, Role, Shared};
use std::collections::BTreeMap;

/// Which prefix continues which, as the reader learned it.
pub trait Parents {
    /// What is known of a prefix.
    fn node(&self, prefix: Prefix) -> Option<PrefixNode>;

    /// The prefix that is one message shorter.
    fn parent(&self, prefix: Prefix) -> Option<Prefix> {
        self.node(prefix).map(|node| node.parent)
    }
}

/// Where an exchange belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linked {
    /// The session's number, from 1, by first appearance.
    pub session: u64,
    /// Which main request it is.
    pub turn: Option<u64>,
    /// It holds the same messages as the main request of its session before it.
    pub repeats: bool,
    /// What its messages share with those of the main request of its session before it.
    pub shared: Option<Shared>,
}

#[derive(Debug, Default)]
struct Open {
    turns: u64,
    /// Prefix of the newest request.
    tip: Option<Prefix>,
}

/// Links the exchanges of a run, given in order.
pub fn link(exchanges: &[Exchange], parents: &dyn Parents) -> Vec<Linked> {
    let mut sessions: Vec<Open> = Vec::new();
    let mut by_id: BTreeMap<u128, usize> = BTreeMap::new();
    // Every prefix at which a request ended, with the session that ended there last.
    let mut ends: BTreeMap<Prefix, usize> = BTreeMap::new();
    exchanges
        .iter()
        .map(|exchange| {
            let (id, prefix) = match exchange.request() {
                Some(request) => (request.session, request.prefix),
                None => (None, None),
            };
            let main = exchange.role() == Role::Main;
            let known = match id {
                Some(id) => by_id.get(&id).copied(),
                // A side request repeats a conversation's start too, and is none of its turns.
                None if main => {
                    prefix.and_then(|prefix| continued(prefix, &sessions, &ends, parents))
                }
                None => prefix.and_then(|prefix| nearest(prefix, &ends, parents)),
            };
            let at = known.unwrap_or_else(|| {
                sessions.push(Open::default());
                sessions.len() - 1
            });
            if let Some(id) = id {
                by_id.insert(id, at);
            }
            let session = &mut sessions[at];
            let repeats = main && prefix.is_some() && session.tip == prefix;
            let tip = session.tip.filter(|_| main);
            let shared = tip.zip(prefix);
            let shared = shared.map(|(tip, prefix)| shared_prefix(tip, prefix, parents));
            let turn = main.then(|| {
                session.turns += 1;
                session.turns
            });
            if let (true, Some(prefix)) = (main, prefix) {
                session.tip = Some(prefix);
                ends.insert(prefix, at);
            }
            Linked {
                session: at as u64 + 1,
                turn,
                repeats,
                shared,
            }
        })
        .collect()
}

/// The session whose request this one continues. One that ends exactly where an older request of a session
/// ended, while that session has gone on, starts anew: the same question asked again.
fn continued(
    prefix: Prefix,
    sessions: &[Open],
    ends: &BTreeMap<Prefix, usize>,
    parents: &dyn Parents,
) -> Option<usize> {
    if let Some(&at) = ends.get(&prefix) {
        return (sessions[at].tip == Some(prefix)).then_some(at);
    }
    nearest(parents.parent(prefix)?, ends, parents)
}

fn nearest(prefix: Prefix, ends: &BTreeMap<Prefix, usize>, parents: &dyn Parents) -> Option<usize> {
    let mut here = Some(prefix);
    while let Some(prefix) = here {
        if let Some(&at) = ends.get(&prefix) {
            return Some(at);
        }
        here = parents.parent(prefix);
    }
    None
}

/// The longest beginning that two conversations have in common.
fn shared_prefix(before: Prefix, now: Prefix, parents: &dyn Parents) -> Shared {
    let depth = |prefix| parents.node(prefix).map_or(0, |node| node.messages);
    let (mut a, mut b) = (before, now);
    while a != b {
        let (deep_a, deep_b) = (depth(a), depth(b));
        if deep_a.max(deep_b) == 0 {
            return Shared::default();
        }
        if deep_a >= deep_b {
            a = parents.parent(a).unwrap_or_default();
        }
        if deep_b >= deep_a {
            b = parents.parent(b).unwrap_or_default();
        }
    }
    Shared {
        at: a,
        messages: depth(a),
        whole: a == before,
    }
}
