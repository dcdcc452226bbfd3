//! `alwaysLoad` opts out before anything else is asked.

use super::{Context, Rule};
use crate::data::Profile;
use crate::model::Decision;

/// `alwaysLoad` as far as it is given, with where it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlwaysLoad {
    /// What it says.
    pub on: bool,
    /// Where that stands: on the tool or on its server.
    pub of: &'static str,
    /// This version of the client reads it there.
    pub heeded: bool,
}

/// Which mark counts, of a tool's own (`_meta` of a listing) and its server's (settings). A `true` of either opts
/// out; who wins against a `false` of the other changed with the versions.
pub fn always_load(
    tool: Option<bool>,
    server: Option<bool>,
    profile: &Profile,
) -> Option<AlwaysLoad> {
    let of_tool = |on| AlwaysLoad {
        on,
        of: "the tool",
        heeded: true,
    };
    let of_server = |on| AlwaysLoad {
        on,
        of: "its server",
        heeded: profile.server_always_load.rule,
    };
    match (tool, server.filter(|_| profile.server_always_load.rule)) {
        (Some(true), Some(false)) if profile.server_never_load.rule => Some(of_server(false)),
        (Some(false), Some(true)) if profile.tool_never_load.rule => Some(of_tool(false)),
        (Some(true), _) => Some(of_tool(true)),
        (_, Some(true)) => Some(of_server(true)),
        (Some(false), _) => Some(of_tool(false)),
        (None, Some(false)) => Some(of_server(false)),
        (None, None) => server.map(of_server),
    }
}

pub(super) struct Marked;

impl Rule for Marked {
    fn id(&self) -> &'static str {
        "always-load"
    }

    fn about(&self) -> &'static str {
        "a tool or server marked alwaysLoad is loaded, MCP or not"
    }

    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)> {
        let mark = context.always_load.filter(|mark| mark.on && mark.heeded)?;
        Some((
            Decision::Load,
            format!("alwaysLoad of {} is given as true", mark.of),
        ))
    }
}
