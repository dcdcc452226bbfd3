//! What an audit is worth telling: where wire and rules disagree, and what a number lacks.

use super::{Audit, AuditContext};
use crate::model::{CountedBy, Decision, Finding, Kind, Level, Observed, State, Thread};
use crate::session::{Provenance, Turn};

pub(super) fn add(
    turn: &Turn,
    context: &AuditContext<'_>,
    id: Option<&str>,
    unknown: u64,
    audit: &mut Audit,
) {
    let origin = turn.exchange.origin().clone();
    let mut found: Vec<Finding> = Vec::new();
    let mut tell = |code, level, subject: &str, pointer: String, message: String, help: &str| {
        let (origin, subject, help) = (origin.clone(), subject.to_owned(), help.to_owned());
        found.push(Finding {
            code,
            level,
            message,
            origin,
            pointer,
            subject,
            help,
        });
    };
    let on = audit
        .gate
        .as_ref()
        .is_some_and(|gate| gate.observed == Observed::On);
    for tool in audit.tools.iter().filter(|_| on) {
        let pointer = tool
            .index
            .map(|index| format!("/tools/{index}"))
            .unwrap_or_default();
        match (tool.verdict.decision, tool.state) {
            (Decision::Defer, State::Loaded) => {
                let message = format!(
                    "loaded although tool search is on and the rules defer it ({}). It may be marked alwaysLoad \
                     (on the tool or its server), or the client may treat it otherwise in this version",
                    tool.verdict.rule
                );
                tell(
                    "loaded-against-rules",
                    Level::Warn,
                    &tool.name,
                    pointer,
                    message,
                    "look for alwaysLoad in the server's settings and in the tool's _meta",
                );
            }
            (Decision::Load, State::Deferred | State::Announced | State::Discovered) => {
                let message = format!(
                    "deferred although the rules load it ({}). A plugin may have deferred it, or the client's table \
                     may differ in this version",
                    tool.verdict.rule
                );
                tell(
                    "deferred-against-rules",
                    Level::Info,
                    &tool.name,
                    pointer,
                    message,
                    "look for a plugin that changes built-in tools",
                );
            }
            _ => {}
        }
    }
    if let Some(gate) = &audit.gate {
        let differs = match (gate.enabled, gate.observed) {
            (Some(true), Observed::Off) => {
                Some("the rules turn tool search on, the wire shows it off")
            }
            (Some(false), Observed::On) => {
                Some("the rules turn tool search off, the wire shows it on")
            }
            _ => None,
        };
        if let Some(differs) = differs {
            let message = format!("{differs}; decided by {}", gate.decided_by);
            let help = "check env, base_url and provider in toolcost.run.toml";
            tell(
                "gate-differs",
                Level::Warn,
                gate.decided_by,
                String::new(),
                message,
                help,
            );
        }
    }
    if unknown > 0 {
        let message = match unknown {
            1 => {
                "a tool of the pool has no definition in the input: what needs it is a lower bound"
                    .to_owned()
            }
            n => format!(
                "{n} tools of the pool have no definition in the input: what needs them is a lower bound"
            ),
        };
        let help = "give the definitions with --tools listing.json, or add one capture with ENABLE_TOOL_SEARCH=false";
        tell(
            "definitions-unknown",
            Level::Warn,
            "definitions",
            String::new(),
            message,
            help,
        );
    }
    for tool in audit
        .tools
        .iter()
        .filter(|tool| matches!(tool.kind, Kind::Server { .. }) && tool.size.tokens.is_none())
    {
        let pointer = tool
            .index
            .map(|index| format!("/tools/{index}"))
            .unwrap_or_default();
        let message = "a tool of the API's own: what it costs is not in the capture, so totals are lower bounds".to_owned();
        tell(
            "server-tool-price-unknown",
            Level::Info,
            &tool.name,
            pointer,
            message,
            "compare the recorded usage of requests with and without it",
        );
    }
    let foreign = audit
        .tools
        .iter()
        .filter(|t| matches!(t.definition, Some((_, Provenance::OtherRun))))
        .count();
    if foreign > 0 {
        let message =
            format!("{foreign} definitions were taken from another run of the same client version");
        tell(
            "definitions-from-another-run",
            Level::Info,
            "definitions",
            String::new(),
            message,
            "none needed where the runs have one set-up",
        );
    }
    match id {
        Some(id) if context.data.models.get(id).is_none() => {
            let message =
                "no row in the table of models: prelude, frame and window are unknown".to_owned();
            tell(
                "model-unknown",
                Level::Info,
                id,
                "/model".to_owned(),
                message,
                "give --model or --context-window",
            );
        }
        None => {
            let message = "no model captured: prelude, frame and window are unknown".to_owned();
            tell(
                "model-unknown",
                Level::Info,
                "model",
                "/model".to_owned(),
                message,
                "give --model",
            );
        }
        _ => {}
    }
    if turn
        .exchange
        .request()
        .is_some_and(|request| request.thread == Thread::Continue)
    {
        let message = "the body holds only what is new in its thread: tools and history are in earlier requests";
        tell(
            "thread-continues",
            Level::Info,
            "thread",
            "/thread".to_owned(),
            message.to_owned(),
            "capture the session from its start",
        );
    }
    if let Some(counts) = turn.exchange.counts()
        && counts.method == CountedBy::OneByOne
        && audit
            .tools
            .iter()
            .any(|tool| tool.size.tokens.is_none() && tool.state == State::Loaded)
    {
        let message = "counted one by one, each number holds the prelude, whose size for this model is unknown".to_owned();
        tell(
            "prelude-inside-counts",
            Level::Warn,
            "counts",
            "/method".to_owned(),
            message,
            "count by differences, or name a model whose prelude is known",
        );
    }
    audit.findings.extend(found);
}
