//! What a conversation is expected to begin with: what the last one with the same first message had.
//!
//! Nearly all messages of a request are those of the request before it in its session, in their order. To compare them
//! in their order costs less than to look each of them up, wherever the sessions of a capture are interleaved.

use super::scan::Hashed;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Conversations of a generation; more of them are hardly ever interleaved. When the younger generation is full, it
/// takes the place of the older. What is forgotten costs time and changes no result.
const CONVERSATIONS: usize = 64;

/// Messages of a conversation that are remembered.
const MESSAGES: usize = 1 << 12;

/// Something of each message of conversations, by their first message.
#[derive(Debug)]
pub(super) struct Expected<T> {
    young: ByFirst<T>,
    old: ByFirst<T>,
}

type ByFirst<T> = HashMap<u128, Vec<T>, BuildHasherDefault<Hashed>>;

impl<T> Default for Expected<T> {
    fn default() -> Self {
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
        }
    }
}

impl<T> Expected<T> {
    /// What is known of the conversation that begins so, to be kept again once it was looked at.
    pub(super) fn take(&mut self, first: u128) -> Vec<T> {
        let known = self.young.remove(&first);
        known
            .or_else(|| self.old.remove(&first))
            .unwrap_or_default()
    }

    /// Keeps what is known now.
    pub(super) fn keep(&mut self, first: u128, mut conversation: Vec<T>) {
        conversation.truncate(MESSAGES);
        if self.young.len() >= CONVERSATIONS {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(first, conversation);
    }
}
