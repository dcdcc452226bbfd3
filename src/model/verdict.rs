//! What the wire shows of a tool, and what the rules say of it. The two are kept apart.

use serde::{Deserialize, Serialize};

/// What the wire shows of a tool in one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Its definition is in the prompt.
    Loaded,
    /// Its definition was sent with the flag and is held back.
    Deferred,
    /// It was deferred and a search loaded it.
    Discovered,
    /// Only its name is there.
    Announced,
    /// The client's marker.
    Placeholder,
}

impl State {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Deferred => "deferred",
            Self::Discovered => "discovered",
            Self::Announced => "announced",
            Self::Placeholder => "placeholder",
        }
    }
}

/// What the rules decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The definition goes into every request.
    Load,
    /// The name alone goes into every request, when tool search is on.
    Defer,
    /// What decides is not on the wire and in no table.
    Unknown,
}

impl Decision {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Defer => "defer",
            Self::Unknown => "unknown",
        }
    }
}

/// A decision with the rule that made it and the evidence it saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The rule's id.
    pub rule: &'static str,
    /// What the rule saw.
    pub evidence: String,
}
