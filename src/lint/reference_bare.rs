//! References to tools end their message without the text that closes the turn.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;

pub(super) const LINT: Lint = Lint {
    code: "reference-without-boundary",
    level: Level::Info,
    what: "a message ends with references to tools, and no text closes the turn",
    why: "the prompt ends in definitions, after which the model may stop without an answer",
    cure: "add a short text block after the result, as the client does (Tool loaded.)",
    source: "deferral article: turn boundary injection",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let repairs = &looked.request.hazards.repairs;
    // Other clients never write it: it is missed where the client writes it elsewhere, or says who it is.
    if repairs.boundary_texts == 0 && looked.request.client_version.is_none() {
        return;
    }
    for pointer in &repairs.bare {
        let message = "references to tools end the message".to_owned();
        found.tell(pointer, pointer, message);
    }
}
