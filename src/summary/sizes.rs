//! How large requests are, one by one.

use super::Histogram;
use crate::audit::PartSums;
use crate::model::{Sum, Tokens};

/// Tokens of main requests, and of their parts that tools take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Tokens of the whole request: recorded, else its parts where all of them are known.
    pub request: Histogram,
    /// Tokens of the definitions in the prompt, where all of them are known.
    pub tools: Histogram,
}

impl Sizes {
    /// Adds the parts of one request.
    pub(super) fn add(&mut self, parts: &PartSums) {
        let request = match parts.all_recorded() {
            true => Some(parts.recorded.tokens),
            false => whole(parts.known()),
        };
        self.request.add(request.map(|tokens| tokens.0));
        self.tools.add(whole(parts.tools).map(|tokens| tokens.0));
    }

    /// Joins two; associative and commutative, with the default as identity.
    #[must_use]
    pub fn merge(self, other: &Self) -> Self {
        Self {
            request: self.request.merge(&other.request),
            tools: self.tools.merge(&other.tools),
        }
    }
}

/// A sum that lacks nothing: a lower bound would make a distribution that is true of nothing.
fn whole(sum: Sum) -> Option<Tokens> {
    sum.count().tokens.filter(|_| sum.missing == 0)
}
