//! A server is loaded in every request of a run, and none of its tools was called.

use super::{Check, Found, Lint, OfRun};
use crate::model::{Kind, Level, State};
use std::collections::BTreeMap;

pub(super) const LINT: Lint = Lint {
    code: "never-called",
    level: Level::Info,
    what: "a server is loaded in every request of a run, and none of its tools was called",
    why: "its definitions are paid for in each request",
    cure: "deny or remove the server, or defer it",
    source: "issue reports",
    check: Check::Run(check),
};

/// Of fewer requests nothing can be said.
const REQUESTS: u64 = 3;

fn check(run: &OfRun<'_>, found: &mut Found<'_>) {
    let summary = run.summary;
    if summary.requests < REQUESTS {
        return;
    }
    let calls = summary.calls();
    let mut servers: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for totals in summary.tools.values() {
        let Some((_, tool)) = &totals.first else {
            continue;
        };
        let Kind::Mcp { server } = &tool.kind else {
            continue;
        };
        let (tools, called, paid) = servers.entry(server).or_default();
        *called += calls.get(&*tool.name).copied().unwrap_or(0);
        // What a search put into the prompt is that search's price.
        let searched = totals.discovered_at.is_some() && tool.state != State::Loaded;
        if totals.turns == 0 || searched {
            continue;
        }
        *tools += 1;
        *paid += tool.size.tokens.map_or(0, |tokens| tokens.0) * totals.turns;
    }
    for (server, (tools, called, paid)) in servers {
        if called == 0 && tools > 0 && paid > 0 {
            let message = format!(
                "{tools} tools loaded, none called in {} requests, {paid} tokens of definitions paid",
                summary.requests
            );
            found.tell(server, "", message);
        }
    }
}
