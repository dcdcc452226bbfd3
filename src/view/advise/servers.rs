//! MCP servers whose tools nobody called.

use super::settings::SettingsChange;
use super::{Advised, Found, Left};
use crate::audit::SectionKey;
use crate::model::{Role, SectionKind, State, Sum, thousands};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a server costs in the prompts of a run.
#[derive(Default)]
struct Cost {
    tools: BTreeSet<Arc<str>>,
    definitions: Sum,
    names: Sum,
    instructions: Sum,
    turns: u64,
}

/// Removes servers that were never called.
pub(super) fn never_called(advised: &Advised<'_>) -> Found {
    let summary = advised.summary;
    let called = summary.called.iter();
    let called: BTreeSet<&str> = called.filter_map(|name| server(name)).collect();
    let found: BTreeSet<&str> = summary
        .tools
        .iter()
        .filter(|(_, totals)| totals.discovered_at.is_some())
        .filter_map(|((name, _), _)| server(name))
        .collect();
    let mut all = Found::default();
    for (name, cost) in costs(advised) {
        if called.contains(name.as_str()) {
            continue;
        }
        if found.contains(name.as_str()) {
            all.left.push(Left {
                kind: "remove-server",
                subject: name,
                why: "its tools were found and never called: looked at, and not needed so far"
                    .to_owned(),
            });
            continue;
        }
        let sums = [cost.definitions, cost.names, cost.instructions];
        let whole: u64 = sums.iter().map(|sum| sum.tokens.0).sum();
        let at_least = sums.iter().any(|sum| sum.missing > 0);
        if whole == 0 {
            all.left.push(Left {
                kind: "remove-server",
                subject: name,
                why: "nobody called it, and nothing is known of what it costs".to_owned(),
            });
            continue;
        }
        let tools = cost.tools.len();
        let tools = Advised::counted(tools as u64, "tool", "tools");
        let what = match name.starts_with("plugin_") {
            true => format!("disable the plugin of the server {name}, or deny its {tools}"),
            false => format!("remove the server {name}, or deny its {tools}"),
        };
        let mut advice = advised.advice("remove-server", &name, what, whole);
        advice.at_least = at_least;
        advice.estimated = sums.iter().any(|sum| sum.is_rough());
        let in_all = Advised::counted(summary.requests, "request", "requests");
        let sessions = Advised::counted(advised.sessions, "session", "sessions");
        let paid = Advised::counted(cost.turns, "request", "requests");
        advice.evidence = vec![
            format!("no call of its {tools} in {in_all} of {sessions}"),
            format!(
                "{} tokens of definitions, {} of names, {} of instructions in the prompts of {paid}",
                thousands(cost.definitions.tokens.0),
                thousands(cost.names.tokens.0),
                thousands(cost.instructions.tokens.0)
            ),
        ];
        // A rule with other letters means something else, or nothing.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if !name.is_empty() && name.chars().all(plain) && advised.is_client {
            advice.evidence.push("a deny rule of a whole server is told to take its tools away from client 2.1.78 on; removing the server does in every version".to_owned());
            advice.moves = Some(format!("tools of {name} stand as denied"));
            advice.change = SettingsChange::deny(format!("mcp__{name}"));
        }
        all.advice.push(advice);
    }
    all
}

fn server(name: &str) -> Option<&str> {
    let (server, _) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some(server)
}

/// Servers with what they cost in main requests.
fn costs(advised: &Advised<'_>) -> BTreeMap<String, Cost> {
    let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
    let rows = advised.summary.by_request.iter();
    for row in rows.filter(|row| row.role == Role::Main) {
        let mut seen = BTreeSet::new();
        for tool in row.tools.iter() {
            let Some(server) = server(&tool.name) else {
                continue;
            };
            let cost = costs.entry(server.to_owned()).or_default();
            cost.tools.insert(Arc::clone(&tool.name));
            if seen.insert(server) {
                cost.turns += 1;
            }
            if matches!(tool.state, State::Loaded | State::Discovered) {
                cost.definitions.add(tool.size);
            }
        }
        for (SectionKey { kind, owner, .. }, sum) in &row.parts.sections {
            let Some(cost) = owner.as_ref().and_then(|owner| costs.get_mut(&**owner)) else {
                continue;
            };
            match kind {
                SectionKind::Names => cost.names = cost.names.merge(sum.tokens),
                SectionKind::McpInstructions => {
                    cost.instructions = cost.instructions.merge(sum.tokens);
                }
                _ => {}
            }
        }
    }
    costs
}
