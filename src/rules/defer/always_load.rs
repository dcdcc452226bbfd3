//! `alwaysLoad` opts out before anything else is asked.

use super::{Context, Rule};
use crate::model::Decision;

pub(super) struct AlwaysLoad;

impl Rule for AlwaysLoad {
    fn id(&self) -> &'static str {
        "always-load"
    }

    fn about(&self) -> &'static str {
        "a tool or server marked alwaysLoad is loaded, MCP or not"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        (context.always_load == Some(true)).then(|| {
            (
                Decision::Load,
                "alwaysLoad of its server is given as true".to_owned(),
            )
        })
    }
}
