//! One Messages body → facts.

use super::asked;
use super::context::Context;
use super::hazards;
use super::history::History;
use super::items;
use super::limits;
use super::memo::Memo;
use super::message::{self, Speaker};
use super::prefix::PrefixTable;
use super::prompted;
use super::response::Recorded;
use super::role::{self, Signs};
use super::scan::{self, Pairs, Raw, Type};
use super::session_key::{self, SessionKey};
use super::shape;
use super::system;
use super::tools;
use super::wire;
use crate::model::{AnswerKeys, Finding, Hazards, Level, Origin, RequestFacts, Sum, Thread};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What stands round a body in its record.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) url: Option<String>,
    /// The beta header; empty where headers were captured and it was not among them.
    pub(super) betas: Option<String>,
    pub(super) request_class: Option<String>,
    pub(super) user_agent: Option<String>,
    pub(super) time: Option<i64>,
    pub(super) group: Option<Arc<str>>,
    /// The session's id, where it stands beside the body.
    pub(super) session: Option<SessionKey>,
    /// The subagent's id, hashed.
    pub(super) agent: Option<u128>,
    /// The body holds only the end of its conversation.
    pub(super) continues: bool,
    /// What the answer carries too, where that is another record.
    pub(super) answer: Option<u64>,
    /// Tools that the answer calls, where that is asked for.
    pub(super) answer_calls: BTreeSet<String>,
    /// The id of the answer itself, hashed.
    pub(super) answer_id: Option<u128>,
    pub(super) recorded: Recorded,
}

/// A body, opened one level, its messages perhaps too.
pub(super) struct Body<'a, 'p> {
    pub(super) raw: Raw<'a>,
    pub(super) pairs: &'p Pairs<'a>,
    pub(super) messages: Option<&'p [Raw<'a>]>,
}

/// Keys of a body that may be named in a finding.
const KEYS: [&str; 9] = [
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "max_tokens",
    "metadata",
    "stream",
    "thinking",
];

/// Reads a body.
///
/// # Errors
/// The record is no Messages request; the text says what it is instead.
pub(super) fn read(
    body: Body<'_, '_>,
    origin: Origin,
    around: Around,
    context: &Context<'_>,
    memo: &mut Memo,
    prefixes: &mut PrefixTable,
) -> Result<RequestFacts, String> {
    let Body {
        raw,
        pairs: body,
        messages: opened,
    } = body;
    match raw.type_of() {
        Type::Object => {}
        // Messages by themselves, put under their key by the caller.
        Type::Array if body.get("messages").is_some() => {}
        Type::Null => return Err("the body is null: no request was captured here".to_owned()),
        _ => return Err("the body is no JSON object".to_owned()),
    }
    let messages = body.get("messages").filter(|m| m.type_of() == Type::Array);
    // Responses has `input` instead: items, or one text.
    let input = body
        .get("input")
        .filter(|m| matches!(m.type_of(), Type::Array | Type::String));
    let (Some(conversation), root) = (
        messages.or(input.filter(|_| body.get("messages").is_none())),
        if messages.is_some() {
            "/messages"
        } else {
            "/input"
        },
    ) else {
        return Err("no request: neither a `messages` array nor `input`".to_owned());
    };
    let captured = body
        .get("model")
        .and_then(Raw::string)
        .filter(|model| !model.is_empty());
    let model = context
        .model
        .or(captured.as_deref())
        .map(|model| memo.name(model));
    let scope = context.measure.scope(model.as_deref());

    let parts = match opened.filter(|_| messages.is_some()) {
        Some(opened) => Cow::Borrowed(opened),
        None => Cow::Owned(scan::elements(conversation)),
    };
    limits::within(parts.len(), limits::MESSAGES, "messages")?;
    let mut list = match body.get("tools") {
        Some(listed) => tools::read_list(Some(listed), scope, context, memo),
        None => tools::read_functions(body.get("functions"), scope, context, memo),
    };
    if root == "/input" {
        list = items::with_additional_tools(list, &parts, scope, context, memo);
    }
    limits::within(list.tools.len(), limits::TOOLS, "tools")?;
    let instructions = body.get("system").or_else(|| body.get("instructions"));
    let system = system::read(instructions, scope, context, memo);
    let mut messages = message::read_all(&parts, scope, context, memo);
    if conversation.type_of() == Type::String {
        messages.push(message::read_prompt(conversation, scope, context, memo));
    }

    let announced = messages.iter().flat_map(|m| &m.announcements);
    let names = announced.map(|announced| announced.names.len()).sum();
    limits::within(names, limits::NAMES, "announced names")?;
    let mut history = History::of(&messages, root);
    let prompted = prompted::settle(&system.prompted, &list, &mut history);
    limits::within(list.tools.len() + prompted.len(), limits::TOOLS, "tools")?;

    let mut findings = Vec::new();
    let mut note = |code, level, message: String, pointer: String, subject: &str, help: &str| {
        let (origin, subject, help) = (origin.clone(), subject.to_owned(), help.to_owned());
        findings.push(Finding {
            code,
            level,
            message,
            origin,
            pointer,
            subject,
            help,
        });
    };
    for key in body.duplicates() {
        // Keys that are no part of the API may hold anything: they are not repeated.
        let key = KEYS
            .iter()
            .find(|known| **known == key)
            .copied()
            .unwrap_or("(another key)");
        let message = format!("the key {key} is written twice; the last one counts");
        note(
            "duplicate-key",
            Level::Warn,
            message,
            String::new(),
            key,
            "write the key once",
        );
    }
    if list.shape == crate::model::Shape::Other {
        let message = "`tools` is no array: read as no tools".to_owned();
        note(
            "tools-not-a-list",
            Level::Error,
            message,
            "/tools".to_owned(),
            "tools",
            "send an array of tools",
        );
    }
    let in_tools = list
        .tools
        .iter()
        .filter_map(|tool| tool.definition.as_ref());
    let lone = messages.iter().map(|m| m.lone_surrogates).sum::<u64>()
        + in_tools
            .map(|definition| definition.sizes.lone_surrogates)
            .sum::<u64>();
    if lone > 0 {
        let message =
            format!("{lone} surrogate escapes without a partner; the API refuses such a body");
        note(
            "lone-surrogates",
            Level::Warn,
            message,
            root.to_owned(),
            "messages",
            "cut text between characters",
        );
    }

    if around.recorded == Recorded::Unreadable {
        let message =
            "the recorded usage holds a number that cannot be read: none of it is used".to_owned();
        note(
            "usage-unreadable",
            Level::Warn,
            message,
            String::new(),
            "usage",
            "write whole numbers",
        );
    }

    let session = around.session.clone().or_else(|| {
        session_key::session(body).map(|id| session_key::session_key(&id, context, memo))
    });
    // Without messages there is no conversation to go on with.
    let prefix = prefixes.of(messages.iter().map(|own| (own.content, own.tokens)));
    let user_agent = around
        .user_agent
        .as_deref()
        .and_then(session_key::user_agent_version);
    let client_version = system
        .attribution
        .client_version
        .clone()
        .or(user_agent)
        .map(|version| memo.name(&version));
    let shape = shape::shape(&messages);
    let signs = Signs {
        class: around.request_class.as_deref(),
        subagent: system.attribution.subagent || around.agent.is_some(),
        url: around.url.as_deref(),
        max_tokens: body.get("max_tokens").and_then(Raw::whole),
        // Names alone are tools too: a request that announces some is no side request.
        tools: list.tools.len()
            + prompted.len()
            + messages
                .iter()
                .map(|m| m.announcements.len())
                .sum::<usize>(),
        messages: shape.messages,
        system: &system.openings,
        last_user: messages
            .iter()
            .rev()
            .find(|m| m.speaker == Speaker::User)
            .map_or("", |m| &m.opening),
        json_output: asked::output_format(body).is_some(),
        model: model.as_deref(),
    };
    let thread = match around.continues {
        true => Thread::Continue,
        false => asked::thread(body),
    };
    let marked = body.get("cache_control");
    let looked = hazards::Looked {
        list: &list,
        marked: marked.is_some_and(|mark| mark.type_of() != Type::Null),
        system: &system.breakpoints,
        messages: &messages,
        root,
        found: &history.found,
        continues: thread == Thread::Continue,
    };
    // Whoever asks for no messages asks for no lint of them.
    let hazards = Hazards::shared(match context.measure.counts_messages() {
        true => hazards::hazards(&looked),
        false => Hazards::default(),
    });
    let mut wire = wire::read(body, &list, &around, context, memo);
    wire.removed = history.removed;
    wire.inline = history.inline;
    wire.prompted = prompted;
    let mut facts = RequestFacts {
        role: role::role(&signs, &context.data.wordings),
        session: session.as_ref().map(|session| session.hash),
        session_id: session.and_then(|session| session.shown),
        agent: around.agent,
        answer: around.answer_id,
        answered: around
            .answer_calls
            .iter()
            .map(|name| memo.name(name))
            .collect(),
        boundaries: Vec::new(),
        rewound: None,
        prefix,
        time: around.time,
        group: around.group,
        client_version,
        first_party: around
            .url
            .as_deref()
            .map(|url| is_first_party(url, context)),
        tool_choice: asked::tool_choice(body),
        thread,
        tools: list,
        system: system.tokens,
        system_blocks: system.blocks,
        system_parts: Arc::clone(&system.parts),
        messages: messages.iter().map(|m| m.tokens).collect::<Sum>().count(),
        shape,
        asked: asked::asked(body, scope, context),
        uncounted_messages: messages.iter().map(|m| m.uncounted).sum::<u64>()
            + history.running_thoughts,
        // A prompt that the API keeps is added to what was sent.
        uncounted_system: system.uncounted
            + u64::from(
                root == "/input"
                    && body
                        .get("prompt")
                        .is_some_and(|p| p.type_of() == Type::Object),
            ),
        sections: system
            .sections
            .iter()
            .chain(messages.iter().flat_map(|m| &m.sections))
            .cloned()
            .collect(),
        announcements: messages
            .iter()
            .flat_map(|m| m.announcements.iter().cloned())
            .collect(),
        references: history.references,
        reference_blocks: Some(messages.iter().map(|own| own.references.len() as u64).sum()),
        calls: history.calls,
        searches: history.searches,
        search_calls: history.search_calls,
        answers_search: history.answers_search,
        usage: match around.recorded {
            Recorded::Usage(usage) => Some(usage),
            Recorded::Nothing | Recorded::Unreadable => None,
        },
        listed: Vec::new(),
        hazards,
        findings,
        wire: memo.wire(wire),
        answer_keys: AnswerKeys {
            own: around.answer,
            previous: system.attribution.previous_answer,
        },
        model,
        origin,
    };
    facts.shrink();
    Ok(facts)
}

/// Is the host of a captured URL one of the client's first-party hosts? The URL itself goes nowhere.
fn is_first_party(url: &str, context: &Context<'_>) -> bool {
    let host = crate::model::host_of(url);
    context.data.profiles.first_party_hosts().contains(&host)
}
