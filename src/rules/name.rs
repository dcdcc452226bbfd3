//! Server and tool from a name, and what a tool is.

use crate::data::Builtins;
use crate::model::{Kind, PLACEHOLDER, ToolEntry};
use std::sync::Arc;

/// The parts of `mcp__<server>__<tool>`. Of a plugin's server the server part is `plugin_<plugin>_<server>`;
/// where plugin and server meet cannot be told from the name, since both may hold `_`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McpName<'a> {
    /// The server part.
    pub server: &'a str,
    /// The tool part; may hold `__` itself.
    pub tool: &'a str,
    /// The server is bundled with a plugin.
    pub plugin: bool,
}

/// Takes an MCP name apart.
pub fn mcp_name(name: &str) -> Option<McpName<'_>> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    let whole = !server.is_empty() && !tool.is_empty();
    whole.then_some(McpName {
        server,
        tool,
        plugin: server.starts_with("plugin_"),
    })
}

/// What a tool is. A name alone is enough, for announced tools.
pub fn kind(name: &Arc<str>, entry: Option<&ToolEntry>, builtins: &Builtins) -> Kind {
    if let Some(type_) = entry.and_then(|entry| entry.server_type.as_ref()) {
        return Kind::Server {
            type_: Arc::clone(type_),
        };
    }
    if &**name == PLACEHOLDER {
        return Kind::Placeholder;
    }
    if let Some(parts) = mcp_name(name) {
        return Kind::Mcp {
            server: Arc::from(parts.server),
        };
    }
    if builtins.get(name).is_some() {
        Kind::Builtin
    } else {
        Kind::Custom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_and_tool_come_from_the_name() {
        let parts = mcp_name("mcp__github__create_issue").unwrap();
        assert_eq!(
            (parts.server, parts.tool, parts.plugin),
            ("github", "create_issue", false)
        );
        let plugin = mcp_name("mcp__plugin_tidy_review__second_opinion").unwrap();
        assert_eq!(
            (plugin.server, plugin.tool, plugin.plugin),
            ("plugin_tidy_review", "second_opinion", true)
        );
        assert_eq!(mcp_name("mcp__a__b__c").unwrap().tool, "b__c");
        for none in [
            "Read", "mcp__", "mcp__a", "mcp____b", "mcp__a__", "mcp_a__b",
        ] {
            assert_eq!(mcp_name(none), None, "{none}");
        }
    }
}
