//! Was tool search on? What the wire shows, without any rule.

use super::name::mcp_name;
use crate::model::{Observed, PLACEHOLDER, RequestFacts, SEARCH_TOOLS, Thread};

/// The tool that stands in for tool search when it is off (tools reference).
const WAIT: &str = "WaitForMcpServers";

/// Reads the signs of one request, each named.
pub fn observed(request: &RequestFacts) -> (Observed, Vec<String>) {
    let tools = &request.tools.tools;
    let mut on = Vec::new();
    if let Some(tool) = tools
        .iter()
        .find(|tool| SEARCH_TOOLS.contains(&&*tool.name))
    {
        on.push(format!("{} present", tool.name));
    }
    if tools.iter().any(|tool| {
        tool.server_type
            .as_ref()
            .is_some_and(|t| t.starts_with("tool_search_tool"))
    }) {
        on.push("the API's own search tool present".to_owned());
    }
    if tools.iter().any(|tool| &*tool.name == PLACEHOLDER) {
        on.push("placeholder present".to_owned());
    }
    let flagged = tools
        .iter()
        .filter(|tool| tool.flags.defer.defers() && &*tool.name != PLACEHOLDER)
        .count();
    if flagged > 0 {
        on.push(format!("{flagged} definitions flagged"));
    }
    let announced: usize = request.announcements.iter().map(|a| a.names.len()).sum();
    if announced > 0 {
        on.push(format!("{announced} names announced"));
    }
    if !on.is_empty() {
        return (Observed::On, on);
    }
    if request.thread == Thread::Continue {
        return (
            Observed::Unknown,
            vec!["the body holds only what is new in its thread".to_owned()],
        );
    }
    let mcp = tools
        .iter()
        .filter(|tool| mcp_name(&tool.name).is_some())
        .count();
    let mut off = Vec::new();
    if mcp > 0 {
        off.push(format!("{mcp} MCP tools sent in full"));
    }
    if tools.iter().any(|tool| &*tool.name == WAIT) {
        off.push(format!("{WAIT} present"));
    }
    if off.is_empty() {
        return (
            Observed::Unknown,
            vec!["no search tool, and nothing that it would defer".to_owned()],
        );
    }
    (Observed::Off, off)
}
