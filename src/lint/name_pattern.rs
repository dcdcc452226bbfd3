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
    let listing = looked.request.shape.messages == 0;
    let tools = looked.request.tools.tools.iter();
    for tool in tools.filter(|tool| tool.definition.is_some()) {
        let pointer = format!("/tools/{}/name", tool.index);
        let name = &*tool.name;
        if name.is_empty() {
            let subject = format!("tools[{}]", tool.index);
            found.tell(&subject, &pointer, "the name is empty".to_owned());
            continue;
        }
        // MCP allows more in a server's own listing than the API in a request: the client renames such tools.
        if listing && !name.starts_with("mcp__") {
            continue;
        }
        if !(name.len() <= 128 && name.bytes().all(plain)) {
            let message = "the name is outside of the pattern [a-zA-Z0-9_-]{1,128}".to_owned();
            found.tell(name, &pointer, message);
        }
    }
}
