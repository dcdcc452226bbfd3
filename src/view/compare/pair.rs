//! A number on both sides, and their difference.

use crate::model::{Sum, Tokens};
use serde::Serialize;

/// A number of the base and of another run. Null = nobody knows; never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Of the base.
    pub a: Option<i64>,
    /// Of the other.
    pub b: Option<i64>,
    /// The second less the first; null where one is not known.
    pub delta: Option<i64>,
    /// Parts of the first are missing.
    #[serde(skip)]
    pub a_at_least: bool,
    /// Parts of the second are missing.
    #[serde(skip)]
    pub b_at_least: bool,
    /// One of them is estimated, or rests on thin evidence.
    #[serde(skip)]
    pub rough: bool,
}

impl Pair {
    /// Of two numbers.
    pub(super) fn new(a: Option<i64>, b: Option<i64>) -> Self {
        Self {
            a,
            b,
            delta: a.zip(b).map(|(a, b)| b.saturating_sub(a)),
            ..Self::default()
        }
    }

    /// Of two sums.
    pub(super) fn of(a: Sum, b: Sum) -> Self {
        let known = |sum: Sum| sum.count().tokens.map(signed);
        Self {
            a_at_least: a.missing > 0,
            b_at_least: b.missing > 0,
            rough: a.is_rough() || b.is_rough(),
            ..Self::new(known(a), known(b))
        }
    }

    /// The difference is known and whole.
    pub fn is_whole(&self) -> bool {
        self.delta.is_some() && !self.a_at_least && !self.b_at_least
    }
}

pub(super) fn signed(tokens: Tokens) -> i64 {
    i64::try_from(tokens.0).unwrap_or(i64::MAX)
}
