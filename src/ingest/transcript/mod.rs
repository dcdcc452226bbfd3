//! Session transcripts of the client: a record for each block of a message, calls of the API between them.
//!
//! A call is an assistant message by its id, however many records it has. What it was sent is what stands above it
//! in its conversation; the system prompt and the definitions stand there only in newer transcripts.

mod attachment;
mod boundary;
mod conversation;
mod definitions;
mod rewind;
mod shape;
mod tally;
mod threads;

use super::collected::Collected;
use super::context::Context;
use super::discover::CaptureFile;
use super::hash;
use super::memo::Memo;
use super::moment::moment;
use super::prefix::PrefixTable;
use super::response;
use super::role::{self, Signs};
use super::scan::{self, Pairs, Raw, Type};
use super::session_key;
use crate::model::{Fragment, Origin, Place, RequestFacts, Role, TranscriptFacts, Usage};
use conversation::{Conversation, Tools};
use rewind::Checkpoints;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use threads::{is_id, is_prompt, parent};

/// The model of messages that the client writes in the assistant's place.
const SYNTHETIC: &str = "<synthetic>";

/// How the id of the agent begins that writes summaries.
const COMPACTING: &str = "acompact";

/// A record on its way, owned, since it is read when the model of the next call is known.
#[derive(Debug, Clone)]
pub(super) enum Kept {
    /// A message as JSON.
    Message(Box<str>),
    /// Names that were announced, with the message that told them where it is there.
    Names(Option<Box<str>>, Names),
    /// Something that was sent and is not there.
    Uncounted,
    /// A `prompt_snapshot`.
    Prompt(Box<str>),
    /// A `deferred_tools_record`.
    Deferred(Box<str>),
}

/// What a `deferred_tools_delta` tells.
#[derive(Debug, Default, Clone)]
pub(super) struct Names {
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) pending: Vec<String>,
}

/// One file's transcript on its way.
pub(super) struct Transcript {
    facts: TranscriptFacts,
    conversations: Vec<Conversation>,
    /// Which conversation a record belongs to, by its id.
    places: HashMap<u64, usize>,
    seen: HashSet<(u64, u64)>,
    main: BTreeMap<Option<u128>, usize>,
    agents: HashMap<u128, usize>,
    calls: HashMap<u64, usize>,
    requests: Vec<RequestFacts>,
    prompts: Checkpoints,
}

impl Transcript {
    pub(super) fn new(file: &CaptureFile) -> Self {
        let origin = Origin {
            path: Arc::clone(&file.shown),
            place: Place::Whole,
        };
        Self {
            facts: TranscriptFacts {
                origin,
                records: BTreeMap::new(),
                unknown: BTreeMap::new(),
                calls: 0,
                other_calls: 0,
                usage: Usage::default(),
                without_usage: 0,
                tool_calls: 0,
                synthetic: 0,
                twice: 0,
                clock_back: 0,
                parentless: 0,
                rewinds: 0,
                agents: 0,
                boundaries: Vec::new(),
                microcompactions: 0,
                discovered_now: Vec::new(),
                discovered_ever: Vec::new(),
                announced: Vec::new(),
                pending_servers: Vec::new(),
            },
            conversations: Vec::new(),
            places: HashMap::new(),
            seen: HashSet::new(),
            main: BTreeMap::new(),
            agents: HashMap::new(),
            calls: HashMap::new(),
            requests: Vec::new(),
            prompts: Checkpoints::default(),
        }
    }

    /// Reads one record.
    ///
    /// # Errors
    /// It is no record of a transcript; the text says why.
    pub(super) fn read(
        &mut self,
        raw: Raw<'_>,
        place: Place,
        context: &Context<'_>,
        memo: &mut Memo,
        prefixes: &mut PrefixTable,
    ) -> Result<(), String> {
        let record = scan::pairs(raw);
        let word = |key: &str| record.get(key).and_then(Raw::string).unwrap_or_default();
        let kind = word("type");
        let known = &context.data.transcripts;
        let message = record.get("message");
        let message = message.filter(|raw| raw.type_of() == Type::Object);
        let speaks = matches!(kind.as_ref(), "user" | "assistant");
        if speaks && message.is_none() {
            return Err(format!("a record of type {kind} without a message"));
        }
        let id = record.get("uuid").filter(|raw| is_id(*raw));
        let id = id.map(|id| hash::id(id.text().as_bytes()));
        // One id with another content is a fault of whoever wrote it, and no reason to lose a record.
        if let Some(id) = id
            && !self.seen.insert((id, hash::id(raw.text().as_bytes())))
        {
            self.facts.twice += 1;
            return Ok(());
        }
        self.facts.count(&kind, &known.records, memo);
        let mut tools = Tools {
            context,
            memo,
            prefixes,
        };
        match (kind.as_ref(), message) {
            ("user" | "assistant", Some(message)) => {
                let at = self.conversation(&record, id, &mut tools);
                self.tick(at, &record);
                let pairs = scan::pairs(message);
                self.blocks(&pairs, &mut tools);
                match kind.as_ref() {
                    "user" => {
                        if let Some(parent) = is_prompt(&record, &pairs).then(|| parent(&record)) {
                            self.prompt(parent, at, &mut tools);
                        }
                        self.keep(at, Kept::Message(Box::from(message.text())));
                    }
                    _ => self.assistant(at, &record, message, &pairs, place, &mut tools),
                }
            }
            ("system", _) => {
                let subtype = word("subtype");
                let name = format!("system {subtype}");
                self.facts.named(
                    &name,
                    known.subtypes.contains(&subtype.to_string()),
                    tools.memo,
                );
                let at = self.conversation(&record, id, &mut tools);
                match subtype.as_ref() {
                    "compact_boundary" => {
                        self.tick(at, &record);
                        let boundary = boundary::read(&record, place, tools.memo);
                        self.conversations[at].read_kept(&mut tools);
                        if self.conversations[at].agent.is_none() {
                            self.facts.boundaries.push(boundary.clone());
                        }
                        self.conversations[at].compact(boundary);
                    }
                    "microcompact_boundary" => self.facts.microcompactions += 1,
                    _ => {}
                }
            }
            ("attachment", _) => {
                let at = self.conversation(&record, id, &mut tools);
                let attachment = record
                    .get("attachment")
                    .map(scan::pairs)
                    .unwrap_or_default();
                let kind = attachment
                    .get("type")
                    .and_then(Raw::string)
                    .unwrap_or_default();
                let name = format!("attachment {kind}");
                let listed = known.attachments.iter().any(|own| *own == kind);
                self.facts.named(&name, listed, tools.memo);
                for kept in attachment::read(&record, &attachment, &kind) {
                    self.keep(at, kept);
                }
            }
            // Whatever else hangs between messages: the chain goes on through it.
            _ => {
                if id.is_some() {
                    self.conversation(&record, id, &mut tools);
                }
            }
        }
        Ok(())
    }

    fn prompt(&mut self, parent: Option<u64>, at: usize, tools: &mut Tools<'_>) {
        let Some(parent) = parent else { return };
        let calls = self.requests.len();
        let conversations = &mut self.conversations;
        let back = self.prompts.prompt(parent, at, calls, conversations, tools);
        self.facts.rewinds += u64::from(back);
    }

    fn keep(&mut self, at: usize, kept: Kept) {
        self.conversations[at].kept.push(kept);
    }

    /// The clock of a conversation does not run back: a record is no earlier than the one above it.
    fn tick(&mut self, at: usize, record: &Pairs<'_>) {
        let conversation = &mut self.conversations[at];
        let time = record.get("timestamp").and_then(moment);
        match (conversation.time, time) {
            (Some(before), Some(now)) if now < before => self.facts.clock_back += 1,
            (before, now) => conversation.time = now.or(before),
        }
    }

    /// Counts blocks of unknown types by name, and calls of tools.
    fn blocks(&mut self, message: &Pairs<'_>, tools: &mut Tools<'_>) {
        let content = message.get("content").map(scan::elements);
        for block in content.into_iter().flatten() {
            let kind = scan::pairs(block).get("type").and_then(Raw::string);
            let kind = kind.unwrap_or_default();
            self.facts.tool_calls += u64::from(kind == "tool_use");
            let known = tools.context.data.transcripts.blocks.iter();
            if known.into_iter().all(|own| *own != kind) {
                let name = match kind.is_empty() {
                    true => "block without a type".to_owned(),
                    false => format!("block {kind}"),
                };
                self.facts.named(&name, false, tools.memo);
            }
        }
    }

    /// A record of the assistant: another block of a call that is known, or the first of a new one.
    fn assistant(
        &mut self,
        at: usize,
        record: &Pairs<'_>,
        message: Raw<'_>,
        pairs: &Pairs<'_>,
        place: Place,
        tools: &mut Tools<'_>,
    ) {
        let model = pairs.get("model").and_then(Raw::string);
        if model.as_deref() == Some(SYNTHETIC) {
            self.facts.synthetic += 1;
            return;
        }
        let own = pairs.get("id").filter(|raw| is_id(*raw));
        let id = own.or_else(|| record.get("requestId").filter(|raw| is_id(*raw)));
        let key = id.map(|id| hash::id(id.text().as_bytes()));
        let usage = pairs.get("usage").map(response::usage_object);
        let usage = usage.and_then(response::Recorded::known);
        if let Some(&known) = key.and_then(|key| self.calls.get(&key)) {
            let request = &mut self.requests[known];
            request.usage = Usage::joined(request.usage, usage);
        } else {
            let conversation = &mut self.conversations[at];
            let model = tools.context.model.or(model.as_deref());
            conversation.scope = tools.context.measure.scope(model);
            conversation.scope_known = true;
            conversation.read_kept(tools);
            let side = match conversation.compacts {
                true => Some("compaction"),
                false => None,
            };
            let signs = Signs {
                class: side,
                subagent: conversation.agent.is_some(),
                tools: 1,
                last_user: &conversation.last_words,
                ..Signs::default()
            };
            let version = record.get("version").and_then(Raw::string);
            let version = version.and_then(|version| session_key::client_version(&version));
            let mut blank = RequestFacts::blank(Origin {
                path: Arc::clone(&self.facts.origin.path),
                place,
            });
            blank.role = role::role(&signs, &tools.context.data.wordings);
            blank.time = conversation.time;
            blank.model = model.map(|model| tools.memo.name(model));
            blank.client_version = version.map(|version| tools.memo.name(&version));
            blank.answer = own.map(|id| hash::content(id.text().as_bytes()));
            blank.usage = usage;
            let mut request = conversation.call(blank);
            request.wire = tools.memo.wire(Arc::unwrap_or_clone(request.wire));
            request.shrink();
            match request.role {
                Role::Main => self.facts.calls += 1,
                _ => self.facts.other_calls += 1,
            }
            if let Some(key) = key {
                self.calls.insert(key, self.requests.len());
            }
            self.requests.push(request);
        }
        self.keep(at, Kept::Message(Box::from(message.text())));
    }

    /// What the file holds, once it is read.
    pub(super) fn finish(
        mut self,
        context: &Context<'_>,
        memo: &mut Memo,
        prefixes: &mut PrefixTable,
        collected: &mut Collected,
    ) {
        let mut tools = Tools {
            context,
            memo,
            prefixes,
        };
        for conversation in &mut self.conversations {
            conversation.read_kept(&mut tools);
        }
        let main = || self.conversations.iter().filter(|own| own.agent.is_none());
        let all = |names: &mut dyn Iterator<Item = &Arc<str>>| -> Vec<Arc<str>> {
            let names: std::collections::BTreeSet<&Arc<str>> = names.collect();
            names.into_iter().cloned().collect()
        };
        self.facts.discovered_now = all(&mut main().flat_map(|own| &own.discovered));
        self.facts.discovered_ever = all(&mut main().flat_map(|own| &own.ever));
        self.facts.announced = all(&mut main().flat_map(|own| &own.announced));
        self.facts.pending_servers = all(&mut main().flat_map(|own| &own.pending_servers));
        for request in self.requests {
            match request.usage {
                Some(usage) => self.facts.usage.add(usage),
                None => self.facts.without_usage += 1,
            }
            let place = request.origin.place;
            collected.take(place, Fragment::Request(Box::new(request)));
        }
        let whole = Fragment::Transcript(Box::new(self.facts));
        collected.take(Place::Whole, whole);
    }
}
