//! What a session transcript of the client tells beside the requests it shows.

use super::{Announcement, Origin, Place, Reference, Tokens, Usage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What made the client compact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trigger {
    /// The client itself, near the end of its window.
    Auto,
    /// The user.
    Manual,
    /// Not told, or another word.
    Unknown,
}

impl Trigger {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
            Self::Unknown => "unknown",
        }
    }
}

/// A point at which a summary took the place of the conversation so far (seeds 000 and 003: the boundary marker).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    /// Its record.
    pub place: Place,
    /// Why.
    pub trigger: Trigger,
    /// Tokens of the conversation before it.
    pub before: Option<Tokens>,
    /// Tokens after it.
    pub after: Option<Tokens>,
    /// Deferred tools that were discovered by then; `None` = the record holds no such list, as in older versions.
    pub snapshot: Option<Vec<Arc<str>>>,
    /// References since the call before it.
    pub references: Vec<Reference>,
    /// Calls of tools since then.
    pub calls: Vec<(Arc<str>, u64)>,
}

/// What held at the point to which a conversation went back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewound {
    /// Deferred tools that were discovered.
    pub discovered: Vec<Arc<str>>,
    /// Announcements since the last compaction.
    pub announcements: Vec<Arc<Announcement>>,
}

/// One transcript, told as a whole. Names only: no text, no ids.
#[derive(Debug, Clone)]
pub struct TranscriptFacts {
    /// The file.
    pub origin: Origin,
    /// Records by type, with the subtype of system records and the type of attachments.
    pub records: BTreeMap<Arc<str>, u64>,
    /// Records and blocks of types that are in no table.
    pub unknown: BTreeMap<Arc<str>, u64>,
    /// Calls of the API by the conversation itself: distinct ids of the assistant's messages.
    pub calls: u64,
    /// Those of subagents and compactions.
    pub other_calls: u64,
    /// Usage of all of them.
    pub usage: Usage,
    /// How many of them tell no usage.
    pub without_usage: u64,
    /// Calls of tools, each block once.
    pub tool_calls: u64,
    /// Messages that the client wrote in the assistant's place: no call of the API.
    pub synthetic: u64,
    /// Records that stood in the file before, by their id.
    pub twice: u64,
    /// Records whose time is before that of the record above.
    pub clock_back: u64,
    /// Messages that go on from one that is not in the file.
    pub parentless: u64,
    /// Prompts that were written anew, so that what was said since was not sent again.
    pub rewinds: u64,
    /// Subagents with records in the file.
    pub agents: u64,
    /// Compactions, in order.
    pub boundaries: Vec<Boundary>,
    /// Compactions that only drop old results.
    pub microcompactions: u64,
    /// Deferred tools that are discovered at the end: the last snapshot and what was referred to after it.
    pub discovered_now: Vec<Arc<str>>,
    /// Deferred tools that were ever discovered.
    pub discovered_ever: Vec<Arc<str>>,
    /// Names that are announced at the end.
    pub announced: Vec<Arc<str>>,
    /// Servers that were still connecting when names were announced last.
    pub pending_servers: Vec<Arc<str>>,
}
