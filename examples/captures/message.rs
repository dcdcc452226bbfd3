//! Messages and their content blocks.
//! A message is a finished text: the next request repeats the history byte for byte.

use crate::json::{Json, record, text};
use crate::system::block;

pub(crate) fn user(blocks: Vec<Json>) -> String {
    message("user", blocks)
}

pub(crate) fn assistant(blocks: Vec<Json>) -> String {
    message("assistant", blocks)
}

fn message(role: &str, blocks: Vec<Json>) -> String {
    record([("role", text(role)), ("content", Json::List(blocks))]).to_string()
}

/// A call of a tool: what is said before it, its identifier, the tool and its input.
pub(crate) struct Call<'a> {
    pub(crate) say: &'a str,
    pub(crate) id: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) input: Json,
}

/// An assistant message with a call, and the user message with its result and maybe a text.
pub(crate) fn exchange(call: Call<'_>, result: Json, then: Option<&str>) -> [String; 2] {
    let Call {
        say,
        id,
        tool,
        input,
    } = call;
    let ask = record([
        ("type", text("tool_use")),
        ("id", text(id)),
        ("name", text(tool)),
        ("input", input),
    ]);
    let answer = record([
        ("type", text("tool_result")),
        ("tool_use_id", text(id)),
        ("content", result),
    ]);
    let mut back = vec![answer];
    back.extend(then.map(block));
    [assistant(vec![block(say), ask]), user(back)]
}

/// What a search for tools answers: a reference, from which the API takes the definition.
pub(crate) fn reference(found: &str) -> Json {
    Json::List(vec![record([
        ("type", text("tool_reference")),
        ("tool_name", text(found)),
    ])])
}
