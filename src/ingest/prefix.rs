//! Conversations by their messages: every prefix with the one that is a message shorter.

use super::hash;
use crate::model::Prefix;
use std::collections::HashMap;

/// Which prefix continues which: every prefix with the one that is a message shorter.
#[derive(Debug, Default)]
pub struct PrefixTable(HashMap<Prefix, Prefix>);

impl PrefixTable {
    /// The prefix after one more message.
    pub(super) fn extend(&mut self, prefix: Prefix, message: u128) -> Prefix {
        let next = Prefix(hash::chain(prefix.0, message));
        self.0.insert(next, prefix);
        next
    }

    /// Takes over what another table knows.
    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The prefix that is one message shorter.
    pub fn parent(&self, prefix: Prefix) -> Option<Prefix> {
        self.0.get(&prefix).copied()
    }
}
