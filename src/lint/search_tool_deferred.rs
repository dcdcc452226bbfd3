//! A search tool is deferred itself.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SEARCH_TOOLS, is_api_search};

pub(super) const LINT: Lint = Lint {
    code: "search-tool-deferred",
    level: Level::Error,
    what: "a search tool is deferred itself",
    why: "nothing can be found, since the finder has to be found first; the API refuses it",
    cure: "take defer_loading off the search tool",
    source: "tool search guide, error handling",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for tool in &looked.request.tools.tools {
        let search = SEARCH_TOOLS.contains(&&*tool.name)
            || tool.server_type.as_deref().is_some_and(is_api_search);
        if search && tool.flags.defer.defers() && !looked.all_deferred() {
            let message = "the search tool is deferred itself".to_owned();
            found.tell(&tool.name, &format!("/tools/{}", tool.index), message);
        }
    }
}
