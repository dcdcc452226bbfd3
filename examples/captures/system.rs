//! The system prompt: three text blocks, of which the last holds the long instructions.
//! Its sections are written out; the notes on languages and on kinds of task come from templates,
//! so that the prompt gets the length of a real one without pages of source.

mod notes;
mod sections;

use crate::json::{Json, record, text};
use crate::prose::flow;

/// The first block of every request, compaction included.
pub(crate) fn billing() -> Json {
    block("x-anthropic-billing-header: cc_version=2.1.240.syn; cc_entrypoint=cli;")
}

/// A text block.
pub(crate) fn block(value: &str) -> Json {
    record([("type", text("text")), ("text", text(value))])
}

/// The system prompt of a main request.
pub(crate) fn prompt() -> Json {
    Json::List(vec![
        billing(),
        block("This is a synthetic capture, written by the toolcost project; nobody sent it."),
        record([
            ("type", text("text")),
            ("text", text(&instructions())),
            ("cache_control", record([("type", text("ephemeral"))])),
        ]),
    ])
}

/// The long instructions, about 14,000 characters.
pub(crate) fn instructions() -> String {
    let mut parts = vec![flow(sections::BEFORE)];
    parts.push("# Notes on languages".to_owned());
    parts.extend(notes::languages());
    parts.push("# Notes on kinds of task".to_owned());
    parts.extend(notes::tasks());
    parts.push(flow(sections::AFTER));
    parts.join("\n\n")
}
