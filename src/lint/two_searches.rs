//! The client's search tool and one of the API's stand in one list.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level, SEARCH_TOOLS, is_api_search};

pub(super) const LINT: Lint = Lint {
    code: "two-search-mechanisms",
    level: Level::Warn,
    what: "the client's search tool and one of the API's stand in one list",
    why: "the model may use either, and the deferral block is paid for both",
    cure: "send one of them",
    source: "tool search guide; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let tools = &looked.request.tools.tools;
    let own = tools
        .iter()
        .find(|tool| SEARCH_TOOLS.contains(&&*tool.name) && tool.server_type.is_none());
    let of_api = tools.iter().find(|tool| {
        let type_ = tool.server_type.as_deref();
        type_.is_some_and(is_api_search)
    });
    if let (Some(own), Some(of_api)) = (own, of_api) {
        let message = format!(
            "{} and {} are both in the list",
            own.name,
            Hazards::short(&of_api.name)
        );
        found.tell(&own.name, &format!("/tools/{}", own.index), message);
    }
}
