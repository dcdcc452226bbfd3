//! Two tools of one name are in one list.

use super::{Check, Found, Lint, Looked};
use crate::model::{Level, ToolEntry};
use std::collections::BTreeMap;

pub(super) const LINT: Lint = Lint {
    code: "duplicate-tool-name",
    level: Level::Error,
    what: "two tools of one name are in one list",
    why: "the API answers 400: tool names must be unique",
    cure: "rename one, or send it once",
    source: "API message; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    // A set's name is its server's, and a tool of the API's own without a name goes by its type.
    let named = |tool: &ToolEntry| {
        let of_api = tool.server_type.as_ref();
        let own = of_api.is_some_and(|type_| *type_ != tool.name) && !super::is_set(tool);
        !tool.name.is_empty() && (tool.definition.is_some() || own)
    };
    let tools = looked.request.tools.tools.iter();
    for tool in tools.filter(|tool| named(tool)) {
        places.entry(&tool.name).or_default().push(tool.index);
    }
    for (name, places) in places {
        if let [_, second, ..] = places[..] {
            let all: Vec<String> = places.iter().map(|at| format!("tools[{at}]")).collect();
            let message = format!("the name stands {} times: {}", places.len(), all.join(", "));
            found.tell(name, &format!("/tools/{second}"), message);
        }
    }
}
