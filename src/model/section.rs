//! Sections of system prompts and messages: what besides definitions a set-up puts into the prompt.

use super::Count;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionKind {
    /// Announced names of deferred tools.
    Names,
    /// What MCP servers say of themselves.
    McpInstructions,
    /// The list of skills.
    Skills,
    /// The list of agents.
    Agents,
    /// What hooks add.
    Hook,
    /// Memory files.
    Memory,
    /// Searches: calls and what came back.
    Search,
    /// Definitions that references put into the conversation.
    Discovered,
    /// The schema that the answer must fit.
    OutputSchema,
    /// Something else that is recognised: the environment, the date.
    Other,
}

impl SectionKind {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::McpInstructions => "mcp-instructions",
            Self::Skills => "skills",
            Self::Agents => "agents",
            Self::Hook => "hook",
            Self::Memory => "memory",
            Self::Search => "search",
            Self::Discovered => "discovered",
            Self::OutputSchema => "output-schema",
            Self::Other => "other",
        }
    }
}

/// A section of a text, or the part of one that belongs to one owner, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionFacts {
    /// What it is.
    pub kind: SectionKind,
    /// Its name among those of its kind.
    pub what: Arc<str>,
    /// The plugin or server that the text names, in the letters of tool names. A stranger's word: shown only where
    /// a tool has it in its name.
    pub owner: Option<Arc<str>>,
    /// It changes without anybody changing the set-up.
    pub by_itself: bool,
    /// Its tokens, counted as a text of its own.
    pub tokens: Count,
    /// Hash of its text.
    pub content: u64,
}
