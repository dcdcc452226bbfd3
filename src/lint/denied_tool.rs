//! A tool that a deny rule names is sent all the same.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "denied-tool-sent",
    level: Level::Warn,
    what: "a tool that a deny rule names is sent all the same",
    why: "it is paid for and cannot be used, or the rule does not reach it",
    cure: "see whether the rule is spelled as the tool, and in the settings that this run reads",
    source: "permissions page: a bare name hides the tool",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for tool in &looked.request.tools.tools {
        if looked.turn.settings.denies(&tool.name) {
            let message = "denied by the settings, and in the tool list".to_owned();
            found.tell(&tool.name, &format!("/tools/{}", tool.index), message);
        }
    }
}
