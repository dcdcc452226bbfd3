//! Conversations by their messages: every prefix with the one that is a message shorter.

use super::hash;
use super::scan::Hashed;
use crate::model::{Count, Prefix, PrefixNode};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Which prefix continues which: every prefix with the one that is a message shorter, and what it holds.
#[derive(Debug, Default)]
pub struct PrefixTable(HashMap<Prefix, PrefixNode, BuildHasherDefault<Hashed>>);

impl PrefixTable {
    /// The prefix after one more message, which has so many tokens.
    pub(super) fn extend(&mut self, prefix: Prefix, message: u128, tokens: Count) -> Prefix {
        let next = Prefix(hash::chain(prefix.0, message));
        let messages = self.0.get(&prefix).map_or(0, |before| before.messages) + 1;
        let node = PrefixNode {
            parent: prefix,
            messages,
            tokens: tokens.tokens.unwrap_or_default().0,
            at_least: tokens.at_least || tokens.tokens.is_none(),
        };
        self.keep(next, node);
        next
    }

    /// Takes over what another table knows.
    pub fn merge(&mut self, other: Self) {
        for (prefix, node) in other.0 {
            self.keep(prefix, node);
        }
    }

    /// Of two counts of one message the smaller is kept, whichever was met first: two models count differently.
    fn keep(&mut self, prefix: Prefix, node: PrefixNode) {
        let known = self.0.entry(prefix).or_insert(node);
        if (node.tokens, node.at_least) < (known.tokens, known.at_least) {
            *known = node;
        }
    }

    /// What is known of a prefix.
    pub fn node(&self, prefix: Prefix) -> Option<PrefixNode> {
        self.0.get(&prefix).copied()
    }
}
