//! One server is there under two names.

use super::{Check, Found, Lint, Looked};
use crate::model::{Kind, Level};
use std::collections::BTreeMap;

pub(super) const LINT: Lint = Lint {
    code: "server-twice",
    level: Level::Warn,
    what: "one server is there under two names",
    why: "its definitions are paid for twice, and the model has to choose between twins",
    cure: "remove the server from the plugin or from the settings",
    source: "issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let mut twins: BTreeMap<(&str, u128), Vec<(&str, &str)>> = BTreeMap::new();
    for tool in &looked.audit.tools {
        let (Kind::Mcp { server }, Some((definition, _))) = (&tool.kind, &tool.definition) else {
            continue;
        };
        let rest = tool
            .name
            .strip_prefix("mcp__")
            .and_then(|rest| rest.strip_prefix(&**server));
        let Some(own) = rest.and_then(|rest| rest.strip_prefix("__")) else {
            continue;
        };
        twins
            .entry((own, definition.body))
            .or_default()
            .push((server, &tool.name));
    }
    let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for tools in twins.values() {
        let mut servers: Vec<&str> = tools.iter().map(|(server, _)| *server).collect();
        servers.sort_unstable();
        servers.dedup();
        if servers.len() > 1 {
            let names = groups.entry(servers).or_default();
            names.extend(tools.iter().map(|(_, name)| *name));
        }
    }
    for (servers, names) in groups {
        let message = format!(
            "the same tools under {}: {}",
            servers.join(" and "),
            names.join(", ")
        );
        found.tell(&servers.join(", "), "/tools", message);
    }
}
