//! What a forecast assumes where neither the capture nor a flag tells.

use serde::Deserialize;

/// The assumptions, each with its source.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumptions {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// Turns of a session.
    pub turns: Assumed,
    /// Tokens that the messages grow by from turn to turn.
    pub growth: Assumed,
    /// Tokens of an answer.
    pub output: Assumed,
    /// Tokens of a search: the call and its result.
    pub discovery: Assumed,
    /// Tokens of the search tool's definition.
    pub search_tool: Assumed,
    /// Tokens that the API adds once when tools are deferred.
    pub deferral_block: Assumed,
    /// Share of what could be read from the cache that is read, in hundredths of a percent.
    pub cache_hit: Assumed,
}

/// A number, and why this one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    /// The number.
    pub value: u64,
    /// Where it is known from.
    pub source: String,
}
