//! One message reduced to what audits need; its text ends here.

use super::announce;
use super::context::Context;
use super::hash;
use super::memo::Memo;
use super::scan::{self, Pairs, Raw, Type, compact};
use crate::model::{Announcement, Count, ReferenceHow, Sum, Text};
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
    pub(super) lone_surrogates: u64,
    pub(super) announcements: Vec<Arc<Announcement>>,
    /// Name, how, block, item inside the block.
    pub(super) references: Vec<(Arc<str>, ReferenceHow, usize, Option<usize>)>,
    pub(super) calls: Vec<Call>,
    pub(super) results: Vec<ResultFacts>,
    /// The first words of its last text, for telling side requests.
    pub(super) opening: Arc<str>,
}

/// One call of a tool.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: Arc<str>,
    pub(super) id: u64,
    pub(super) tokens: Count,
}

/// The answer to a call.
#[derive(Debug)]
pub(super) struct ResultFacts {
    pub(super) id: u64,
    pub(super) tokens: Count,
    pub(super) has_references: bool,
}

/// The longest opening that is kept; only wordings of the data tables are looked for in it.
const OPENING: usize = 120;

struct Builder<'c, 'm> {
    context: &'c Context<'c>,
    memo: &'m mut Memo,
    scope: u32,
    tokens: Sum,
    facts: MessageFacts,
}

/// Reads one message.
pub(super) fn read(
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<MessageFacts> {
    let key = hash::chain(hash::content(raw.text().as_bytes()), u128::from(scope));
    if let Some(known) = memo.messages.get(key) {
        return known;
    }
    let pairs = scan::pairs(raw);
    let speaker = match pairs.get("role").and_then(Raw::string).as_deref() {
        Some("user") => Speaker::User,
        Some("assistant") => Speaker::Assistant,
        Some("system") => Speaker::System,
        _ => Speaker::Other,
    };
    let facts = MessageFacts {
        speaker,
        content: speaker as u128,
        tokens: Count::nothing(),
        uncounted: 0,
        thoughts: 0,
        lone_surrogates: 0,
        announcements: Vec::new(),
        references: Vec::new(),
        calls: Vec::new(),
        results: Vec::new(),
        opening: Arc::from(""),
    };
    let mut builder = Builder {
        context,
        memo,
        scope,
        tokens: Sum::default(),
        facts,
    };
    match pairs.get("content") {
        Some(content) => builder.content(content),
        None if raw.type_of() == Type::Object => {}
        None => builder.facts.uncounted += 1,
    }
    let Builder {
        tokens, mut facts, ..
    } = builder;
    facts.tokens = tokens.count();
    let facts = Arc::new(facts);
    memo.messages.put(key, Arc::clone(&facts));
    facts
}

impl Builder<'_, '_> {
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
                self.facts.content =
                    hash::chain(self.facts.content, hash::content(content.text().as_bytes()));
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
            self.block(index, &pairs);
        }
    }

    fn block(&mut self, index: usize, pairs: &Pairs<'_>) {
        let kind = pairs.get("type").and_then(Raw::string).unwrap_or_default();
        match kind.as_ref() {
            "text" => match pairs.get("text").and_then(Raw::literal) {
                Some(text) => self.text(text),
                None => self.facts.uncounted += 1,
            },
            // Thinking of earlier turns is left out of the prompt by the API (extended-thinking page).
            "thinking" | "redacted_thinking" => self.facts.thoughts += 1,
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.call(pairs),
            "tool_result" | "mcp_tool_result" => self.result(index, pairs),
            "tool_search_tool_result" => self.server_search(index, pairs),
            "tool_addition" => {
                let tool = pairs.get("tool").map(scan::pairs).unwrap_or_default();
                self.reference(&tool, "name", ReferenceHow::Addition, index, None);
            }
            "tool_removal" => {}
            _ => match pairs.get("text").and_then(Raw::literal) {
                Some(text) => self.text(text),
                None => self.facts.uncounted += 1,
            },
        }
    }

    fn text(&mut self, text: Text<'_>) {
        self.count_text(text);
        let (Speaker::User | Speaker::System, Text::Literal(literal)) = (self.facts.speaker, text)
        else {
            return;
        };
        let head = Text::Literal(head(literal)).decode();
        self.facts.opening = Arc::from(head.trim_start());
        if !announce::may_announce(literal, &self.context.data.wordings) {
            return;
        }
        let decoded = text.decode();
        let system = self.facts.speaker == Speaker::System;
        for found in announce::announcements(&decoded, system, &self.context.data.wordings) {
            let announcement = Announcement {
                names: found
                    .names
                    .iter()
                    .map(|name| self.memo.name(name))
                    .collect(),
                channel: found.channel,
                tokens: self
                    .context
                    .measure
                    .text(self.scope, Text::Plain(found.text)),
            };
            self.facts.announcements.push(Arc::new(announcement));
        }
    }

    fn count_text(&mut self, text: Text<'_>) -> Count {
        let count = self.context.measure.text(self.scope, text);
        self.facts.lone_surrogates += text.size().lone_surrogates;
        self.tokens.add(count);
        count
    }

    fn call(&mut self, pairs: &Pairs<'_>) {
        let name = pairs
            .get("name")
            .and_then(Raw::literal)
            .unwrap_or(Text::Plain(""));
        let mut sum = Sum::from(self.context.measure.text(self.scope, name));
        if let Some(input) = pairs.get("input") {
            let compact = compact(input.text());
            self.facts.lone_surrogates += compact.lone_surrogates;
            let size = Text::Plain(&compact.text).size();
            sum.add(self.context.measure.json(self.scope, input.text(), size));
        }
        let id = pairs
            .get("id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        let name = self.memo.name(&name.decode());
        self.tokens = self.tokens.merge(sum);
        self.facts.calls.push(Call {
            name,
            id,
            tokens: sum.count(),
        });
    }

    fn result(&mut self, index: usize, pairs: &Pairs<'_>) {
        let id = pairs
            .get("tool_use_id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        let mut sum = Sum::default();
        let mut has_references = false;
        if let Some(content) = pairs.get("content") {
            match content.type_of() {
                Type::Array | Type::Null => {}
                _ => match content.literal() {
                    Some(text) => sum.add(self.count_text(text)),
                    None => self.facts.uncounted += 1,
                },
            }
            for (item_index, item) in scan::elements(content).into_iter().enumerate() {
                let item_pairs = scan::pairs(item);
                match item_pairs.get("type").and_then(Raw::string).as_deref() {
                    Some("tool_reference") => {
                        has_references = true;
                        let how = ReferenceHow::Search;
                        self.reference(&item_pairs, "tool_name", how, index, Some(item_index));
                    }
                    _ => match item_pairs.get("text").and_then(Raw::literal) {
                        Some(text) => sum.add(self.count_text(text)),
                        None => self.facts.uncounted += 1,
                    },
                }
            }
        }
        self.facts.results.push(ResultFacts {
            id,
            tokens: sum.count(),
            has_references,
        });
    }

    fn server_search(&mut self, index: usize, pairs: &Pairs<'_>) {
        let content = pairs.get("content").map(scan::pairs).unwrap_or_default();
        let references = content
            .get("tool_references")
            .map(scan::elements)
            .unwrap_or_default();
        for (item_index, item) in references.into_iter().enumerate() {
            let how = ReferenceHow::ServerSearch;
            self.reference(
                &scan::pairs(item),
                "tool_name",
                how,
                index,
                Some(item_index),
            );
        }
    }

    fn reference(
        &mut self,
        pairs: &Pairs<'_>,
        key: &str,
        how: ReferenceHow,
        block: usize,
        item: Option<usize>,
    ) {
        if let Some(name) = pairs.get(key).and_then(Raw::string) {
            let name = self.memo.name(&name);
            self.facts.references.push((name, how, block, item));
        }
    }
}

/// Adds a member to a hash that does not depend on the order of members.
fn fold(sum: u128, key: &str, value: &str) -> u128 {
    sum.wrapping_add(hash::chain(
        hash::content(key.as_bytes()),
        hash::content(value.as_bytes()),
    ))
}

/// The first bytes of a literal, cut between characters and not inside an escape.
fn head(literal: &str) -> &str {
    let mut end = literal.len().min(OPENING);
    while !literal.is_char_boundary(end) {
        end -= 1;
    }
    let head = &literal[..end];
    match head.rfind('\\') {
        Some(at) if at + 6 > head.len() => &head[..at],
        _ => head,
    }
}
