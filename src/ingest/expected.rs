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

/// Messages of a generation, over all its conversations; and of one conversation.
const MESSAGES: usize = 1 << 14;

/// Something of each message of conversations, by their first message.
#[derive(Debug)]
pub(super) struct Expected<T> {
    young: ByFirst<T>,
    old: ByFirst<T>,
    /// Messages of the younger generation.
    messages: usize,
}

type ByFirst<T> = HashMap<u128, Vec<T>, BuildHasherDefault<Hashed>>;

impl<T> Default for Expected<T> {
    fn default() -> Self {
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
            messages: 0,
        }
    }
}

impl<T> Expected<T> {
    /// What is known of the conversation that begins so, to be kept again once it was looked at.
    pub(super) fn take(&mut self, first: u128) -> Vec<T> {
        if let Some(known) = self.young.remove(&first) {
            self.messages -= known.len();
            return known;
        }
        self.old.remove(&first).unwrap_or_default()
    }

    /// Keeps what is known now.
    pub(super) fn keep(&mut self, first: u128, mut conversation: Vec<T>) {
        conversation.truncate(MESSAGES);
        conversation.shrink_to(MESSAGES);
        let messages = self.messages + conversation.len();
        if self.young.len() >= CONVERSATIONS || messages > MESSAGES {
            self.old = std::mem::take(&mut self.young);
            self.messages = 0;
        }
        self.messages += conversation.len();
        self.young.insert(first, conversation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversations_and_messages_are_bounded() {
        let mut expected = Expected::default();
        for first in 0..1_000_u128 {
            let mut own = expected.take(first % 300);
            own.resize(own.len() + 50, first);
            expected.keep(first % 300, own);
            let kept = |own: &ByFirst<u128>| own.values().map(Vec::len).sum::<usize>();
            assert_eq!(kept(&expected.young), expected.messages);
            assert!(kept(&expected.young) <= MESSAGES && kept(&expected.old) <= MESSAGES);
            assert!(expected.young.len() <= CONVERSATIONS);
        }
        expected.keep(7, vec![0; 100_000]);
        assert_eq!(expected.take(7).len(), MESSAGES);
        // What is met again and again stays.
        for first in 0..1_000 {
            expected.keep(0, vec![first]);
            expected.keep(1_000 + first, vec![first]);
            assert_eq!(expected.take(0), [first]);
        }
    }
}
