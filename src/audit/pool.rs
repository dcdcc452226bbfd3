//! Every tool of a request with its state, its verdict, its definition and its price.

use super::AuditContext;
use super::{counted, prompted};
use crate::model::{
    Announcement, Api, Count, DeferFlag, Definition, Exchange, Kind, PLACEHOLDER, Parts,
    ReferenceHow, RequestFacts, SEARCH_TOOLS, Shape, State, Sum, Thread, ToolEntry, Verdict,
};
use crate::rules::{self, verdict};
use crate::session::{Provenance, Seeker, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One tool of one request.
#[derive(Debug, Clone)]
pub struct ToolAudit {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub kind: Kind,
    /// Its place in the list, where it was sent.
    pub index: Option<usize>,
    /// What the wire shows.
    pub state: State,
    /// What the rules say.
    pub verdict: Verdict,
    /// Its definition and where that was found.
    pub definition: Option<(Arc<Definition>, Provenance)>,
    /// Tokens of the definition.
    pub size: Count,
    /// Tokens this request pays for it.
    pub in_prompt: Count,
    /// Tokens by part, where the counter told them.
    pub parts: Option<Parts>,
    /// How it was discovered.
    pub discovered: Option<(&'static str, u64)>,
    /// A cache breakpoint stands on it.
    pub cache_mark: bool,
    /// A reference in this body stands for it.
    pub referenced: bool,
    /// Bytes of its entry in the list, as captured.
    pub bytes: Option<u64>,
    /// Characters and bytes of its description, as a source counted them; of definitions the first is known.
    pub description: (Option<u64>, Option<u64>),
}

impl ToolAudit {
    /// A short hash of its definition, good within one process.
    pub(super) fn content(&self) -> u64 {
        let id = self
            .definition
            .as_ref()
            .map(|(definition, _)| definition.id.0);
        let [low, high] =
            [0, 64].map(|shift| (id.unwrap_or_default() >> shift) & u128::from(u64::MAX));
        u64::try_from(low ^ high).unwrap_or_default()
    }
}

/// The tools of a turn, and how many of them have no definition anywhere.
pub(super) fn pool(turn: &Turn, context: &AuditContext<'_>) -> (Vec<ToolAudit>, u64) {
    let mut tools = match &turn.exchange {
        Exchange::Captured(..) => captured(turn, context),
        Exchange::CountsOnly(counts) => counted::counted(turn, counts, context),
    };
    if let Exchange::Captured(_, Some(counts)) = &turn.exchange {
        let sizes = counted::recorded_sizes(counts, context);
        // What stands as text is no tool that was counted.
        for tool in tools.iter_mut().filter(|tool| !tool.kind.is_prompted()) {
            if let Some(&recorded) = sizes.get(&*tool.name) {
                tool.size = recorded;
                tool.parts = None;
                if matches!(tool.state, State::Loaded | State::Discovered) {
                    tool.in_prompt = recorded;
                }
            }
        }
    }
    // Tools of the API's own have no definition to find, and a search tool is no part of the pool.
    let unknown = |tool: &&ToolAudit| {
        let findable = !matches!(tool.kind, Kind::Server { .. } | Kind::Placeholder);
        findable && !tool.kind.is_search(&tool.name) && tool.size.tokens.is_none()
    };
    let mut unknown_definitions = tools.iter().filter(unknown).count() as u64;
    if let Exchange::CountsOnly(_) = turn.exchange
        && tools.iter().any(|tool| tool.state == State::Placeholder)
    {
        // Tools are deferred, and the counts do not say which: at least one is not known.
        unknown_definitions = unknown_definitions.max(1);
    }
    (tools, unknown_definitions)
}

fn captured(turn: &Turn, context: &AuditContext<'_>) -> Vec<ToolAudit> {
    let Some(request) = turn.exchange.request() else {
        return Vec::new();
    };
    let own_version = turn.exchange.client_version().map(|v| &**v);
    let version = own_version.or(turn.settings.client_version.as_deref());
    let seeker = Seeker {
        run: context.run,
        session: turn.session,
        client_version: version,
    };
    let referenced: BTreeSet<&str> = request.references.iter().map(|r| &*r.name).collect();
    let mut tools: Vec<ToolAudit> = request
        .tools
        .tools
        .iter()
        .map(|entry| {
            let state = state(entry, turn);
            let own = entry
                .definition
                .clone()
                .map(|definition| (definition, Provenance::Own));
            // A bare name (some logs keep no more) may be defined elsewhere; a server tool is not.
            let found = own.or_else(|| {
                let findable = entry.server_type.is_none() && !entry.name.is_empty();
                findable.then(|| context.catalog.find(&entry.name, seeker))?
            });
            let mut tool = tool(&entry.name, Some(entry), state, found, turn, context);
            let before = || turn.discovered.referenced(&entry.name);
            tool.referenced =
                referenced.contains(&*entry.name) || (request.thread.goes_on() && before());
            tool.discovered = turn.discovered.get(&entry.name).map(|d| (d.how, d.turn));
            tool
        })
        .collect();
    // Definitions that stand in the messages: found by a search of the client's, or added later. The last counts.
    for entry in &request.wire.inline {
        let own = entry
            .definition
            .clone()
            .map(|definition| (definition, Provenance::Own));
        let mut found = tool(
            &entry.name,
            Some(entry),
            State::Discovered,
            own,
            turn,
            context,
        );
        found.referenced = true;
        found.discovered = turn.discovered.get(&entry.name).map(|d| (d.how, d.turn));
        match tools.iter_mut().find(|tool| tool.name == entry.name) {
            Some(known) if known.state == State::Loaded => {}
            Some(known) => {
                (found.index, found.bytes) = (known.index, known.bytes);
                *known = found;
            }
            None => {
                (found.index, found.bytes) = (None, None);
                tools.push(found);
            }
        }
    }
    // Where the list is in an earlier request, what was discovered there is in the conversation all the same.
    if request.thread.goes_on() && !list_is_known(request) {
        let known: BTreeSet<Arc<str>> = tools.iter().map(|tool| Arc::clone(&tool.name)).collect();
        let found = turn.discovered.iter();
        for (name, discovery) in found.filter(|(name, _)| !known.contains(*name)) {
            let definition = context.catalog.find(name, seeker);
            let mut found = tool(name, None, State::Discovered, definition, turn, context);
            found.discovered = Some((discovery.how, discovery.turn));
            found.referenced = turn.discovered.referenced(name);
            tools.push(found);
        }
    }
    // Tools that were added by a reference alone: their definitions are elsewhere, or the API's.
    for reference in &request.references {
        let unseen = || tools.iter().all(|tool| tool.name != reference.name);
        if reference.how == ReferenceHow::Addition && unseen() {
            let found = context.catalog.find(&reference.name, seeker);
            let mut added = tool(
                &reference.name,
                None,
                State::Discovered,
                found,
                turn,
                context,
            );
            added.referenced = true;
            added.discovered = turn
                .discovered
                .get(&reference.name)
                .map(|d| (d.how, d.turn));
            tools.push(added);
        }
    }
    prompted::add(&mut tools, request, turn, context);
    let sent: BTreeSet<Arc<str>> = tools.iter().map(|tool| Arc::clone(&tool.name)).collect();
    let announced = announced(turn.carried.iter().chain(&request.announcements));
    let announced = announced.into_iter().filter(|name| !sent.contains(*name));
    tools.extend(announced.map(|name| {
        tool(
            name,
            None,
            State::Announced,
            context.catalog.find(name, seeker),
            turn,
            context,
        )
    }));
    tools
}

/// The names that still hold after all announcements, in their order: one that is taken back is gone, and one that
/// is announced again is back. A tool that is loaded now is not taken back (seeds 000 and 003): it is in the list.
fn announced<'a>(
    announcements: impl Iterator<Item = &'a Arc<Announcement>>,
) -> BTreeSet<&'a Arc<str>> {
    let mut names = BTreeSet::new();
    for announcement in announcements {
        // A name in both was away and is back.
        for name in &announcement.removed {
            names.remove(name);
        }
        names.extend(&announcement.names);
    }
    names
}

/// Tokens of the search tool: in the list, else as the catalog knows it.
pub(super) fn search_tool(turn: &Turn, tools: &[ToolAudit], context: &AuditContext<'_>) -> Count {
    if let Some(tool) = tools.iter().find(|tool| tool.kind.is_search(&tool.name)) {
        return tool.size;
    }
    let version = turn
        .exchange
        .client_version()
        .map(|v| &**v)
        .or(turn.settings.client_version.as_deref());
    let seeker = Seeker {
        run: context.run,
        session: turn.session,
        client_version: version,
    };
    let found = SEARCH_TOOLS
        .iter()
        .find_map(|name| context.catalog.find(name, seeker));
    found.map_or(Count::UNKNOWN, |(definition, _)| definition.tokens.count)
}

/// What the wire shows of a tool that was sent.
fn state(entry: &ToolEntry, turn: &Turn) -> State {
    if &*entry.name == PLACEHOLDER {
        return State::Placeholder;
    }
    match (
        entry.flags.defer.defers(),
        turn.discovered.get(&entry.name).is_some(),
    ) {
        (false, _) => State::Loaded,
        (true, true) => State::Discovered,
        (true, false) => State::Deferred,
    }
}

pub(super) fn tool(
    name: &Arc<str>,
    entry: Option<&ToolEntry>,
    state: State,
    definition: Option<(Arc<Definition>, Provenance)>,
    turn: &Turn,
    context: &AuditContext<'_>,
) -> ToolAudit {
    let kind = rules::kind(name, entry, &context.data.builtins);
    let builtin = context.data.builtins.get(name);
    let server = kind
        .server()
        .and_then(|server| turn.settings.always_load.get(&**server).copied());
    let always_load = rules::always_load(
        context.catalog.always_load(name),
        server,
        context.profile(turn),
    );
    let api = turn.exchange.request().map(|request| request.wire.api);
    let asked = entry.map(|entry| entry.flags.defer);
    let by_request = match kind {
        // The checklist is about the client's tools; sets of the API's own carry their flag themselves.
        _ if kind.is_search(name) => false,
        _ if matches!(api, Some(Api::Responses | Api::ChatCompletions)) => true,
        Kind::Server { .. } => asked.is_some_and(|flag| flag != DeferFlag::Absent),
        _ => false,
    };
    let verdict = match asked {
        // What a search put into the messages was deferred before.
        Some(_) if by_request && state == State::Discovered => {
            rules::requested(DeferFlag::True { wrapped: false })
        }
        Some(flag) if by_request => rules::requested(flag),
        _ => verdict(&rules::Context {
            name,
            kind: &kind,
            builtin,
            always_load,
        }),
    };
    let (size, parts) = definition
        .as_ref()
        .map_or((Count::UNKNOWN, None), |(d, _)| {
            (d.tokens.count, d.tokens.parts)
        });
    let in_prompt = match state {
        State::Loaded | State::Discovered => size,
        State::Deferred if api == Some(Api::Responses) => {
            let stub = entry.and_then(|entry| entry.stub);
            stub.unwrap_or_else(Count::nothing)
        }
        // A name is paid with the announcement, the placeholder with the deferral block.
        State::Deferred | State::Announced | State::Placeholder => Count::nothing(),
    };
    let description = definition
        .as_ref()
        .and_then(|(definition, _)| definition.sizes.description);
    ToolAudit {
        name: Arc::clone(name),
        kind,
        index: entry.map(|entry| entry.index),
        state,
        verdict,
        definition,
        size,
        in_prompt,
        parts,
        discovered: None,
        cache_mark: entry.is_some_and(|entry| entry.flags.cache_control),
        referenced: false,
        bytes: entry.and_then(|entry| entry.bytes),
        description: (description.map(|chars| chars.0), None),
    }
}

/// Does the request show its tool list? It does not where the list is no list, or where a continued thread
/// leaves it to an earlier request.
pub(super) fn list_is_known(request: &RequestFacts) -> bool {
    match request.thread {
        Thread::Whole => request.tools.shape != Shape::Other,
        Thread::Continue => request.tools.shape != Shape::Other && !request.tools.tools.is_empty(),
        // Definitions of deferred tools alone are no list.
        Thread::Told => request.tools.shape == Shape::List,
    }
}

/// Definitions in the messages that no row stands for: a second copy, or one of a tool that is loaded anyway.
pub(super) fn further_copies(request: &RequestFacts, tools: &[ToolAudit]) -> Sum {
    let mut last: BTreeMap<&str, &ToolEntry> = BTreeMap::new();
    let mut copies = Sum::default();
    let size = |entry: &ToolEntry| match &entry.definition {
        Some(definition) => definition.tokens.count,
        None => Count::UNKNOWN,
    };
    for entry in &request.wire.inline {
        if let Some(before) = last.insert(&entry.name, entry) {
            copies.add(size(before));
        }
    }
    let listed = |tool: &&ToolAudit| tool.state == State::Loaded && !tool.kind.is_prompted();
    for tool in tools.iter().filter(listed) {
        if let Some(entry) = last.get(&*tool.name) {
            copies.add(size(entry));
        }
    }
    copies
}

/// What deferred tools show in the list all the same (OpenAI's functions).
fn stubs(tools: &[ToolAudit]) -> Sum {
    let shown = tools
        .iter()
        .filter(|tool| tool.state == State::Deferred && tool.in_prompt != Count::nothing());
    shown.map(|tool| tool.in_prompt).collect()
}

/// Tokens of all loaded definitions. Where the list could not be read, or counts name no tool, nobody knows.
pub(super) fn loaded(turn: &Turn, tools: &[ToolAudit]) -> Sum {
    let listed = |tool: &&ToolAudit| tool.state == State::Loaded && !tool.kind.is_prompted();
    let loaded = tools.iter().filter(listed);
    let loaded: Sum = loaded.map(|tool| tool.size).collect();
    let loaded = loaded.merge(stubs(tools));
    let known = match &turn.exchange {
        Exchange::Captured(request, _) => list_is_known(request),
        Exchange::CountsOnly(_) => loaded != Sum::default(),
    };
    if known {
        loaded
    } else {
        loaded.merge(Count::UNKNOWN.into())
    }
}
