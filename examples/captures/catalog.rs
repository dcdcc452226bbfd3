//! Every tool of the three runs, made once.

use std::error::Error;

use crate::json::Json;
use crate::tool::{Tool, placeholder};
use crate::{mcp, texts};

pub(crate) const SEARCH: &str = "ToolSearch";

/// The tools, each group sorted by name.
pub(crate) struct Catalog {
    /// Built-ins which are loaded from the start, `ToolSearch` among them.
    pub(crate) loaded: Vec<Tool>,
    /// Built-ins which tool search announces by name only.
    pub(crate) announced: Vec<Tool>,
    /// The tools of the three MCP servers.
    pub(crate) mcp: Vec<Tool>,
    /// What the plugin puts in place of three loaded ones.
    pub(crate) shortened: Vec<Tool>,
    /// The MCP tool which the plugin always loads.
    pub(crate) second_opinion: Tool,
    pub(crate) placeholder: Tool,
}

impl Catalog {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            loaded: texts::loaded()?,
            announced: texts::announced()?,
            mcp: mcp::tools()?,
            shortened: texts::shortened()?,
            second_opinion: texts::second_opinion()?,
            placeholder: placeholder(),
        })
    }

    /// The names announced with tool search on; `more` are announced as well.
    pub(crate) fn names(&self, more: &[&str]) -> Vec<String> {
        let groups = self.announced.iter().chain(&self.mcp);
        let mut names: Vec<String> = groups.map(|tool| tool.name.clone()).collect();
        names.extend(more.iter().map(|name| (*name).to_owned()));
        names.sort();
        names
    }

    /// A loaded built-in or a tool of an MCP server by its name.
    pub(crate) fn find(&self, name: &str) -> Result<&Tool, Box<dyn Error>> {
        let mut all = self.loaded.iter().chain(&self.mcp);
        let found = all.find(|tool| tool.name == name);
        found.ok_or_else(|| format!("no tool `{name}`").into())
    }
}

/// Built-ins first and by name: the order in which a client sends them.
pub(crate) fn ordered(mut tools: Vec<(&str, Json)>) -> Vec<Json> {
    tools.sort_by_key(|(name, _)| (name.starts_with("mcp__"), (*name).to_owned()));
    tools
        .into_iter()
        .map(|(_, definition)| definition)
        .collect()
}
