//! The decision whether tool search engages, as a trace of steps.

use super::{Chars, Tokens, Word};
use serde::{Deserialize, Serialize};

/// Whether tool search was on in a request, as the wire shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Observed {
    /// A search tool, a placeholder, flags or announced names.
    On,
    /// Deferrable tools were sent in full and nothing of the above.
    Off,
    /// Nothing that tells.
    Unknown,
}

impl Observed {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Unknown => "unknown",
        }
    }
}

/// How a step came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Tool search may go on.
    Pass,
    /// Tool search is off.
    Fail,
    /// It cannot be said.
    Unknown,
}

impl Outcome {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unknown => "unknown",
        }
    }
}

/// Which of the client's two checks a step belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Early and without a request: is the search tool offered at all?
    Optimistic,
    /// For this request: is it used?
    Definitive,
}

/// One step of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The step's id.
    #[serde(deserialize_with = "super::word")]
    pub name: Word,
    /// The check it belongs to.
    pub layer: Layer,
    /// What it looked at.
    pub input: String,
    /// The input was not given and is taken to be the default.
    pub assumed: bool,
    /// No public source says what this input does.
    pub undocumented: bool,
    /// How it came out.
    pub outcome: Outcome,
    /// Why.
    pub evidence: String,
}

/// The auto threshold with what it was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// Percent of the window.
    pub percent: u64,
    /// The window it is a percentage of.
    pub context_window: u64,
    /// `floor(window · percent / 100)`.
    pub tokens: Tokens,
    /// `floor(tokens · 2.5)`.
    pub chars: Chars,
    /// Tokens of the deferrable definitions: counted by the API less the profile's overhead, given, or by the
    /// best counter.
    pub measured_tokens: Option<Tokens>,
    /// Characters of the deferrable definitions that are known.
    pub measured_chars: Option<Chars>,
    /// Definitions are unknown, so that what was measured is a lower bound.
    pub at_least: bool,
    /// Tokens and characters give different answers, and neither is certain.
    pub disagree: bool,
    /// What decided: `tokens` or `characters`.
    #[serde(deserialize_with = "super::word")]
    pub method: Word,
    /// Measured less threshold, in the unit of the method; at or above 0 defers.
    pub margin: Option<i64>,
}

impl Threshold {
    /// What was measured, in the unit of the method.
    pub fn measured(&self) -> Option<u64> {
        match self.method {
            "tokens" => self.measured_tokens.map(|tokens| tokens.0),
            _ => self.measured_chars.map(|chars| chars.0),
        }
    }

    /// The threshold in the unit of the method.
    pub fn limit(&self) -> u64 {
        match self.method {
            "tokens" => self.tokens.0,
            _ => self.chars.0,
        }
    }

    /// Is the threshold reached? A lower bound that reaches it is enough; one that does not says nothing.
    pub fn reached(&self) -> Option<bool> {
        match self.margin? {
            _ if self.disagree => None,
            0.. => Some(true),
            _ if self.at_least => None,
            _ => Some(false),
        }
    }
}

/// The gate's answer with its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateTrace {
    /// The profile whose constants were used.
    pub profile: String,
    /// What the wire shows.
    pub observed: Observed,
    /// `tst`, `tst-auto`, `standard`; absent where it cannot be said.
    #[serde(deserialize_with = "super::word_or_null")]
    pub mode: Option<Word>,
    /// Does tool search engage, by the rules?
    pub enabled: Option<bool>,
    /// Why, in a sentence.
    pub reason: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The step that decided.
    #[serde(deserialize_with = "super::word")]
    pub decided_by: Word,
    /// The threshold, worked out whether or not it decided.
    pub threshold: Option<Threshold>,
}
