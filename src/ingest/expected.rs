//! What a conversation is expected to begin with: what the last one with the same first message had.
//!
//! Nearly all messages of a request are those of the request before it in its session, in their order. To compare them
//! in their order costs less than to look each of them up, wherever the sessions of a capture are interleaved.

use super::scan::Hashed;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Conversations that are remembered; more of them are hardly ever interleaved. Beyond it all are forgotten, which
/// costs time and changes no result.
const CONVERSATIONS: usize = 64;

/// Messages of a conversation that are remembered.
const MESSAGES: usize = 1 << 12;

/// Something of each message of conversations, by their first message.
#[derive(Debug)]
pub(super) struct Expected<T>(HashMap<u128, Vec<T>, BuildHasherDefault<Hashed>>);

impl<T> Default for Expected<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T> Expected<T> {
    /// What is known of the conversation that begins so, to be kept again once it was looked at.
    pub(super) fn take(&mut self, first: u128) -> Vec<T> {
        self.0.remove(&first).unwrap_or_default()
    }

    /// Keeps what is known now.
    pub(super) fn keep(&mut self, first: u128, mut conversation: Vec<T>) {
        conversation.truncate(MESSAGES);
        if self.0.len() >= CONVERSATIONS {
            self.0.clear();
        }
        self.0.insert(first, conversation);
    }
}
