//! The search tool loads all others, so it is never deferred itself.

use super::{Context, Rule};
use crate::model::{Decision, Kind, is_api_search};

pub(super) struct ToolSearch;

impl Rule for ToolSearch {
    fn id(&self) -> &'static str {
        "tool-search"
    }

    fn about(&self) -> &'static str {
        "ToolSearch is never deferred: it loads everything else"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        let of_the_api = matches!(context.kind, Kind::Server { type_ } if is_api_search(type_));
        let is = context.name == "ToolSearch" || of_the_api;
        is.then(|| (Decision::Load, "it is the search tool".to_owned()))
    }
}
