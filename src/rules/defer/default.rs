//! What no rule defers is loaded, where its flag is known at all.

use super::{Context, Rule};
use crate::model::{Decision, Kind};

pub(super) struct Default;

impl Rule for Default {
    fn id(&self) -> &'static str {
        "default"
    }

    fn about(&self) -> &'static str {
        "anything else is loaded; unknown where the tool's flag is in no table"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        Some(match (context.builtin, context.kind) {
            (Some(row), _) if row.defer == Some(false) => (Decision::Load, row.source.clone()),
            (Some(row), _) => (
                Decision::Unknown,
                format!("shouldDefer is not known: {}", row.source),
            ),
            (None, Kind::Server { .. } | Kind::Placeholder) => (
                Decision::Load,
                "not a tool of the client: the rules do not touch it".to_owned(),
            ),
            (None, _) => (
                Decision::Unknown,
                "in no table of built-in tools: its flag is not on the wire".to_owned(),
            ),
        })
    }
}
