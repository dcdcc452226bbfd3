//! What the transcripts of a run tell as a whole.

use crate::model::{Boundary, TranscriptFacts, Word};
use crate::summary::RunSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One transcript.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranscriptRow {
    /// The file.
    pub path: String,
    /// Calls of the API by the conversation itself: each id of a message once.
    pub calls: u64,
    /// Calls of subagents and of compactions in the file.
    pub other_calls: u64,
    /// Calls whose usage is not recorded.
    pub without_usage: u64,
    /// Usage of the others; null where none is recorded.
    pub usage: Option<UsageRow>,
    /// Calls of tools, each block once.
    pub tool_calls: u64,
    /// Messages that the client wrote in the assistant's place.
    pub synthetic: u64,
    /// Subagents with records in the file.
    pub agents: u64,
    /// Records by type.
    pub records: BTreeMap<String, u64>,
    /// Records and blocks of types that nobody has seen.
    pub unknown: BTreeMap<String, u64>,
    /// Records that stand in it twice, counted once.
    pub twice: u64,
    /// Records whose time is before that of the record above.
    pub clock_back: u64,
    /// Records that go on from one that is not in the file.
    pub parentless: u64,
    /// Prompts that were written anew: what was said since was not sent again.
    pub rewinds: u64,
    /// Compactions, in order.
    pub compactions: Vec<CompactionRow>,
    /// Compactions that only drop old results.
    pub microcompactions: u64,
    /// Deferred tools that were discovered.
    pub discovered: DiscoveredRow,
    /// Names that are announced at the end.
    pub announced: Vec<String>,
    /// Servers that were still connecting when names were announced last.
    pub pending_servers: Vec<String>,
}

/// Recorded usage.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsageRow {
    /// Tokens of the prompts: the next three together.
    pub prompt: u64,
    /// Tokens neither read from nor written to a cache.
    pub input: u64,
    /// Tokens written to a cache.
    pub cache_write: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens of the answers.
    pub output: u64,
}

/// A compaction.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompactionRow {
    /// Its record.
    pub place: String,
    /// auto, manual, unknown.
    #[serde(deserialize_with = "crate::model::word")]
    pub trigger: Word,
    /// Tokens of the conversation before it.
    pub before: Option<u64>,
    /// Tokens after it.
    pub after: Option<u64>,
    /// The discovered tools that it kept; null where the client kept no list.
    pub kept: Option<Vec<String>>,
}

/// Discovered tools.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscoveredRow {
    /// At the end: the last compaction's list and what was referred to after it. This is what the client sends.
    pub now: Vec<String>,
    /// Ever in the file.
    pub ever: Vec<String>,
}

pub(super) fn rows(summary: &RunSummary) -> Vec<TranscriptRow> {
    summary.transcripts.iter().map(row).collect()
}

fn row(facts: &TranscriptFacts) -> TranscriptRow {
    let names = |names: &[Arc<str>]| names.iter().map(ToString::to_string).collect();
    let table = |table: &BTreeMap<Arc<str>, u64>| {
        let entries = table.iter();
        entries.map(|(name, n)| (name.to_string(), *n)).collect()
    };
    let usage = facts.usage;
    let recorded = facts.calls + facts.other_calls > facts.without_usage;
    TranscriptRow {
        path: facts.origin.path.to_string(),
        calls: facts.calls,
        other_calls: facts.other_calls,
        without_usage: facts.without_usage,
        usage: recorded.then(|| UsageRow {
            prompt: usage.prompt().0,
            input: usage.input.0,
            cache_write: usage.cache_write.0,
            cache_read: usage.cache_read.0,
            output: usage.output.0,
        }),
        tool_calls: facts.tool_calls,
        synthetic: facts.synthetic,
        agents: facts.agents,
        records: table(&facts.records),
        unknown: table(&facts.unknown),
        twice: facts.twice,
        clock_back: facts.clock_back,
        parentless: facts.parentless,
        rewinds: facts.rewinds,
        compactions: facts.boundaries.iter().map(compaction).collect(),
        microcompactions: facts.microcompactions,
        discovered: DiscoveredRow {
            now: names(&facts.discovered_now),
            ever: names(&facts.discovered_ever),
        },
        announced: names(&facts.announced),
        pending_servers: names(&facts.pending_servers),
    }
}

fn compaction(boundary: &Boundary) -> CompactionRow {
    let kept = boundary.snapshot.as_ref();
    CompactionRow {
        place: boundary.place.to_string(),
        trigger: boundary.trigger.word(),
        before: boundary.before.map(|tokens| tokens.0),
        after: boundary.after.map(|tokens| tokens.0),
        kept: kept.map(|names| names.iter().map(ToString::to_string).collect()),
    }
}
