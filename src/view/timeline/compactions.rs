//! Compactions of a session: requests that ask for a summary, and boundaries that a transcript tells of.

use super::turns::CacheUsage;
use crate::model::Boundary;
use serde::Serialize;

/// A compaction.
#[derive(Debug, Clone, Serialize)]
pub struct TimelineCompaction {
    /// request, boundary.
    pub kind: &'static str,
    /// The turn that follows it; null where the session ends with it.
    pub before_turn: Option<u64>,
    /// The file.
    pub path: String,
    /// The place in it.
    pub place: String,
    /// Of a boundary: auto, manual, unknown.
    pub trigger: Option<&'static str>,
    /// Tokens of the conversation before it.
    pub tokens_before: Option<u64>,
    /// Tokens after it.
    pub tokens_after: Option<u64>,
    /// The discovered tools that it kept; null where it says nothing of them.
    pub kept: Option<Vec<String>>,
    /// Of a request: its usage as recorded.
    pub usage: Option<CacheUsage>,
}

impl TimelineCompaction {
    /// What a transcript tells of one.
    pub(super) fn boundary(boundary: &Boundary, path: &str, before_turn: Option<u64>) -> Self {
        let kept = boundary.snapshot.as_ref();
        Self {
            kind: "boundary",
            before_turn,
            path: path.to_owned(),
            place: boundary.place.to_string(),
            trigger: Some(boundary.trigger.word()),
            tokens_before: boundary.before.map(|tokens| tokens.0),
            tokens_after: boundary.after.map(|tokens| tokens.0),
            kept: kept.map(|names| names.iter().map(ToString::to_string).collect()),
            usage: None,
        }
    }
}
