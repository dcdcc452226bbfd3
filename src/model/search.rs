//! A recorded search for deferred tools.

use std::sync::Arc;

/// One call of the client's search tool with its answer, where texts are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchCall {
    /// What tells it from others: a hash of its id.
    pub id: u64,
    /// What was asked.
    pub query: Arc<str>,
    /// How many it wanted at most.
    pub max_results: Option<u64>,
    /// The tools that came back, in order; `None` = no answer was captured.
    pub found: Option<Vec<Arc<str>>>,
}
