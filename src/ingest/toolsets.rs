//! Entries of a tool list that stand for several tools: toolsets of the API, namespaces of OpenAI.

use super::context::Context;
use super::define;
use super::hash;
use super::memo::Memo;
use super::scan::{self, Pairs, Raw, Type};
use super::tools::{self, Oddities};
use crate::model::{DeferFlag, Definition, Flags, Text, ToolEntry};
use std::sync::Arc;

/// The tool of a namespace by one name.
pub(super) fn in_namespace(space: &str, name: &str) -> String {
    format!("{space}.{name}")
}

/// The tools of an entry that is a set; `None` = it is a single tool.
pub(super) fn read(
    pairs: &Pairs<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
    oddities: &mut Oddities,
) -> Option<Vec<ToolEntry>> {
    let type_ = pairs.get("type").and_then(Raw::string)?;
    let text = |key: &str| pairs.get(key).and_then(Raw::string).unwrap_or_default();
    match &*type_ {
        "mcp_toolset" => Some(mcp_toolset(pairs, &text("mcp_server_name"), memo, oddities)),
        "namespace" => Some(namespace(pairs, scope, context, memo, oddities)),
        "tool_search" | "mcp" => {
            let label = text("server_label");
            let name = if type_ == "mcp" && !label.is_empty() {
                label
            } else {
                type_.clone()
            };
            let description = ["description", "server_description"]
                .iter()
                .find_map(|key| pairs.get(key).and_then(Raw::literal));
            let schema = pairs
                .get("parameters")
                .filter(|raw| raw.type_of() == Type::Object);
            let flag = flag(pairs, oddities);
            // A search that the client answers has a description and a schema; a deferred server shows its label.
            let shown = (type_ == "tool_search" && schema.is_some()) || flag == Some(true);
            let definition = shown.then(|| {
                let name = Text::Plain(&name);
                define::define(name, description, schema, scope, context, memo)
            });
            let entry = server(memo, &name, &type_, flag);
            Some(vec![ToolEntry {
                stub: definition
                    .as_ref()
                    .filter(|_| flag == Some(true))
                    .map(|stub| stub.tokens.count),
                definition: definition.filter(|_| type_ == "tool_search"),
                ..entry
            }])
        }
        type_ if type_.contains("_toolset_") => {
            Some(vec![client_toolset(pairs, type_, memo, oddities)])
        }
        _ => None,
    }
}

/// Does an entry of this type stand for several tools?
fn is_set(type_: &str) -> bool {
    matches!(type_, "mcp_toolset" | "namespace") || type_.contains("_toolset_")
}

fn server(memo: &mut Memo, name: &str, type_: &str, flag: Option<bool>) -> ToolEntry {
    let defer = match flag {
        None => DeferFlag::Absent,
        Some(true) => DeferFlag::True { wrapped: false },
        Some(false) => DeferFlag::False { wrapped: false },
    };
    ToolEntry {
        server_type: Some(memo.name(type_)),
        flags: Flags {
            defer,
            ..Flags::default()
        },
        ..tools::bare(memo.name(name))
    }
}

/// `defer_loading` where it is a boolean; anything else is told and defers nothing.
fn flag(pairs: &Pairs<'_>, oddities: &mut Oddities) -> Option<bool> {
    let flag = boolean(pairs, "defer_loading");
    let there = pairs
        .get("defer_loading")
        .is_some_and(|raw| raw.type_of() != Type::Null);
    let told = oddities
        .iter()
        .any(|(code, _)| *code == "defer-flag-not-boolean");
    if there && flag.is_none() && !told {
        oddities.push((
            "defer-flag-not-boolean",
            "`defer_loading` is not a boolean; only the literal true defers".to_owned(),
        ));
    }
    flag
}

fn boolean(pairs: &Pairs<'_>, key: &str) -> Option<bool> {
    match pairs.get(key).map(Raw::text) {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    }
}

/// Tools of a remote MCP server, whose definitions the API fetches itself. Precedence: `configs`, then
/// `default_config`, then enabled and loaded (mcp-connector page). The set is one row; a tool that is configured
/// otherwise than the set has a row of its own.
fn mcp_toolset(
    pairs: &Pairs<'_>,
    name: &str,
    memo: &mut Memo,
    oddities: &mut Oddities,
) -> Vec<ToolEntry> {
    let name = if name.is_empty() { "mcp_toolset" } else { name };
    let default = pairs
        .get("default_config")
        .map(scan::pairs)
        .unwrap_or_default();
    let enabled = boolean(&default, "enabled").unwrap_or(true);
    let defer = flag(&default, oddities);
    let mut entries = Vec::new();
    if enabled {
        entries.push(server(memo, name, "mcp_toolset", defer));
    }
    let configs = pairs.get("configs").map(scan::pairs).unwrap_or_default();
    for (tool, config) in &configs.0 {
        let config = scan::pairs(*config);
        let own = flag(&config, oddities).or(defer);
        let differs = own.unwrap_or(false) != defer.unwrap_or(false) || !enabled;
        if boolean(&config, "enabled").unwrap_or(enabled) && differs {
            let name = format!("{name}/{tool}");
            entries.push(server(memo, &name, "mcp_toolset", own));
        }
    }
    entries
}

/// A toolset without a name whose members are configured together: `defer_loading` must be equal on all that are
/// enabled (tool reference).
fn client_toolset(
    pairs: &Pairs<'_>,
    type_: &str,
    memo: &mut Memo,
    oddities: &mut Oddities,
) -> ToolEntry {
    let configs = pairs.get("configs").map(scan::pairs).unwrap_or_default();
    let default = pairs
        .get("default_config")
        .map(scan::pairs)
        .unwrap_or_default();
    let enabled = boolean(&default, "enabled");
    let flags: Vec<bool> = configs
        .0
        .iter()
        .map(|(_, config)| scan::pairs(*config))
        .filter(|config| boolean(config, "enabled").or(enabled) != Some(false))
        .map(|config| flag(&config, oddities).unwrap_or(false))
        .collect();
    let some = flags.iter().any(|flag| *flag);
    if some && !flags.iter().all(|flag| *flag) {
        oddities.push((
            "toolset-flags-differ",
            "`defer_loading` differs between members of one toolset; the API refuses that"
                .to_owned(),
        ));
    }
    let name = pairs
        .get("name")
        .and_then(Raw::string)
        .unwrap_or_else(|| type_.into());
    server(memo, &name, type_, some.then_some(true))
}

/// A namespace shows its name and description; its functions each have their own flag (tool search guide).
fn namespace(
    pairs: &Pairs<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
    oddities: &mut Oddities,
) -> Vec<ToolEntry> {
    let Some(name) = pairs.get("name").and_then(Raw::literal) else {
        oddities.push(("tool-without-name", "a namespace has no name".to_owned()));
        return Vec::new();
    };
    let space = name.decode();
    let description = pairs.get("description").and_then(Raw::literal);
    let own = define::define(name, description, None, scope, context, memo);
    let mut entries = vec![ToolEntry {
        definition: Some(own),
        ..tools::bare(memo.name(&space))
    }];
    let members = pairs.get("tools");
    if members.is_none_or(|members| members.type_of() != Type::Array) {
        oddities.push((
            "namespace-without-tools",
            "`tools` of a namespace is no array".to_owned(),
        ));
    }
    for raw in members.map(scan::elements).unwrap_or_default() {
        // A set inside a set is nothing any API knows; read on, it would cost a stack frame for each level.
        let is_set = matches!(scan::pairs(raw).get("type").and_then(Raw::string).as_deref(),
            Some(type_) if is_set(type_));
        if is_set {
            oddities.push((
                "set-in-a-set",
                "a set of tools stands inside a namespace: it is not read".to_owned(),
            ));
            continue;
        }
        let (entry, odd) = tools::read_entry(raw, scope, context, memo);
        // A member may take nothing.
        let odd = odd
            .into_iter()
            .filter(|(code, _)| *code != tools::WITHOUT_SCHEMA);
        oddities.extend(odd);
        let name = memo.name(&in_namespace(&space, &entry.name));
        // It is known, and found again, by its whole name.
        let definition = entry.definition.as_deref().map(|definition| {
            let stable = definition.stable.as_deref();
            Arc::new(Definition {
                stable: stable.map(|id| Arc::new(hash::definition(&name, id.body))),
                name: Arc::clone(&name),
                ..definition.clone()
            })
        });
        entries.push(ToolEntry {
            name,
            definition,
            // Inside a namespace a deferred function shows nothing of its own.
            stub: None,
            ..entry
        });
    }
    entries
}
