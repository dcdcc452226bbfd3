//! What tokenizer families have in common: the constants of a request, each with its evidence.

use crate::model::Evidence;
use serde::{Deserialize, Serialize};

/// A constant with how well it is supported.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// The tokens.
    pub tokens: u64,
    /// The evidence.
    pub evidence: Letter,
}

/// A constant that may be negative.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedConstant {
    /// The tokens.
    pub tokens: i64,
    /// The evidence.
    pub evidence: Letter,
}

/// Constants of a request that models of one tokenizer family share. Absent = unknown.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub id: String,
    /// Tokens of one user message's frame.
    pub frame_first: Option<Constant>,
    /// Each further message of the other role.
    pub frame_other: Option<Constant>,
    /// Each further message of the same role.
    pub frame_same: Option<Constant>,
    /// A message of role `system` between others.
    pub frame_system: Option<Constant>,
    /// A last message of the assistant, to be gone on with.
    pub frame_prefill: Option<Constant>,
    /// A call and its result beyond their texts; may be negative.
    pub round: Option<SignedConstant>,
    /// Taken off a call that follows results without a word before it.
    pub direct_call: Option<Constant>,
    /// A result that is marked as an error.
    pub failed_result: Option<Constant>,
    /// `thinking: enabled`.
    pub thinking_enabled: Option<Constant>,
    /// The same under the beta of interleaved thinking.
    pub thinking_interleaved: Option<Constant>,
    /// `thinking: adaptive` with tools.
    pub thinking_adaptive: Option<Constant>,
    /// `thinking: adaptive` without tools.
    pub thinking_adaptive_alone: Option<Constant>,
    /// Once where tools and a counted system block meet.
    pub system_with_tools: Option<Constant>,
    /// Each counted system block after the first.
    pub system_further: Option<Constant>,
    /// Added once when a tool is deferred.
    pub deferral_block: Option<Constant>,
    /// What a reference costs beyond the line of its tool.
    pub reference: Option<Constant>,
    /// What a `tool_addition` costs beyond such a reference.
    pub tool_addition: Option<Constant>,
    /// Where they are known from.
    pub source: String,
}

/// An evidence class as the tables write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Letter {
    /// See [`Evidence::A`].
    A,
    /// See [`Evidence::B`].
    B,
    /// See [`Evidence::C`].
    C,
}

impl From<Letter> for Evidence {
    fn from(letter: Letter) -> Self {
        match letter {
            Letter::A => Self::A,
            Letter::B => Self::B,
            Letter::C => Self::C,
        }
    }
}

/// How text that is not ASCII stands in the prompt, inside definitions of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NonAscii {
    /// As it is.
    Raw,
    /// As `\uxxxx`.
    Escaped,
}

/// A tool whose definition the API writes itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerTool {
    /// How its type begins: the date at the end is left out.
    pub type_begins: String,
    /// The tokenizer family it was measured on.
    pub family: String,
    /// Tokens it adds to a request that has tools anyway.
    pub tokens: u64,
    /// How well that is supported.
    pub evidence: Letter,
    /// Where it is known from.
    pub source: String,
}
