//! Deferring by server instead of by tool, replayed on the recorded discoveries: the first discovery of a server's
//! tool would have brought all of them, and later ones would have needed no search.

use super::observed::{Session, Step};
use super::{less, ratio};
use crate::model::State;
use crate::summary::RunSummary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Both grains, on the same sessions.
#[derive(Debug, Clone, Serialize)]
pub struct Granularity {
    /// Sessions with a discovery.
    pub sessions: u64,
    /// Tools that were discovered, a session each.
    pub discovered_tools: u64,
    /// Servers they belong to.
    pub servers: Vec<String>,
    /// As it was recorded.
    pub by_tool: Grain,
    /// With whole servers.
    pub by_server: Grain,
    /// Tokens of the searches that would not have been needed: their prompts, and what they left in later ones.
    pub search_tokens_spared: Option<u64>,
    /// by server less by tool, less what is spared; above 0 deferring by tool is cheaper.
    pub net: Option<i64>,
    /// The net over the definitions that were paid by tool.
    pub net_share: Option<f64>,
}

/// One grain.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Grain {
    /// Tokens of discovered definitions, over all requests that held them; null where a size is not known.
    pub definitions: Option<u64>,
    /// Requests that exist for a search.
    pub search_turns: u64,
}

/// The servers of tools; a tool without one is a server of its own.
struct Servers<'s>(BTreeMap<&'s str, &'s str>);

impl<'s> Servers<'s> {
    fn of(summary: &'s RunSummary) -> Self {
        let tools = summary
            .tools
            .values()
            .filter_map(|totals| totals.first.as_ref());
        let pairs = tools.filter_map(|(_, tool)| Some((&*tool.name, &**tool.kind.server()?)));
        Self(pairs.collect())
    }

    fn get<'n>(&self, name: &'n str) -> &'n str
    where
        's: 'n,
    {
        self.0.get(name).copied().unwrap_or(name)
    }
}

/// What is added up over sessions; absent once a size is not known.
struct Sums {
    by_tool: Option<u64>,
    by_server: Option<u64>,
    spared: Option<u64>,
    searches: u64,
    searches_spared: u64,
}

/// Replays it; `None` where nothing was discovered.
pub(super) fn granularity(summary: &RunSummary, sessions: &[Session<'_>]) -> Option<Granularity> {
    let servers = Servers::of(summary);
    let mut sums = Sums {
        by_tool: Some(0),
        by_server: Some(0),
        spared: Some(0),
        searches: 0,
        searches_spared: 0,
    };
    let (mut found, mut named, mut of) = (0, BTreeSet::new(), 0);
    for session in sessions {
        let names = session.steps.iter().flat_map(|step| &step.turn.found);
        let names: BTreeSet<&str> = names.map(|found| &*found.name).collect();
        if names.is_empty() {
            continue;
        }
        of += 1;
        found += names.len() as u64;
        let of_servers = names.iter().filter_map(|name| servers.0.get(name));
        named.extend(of_servers.map(|server| (*server).to_owned()));
        replay(session, &servers, &mut sums);
    }
    let net = sums.by_server.zip(sums.by_tool).zip(sums.spared);
    let net = net.map(|((server, tool), spared)| less(server, tool.saturating_add(spared)));
    (of > 0).then(|| Granularity {
        sessions: of,
        discovered_tools: found,
        servers: named.into_iter().collect(),
        by_tool: Grain {
            definitions: sums.by_tool,
            search_turns: sums.searches,
        },
        by_server: Grain {
            definitions: sums.by_server,
            search_turns: sums.searches - sums.searches_spared,
        },
        search_tokens_spared: sums.spared,
        net,
        net_share: net
            .zip(sums.by_tool)
            .and_then(|(net, tool)| ratio(i128::from(net), u128::from(tool))),
    })
}

/// One session: request by request, with the servers that are there already.
fn replay(session: &Session<'_>, servers: &Servers<'_>, sums: &mut Sums) {
    let mut there: BTreeSet<&str> = BTreeSet::new();
    let mut left_out = Some(0);
    for step in &session.steps {
        let tools = tokens_found(step);
        sums.by_tool = add(sums.by_tool, tools);
        // A search is not needed where all that it found is there with its server.
        let known = |name: &&str| there.contains(servers.get(name));
        let spare = step.is_search() && !step.new.is_empty() && step.new.iter().all(known);
        let brought = step.turn.found.iter().map(|found| servers.get(&found.name));
        there.extend(brought);
        sums.searches += u64::from(step.is_search());
        if spare {
            sums.searches_spared += 1;
            // Its definitions stand among those by tool already.
            let prompt = step.prompt().zip(tools);
            let prompt = prompt.map(|(prompt, tools)| prompt.saturating_sub(tools));
            sums.spared = add(sums.spared, prompt);
            left_out = add(left_out, step.searched);
            continue;
        }
        // A compaction takes searches out of the history.
        let history = step.turn.savings.calls.merge(step.turn.savings.extras);
        left_out = left_out.map(|left: u64| left.min(history.tokens.0));
        sums.spared = add(sums.spared, left_out);
        sums.by_server = add(sums.by_server, tokens_of_servers(step, servers));
    }
}

fn add(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.zip(b).map(|(a, b)| a.saturating_add(b))
}

/// Definitions that the request holds by discovery.
fn tokens_found(step: &Step<'_>) -> Option<u64> {
    let sizes = step.turn.found.iter().map(|found| found.size.tokens);
    sizes.map(|tokens| tokens.map(|tokens| tokens.0)).sum()
}

/// All definitions that can be deferred of the servers of these. After a compaction those that were not kept are gone.
fn tokens_of_servers(step: &Step<'_>, servers: &Servers<'_>) -> Option<u64> {
    let found = step.turn.found.iter();
    let there: BTreeSet<&str> = found.map(|found| servers.get(&found.name)).collect();
    let tools = step.row.tools.iter();
    let brought =
        tools.filter(|tool| tool.state != State::Loaded && there.contains(servers.get(&tool.name)));
    brought
        .map(|tool| tool.size.tokens.map(|tokens| tokens.0))
        .sum()
}
