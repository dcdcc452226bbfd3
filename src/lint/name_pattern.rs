//! A tool's name holds characters that the API does not take, or is empty or longer than 128.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "tool-name-pattern",
    level: Level::Error,
    what: "a tool's name holds characters that the API does not take, or is empty or longer than 128",
    why: "the API answers 400 to every request with this list",
    cure: "use A-Z, a-z, 0-9, _ and -",
    source: "define-tools page; MCP specification",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    for tool in &looked.request.tools.tools {
        let own = tool.definition.is_some() && !tool.name.is_empty();
        if own && !(tool.name.len() <= 128 && tool.name.bytes().all(plain)) {
            let message = "the name is outside of the pattern [a-zA-Z0-9_-]{1,128}".to_owned();
            found.tell(&tool.name, &format!("/tools/{}/name", tool.index), message);
        }
    }
}
