//! Every MCP tool is deferred, one that is called ToolSearch too: this is asked before the name is.

use super::{Context, Rule};
use crate::model::{Decision, Kind};

pub(super) struct Mcp;

impl Rule for Mcp {
    fn id(&self) -> &'static str {
        "mcp"
    }

    fn about(&self) -> &'static str {
        "a tool of an MCP server is deferred"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        match context.kind {
            Kind::Mcp { server } => Some((
                Decision::Defer,
                format!("the name says MCP server {server}; alwaysLoad not visible, assumed unset"),
            )),
            _ => None,
        }
    }
}
