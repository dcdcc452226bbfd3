//! A tool's name has more than 64 characters.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "tool-name-length",
    level: Level::Warn,
    what: "a tool's name has more than 64 characters",
    why: "a tool_reference takes 64 at most: once it is found, the API answers 400",
    cure: "shorten the name of the server, the plugin or the tool",
    source: "define-tools page says 64; issue reports: names up to 128, references up to 64",
    check: Check::Request(check),
};

const MOST: usize = 64;

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for tool in &looked.request.tools.tools {
        let length = tool.name.chars().count();
        if tool.definition.is_none() || length <= MOST || length > 128 {
            continue;
        }
        let mut references = looked.request.references.iter();
        let reference = references.find(|reference| reference.name == tool.name);
        let pointer = format!("/tools/{}/name", tool.index);
        match reference {
            Some(reference) => {
                let message = format!(
                    "{length} characters, and referred to at {}",
                    reference.pointer
                );
                found.tell_at(Level::Error, &tool.name, &pointer, message);
            }
            None => found.tell(&tool.name, &pointer, format!("{length} characters")),
        }
    }
}
