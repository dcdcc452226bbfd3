//! A thing worth telling, with its place and cure.

use super::Origin;
use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Info,
    /// Costs something, or a number rests on it.
    Warn,
    /// The API would refuse it.
    Error,
}

impl Level {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// A thing worth telling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Stable kebab-case name.
    pub code: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was seen.
    pub message: String,
    /// Where it was seen.
    pub origin: Origin,
    /// JSON pointer into the request body.
    pub pointer: String,
    /// The tool, server or setting it is about.
    pub subject: String,
    /// What to do.
    pub help: String,
}
