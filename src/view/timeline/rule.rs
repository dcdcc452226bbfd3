//! How a cache knows a prompt again, and how sure a number of its tokens is.

use crate::model::{Count, Source};
use serde::Serialize;

/// What of a request a cache keys on, and in which pieces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CacheRule {
    /// Anthropic's: tools, then system, then messages; deferred definitions are in none of them.
    Anthropic,
    /// A plain prefix cache: everything in the order sent, deferred definitions too.
    Prefix {
        /// Tokens of a block; a part of one is not kept.
        block: u64,
        /// Tokens that the server reads in a second, where that was given.
        prefill: Option<f64>,
    },
}

impl CacheRule {
    /// The word users write.
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Prefix { .. } => "prefix",
        }
    }

    /// Are deferred definitions outside of what is known again?
    pub(super) fn skips_deferred(self) -> bool {
        self == Self::Anthropic
    }

    /// What is kept of so many equal tokens: whole blocks.
    pub(super) fn whole_blocks(self, tokens: u64) -> u64 {
        match self {
            Self::Anthropic => tokens,
            Self::Prefix { block, .. } => tokens - tokens % block.max(1),
        }
    }

    /// Seconds to read so many tokens, in thousandths.
    pub(super) fn seconds(self, tokens: Tally) -> Option<f64> {
        let Self::Prefix {
            prefill: Some(rate),
            ..
        } = self
        else {
            return None;
        };
        #[allow(clippy::cast_precision_loss, reason = "a time needs no exact tokens")]
        let tokens = tokens.tokens? as f64;
        Some((tokens / rate * 1000.0).round() / 1000.0)
    }
}

/// A number of tokens and how sure it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The number; null = nobody knows.
    pub tokens: Option<u64>,
    /// It lacks a part that nobody knows.
    pub at_least: bool,
    /// It comes from a rule of thumb, or rests on thin evidence.
    pub estimated: bool,
    /// It comes from a rule of thumb, and may be wrong by tens of percent.
    #[serde(skip)]
    pub by_thumb: bool,
}

impl Tally {
    pub(super) const NOTHING: Self = Self {
        tokens: Some(0),
        at_least: false,
        estimated: false,
        by_thumb: false,
    };

    /// Is it the whole number?
    pub(super) fn whole(self) -> Option<u64> {
        self.tokens.filter(|_| !self.at_least)
    }

    /// With another number in its place, as sure as this one.
    pub(super) fn with(self, tokens: u64) -> Self {
        Self {
            tokens: Some(tokens),
            ..self
        }
    }
}

impl From<Count> for Tally {
    fn from(count: Count) -> Self {
        Self {
            tokens: count.tokens.map(|tokens| tokens.0),
            at_least: count.at_least,
            estimated: count.is_rough(),
            by_thumb: count.source == Source::Estimated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_blocks_are_kept_and_seconds_are_of_known_tokens() {
        let rule = CacheRule::Prefix {
            block: 16,
            prefill: Some(500.0),
        };
        assert_eq!(
            [0, 15, 16, 47].map(|n| rule.whole_blocks(n)),
            [0, 0, 16, 32]
        );
        assert_eq!(CacheRule::Anthropic.whole_blocks(47), 47);
        assert_eq!(rule.seconds(Tally::NOTHING.with(250)), Some(0.5));
        assert_eq!(rule.seconds(Tally::default()), None);
        assert_eq!(CacheRule::Anthropic.seconds(Tally::NOTHING), None);
    }
}
