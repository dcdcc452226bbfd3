//! Tool search on: most tools are announced by name, two are discovered, and a compaction comes
//! between the fourth and the fifth request of the main conversation.

use std::error::Error;

use super::{
    Body, ISSUE_TOOL, POST_TOOL, Run, UNSET, file_issue, main_body, post_link, read_parser,
    reminder,
};
use crate::catalog::{Catalog, SEARCH, ordered};
use crate::json::{Json, record, text};
use crate::message::{Call, exchange, reference, user};
use crate::story;
use crate::system::{billing, block};

const SESSION: u8 = 2;

pub(super) fn run(catalog: &Catalog) -> Result<Run, Box<dyn Error>> {
    let names = reminder(&catalog.names(&[]));
    let mut bodies = Vec::new();
    let mut send = |known: &[&str], history: &[String]| -> Result<(), Box<dyn Error>> {
        bodies.push(main_body(SESSION, tools(catalog, known)?, history));
        Ok(())
    };

    let mut history = vec![user(vec![block(&names), block(story::QUESTION)])];
    send(&[], &history)?;
    let words = record([
        ("query", text("github create issue")),
        ("max_results", Json::Whole(1)),
    ]);
    history.extend(discover(story::LOOKING, 1, words, ISSUE_TOOL));
    send(&[ISSUE_TOOL], &history)?;
    history.extend(file_issue(&id(2)));
    send(&[ISSUE_TOOL], &history)?;
    let select = record([("query", text(&format!("select:{POST_TOOL}")))]);
    history.extend(discover(story::LOOKING_AGAIN, 3, select, POST_TOOL));
    send(&[ISSUE_TOOL, POST_TOOL], &history)?;

    history.extend(post_link(&id(4), Some(story::SUMMARISE)));
    let side = compaction(catalog, &history)?;

    let mut after = vec![user(vec![
        block(&names),
        block(story::SUMMARY),
        block(story::FOLLOW_UP),
    ])];
    send(&[ISSUE_TOOL, POST_TOOL], &after)?;
    after.extend(read_parser(story::READING, &id(5)));
    send(&[ISSUE_TOOL, POST_TOOL], &after)?;

    bodies.insert(4, side);
    Ok(Run {
        name: "deferred",
        search: UNSET,
        bodies,
    })
}

fn without_references(message: &str) -> String {
    message
        .replace("\"tool_reference\"", "\"text\"")
        .replace("\"tool_name\"", "\"text\"")
}

fn id(number: usize) -> String {
    format!("toolu_synthetic_deferred_{number}")
}

/// A search for a tool, and the answer which makes it known.
fn discover(say: &str, number: usize, input: Json, found: &str) -> [String; 2] {
    let (id, tool) = (&id(number), SEARCH);
    let call = Call {
        say,
        id,
        tool,
        input,
    };
    exchange(call, reference(found), Some("Tool loaded."))
}

/// The loaded built-ins, the placeholder, and what has been discovered so far.
fn tools(catalog: &Catalog, known: &[&str]) -> Result<Vec<Json>, Box<dyn Error>> {
    let mut tools: Vec<(&str, Json)> = catalog
        .loaded
        .iter()
        .map(|tool| (tool.name.as_str(), tool.loaded()))
        .collect();
    let placeholder = &catalog.placeholder;
    tools.push((&placeholder.name, placeholder.deferred()));
    for name in known {
        tools.push((name, catalog.find(name)?.deferred()));
    }
    Ok(ordered(tools))
}

/// The side request which asks for a summary: another system prompt and a single tool. What searches found stands in it
/// as text, since the tools that it would refer to are not sent (the API refuses such references).
fn compaction(catalog: &Catalog, messages: &[String]) -> Result<String, Box<dyn Error>> {
    let messages: Vec<String> = messages
        .iter()
        .map(|message| without_references(message))
        .collect();
    let task = "You are a helpful AI assistant tasked with summarizing conversations.";
    let body = Body {
        session: SESSION,
        max_tokens: 20_000,
        system: Json::List(vec![billing(), block(task)]),
        tools: vec![catalog.find("Read")?.loaded()],
        messages: &messages,
    };
    Ok(body.written())
}
