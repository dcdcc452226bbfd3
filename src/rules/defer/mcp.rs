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
        let Kind::Mcp { server } = context.kind else {
            return None;
        };
        let always = match context.always_load {
            Some(mark) if !mark.heeded => {
                "alwaysLoad of its server is given, and this version of the client does not read it"
                    .to_owned()
            }
            Some(mark) => format!("alwaysLoad of {} is given as false", mark.of),
            None => "alwaysLoad not visible, assumed unset".to_owned(),
        };
        Some((
            Decision::Defer,
            format!("the name says MCP server {server}; {always}"),
        ))
    }
}
