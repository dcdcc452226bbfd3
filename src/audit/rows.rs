//! The rows of the tables that an audit needs, and counts made of their constants.

use crate::data::{Family, Model};
use crate::model::{Count, Tokens};

/// The rows of the tables for one model id.
#[derive(Clone, Copy)]
pub(crate) struct ModelRows<'a> {
    pub(crate) model: Option<&'a Model>,
    pub(crate) family: Option<&'a Family>,
}

/// A known number of tokens by a constant of the tables.
pub(crate) fn constant(tokens: Option<u64>, rows: ModelRows<'_>) -> Count {
    match (tokens, rows.family) {
        (Some(tokens), Some(family)) => {
            Count::reconstructed(Tokens(tokens), family.evidence.into())
        }
        _ => Count::UNKNOWN,
    }
}
