//! Tools of MCP servers and custom ones that no request of the capture called.

use crate::model::{Kind, State, Tokens};
use crate::summary::RunSummary;
use serde::Serialize;
use std::collections::BTreeSet;

/// Tools that were never called.
#[derive(Debug, Clone, Serialize)]
pub struct NeverUsed {
    /// How many; of how many such tools.
    pub tools: u64,
    /// All tools of that kind.
    pub of: u64,
    /// What they cost a turn where everything is loaded; null where no size is known.
    pub tokens: Option<Tokens>,
    /// What they cost a turn as they were sent.
    pub loaded_tokens: Tokens,
    /// Some sizes are not known: the numbers are lower bounds.
    pub at_least: bool,
    /// They, the largest first.
    pub names: Vec<UnusedTool>,
}

/// One of them.
#[derive(Debug, Clone, Serialize)]
pub struct UnusedTool {
    /// Its name.
    pub name: String,
    /// Its server.
    pub server: Option<String>,
    /// Its state when it was first seen.
    pub state: State,
    /// Tokens of its definition.
    pub tokens: Option<Tokens>,
}

/// Finds them; `None` where no request shows its messages, and so no calls.
pub(super) fn never_used(summary: &RunSummary) -> Option<NeverUsed> {
    if summary.by_turn.is_empty() {
        return None;
    }
    // A compaction shows calls that no later request does.
    let compacted = summary.by_turn.iter().flat_map(|turn| &turn.calls);
    let mut called: BTreeSet<&str> = compacted.map(|(name, _)| &**name).collect();
    called.extend(summary.calls().into_keys());
    called.extend(summary.called.iter().map(|name| &**name));
    let tools = summary
        .tools
        .values()
        .filter_map(|totals| totals.first.as_ref());
    let tools = tools.map(|(_, tool)| tool).filter(|tool| {
        let kind = matches!(
            tool.kind,
            Kind::Mcp { .. } | Kind::Custom | Kind::Prompted { .. }
        );
        kind && tool.state != State::Placeholder && !tool.kind.is_search(&tool.name)
    });
    let (mut of, mut all, mut loaded, mut at_least) = (0, Tokens(0), Tokens(0), false);
    let mut names = Vec::new();
    for tool in tools {
        of += 1;
        if called.contains(&*tool.name) {
            continue;
        }
        let size = tool.size.tokens;
        at_least |= size.is_none() || tool.size.at_least;
        all = all + size.unwrap_or_default();
        if tool.state == State::Loaded {
            loaded = loaded + size.unwrap_or_default();
        }
        names.push(UnusedTool {
            name: tool.name.to_string(),
            server: tool.kind.server().map(ToString::to_string),
            state: tool.state,
            tokens: size,
        });
    }
    names.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.name.cmp(&b.name)));
    Some(NeverUsed {
        tools: names.len() as u64,
        of,
        // A lower bound of nothing says nothing.
        tokens: Some(all).filter(|all| !at_least || all.0 > 0),
        loaded_tokens: loaded,
        at_least,
        names,
    })
}
