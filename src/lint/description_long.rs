//! A description of an MCP tool is longer than the client sends.

use super::{Check, Found, Lint, Looked};
use crate::model::{Kind, Level};

pub(super) const LINT: Lint = Lint {
    code: "description-over-limit",
    level: Level::Warn,
    what: "a description of an MCP tool is longer than the client sends",
    why: "the client cuts it, so that its end never reaches the model",
    cure: "shorten it, the important part first",
    source: "change log 2.1.84; measured on 2.1.283",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let Some(cap) = looked.description_cap else {
        return;
    };
    for tool in &looked.audit.tools {
        let Some((definition, _)) = &tool.definition else {
            continue;
        };
        let long = definition
            .sizes
            .description
            .filter(|chars| chars.0 > cap && !definition.cut);
        if let (Kind::Mcp { .. }, Some(chars)) = (&tool.kind, long) {
            let message = format!(
                "its description has {} characters, the client sends {cap}",
                chars.0
            );
            found.tell(&tool.name, &looked.below(tool, "/description"), message);
        }
    }
}
