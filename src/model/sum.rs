//! A sum of counts that remembers what it lacks.

use super::{Count, Evidence, Source, Tokens};
use serde::{Deserialize, Serialize};

/// The monoid under [`Count`]: adding is associative and commutative, the default is its identity.
///
/// A sum is as good as its worst part; parts that nobody knows are numbered in `missing`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// Known tokens.
    pub tokens: Tokens,
    /// Parts that are known.
    pub known: u64,
    /// Parts that are unknown, or that lack something themselves.
    pub missing: u64,
    #[serde(rename = "source")]
    worst: Option<Source>,
    evidence: Option<Evidence>,
}

impl Sum {
    /// Adds one count.
    pub fn add(&mut self, count: Count) {
        *self = self.merge(count.into());
    }

    /// Joins two sums.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            tokens: self.tokens + other.tokens,
            known: self.known.saturating_add(other.known),
            missing: self.missing.saturating_add(other.missing),
            worst: self.worst.max(other.worst),
            evidence: self.evidence.max(other.evidence),
        }
    }

    /// Does a known part come from a rule of thumb, or rest on thin evidence?
    pub fn is_rough(self) -> bool {
        self.known > 0 && self.count().is_rough()
    }

    /// The sum as one count: unknown when every part is, zero when there are no parts.
    pub fn count(self) -> Count {
        // A lower bound of nothing says nothing.
        if self.missing > 0 && (self.known == 0 || self.tokens == Tokens(0)) {
            return Count::UNKNOWN;
        }
        Count {
            tokens: Some(self.tokens),
            at_least: self.missing > 0,
            source: self.worst.unwrap_or(Source::Recorded),
            evidence: self.evidence,
        }
    }
}

impl From<Count> for Sum {
    fn from(count: Count) -> Self {
        match count.tokens {
            Some(tokens) => Self {
                tokens,
                known: 1,
                missing: u64::from(count.at_least),
                worst: Some(count.source),
                evidence: count.evidence,
            },
            None => Self {
                missing: 1,
                ..Self::default()
            },
        }
    }
}

impl FromIterator<Count> for Sum {
    fn from_iter<I: IntoIterator<Item = Count>>(counts: I) -> Self {
        counts
            .into_iter()
            .fold(Self::default(), |sum, count| sum.merge(count.into()))
    }
}
