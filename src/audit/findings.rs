//! What an audit is worth telling: where wire and rules disagree, and what a number lacks.

use super::reconcile;
use super::{Audit, AuditContext, ToolAudit};
use crate::model::{
    CountedBy, Decision, Finding, Kind, Level, Observed, Origin, RequestFacts, State, Thread,
};
use crate::session::{Provenance, Turn};

/// Adds the findings of a main request.
pub(super) fn add(turn: &Turn, context: &AuditContext<'_>, id: Option<&str>, audit: &mut Audit) {
    let mut told = Told {
        origin: turn.exchange.origin(),
        found: Vec::new(),
    };
    if audit
        .gate
        .as_ref()
        .is_some_and(|gate| gate.observed == Observed::On)
    {
        audit
            .tools
            .iter()
            .for_each(|tool| against_rules(tool, &mut told));
    }
    gate(audit, &mut told);
    definitions(turn, context, audit, &mut told);
    model(context, id, &mut told);
    if let Some(request) = turn.exchange.request() {
        body(turn, request, audit, &mut told);
        super::wire::add(turn, request, context.data, audit, &mut told);
    }
    counts(turn, audit, &mut told);
    let found = told.found;
    audit.findings.extend(found);
}

/// Findings of one request on their way.
pub(super) struct Told<'a> {
    origin: &'a Origin,
    found: Vec<Finding>,
}

impl Told<'_> {
    /// Adds one: code and level, subject and pointer, what is so, what to do.
    pub(super) fn tell(
        &mut self,
        (code, level): (&'static str, Level),
        (subject, pointer): (&str, String),
        message: String,
        help: &str,
    ) {
        let (origin, subject, help) = (self.origin.clone(), subject.to_owned(), help.to_owned());
        self.found.push(Finding {
            code,
            level,
            message,
            origin,
            pointer,
            subject,
            help,
        });
    }
}

fn pointer(tool: &ToolAudit) -> String {
    tool.index
        .map(|index| format!("/tools/{index}"))
        .unwrap_or_default()
}

fn against_rules(tool: &ToolAudit, told: &mut Told<'_>) {
    let rule = tool.verdict.rule;
    match (tool.verdict.decision, tool.state) {
        (Decision::Defer, State::Loaded) => {
            let message = format!(
                "loaded although tool search is on and the rules defer it ({rule}). It may be marked \
                 alwaysLoad (on the tool or its server), or the client may treat it otherwise in this version"
            );
            let help = "look for alwaysLoad in the server's settings and in the tool's _meta";
            told.tell(
                ("loaded-against-rules", Level::Warn),
                (&tool.name, pointer(tool)),
                message,
                help,
            );
        }
        (Decision::Load, State::Deferred | State::Announced | State::Discovered) => {
            let message = format!(
                "deferred although the rules load it ({rule}). A plugin may have deferred it, or the client's \
                 table may differ in this version"
            );
            let help = "look for a plugin that changes built-in tools";
            told.tell(
                ("deferred-against-rules", Level::Info),
                (&tool.name, pointer(tool)),
                message,
                help,
            );
        }
        _ => {}
    }
}

fn gate(audit: &Audit, told: &mut Told<'_>) {
    let Some(gate) = &audit.gate else { return };
    let differs = match (gate.enabled, gate.observed) {
        (Some(true), Observed::Off) => "the rules turn tool search on, the wire shows it off",
        (Some(false), Observed::On) => "the rules turn tool search off, the wire shows it on",
        _ => return,
    };
    let message = format!("{differs}; decided by {}", gate.decided_by);
    let help = "check env, base_url and provider in toolcost.run.toml";
    told.tell(
        ("gate-differs", Level::Warn),
        (gate.decided_by, String::new()),
        message,
        help,
    );
}

fn definitions(turn: &Turn, context: &AuditContext<'_>, audit: &Audit, told: &mut Told<'_>) {
    let about = ("definitions", String::new());
    let unknown = audit.unknown_definitions;
    if unknown > 0 {
        let held = |tool: &&ToolAudit| tool.size.tokens.is_none() && tool.definition.is_none();
        let missing = audit.tools.iter().filter(held);
        let elsewhere = missing
            .filter(|tool| context.catalog.knows(&tool.name))
            .count();
        let version = turn
            .exchange
            .client_version()
            .map_or("unknown", |version| version);
        let tools = if unknown == 1 { "tool" } else { "tools" };
        let (message, help) = match elsewhere {
            0 => (
                format!(
                    "{unknown} {tools} of the pool without a definition in the input: what needs it is a lower bound"
                ),
                "give the definitions with --tools listing.json, or add one capture with ENABLE_TOOL_SEARCH=false",
            ),
            n => (
                format!(
                    "{unknown} {tools} of the pool without one certain definition; {n} are defined in other runs, \
                     of another client version than {version} or in several contents"
                ),
                "give the capture that fits with --tools",
            ),
        };
        told.tell(
            ("definitions-unknown", Level::Warn),
            about.clone(),
            message,
            help,
        );
    }
    for tool in &audit.tools {
        let paid = !matches!(tool.state, State::Deferred);
        if paid && matches!(tool.kind, Kind::Server { .. }) && tool.size.tokens.is_none() {
            let message =
                "a tool of the API's own: what it costs is not in the capture, so totals lack it";
            let help = "compare the recorded usage of requests with and without it";
            let code = ("server-tool-price-unknown", Level::Info);
            told.tell(code, (&tool.name, pointer(tool)), message.to_owned(), help);
        }
    }
    let foreign = |tool: &&ToolAudit| matches!(tool.definition, Some((_, Provenance::OtherRun)));
    let foreign = audit.tools.iter().filter(foreign).count();
    if foreign > 0 {
        let message =
            format!("{foreign} definitions were taken from another run of the same client version");
        let help = "none needed where the runs have one set-up";
        told.tell(
            ("definitions-from-another-run", Level::Info),
            about,
            message,
            help,
        );
    }
}

fn model(context: &AuditContext<'_>, id: Option<&str>, told: &mut Told<'_>) {
    let (subject, message) = match id {
        Some(id) if context.data.models.get(id).is_some() => return,
        Some(id) => (
            id,
            "no row in the table of models: prelude, frame and window are unknown",
        ),
        None => (
            "model",
            "no model captured: prelude, frame and window are unknown",
        ),
    };
    let help = "give --model, or --context-window";
    told.tell(
        ("model-unknown", Level::Info),
        (subject, "/model".to_owned()),
        message.to_owned(),
        help,
    );
}

fn body(turn: &Turn, request: &RequestFacts, audit: &Audit, told: &mut Told<'_>) {
    if request.thread == Thread::Continue {
        // The first of its session goes on from one that nobody captured.
        let message = match turn.turn {
            Some(1) => {
                "the body holds only what is new in its thread, and the request it goes on from is not here: tools, announcements and discoveries before it are not known"
            }
            _ => {
                "the body holds only what is new in its thread: tools and history are in earlier requests"
            }
        };
        let help = "capture the session from its start";
        told.tell(
            ("thread-continues", Level::Info),
            ("thread", "/thread".to_owned()),
            message.to_owned(),
            help,
        );
    }
    let uncounted = request.uncounted_messages + request.uncounted_system;
    if uncounted > 0 {
        let message = match (request.thread, uncounted) {
            (Thread::Told, 1) => "1 text that the client sent is not in the transcript".to_owned(),
            (Thread::Told, n) => {
                format!("{n} texts that the client sent are not in the transcript")
            }
            (_, 1) => {
                "1 block that no counter knows (image, document, running thought, unknown shape)"
                    .to_owned()
            }
            (_, n) => format!(
                "{n} blocks that no counter knows (images, documents, running thoughts, unknown shapes)"
            ),
        };
        let help = "trust the recorded usage where there is one";
        told.tell(
            ("blocks-uncounted", Level::Info),
            ("messages", "/messages".to_owned()),
            message,
            help,
        );
    }
    if turn.repeats {
        let message = "the same messages as the request before: a retry or a second copy; it is counted as a turn";
        told.tell(
            ("request-repeats", Level::Info),
            ("request", String::new()),
            message.to_owned(),
            "remove the copy",
        );
    }
    let referenced = |tool: &&ToolAudit| tool.state == State::Discovered && !tool.referenced;
    let silent = audit.tools.iter().filter(referenced).count();
    if silent > 0 {
        let message = match silent {
            1 => "1 discovered tool without a reference in this body: it is counted as paid, though the API may leave it out".to_owned(),
            n => format!("{n} discovered tools without a reference in this body: they are counted as paid, though the API may leave them out"),
        };
        let help = "compare with the recorded usage";
        told.tell(
            ("discovered-without-reference", Level::Info),
            ("tools", "/tools".to_owned()),
            message,
            help,
        );
    }
    if let Some((code, message, help)) = reconcile::residual(turn, audit) {
        told.tell((code, Level::Info), ("usage", String::new()), message, help);
    }
}

fn counts(turn: &Turn, audit: &Audit, told: &mut Told<'_>) {
    let Some(counts) = turn.exchange.counts() else {
        return;
    };
    let unknown = |tool: &ToolAudit| tool.size.tokens.is_none() && tool.state == State::Loaded;
    if counts.method == CountedBy::OneByOne && audit.tools.iter().any(unknown) {
        let message = "counted one by one, each number holds the prelude, whose size for this model is unknown";
        let help = "count by differences, or name a model whose prelude is known";
        told.tell(
            ("prelude-inside-counts", Level::Warn),
            ("counts", "/method".to_owned()),
            message.to_owned(),
            help,
        );
    }
}
