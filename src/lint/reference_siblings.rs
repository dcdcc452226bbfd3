//! Texts stand beside references to tools, where the client would have moved them on.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "reference-with-text",
    level: Level::Warn,
    what: "a result with references to tools stands beside other texts in its message",
    why: "the model reads two turns of the user with definitions between them, and learns to stop after results",
    cure: "move the texts to a later message whose results hold no references",
    source: "deferral article: sibling relocation",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    for pointer in &looked.request.hazards.repairs.siblings {
        let message = "references to tools and other texts in one message".to_owned();
        found.tell(pointer, pointer, message);
    }
}
