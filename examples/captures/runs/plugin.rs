//! Tool search on, and a plugin which shortens three descriptions, defers `ListAgents` and loads
//! one MCP tool from the start.

use std::error::Error;

use super::{Run, UNSET, main_body, read_parser, reminder};
use crate::catalog::{Catalog, ordered};
use crate::json::Json;
use crate::message::user;
use crate::story;
use crate::system::block;

const SESSION: u8 = 3;
const DEFERRED: &str = "ListAgents";

pub(super) fn run(catalog: &Catalog) -> Result<Run, Box<dyn Error>> {
    let names = reminder(&catalog.names(&[DEFERRED]));
    let mut history = vec![user(vec![block(&names), block(story::QUESTION)])];
    let mut bodies = vec![main_body(SESSION, tools(catalog), &history)];
    history.extend(read_parser(story::READING, "toolu_synthetic_plugin_1"));
    bodies.push(main_body(SESSION, tools(catalog), &history));
    Ok(Run {
        name: "plugin",
        search: UNSET,
        bodies,
    })
}

fn tools(catalog: &Catalog) -> Vec<Json> {
    let mut tools = Vec::new();
    for tool in catalog.loaded.iter().filter(|tool| tool.name != DEFERRED) {
        let mut short = catalog.shortened.iter();
        let sent = short.find(|other| other.name == tool.name).unwrap_or(tool);
        tools.push((sent.name.as_str(), sent.loaded()));
    }
    let placeholder = &catalog.placeholder;
    tools.push((&placeholder.name, placeholder.deferred()));
    let opinion = &catalog.second_opinion;
    tools.push((&opinion.name, opinion.loaded()));
    ordered(tools)
}
