//! The tool's own `shouldDefer` flag, which the table of built-in tools knows or does not.

use super::{Context, Rule};
use crate::model::Decision;

pub(super) struct ShouldDefer;

impl Rule for ShouldDefer {
    fn id(&self) -> &'static str {
        "should-defer"
    }

    fn about(&self) -> &'static str {
        "a built-in tool whose shouldDefer flag is set is deferred"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        let row = context.builtin.filter(|row| row.defer == Some(true))?;
        Some((Decision::Defer, row.source.clone()))
    }
}
