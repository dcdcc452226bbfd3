//! Channels that the model needs at once are exempt before their own flag is asked.

use super::{Context, Rule};
use crate::model::Decision;

pub(super) struct Communication;

impl Rule for Communication {
    fn id(&self) -> &'static str {
        "communication"
    }

    fn about(&self) -> &'static str {
        "a communication-critical tool is never deferred"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        let row = context.builtin.filter(|row| row.communication)?;
        Some((Decision::Load, row.source.clone()))
    }
}
