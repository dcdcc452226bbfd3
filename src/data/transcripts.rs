//! What session transcripts of the client are known to hold.

use serde::Deserialize;

/// Names of what is known; anything else is counted by its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcripts {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    #[allow(dead_code, reason = "the source is for readers of the file")]
    source: String,
    /// Types of records.
    pub records: Vec<String>,
    /// Subtypes of `system` records.
    pub subtypes: Vec<String>,
    /// Types of attachments.
    pub attachments: Vec<String>,
    /// Types of blocks in messages.
    pub blocks: Vec<String>,
}
