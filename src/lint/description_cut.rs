//! A description ends with the client's mark of a cut.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "description-cut",
    level: Level::Info,
    what: "a description ends with the client's mark of a cut",
    why: "the model reads the beginning only",
    cure: "shorten the server's description",
    source: "measured on 2.1.283",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for tool in &looked.audit.tools {
        let cut = tool
            .definition
            .as_ref()
            .is_some_and(|(definition, _)| definition.cut);
        if cut {
            let message = "its description was cut by the client".to_owned();
            found.tell(&tool.name, &looked.below(tool, "/description"), message);
        }
    }
}
