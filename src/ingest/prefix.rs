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
        let messages = self.0.get(&prefix).map_or(0, |before| before.messages);
        self.further(prefix, messages, message, tokens)
    }

    /// The prefix of a whole conversation, message by message with its tokens. `None` of none.
    pub(super) fn of(&mut self, messages: impl Iterator<Item = (u128, Count)>) -> Option<Prefix> {
        let first = Prefix(hash::content(b"conversation"));
        let mut last = None;
        for (before, (message, tokens)) in (0..).zip(messages) {
            let prefix = last.unwrap_or(first);
            last = Some(self.further(prefix, before, message, tokens));
        }
        last
    }

    /// The prefix after one message more; `before`: how many there were.
    fn further(&mut self, prefix: Prefix, before: u32, message: u128, tokens: Count) -> Prefix {
        let next = Prefix(hash::chain(prefix.0, message));
        let node = PrefixNode {
            parent: prefix,
            messages: before + 1,
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
