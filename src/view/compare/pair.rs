//! A number on both sides, and their difference.

use crate::model::{Count, Sum, Tokens};
use serde::Serialize;

/// A number of the base and of another run. Null = nobody knows; never 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Of the base.
    pub a: Option<i64>,
    /// Of the other.
    pub b: Option<i64>,
    /// The second less the first; null where one is not known, or where they are not alike.
    pub delta: Option<i64>,
    /// Parts of the first are missing: it is this or more.
    pub a_at_least: bool,
    /// Parts of the second are missing.
    pub b_at_least: bool,
    /// The first is estimated, or rests on thin evidence.
    pub a_estimated: bool,
    /// The second is.
    pub b_estimated: bool,
}

/// One side of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Figure {
    pub(super) number: Option<i64>,
    pub(super) at_least: bool,
    pub(super) estimated: bool,
}

impl From<Sum> for Figure {
    fn from(sum: Sum) -> Self {
        let count = sum.count();
        Self {
            number: count.tokens.map(signed),
            at_least: count.at_least,
            estimated: sum.is_rough() && count.tokens.is_some(),
        }
    }
}

impl From<Count> for Figure {
    fn from(count: Count) -> Self {
        Sum::from(count).into()
    }
}

impl Pair {
    /// Of two numbers without marks.
    pub(super) fn new(a: Option<i64>, b: Option<i64>) -> Self {
        Self {
            a,
            b,
            delta: a.zip(b).map(|(a, b)| b.saturating_sub(a)),
            ..Self::default()
        }
    }

    /// Of two figures.
    pub(super) fn of(a: impl Into<Figure>, b: impl Into<Figure>) -> Self {
        let (a, b) = (a.into(), b.into());
        Self {
            a_at_least: a.at_least,
            b_at_least: b.at_least,
            a_estimated: a.estimated,
            b_estimated: b.estimated,
            ..Self::new(a.number, b.number)
        }
    }

    /// The same without a difference: the two are not alike.
    pub(super) fn apart(self) -> Self {
        Self {
            delta: None,
            ..self
        }
    }

    /// The first pair less the second, side by side.
    pub(super) fn less(self, other: Self) -> Self {
        let less = |x: Option<i64>, y: Option<i64>| Some(x?.saturating_sub(y?));
        Self {
            a: less(self.a, other.a),
            b: less(self.b, other.b),
            delta: less(self.delta, other.delta),
            // What is taken off is too little where it lacks parts: the rest is no bound of its own.
            a_at_least: self.a_at_least || other.a_at_least,
            b_at_least: self.b_at_least || other.b_at_least,
            a_estimated: self.a_estimated || other.a_estimated,
            b_estimated: self.b_estimated || other.b_estimated,
        }
    }

    /// Both added, side by side; a number that is not known makes its side a lower bound, and the difference unknown.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let add = |x: Option<i64>, y: Option<i64>| match (x, y) {
            (None, None) => None,
            (x, y) => Some(x.unwrap_or(0).saturating_add(y.unwrap_or(0))),
        };
        let both = |x: Option<i64>, y: Option<i64>| Some(x?.saturating_add(y?));
        Self {
            a: add(self.a, other.a),
            b: add(self.b, other.b),
            delta: both(self.delta, other.delta),
            a_at_least: self.a_at_least
                || other.a_at_least
                || self.a.is_none()
                || other.a.is_none(),
            b_at_least: self.b_at_least
                || other.b_at_least
                || self.b.is_none()
                || other.b.is_none(),
            a_estimated: self.a_estimated || other.a_estimated,
            b_estimated: self.b_estimated || other.b_estimated,
        }
    }
}

pub(super) fn signed(tokens: Tokens) -> i64 {
    i64::try_from(tokens.0).unwrap_or(i64::MAX)
}
