//! Conversations by their beginnings.

/// A prefix of a conversation: a rolling hash over its messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(pub u128);

/// What is known of a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrefixNode {
    /// The prefix that is one message shorter.
    pub parent: Prefix,
    /// Its messages.
    pub messages: u32,
    /// Tokens of the last of them.
    pub tokens: u64,
    /// Some of it could not be counted.
    pub at_least: bool,
}

/// What two conversations have in common at their beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shared {
    /// Where they part.
    pub at: Prefix,
    /// Messages.
    pub messages: u32,
    /// All messages of the one before are among them.
    pub whole: bool,
}
