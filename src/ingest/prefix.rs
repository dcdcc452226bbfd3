//! Conversations by their messages: every prefix with the one that is a message shorter.

use super::expected::Expected;
use super::hash;
use super::scan::Hashed;
use crate::model::{Count, Prefix, PrefixNode};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Which prefix continues which: every prefix with the one that is a message shorter, and what it holds.
#[derive(Debug, Default)]
pub struct PrefixTable {
    nodes: HashMap<Prefix, PrefixNode, BuildHasherDefault<Hashed>>,
    /// The messages of conversations, each with the prefix it ends. They are in the table.
    expected: Expected<(u128, Count, Prefix)>,
}

impl PrefixTable {
    /// The prefix after one more message, which has so many tokens.
    pub(super) fn extend(&mut self, prefix: Prefix, message: u128, tokens: Count) -> Prefix {
        let messages = self.nodes.get(&prefix).map_or(0, |before| before.messages);
        self.further(prefix, messages, message, tokens)
    }

    /// Nothing will be added by whole conversations any more.
    pub(super) fn expect_nothing(&mut self) {
        self.expected = Expected::default();
    }

    /// The prefix of a whole conversation, message by message with its tokens. `None` of none.
    pub(super) fn of(&mut self, messages: impl Iterator<Item = (u128, Count)>) -> Option<Prefix> {
        let mut messages = messages.peekable();
        let (by, _) = *messages.peek()?;
        let first = Prefix(hash::content(b"conversation"));
        let mut known = self.expected.take(by);
        known.reserve_exact(messages.size_hint().0.saturating_sub(known.len()));
        let mut same = true;
        let mut last = None;
        for (at, (message, tokens)) in messages.enumerate() {
            let here = known.get(at).filter(|_| same);
            if let Some(&(.., prefix)) =
                here.filter(|known| (known.0, known.1) == (message, tokens))
            {
                last = Some(prefix);
                continue;
            }
            if same {
                known.truncate(at);
                same = false;
            }
            let prefix = last.unwrap_or(first);
            let before = u32::try_from(at).unwrap_or(u32::MAX);
            let next = self.further(prefix, before, message, tokens);
            known.push((message, tokens, next));
            last = Some(next);
        }
        self.expected.keep(by, known);
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
        for (prefix, node) in other.nodes {
            self.keep(prefix, node);
        }
    }

    /// Of two counts of one message the smaller is kept, whichever was met first: two models count differently.
    fn keep(&mut self, prefix: Prefix, node: PrefixNode) {
        let known = self.nodes.entry(prefix).or_insert(node);
        if (node.tokens, node.at_least) < (known.tokens, known.at_least) {
            *known = node;
        }
    }

    /// What is known of a prefix.
    pub fn node(&self, prefix: Prefix) -> Option<PrefixNode> {
        self.nodes.get(&prefix).copied()
    }
}
