//! A number of tokens that knows where it comes from.

use super::Tokens;
use serde::{Deserialize, Serialize};

/// Where a count comes from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The API said it: usage of a response, or a token count kept beside the request.
    Recorded,
    /// Rebuilt offline with constants that recordings confirm.
    Reconstructed,
    /// A rule of thumb; may be wrong by tens of percent.
    Estimated,
    /// Nobody knows; never 0.
    Unknown,
}

impl Source {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Reconstructed => "reconstructed",
            Self::Estimated => "estimated",
            Self::Unknown => "unknown",
        }
    }
}

/// How well a constant behind a count is supported: A exact on many independent numbers,
/// B exact or within one on several, C one or two requests, or inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Evidence {
    /// Exact on ten or more independent numbers.
    A,
    /// Exact or within one on several, or documented.
    B,
    /// One or two requests, or inferred.
    C,
}

/// One number of tokens with its source. `tokens` is `None` exactly when the source is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The number, when known.
    pub tokens: Option<Tokens>,
    /// The number lacks a part that nobody knows.
    pub at_least: bool,
    /// Where the number comes from.
    pub source: Source,
    /// How well it is supported, where that was judged.
    pub evidence: Option<Evidence>,
}

impl Count {
    /// Nobody knows.
    pub const UNKNOWN: Self = Self {
        tokens: None,
        at_least: false,
        source: Source::Unknown,
        evidence: None,
    };

    /// A number of the API's own.
    pub fn recorded(tokens: Tokens) -> Self {
        Self {
            tokens: Some(tokens),
            at_least: false,
            source: Source::Recorded,
            evidence: None,
        }
    }

    /// A number by a rule of thumb.
    pub fn estimated(tokens: Tokens) -> Self {
        Self {
            tokens: Some(tokens),
            at_least: false,
            source: Source::Estimated,
            evidence: None,
        }
    }

    /// A number rebuilt with constants of this evidence class.
    pub fn reconstructed(tokens: Tokens, evidence: Evidence) -> Self {
        Self {
            tokens: Some(tokens),
            at_least: false,
            source: Source::Reconstructed,
            evidence: Some(evidence),
        }
    }

    /// Does it come from a rule of thumb, or rest on thin evidence (class C)?
    pub fn is_rough(self) -> bool {
        self.source == Source::Estimated || self.evidence == Some(Evidence::C)
    }

    /// Nothing there to count: known to be zero.
    pub fn nothing() -> Self {
        Self::recorded(Tokens(0))
    }
}
