//! The audit of one request: what each tool is, why, what it costs, and what the gate says.

use super::GateFacts;
use super::rows::ModelRows;
use super::server_tools;
use super::{PartSums, ToolAudit, announced, findings, oddities, parts, pool, repairs};
use crate::data::{Data, Profile};
use crate::model::{
    Api, Chars, Count, Decision, Finding, GateTrace, Kind, Observed, Role, SEARCH_TOOLS, Shape,
    Source, State, Thread, Tokens,
};
use crate::rules::{self, Measured, Window, WindowInput};
use crate::session::{Catalog, Turn};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much of a request is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditDepth {
    /// Its tools: state, verdict, definition, price. All else of the audit is empty or unknown.
    Tools,
    /// Its parts and its gate too; no sections, no findings and nothing in words.
    Numbers,
    /// Everything.
    Whole,
}

/// What audits need besides a turn.
#[derive(Clone, Copy)]
pub struct AuditContext<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// The profile that was asked for.
    pub profile: Option<&'a Profile>,
    /// The profiles of the client versions in the captures, and `current`.
    pub by_version: &'a BTreeMap<String, Profile>,
    /// Every definition seen.
    pub catalog: &'a Catalog,
    /// The run's name.
    pub run: &'a str,
    /// A model given by flag, for what names none.
    pub model: Option<&'a str>,
    /// A window given by flag.
    pub context_window: Option<u64>,
    /// How much is asked for.
    pub depth: AuditDepth,
}

impl<'a> AuditContext<'a> {
    /// The profile of a turn: the one asked for, else that of its client's version, else the current one.
    ///
    /// # Panics
    /// Never: the pipeline fills in every version it meets.
    pub fn profile(&self, turn: &Turn) -> &'a Profile {
        if let Some(profile) = self.profile {
            return profile;
        }
        let version = turn.exchange.client_version().map(|version| &**version);
        let version = version
            .or(turn.settings.client_version.as_deref())
            .unwrap_or("current");
        let found = self
            .by_version
            .get(version)
            .or_else(|| self.by_version.get("current"));
        found.expect("the current profile is always there")
    }
}

/// One request, audited.
#[derive(Debug, Clone)]
pub struct Audit {
    /// What the request is for.
    pub role: Role,
    /// Its tools in the order sent, then the announced ones by name.
    pub tools: Vec<ToolAudit>,
    /// Tokens by part.
    pub parts: PartSums,
    /// The gate; of main requests.
    pub gate: Option<GateTrace>,
    /// What the gate was asked with, to ask it again.
    pub gate_facts: Option<GateFacts>,
    /// What the wire showed of tool search, in words.
    pub signs: Vec<String>,
    /// What the client mended, in words.
    pub repairs: Vec<String>,
    /// Announcements that hold, each in words.
    pub announcements: Vec<String>,
    /// Servers that were still connecting.
    pub pending_servers: Vec<Arc<str>>,
    /// The tool-use prompt.
    pub prelude: Count,
    /// What the API adds when tools are deferred.
    pub block: Count,
    /// What references cost beyond their definitions.
    pub extras: Count,
    /// Tools of the pool without a definition.
    pub unknown_definitions: u64,
    /// The request shows its tool list.
    pub pool_is_known: bool,
    /// What turning tool search on would add here: the search tool, where the catalog knows it, and the block.
    pub if_on: (Count, Count),
    /// The client's window in tokens.
    pub window: Option<u64>,
    /// What is worth telling.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// An audit that knows nothing but the tools.
    fn of_tools(turn: &Turn, tools: Vec<ToolAudit>, unknown_definitions: u64) -> Self {
        Self {
            role: turn.exchange.role(),
            tools,
            parts: PartSums::default(),
            gate: None,
            gate_facts: None,
            signs: Vec::new(),
            repairs: Vec::new(),
            announcements: Vec::new(),
            pending_servers: Vec::new(),
            prelude: Count::UNKNOWN,
            block: Count::UNKNOWN,
            extras: Count::UNKNOWN,
            unknown_definitions,
            pool_is_known: turn.exchange.request().is_none_or(pool::list_is_known),
            if_on: (Count::UNKNOWN, Count::UNKNOWN),
            window: None,
            findings: Vec::new(),
        }
    }

    /// Does the wire show tool search on?
    pub(super) fn signs_on(&self) -> bool {
        self.gate
            .as_ref()
            .is_some_and(|gate| gate.observed == Observed::On)
    }
}

/// Audits one turn.
pub fn audit(turn: &Turn, context: &AuditContext<'_>) -> Audit {
    let id = context
        .model
        .or(turn.exchange.model().map(|model| &**model));
    let model = id.and_then(|id| context.data.models.get(id));
    let rows = ModelRows {
        model,
        family: id.and_then(|id| context.data.models.family_of_id(id)),
    };
    let (mut tools, unknown_definitions) = pool::pool(turn, context);
    server_tools::fill(&mut tools, rows, &context.data.models);
    if context.depth == AuditDepth::Tools {
        return Audit::of_tools(turn, tools, unknown_definitions);
    }
    let prelude = parts::prelude(turn, rows);
    let block = parts::block(turn, rows);
    let whole = context.depth == AuditDepth::Whole;
    let mut parts = parts::parts(turn, &tools, prelude, block, rows);
    if whole {
        parts.sections = parts::sections(turn, &tools, rows);
    }
    let extras = parts::reference_extras(&tools, rows);
    let if_on = (pool::search_tool(turn, &tools, context), rows.blocks(1));
    let window = context
        .context_window
        .or_else(|| rules::known_window(id?, window_input(turn, context), context.data));
    let mut audit = Audit {
        parts,
        pending_servers: repairs::pending(turn).unwrap_or_default(),
        prelude,
        block,
        extras,
        if_on,
        window,
        ..Audit::of_tools(turn, tools, unknown_definitions)
    };
    if whole {
        audit.repairs = repairs::words(turn);
        audit.announcements = announced::words(turn);
        if let Some(request) = turn.exchange.request() {
            audit.findings.clone_from(&request.findings);
            audit.findings.extend(oddities::findings(request));
        }
    }
    if audit.role == Role::Main {
        gate(turn, context, id, &mut audit);
        if whole {
            findings::add(turn, context, id, &mut audit);
        }
    }
    audit
}

/// What decides the client's window for a turn, besides the model.
fn window_input<'a>(turn: &'a Turn, context: &AuditContext<'a>) -> WindowInput<'a> {
    let request = turn.exchange.request();
    WindowInput {
        settings: &turn.settings,
        url_first_party: request.and_then(|request| request.first_party),
        wire_provider: request.and_then(|request| request.wire.provider.as_deref()),
        profile: context.profile(turn),
    }
}

/// What of a turn tells whether tool search was on.
fn signs<'t>(turn: &Turn, tools: &'t [ToolAudit]) -> rules::Signs<'t> {
    let request = turn.exchange.request();
    let sent = |tool: &&ToolAudit| tool.state != State::Announced;
    let count =
        |of: &dyn Fn(&ToolAudit) -> bool| tools.iter().filter(sent).filter(|tool| of(tool)).count();
    rules::Signs {
        search_tool: SEARCH_TOOLS
            .iter()
            .find_map(|name| tools.iter().filter(sent).find(|tool| &*tool.name == *name))
            .map(|tool| &*tool.name),
        api_search_tool: count(&|t| {
            matches!(t.kind, Kind::Server { .. }) && t.kind.is_search(&t.name)
        }) > 0,
        placeholder: count(&|t| t.state == State::Placeholder) > 0,
        flagged: count(&|t| {
            t.index.is_some() && matches!(t.state, State::Deferred | State::Discovered)
        }),
        announced: tools
            .iter()
            .filter(|tool| tool.state == State::Announced)
            .count(),
        mcp_loaded: count(&|t| t.state == State::Loaded && t.kind.server().is_some()),
        wait_tool: count(&|t| &*t.name == rules::WAIT_TOOL) > 0,
        continues: request.is_some_and(|request| request.thread == Thread::Continue),
        told: request.is_some_and(|request| {
            request.thread == Thread::Told && request.tools.shape != Shape::List
        }),
    }
}

fn gate(turn: &Turn, context: &AuditContext<'_>, id: Option<&str>, audit: &mut Audit) {
    let request = turn.exchange.request();
    let (observed, words) = rules::observed(&signs(turn, &audit.tools));
    audit.signs = words;
    let deferrable: Vec<&ToolAudit> = audit
        .tools
        .iter()
        .filter(|tool| tool.verdict.decision == Decision::Defer)
        .collect();
    let known: Vec<Chars> = deferrable
        .iter()
        .filter_map(|tool| tool.definition.as_ref())
        .map(|(d, _)| d.sizes.chars)
        .collect();
    // A tool whose flag is in no table may belong to the sum as well.
    let unknown_verdicts = audit
        .tools
        .iter()
        .filter(|tool| tool.verdict.decision == Decision::Unknown);
    let unknown_verdicts = unknown_verdicts.count() as u64;
    let whole = known.len() == deferrable.len()
        && unknown_verdicts == 0
        && request.is_some_and(|request| request.thread == Thread::Whole)
        && audit.pool_is_known;
    // Counts without definitions say nothing of characters; that is not a sum of zero.
    let nothing_known = known.is_empty() && !deferrable.is_empty();
    let chars = known.into_iter().fold(Chars(0), std::ops::Add::add);
    let tokens: Vec<Tokens> = deferrable
        .iter()
        .filter_map(|tool| tool.size.tokens)
        .collect();
    let exact = deferrable
        .iter()
        .all(|tool| tool.size.source <= Source::Reconstructed)
        && whole;
    let sum = tokens.iter().copied().fold(Tokens(0), std::ops::Add::add);
    let measured = Measured {
        api_count: None,
        net: (exact && !deferrable.is_empty()).then_some(sum),
        estimate: (!tokens.is_empty()).then_some(sum),
        chars: (!nothing_known).then_some(chars),
        at_least: !whole,
    };
    let assumed = audit.window.or_else(|| {
        Some(rules::gate_window(
            id?,
            window_input(turn, context),
            context.data,
        ))
    });
    let window = match (context.context_window, assumed) {
        (Some(window), _) => Window::Known(window),
        (None, Some(window)) => Window::Assumed(window),
        (None, None) => Window::Missing,
    };
    let facts = GateFacts {
        settings: Arc::clone(&turn.settings),
        api: request.map_or(Api::Messages, |request| request.wire.api),
        wire_provider: request.and_then(|request| request.wire.provider.clone()),
        url_first_party: request.and_then(|request| request.first_party),
        model: id.map(str::to_owned),
        window,
        search_tool: audit
            .tools
            .iter()
            .any(|tool| tool.kind.is_search(&tool.name)),
        deferrable: audit.pool_is_known.then_some(deferrable.len() as u64),
        unknown_verdicts,
        pending_servers: repairs::pending(turn).map(|servers| servers.len() as u64),
        measured,
        observed,
    };
    audit.gate = Some(facts.ask(context.profile(turn)));
    audit.gate_facts = Some(facts);
}
