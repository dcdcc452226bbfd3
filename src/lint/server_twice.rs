//! One server is there under two names.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Kind, Level};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const LINT: Lint = Lint {
    code: "server-twice",
    level: Level::Warn,
    what: "one server is there under two names",
    why: "its definitions are paid for twice, and the model has to choose between twins",
    cure: "remove the server from the plugin or from the settings",
    source: "issue reports",
    check: Check::Request(check),
};

/// So many servers that share a tool are compared, each with each.
const MOST_SERVERS: usize = 100;

/// Tools of one own name and one definition, with their servers and whole names.
type Twins<'a> = BTreeMap<(&'a str, u128), Vec<(&'a str, &'a str)>>;

/// How much servers have in common.
struct Alike<'a> {
    tools: BTreeMap<&'a str, usize>,
    common: BTreeMap<(&'a str, &'a str), usize>,
}

impl<'a> Alike<'a> {
    fn of(looked: &Looked<'a>, twins: &Twins<'a>) -> Self {
        let mut tools = BTreeMap::new();
        for tool in &looked.audit.tools {
            if let Kind::Mcp { server } = &tool.kind {
                *tools.entry(&**server).or_default() += 1;
            }
        }
        let mut common = BTreeMap::new();
        for twins in twins.values() {
            let servers: BTreeSet<&str> = twins.iter().map(|(server, _)| *server).collect();
            let servers = || servers.iter().take(MOST_SERVERS);
            for one in servers() {
                let others = servers().filter(|other| *other != one);
                for other in others {
                    *common.entry((*one, *other)).or_default() += 1;
                }
            }
        }
        Self { tools, common }
    }

    /// Servers of different programs may share one trivial tool; two of them, or all that one has, are no accident.
    fn are_one(&self, one: &str, other: &str) -> bool {
        let common = self.common.get(&(one, other)).copied().unwrap_or(0);
        let of = |server| self.tools.get(server).copied().unwrap_or(0);
        common >= 2 || (common > 0 && common >= of(one).min(of(other)))
    }
}

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let mut twins: Twins<'_> = BTreeMap::new();
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
    let alike = Alike::of(looked, &twins);
    let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for tools in twins.values() {
        let mut servers: Vec<&str> = tools.iter().map(|(server, _)| *server).collect();
        servers.sort_unstable();
        servers.dedup();
        servers.truncate(MOST_SERVERS);
        let all = servers.clone();
        servers.retain(|server| all.iter().any(|other| alike.are_one(server, other)));
        if servers.len() > 1 {
            let names = groups.entry(servers.clone()).or_default();
            let own = tools.iter().filter(|(server, _)| servers.contains(server));
            names.extend(own.map(|(_, name)| *name));
        }
    }
    let short = |names: &[&str]| -> Vec<String> {
        let short = names.iter().map(|name| Hazards::short(name));
        short.map(Cow::into_owned).collect()
    };
    for (servers, names) in groups {
        let message = format!(
            "the same tools under {}: {}",
            short(&servers).join(" and "),
            short(&names).join(", ")
        );
        found.tell(&short(&servers).join(", "), "/tools", message);
    }
}
