//! One message reduced to what audits need; its text ends here.

use super::context::Context;
use super::hash;
use super::items;
use super::memo::Memo;
use super::repair::ResultSign;
use super::scan::{self, Raw, Type};
use crate::model::{
    Announcement, Count, Definition, Measure, ReferenceHow, SectionFacts, Sum, ToolEntry,
};
use std::sync::Arc;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Assistant,
    System,
    Other,
}

/// A message without its text. Shared by all requests whose history holds it.
#[derive(Debug)]
pub(super) struct MessageFacts {
    pub(super) speaker: Speaker,
    /// Hash of the content with cache markers left out: the same message of two requests.
    pub(super) content: u128,
    pub(super) tokens: Count,
    /// Images, documents and other blocks that no counter knows.
    pub(super) uncounted: u64,
    /// Thinking blocks, which cost nothing once their tool round is over.
    pub(super) thoughts: u64,
    /// Blocks with a cache breakpoint, as pointers from the message on.
    pub(super) breakpoints: Vec<Box<str>>,
    pub(super) lone_surrogates: u64,
    pub(super) announcements: Vec<Arc<Announcement>>,
    pub(super) sections: Vec<Arc<SectionFacts>>,
    /// Name, how, and the pointer from the message on.
    pub(super) references: Vec<(Arc<str>, ReferenceHow, Box<str>)>,
    /// Definitions that the message itself carries.
    pub(super) inline: Vec<ToolEntry>,
    /// Definitions that stand as text in what the system says.
    pub(super) prompted: Vec<Arc<Definition>>,
    /// Tools taken away and given back, in order.
    pub(super) withdrawals: Vec<Withdrawal>,
    pub(super) calls: Vec<Call>,
    /// Nothing is said before the first call.
    pub(super) calls_at_once: bool,
    pub(super) results: Vec<ResultFacts>,
    /// Text blocks of its own, those of results not among them.
    pub(super) texts: u64,
    /// One of them ends the turn of a result with references.
    pub(super) ends_turn: bool,
    /// Its last `compaction` block: what stands before it is dropped by the API.
    pub(super) compaction: Option<usize>,
    /// The first words of its last text, for telling side requests.
    pub(super) opening: Arc<str>,
}

/// One call of a tool.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: Arc<str>,
    /// It asks a search tool.
    pub(super) search: bool,
    /// What it asks, where texts are kept.
    pub(super) query: Option<(Arc<str>, Option<u64>)>,
    pub(super) id: u64,
    /// Its place among the blocks of its message.
    pub(super) index: usize,
    /// Its result must stand in the next message.
    pub(super) awaits: bool,
    pub(super) tokens: Count,
}

/// The answer to a call.
#[derive(Debug)]
pub(super) struct ResultFacts {
    pub(super) id: u64,
    pub(super) tokens: Count,
    pub(super) has_references: bool,
    /// What its texts define, should it answer a search.
    pub(super) prompted: Vec<Arc<Definition>>,
    /// It is marked as an error.
    pub(super) failed: bool,
    /// Its place among the blocks of its message.
    pub(super) index: usize,
    /// Its call must stand in the message before.
    pub(super) answers: bool,
    /// What its text shows of repairs.
    pub(super) sign: Option<ResultSign>,
}

impl MessageFacts {
    /// Gives back the room that its lists do not need: it may be kept until the last file is read.
    fn shrink(&mut self) {
        self.breakpoints.shrink_to_fit();
        self.announcements.shrink_to_fit();
        self.sections.shrink_to_fit();
        self.references.shrink_to_fit();
        self.inline.shrink_to_fit();
        self.prompted.shrink_to_fit();
        self.withdrawals.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.results.shrink_to_fit();
    }

    /// A message of which nothing is known but who speaks.
    fn of(speaker: Speaker) -> Self {
        Self {
            speaker,
            content: speaker as u128,
            tokens: Count::nothing(),
            uncounted: 0,
            thoughts: 0,
            breakpoints: Vec::new(),
            lone_surrogates: 0,
            announcements: Vec::new(),
            sections: Vec::new(),
            references: Vec::new(),
            inline: Vec::new(),
            prompted: Vec::new(),
            withdrawals: Vec::new(),
            calls: Vec::new(),
            calls_at_once: false,
            results: Vec::new(),
            texts: 0,
            ends_turn: false,
            compaction: None,
            opening: Arc::default(),
        }
    }
}

/// What a `tool_removal` takes away, or a `tool_addition` gives back.
#[derive(Debug)]
pub(super) struct Withdrawal {
    pub(super) name: Arc<str>,
    pub(super) removed: bool,
}

/// A message on its way to facts; its blocks are read in `blocks` and `items`.
pub(super) struct Builder<'c, 'm> {
    pub(super) context: &'c Context<'c>,
    pub(super) memo: &'m mut Memo,
    pub(super) scope: u32,
    pub(super) tokens: Sum,
    pub(super) facts: MessageFacts,
}

/// Reads a whole prompt that is one text (Responses).
pub(super) fn read_prompt(
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<MessageFacts> {
    let mut builder = Builder {
        context,
        memo,
        scope,
        tokens: Sum::default(),
        facts: MessageFacts::of(Speaker::User),
    };
    builder.content(raw);
    let Builder {
        tokens, mut facts, ..
    } = builder;
    facts.tokens = tokens.count();
    Arc::new(facts)
}

/// Reads the messages of a conversation.
pub(super) fn read_all(
    messages: &[Raw<'_>],
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Vec<Arc<MessageFacts>> {
    let Some(first) = messages.first().map(|raw| key(*raw, scope)) else {
        return Vec::new();
    };
    let mut known = memo.conversations.take(first);
    known.reserve_exact(messages.len().saturating_sub(known.len()));
    let own = messages.iter().enumerate().map(|(at, raw)| {
        let key = if at == 0 { first } else { key(*raw, scope) };
        if let Some((_, own)) = known.get(at).filter(|(known, _)| *known == key) {
            return Arc::clone(own);
        }
        let own = read_keyed(key, *raw, scope, context, memo);
        let read = (key, Arc::clone(&own));
        match known.get_mut(at) {
            Some(place) => *place = read,
            None => known.push(read),
        }
        own
    });
    let own = own.collect();
    memo.conversations.keep(first, known);
    own
}

/// Reads one message.
pub(super) fn read(
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<MessageFacts> {
    read_keyed(key(raw, scope), raw, scope, context, memo)
}

fn key(raw: Raw<'_>, scope: u32) -> u128 {
    hash::chain(raw.content(), u128::from(scope))
}

fn read_keyed(
    key: u128,
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<MessageFacts> {
    if let Some(known) = memo.messages.get(key) {
        return known;
    }
    let pairs = scan::pairs(raw);
    let kind = pairs.get("type").and_then(Raw::string).unwrap_or_default();
    let speaker = match pairs.get("role").and_then(Raw::string).as_deref() {
        // A result of Chat Completions stands in a message of its own.
        Some("user" | "tool" | "function") => Speaker::User,
        Some("assistant") => Speaker::Assistant,
        Some("system" | "developer") => Speaker::System,
        Some(_) => Speaker::Other,
        None => items::speaker(&kind),
    };
    let mut builder = Builder {
        context,
        memo,
        scope,
        tokens: Sum::default(),
        facts: MessageFacts::of(speaker),
    };
    match pairs.get("content") {
        _ if items::is_item(&pairs, &kind) => builder.item(&pairs, &kind, raw),
        Some(content) => builder.content(content),
        // A call may stand beside a content that is not there.
        None if pairs.get("tool_calls").is_some() || pairs.get("function_call").is_some() => {}
        None => builder.facts.uncounted += 1,
    }
    builder.tool_calls(&pairs);
    let Builder {
        tokens, mut facts, ..
    } = builder;
    facts.tokens = tokens.count();
    facts.shrink();
    let facts = Arc::new(facts);
    memo.messages.put(key, Arc::clone(&facts));
    facts
}

/// Shorter texts are counted as fast as they are looked up.
const LONG: usize = 64;

impl Builder<'_, '_> {
    /// Counts texts, or finds what they came to before; `what`: as what they are counted.
    pub(super) fn count_once(
        &mut self,
        what: &str,
        texts: &[&str],
        count: impl FnOnce(&dyn Measure, u32) -> Count,
    ) -> Count {
        let measure = self.context.measure;
        if !measure.counts_messages() {
            return Count::UNKNOWN;
        }
        if texts.iter().map(|text| text.len()).sum::<usize>() < LONG {
            return count(measure, self.scope);
        }
        let start = hash::chain(hash::content(what.as_bytes()), u128::from(self.scope));
        let key = texts.iter().fold(start, |sum, text| {
            hash::chain(sum, hash::content(text.as_bytes()))
        });
        if let Some(known) = self.memo.counts.get(key) {
            return known;
        }
        let tokens = count(measure, self.scope);
        self.memo.counts.put(key, tokens);
        tokens
    }

    /// Notes a cache breakpoint.
    pub(super) fn mark(&mut self, pairs: &scan::Pairs<'_>, place: impl FnOnce() -> String) {
        let mark = pairs.get("cache_control");
        if mark.is_some_and(|mark| mark.type_of() != Type::Null)
            && self.facts.breakpoints.len() < 1_000
        {
            self.facts.breakpoints.push(place().into_boxed_str());
        }
    }

    fn content(&mut self, content: Raw<'_>) {
        match content.type_of() {
            Type::Array | Type::Null => {}
            Type::String => {
                // A string is the short spelling of one text block: the two must hash alike.
                let block = fold(fold(0, "type", "\"text\""), "text", content.text());
                self.facts.content = hash::chain(self.facts.content, block);
                if let Some(text) = content.literal() {
                    self.text(text);
                }
                return;
            }
            Type::Object | Type::Scalar => {
                // No shape the API knows: what it costs cannot be said.
                self.facts.content = hash::chain(self.facts.content, content.content());
                self.facts.uncounted += 1;
                return;
            }
        }
        for (index, block) in scan::elements(content).into_iter().enumerate() {
            let pairs = scan::pairs(block);
            let hash = pairs
                .0
                .iter()
                .filter(|(key, _)| key != "cache_control")
                .fold(0, |sum, (key, value)| fold(sum, key, value.text()));
            self.facts.content = hash::chain(self.facts.content, hash);
            self.mark(&pairs, || format!("/content/{index}"));
            self.block(index, &pairs);
        }
    }
}

/// Adds a member to a hash that does not depend on the order of members.
pub(super) fn fold(sum: u128, key: &str, value: &str) -> u128 {
    sum.wrapping_add(hash::chain(
        hash::content(key.as_bytes()),
        hash::content(value.as_bytes()),
    ))
}
