//! Reduce, second half: the audits of a run added up. Adding and merging are associative, with an identity.

mod findings;
mod histogram;
mod rows;
mod sizes;
mod turns;

pub use findings::Findings;
pub use histogram::{Bucket, Histogram, HistogramError};
pub use rows::{RequestRow, ToolSize};
pub use sizes::Sizes;
pub use turns::{Found, SharedTokens, TurnRow};

use crate::audit::{Audit, PartSums, ToolAudit};
use crate::model::{
    Finding, Origin, RequestFacts, Role, SearchCall, State, TranscriptFacts, Usage,
};
use crate::savings::{SavingSums, savings};
use crate::session::{Parents, Turn};
use findings::{join, note};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A recorded search, and the pool it looked in.
#[derive(Debug, Clone)]
pub struct Searched {
    /// Its rank in the run.
    pub rank: u64,
    /// The session.
    pub session: u64,
    /// The turn whose request shows its answer.
    pub turn: Option<u64>,
    /// The call.
    pub call: SearchCall,
    /// The tools of that request.
    pub tools: Arc<[ToolAudit]>,
}

/// A request in its run: its place in order, its audit, its savings.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its rank in the run; smaller is earlier.
    pub rank: u64,
    /// The audit.
    pub audit: Audit,
    /// Its savings.
    pub savings: SavingSums,
    /// The model.
    pub model: Option<Arc<str>>,
    /// Recorded usage.
    pub usage: Option<Usage>,
    /// Where it was read.
    pub origin: Origin,
}

/// A tool over a run. Two of one name in one list stay two: the key holds their order.
#[derive(Debug, Clone, Default)]
pub struct ToolTotals {
    /// Main requests whose prompt held its definition.
    pub turns: u64,
    /// The turn that discovered it.
    pub discovered_at: Option<u64>,
    /// The first request that knew it.
    pub first: Option<(u64, ToolAudit)>,
}

/// Which rows are kept beside the sums.
#[derive(Clone, Copy, Default)]
pub struct Rows<'p> {
    /// One for each request.
    pub by_request: bool,
    /// One for each turn too, by what is known of conversations.
    pub by_turn: Option<&'p dyn Parents>,
}

/// A run, added up.
#[derive(Debug, Clone, Default)]
pub struct RunSummary {
    /// Files.
    pub paths: BTreeSet<Arc<str>>,
    /// Main requests.
    pub requests: u64,
    /// Side requests by kind.
    pub sides: BTreeMap<&'static str, u64>,
    /// Requests of subagents.
    pub subagents: u64,
    /// Sessions with a main request.
    pub sessions: BTreeSet<u64>,
    /// Models of main requests.
    pub models: BTreeSet<Arc<str>>,
    /// Versions of the client.
    pub client_versions: BTreeSet<Arc<str>>,
    /// The first main request.
    pub first: Option<Placed>,
    /// The last main request.
    pub last: Option<Placed>,
    /// Parts of the main requests.
    pub total: PartSums,
    /// Savings of the main requests.
    pub savings: SavingSums,
    /// How large the main requests are, and the definitions in them.
    pub sizes: Sizes,
    /// Tools by name and order among those of one name.
    pub tools: BTreeMap<(Arc<str>, usize), ToolTotals>,
    /// Distinct answers of the gate: enabled and what decided.
    pub gates: BTreeSet<(Option<bool>, &'static str)>,
    /// Rows by request, where asked for.
    pub by_request: Vec<RequestRow>,
    /// Turns with what changed in them, where asked for; each has a row by request, too.
    pub by_turn: Vec<TurnRow>,
    /// Findings, of a code and subject the first, with how often it was seen.
    pub findings: Findings,
    /// What lints found, where they were asked.
    pub lints: Findings,
    /// Recorded searches with the tools that could be found, where texts are kept.
    pub searches: Vec<Searched>,
    /// Transcripts among its files, in the order of their paths.
    pub transcripts: Vec<TranscriptFacts>,
    /// Tools that anybody called: the conversation, a subagent, the last answer.
    pub called: BTreeSet<Arc<str>>,
    calls: BTreeMap<(u64, Arc<str>), Calls>,
}

/// Calls of one tool in one session. The history shrinks when it is compacted: what was counted stays.
#[derive(Debug, Clone, Copy, Default)]
struct Calls {
    settled: u64,
    seen: u64,
}

impl RunSummary {
    /// Nothing was added to it.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Adds what a transcript tells as a whole.
    pub fn add_transcript(&mut self, transcript: TranscriptFacts) {
        self.paths.insert(Arc::clone(&transcript.origin.path));
        self.transcripts.push(transcript);
    }

    /// Adds what lints found in a request.
    pub fn add_lints(&mut self, rank: u64, found: &[Finding]) {
        note(&mut self.lints, rank, found);
    }

    /// Adds one request. The requests of a session come in order.
    pub fn add(&mut self, rank: u64, turn: &Turn, audit: Audit, rows: Rows<'_>) {
        self.paths.insert(Arc::clone(&turn.exchange.origin().path));
        if let Some(counts) = turn.exchange.counts() {
            self.paths.insert(Arc::clone(&counts.origin.path));
        }
        self.client_versions
            .extend(turn.exchange.client_version().cloned());
        note(&mut self.findings, rank, &audit.findings);
        if let Some(request) = turn.exchange.request() {
            let calls = request.calls.iter().map(|(name, _)| name);
            self.called.extend(calls.chain(&request.answered).cloned());
        }
        if rows.by_request || rows.by_turn.is_some() {
            let row = rows::row(rank, turn, &audit, &self.by_request);
            self.by_request.push(row);
        }
        if let Some(parents) = rows.by_turn {
            self.by_turn.extend(turns::row(rank, turn, &audit, parents));
        }
        match audit.role {
            Role::Side(kind) => *self.sides.entry(kind).or_default() += 1,
            Role::Subagent => self.subagents += 1,
            Role::Main => self.add_main(rank, turn, audit),
        }
    }

    fn add_main(&mut self, rank: u64, turn: &Turn, audit: Audit) {
        self.requests += 1;
        self.sessions.insert(turn.session);
        self.models.extend(turn.exchange.model().cloned());
        self.total = std::mem::take(&mut self.total).merge(&audit.parts);
        self.sizes.add(&audit.parts);
        let savings = savings(turn, &audit);
        self.savings = self.savings.merge(&savings);
        if let Some(gate) = &audit.gate {
            self.gates.insert((gate.enabled, gate.decided_by));
        }
        self.add_tools(rank, &audit);
        if let Some(request) = turn.exchange.request() {
            self.add_calls(turn.session, request);
            self.add_searches(rank, turn, request, &audit);
        }
        let usage = turn.exchange.request().and_then(|request| request.usage);
        let placed = Placed {
            rank,
            audit,
            savings,
            model: turn.exchange.model().cloned(),
            usage,
            origin: turn.exchange.origin().clone(),
        };
        self.place(placed);
    }

    /// Notes the searches that were answered since the request before.
    fn add_searches(&mut self, rank: u64, turn: &Turn, request: &RequestFacts, audit: &Audit) {
        let mut tools: Option<Arc<[ToolAudit]>> = None;
        for call in request
            .search_calls
            .iter()
            .filter(|call| call.found.is_some())
        {
            let known =
                |known: &Searched| known.session == turn.session && known.call.id == call.id;
            if self.searches.iter().any(known) {
                continue;
            }
            let tools = tools.get_or_insert_with(|| audit.tools.clone().into());
            self.searches.push(Searched {
                rank,
                session: turn.session,
                turn: turn.turn,
                call: call.clone(),
                tools: Arc::clone(tools),
            });
        }
    }

    fn add_calls(&mut self, session: u64, request: &RequestFacts) {
        for (name, _) in &request.calls {
            self.calls.entry((session, Arc::clone(name))).or_default();
        }
        let seen: BTreeMap<&str, u64> = request
            .calls
            .iter()
            .map(|(name, n)| (&**name, *n))
            .collect();
        let first = (session, Arc::from(""));
        for ((_, name), calls) in self
            .calls
            .range_mut(first..)
            .take_while(|((of, _), _)| *of == session)
        {
            let now = seen.get(&**name).copied().unwrap_or(0);
            // A continued thread shows only what is new; a history that shrank was compacted.
            if request.thread.goes_on() || now < calls.seen {
                calls.settled += calls.seen;
            }
            calls.seen = now;
        }
    }

    fn place(&mut self, placed: Placed) {
        if self
            .last
            .as_ref()
            .is_none_or(|last| last.rank <= placed.rank)
        {
            self.last = Some(placed.clone());
        }
        if self
            .first
            .as_ref()
            .is_none_or(|first| first.rank > placed.rank)
        {
            self.first = Some(placed);
        }
    }

    fn add_tools(&mut self, rank: u64, audit: &Audit) {
        let mut seen: BTreeMap<&Arc<str>, usize> = BTreeMap::new();
        for tool in &audit.tools {
            let order = seen.entry(&tool.name).or_default();
            let totals = self
                .tools
                .entry((Arc::clone(&tool.name), *order))
                .or_default();
            *order += 1;
            totals.turns += u64::from(matches!(tool.state, State::Loaded | State::Discovered));
            if let Some((_, turn)) = tool.discovered {
                totals.discovered_at = Some(totals.discovered_at.map_or(turn, |at| at.min(turn)));
            }
            if totals.first.as_ref().is_none_or(|(first, _)| *first > rank) {
                totals.first = Some((rank, tool.clone()));
            }
        }
    }

    /// Calls over the run, by tool.
    pub fn calls(&self) -> BTreeMap<&str, u64> {
        let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
        for ((_, name), of_session) in &self.calls {
            *calls.entry(name).or_default() += of_session.settled + of_session.seen;
        }
        calls
    }

    /// Calls of one session, by tool.
    pub fn calls_in(&self, session: u64) -> BTreeMap<&str, u64> {
        let first = (session, Arc::from(""));
        let own = self.calls.range(first..);
        let own = own.take_while(|((of, _), _)| *of == session);
        own.map(|((_, name), calls)| (&**name, calls.settled + calls.seen))
            .collect()
    }

    /// Side requests of all kinds.
    pub fn side_requests(&self) -> u64 {
        self.sides.values().sum()
    }

    /// Joins two summaries of one run whose sessions differ.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.paths.extend(other.paths);
        self.requests += other.requests;
        for (kind, count) in other.sides {
            *self.sides.entry(kind).or_default() += count;
        }
        self.subagents += other.subagents;
        self.sessions.extend(other.sessions);
        self.models.extend(other.models);
        self.client_versions.extend(other.client_versions);
        for placed in [other.first, other.last].into_iter().flatten() {
            self.place(placed);
        }
        self.total = self.total.merge(&other.total);
        self.savings = self.savings.merge(&other.savings);
        self.sizes = self.sizes.merge(&other.sizes);
        for (key, theirs) in other.tools {
            let ours = self.tools.entry(key).or_default();
            ours.turns += theirs.turns;
            ours.discovered_at = [ours.discovered_at, theirs.discovered_at]
                .into_iter()
                .flatten()
                .min();
            let rank = |first: &Option<(u64, ToolAudit)>| {
                first.as_ref().map_or(u64::MAX, |(rank, _)| *rank)
            };
            if rank(&theirs.first) < rank(&ours.first) {
                ours.first = theirs.first;
            }
        }
        self.called.extend(other.called);
        self.gates.extend(other.gates);
        self.by_request.extend(other.by_request);
        self.by_request.sort_by_key(|row| row.rank);
        self.by_turn.extend(other.by_turn);
        self.by_turn.sort_by_key(|row| row.rank);
        join(&mut self.findings, other.findings);
        join(&mut self.lints, other.lints);
        self.searches.extend(other.searches);
        self.searches.sort_by_key(|searched| searched.rank);
        self.transcripts.extend(other.transcripts);
        self.transcripts
            .sort_by(|a, b| a.origin.path.cmp(&b.origin.path));
        for (key, theirs) in other.calls {
            let ours = self.calls.entry(key).or_default();
            ours.settled += theirs.settled;
            ours.seen += theirs.seen;
        }
        self
    }
}
