//! Two tools of one name are in one list.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;
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
    let named = looked
        .request
        .tools
        .tools
        .iter()
        .filter(|tool| !tool.name.is_empty());
    for tool in named {
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
