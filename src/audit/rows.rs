//! The rows of the tables that an audit needs, and counts made of their constants.

use crate::data::{Constant, Family, Model};
use crate::model::{Count, Evidence, Sum, Tokens};

/// The rows of the tables for one model id.
#[derive(Clone, Copy)]
pub(super) struct ModelRows<'a> {
    pub(super) model: Option<&'a Model>,
    pub(super) family: Option<&'a Family>,
}

impl ModelRows<'_> {
    /// So many times a constant of the family. A model whose family is inferred has no better evidence than that.
    pub(super) fn times(self, n: u64, pick: fn(&Family) -> Option<Constant>) -> Count {
        if n == 0 {
            return Count::nothing();
        }
        match (self.model, self.family.and_then(pick)) {
            (Some(model), Some(constant)) => {
                let evidence = Evidence::from(constant.evidence).max(model.family_evidence.into());
                Count::reconstructed(Tokens(constant.tokens.saturating_mul(n)), evidence)
            }
            // The nearest generation of a model that is in no table.
            (None, Some(constant)) => Count::estimated(Tokens(constant.tokens.saturating_mul(n))),
            (_, None) => Count::UNKNOWN,
        }
    }

    /// So many times what deferring adds once: the model's own number where one was found, else the family's.
    pub(super) fn blocks(self, n: u64) -> Count {
        match self.model.and_then(|model| model.deferral_block) {
            Some(tokens) => Count::reconstructed(Tokens(tokens.saturating_mul(n)), Evidence::B),
            None => self.times(n, |family| family.deferral_block),
        }
    }

    /// Constants together; what lacks one of them is a lower bound.
    pub(super) fn all(counts: &[Count]) -> Count {
        let needed = counts
            .iter()
            .copied()
            .filter(|count| count.tokens != Some(Tokens(0)));
        needed.collect::<Sum>().count()
    }
}
