//! Recorded counts of a request by part.

use super::{Origin, Tokens};
use std::sync::Arc;

/// How recorded counts were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedBy {
    /// Each tool alone: every number holds the prelude once.
    OneByOne,
    /// By differences: the prelude is out.
    Differences,
    /// Not said.
    Unstated,
}

/// One part of recorded counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountedPart {
    /// One tool.
    Tool {
        /// Its name.
        name: Arc<str>,
        /// Its tokens.
        tokens: Tokens,
        /// Characters of its description, as the source counted.
        description_chars: Option<u64>,
        /// Bytes of its description, as the source counted.
        description_bytes: Option<u64>,
    },
    /// Several tools that were counted together.
    Tools {
        /// What the source calls them.
        name: Arc<str>,
        /// How many they are.
        tools: u64,
        /// Their tokens together.
        tokens: Tokens,
    },
    /// The client's placeholder.
    Placeholder(Tokens),
    /// Names of tools that are deferred.
    Announced(Vec<Arc<str>>),
    /// The tool-use prompt of the API.
    Prelude(Tokens),
    /// The system prompt.
    System(Tokens),
    /// The messages.
    Messages(Tokens),
}

/// Recorded counts of one request by part (`toolcost.counts/1`).
#[derive(Debug, Clone)]
pub struct RecordedCounts {
    /// Where they were read.
    pub origin: Origin,
    /// The run they name.
    pub run: Option<Arc<str>>,
    /// The file they count.
    pub request: Option<Arc<str>>,
    /// The model.
    pub model: Option<Arc<str>>,
    /// Version of the client.
    pub client_version: Option<Arc<str>>,
    /// How they were made.
    pub method: CountedBy,
    /// The parts.
    pub parts: Vec<CountedPart>,
    /// The whole request.
    pub total: Option<Tokens>,
}
