//! Blocks of a message: text, calls, results, references to tools.

use super::announce;
use super::hash;
use super::message::{Builder, Call, ResultFacts, Speaker, Withdrawal};
use super::prompted::{self, Place};
use super::repair;
use super::scan::{self, Pairs, Raw, Type, compact};
use super::section;
use super::tools;
use crate::data::Tells;
use crate::model::{Announcement, Count, Definition, ReferenceHow, SEARCH_TOOLS, Sum, Text};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest opening that is kept; only wordings of the data tables are looked for in it.
const OPENING: usize = 120;

impl Builder<'_, '_> {
    pub(super) fn block(&mut self, index: usize, pairs: &Pairs<'_>) {
        let kind = pairs.get("type").and_then(Raw::string).unwrap_or_default();
        match kind.as_ref() {
            "text" => match pairs.get("text").and_then(Raw::literal) {
                Some(text) => self.text(text),
                None => self.facts.uncounted += 1,
            },
            // Thinking of earlier turns is left out of the prompt by the API (extended-thinking page).
            "thinking" | "redacted_thinking" => self.facts.thoughts += 1,
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                self.facts.calls_at_once |= index == 0;
                self.call(pairs);
                if let Some(call) = self.facts.calls.last_mut() {
                    call.index = index;
                    call.awaits = kind == "tool_use";
                }
            }
            "tool_result" | "mcp_tool_result" => self.result(index, pairs),
            "tool_search_tool_result" => self.server_search(index, pairs),
            "tool_addition" => self.change(index, pairs, false),
            "tool_removal" => self.change(index, pairs, true),
            kind => {
                if kind == "compaction" {
                    self.facts.compaction = Some(index);
                }
                match pairs.get("text").and_then(Raw::literal) {
                    Some(text) => self.text(text),
                    None => self.facts.uncounted += 1,
                }
            }
        }
    }

    pub(super) fn text(&mut self, text: Text<'_>) {
        self.count_text(text);
        let (Speaker::User | Speaker::System, Text::Literal(literal)) = (self.facts.speaker, text)
        else {
            return;
        };
        self.facts.texts += 1;
        self.facts.ends_turn |= repair::ends_turn(literal, &self.context.data.wordings);
        let head = Text::Literal(head(literal)).decode();
        self.facts.opening = Arc::from(head.trim_start());
        let system = self.facts.speaker == Speaker::System;
        if system {
            let found = self.prompted(text, Place::System);
            self.facts.prompted.extend(found);
        }
        let data = self.context.data;
        let announces = announce::may_announce(literal, &data.wordings);
        if !announces && !section::may_hold(literal, !system) {
            return;
        }
        let decoded = text.decode();
        let measure = self.context.measure;
        let sections = section::sections(&decoded, !system, data, measure, self.scope, self.memo);
        self.facts.sections.extend(sections);
        if !announces {
            return;
        }
        // What one text tells is one statement, however many parts it has.
        let mut whole: Option<(Announcement, Sum)> = None;
        for found in announce::announcements(&decoded, system, &data.wordings) {
            let tokens = measure.text(self.scope, Text::Plain(found.text));
            let by_server = self.by_server(&found.names);
            let (announcement, sum) = whole.get_or_insert_with(|| {
                let announcement = Announcement {
                    names: Vec::new(),
                    removed: Vec::new(),
                    pending: Vec::new(),
                    channel: found.channel,
                    tokens: Count::nothing(),
                    by_server: Vec::new(),
                };
                (announcement, Sum::default())
            });
            sum.add(tokens);
            let names = found.names.iter().map(|name| self.memo.name(name));
            match found.tells {
                Tells::Added => {
                    announcement.names.extend(names);
                    announcement.by_server.extend(by_server);
                }
                Tells::Removed => announcement.removed.extend(names),
                Tells::Pending => announcement.pending.extend(names),
            }
        }
        if let Some((announcement, sum)) = whole {
            let tokens = sum.count();
            let announcement = Announcement {
                tokens,
                ..announcement
            };
            self.facts.announcements.push(Arc::new(announcement));
        }
    }

    /// What a text defines.
    pub(super) fn prompted(&mut self, text: Text<'_>, place: Place) -> Vec<Arc<Definition>> {
        match text {
            Text::Literal(literal) if prompted::may_hold(literal) => {
                prompted::read(&text.decode(), place, self.scope, self.context, self.memo)
            }
            _ => Vec::new(),
        }
    }

    /// Tokens of the names of each MCP server's tools, as lines.
    fn by_server(&mut self, names: &[&str]) -> Vec<(Arc<str>, Count)> {
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for name in names {
            let server = name
                .strip_prefix("mcp__")
                .and_then(|rest| rest.split_once("__"));
            if let Some((server, _)) = server {
                let lines = lines.entry(server).or_default();
                lines.push_str(name);
                lines.push('\n');
            }
        }
        let count = |lines: &str| self.context.measure.text(self.scope, Text::Plain(lines));
        let counted: Vec<(&str, Count)> = lines
            .iter()
            .map(|(server, lines)| (*server, count(lines)))
            .collect();
        counted
            .into_iter()
            .map(|(server, count)| (self.memo.name(server), count))
            .collect()
    }

    pub(super) fn count_text(&mut self, text: Text<'_>) -> Count {
        let what = match text {
            Text::Literal(_) => "literal",
            Text::Plain(_) => "plain",
        };
        let count = self.count_once(what, &[text.written()], |measure, scope| {
            measure.text(scope, text)
        });
        self.facts.lone_surrogates += text.lone_surrogates();
        self.tokens.add(count);
        count
    }

    fn call(&mut self, pairs: &Pairs<'_>) {
        let name = pairs
            .get("name")
            .and_then(Raw::literal)
            .unwrap_or(Text::Plain(""));
        let input = pairs.get("input").map(Raw::text);
        let written = pairs.get("name").map_or("", Raw::text);
        let texts = [written, input.unwrap_or_default()];
        let sum = Sum::from(self.count_once("call", &texts, |measure, scope| {
            let compact = input.map(|input| (input, compact(input)));
            let input = compact
                .as_ref()
                .map(|(input, compact)| (*input, Text::Plain(&compact.text).size()));
            measure.call(scope, name, input)
        }));
        // Only an escape can write half a character.
        let input = input.filter(|input| scan::holds(input, "\\u"));
        self.facts.lone_surrogates += input.map_or(0, |input| compact(input).lone_surrogates);
        let id = pairs
            .get("id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        let name = self.memo.name(&name.decode());
        let search = SEARCH_TOOLS.contains(&&*name);
        self.called(name, search, id, sum);
        if search && self.context.keep_texts {
            let input = pairs.get("input").map(scan::pairs).unwrap_or_default();
            let query = input.get("query").and_then(Raw::string).unwrap_or_default();
            let most = input.get("max_results").and_then(Raw::whole);
            if let Some(call) = self.facts.calls.last_mut() {
                call.query = Some((Arc::from(query.as_ref()), most));
            }
        }
    }

    /// Notes a call whose tokens were counted.
    pub(super) fn called(&mut self, name: Arc<str>, search: bool, id: u64, sum: Sum) {
        self.tokens = self.tokens.merge(sum);
        // Most messages call one tool, and what is kept should be no larger.
        if self.facts.calls.is_empty() {
            self.facts.calls.reserve_exact(1);
        }
        self.facts.calls.push(Call {
            name,
            search,
            query: None,
            id,
            index: 0,
            awaits: false,
            tokens: sum.count(),
        });
    }

    fn result(&mut self, index: usize, pairs: &Pairs<'_>) {
        let id = pairs
            .get("tool_use_id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        let mut texts = Vec::new();
        let mut has_references = false;
        let before = self.facts.uncounted;
        if let Some(content) = pairs.get("content") {
            match content.type_of() {
                Type::Array | Type::Null => {}
                _ => match content.literal() {
                    Some(text) => texts.push(text),
                    None => self.facts.uncounted += 1,
                },
            }
            for (item_index, item) in scan::elements(content).into_iter().enumerate() {
                let item_pairs = scan::pairs(item);
                self.mark(&item_pairs, || {
                    format!("/content/{index}/content/{item_index}")
                });
                match item_pairs.get("type").and_then(Raw::string).as_deref() {
                    Some("tool_reference") => {
                        has_references = true;
                        let how = ReferenceHow::Search;
                        let tail = format!("/content/{index}/content/{item_index}");
                        self.reference(&item_pairs, how, tail);
                    }
                    _ => match item_pairs.get("text").and_then(Raw::literal) {
                        Some(text) => texts.push(text),
                        None => self.facts.uncounted += 1,
                    },
                }
            }
        }
        let more = has_references || self.facts.uncounted > before;
        let what = if more { "result with more" } else { "result" };
        let written: Vec<&str> = texts.iter().map(|text| text.written()).collect();
        let tokens = self.count_once(what, &written, |measure, scope| {
            measure.result(scope, &texts, more)
        });
        self.tokens.add(tokens);
        let lone = texts.iter().map(|text| text.lone_surrogates());
        self.facts.lone_surrogates += lone.sum::<u64>();
        let failed = pairs.get("is_error").is_some_and(Raw::is_true);
        let wordings = &self.context.data.wordings;
        let sign = repair::sign(&texts, failed, wordings, self.memo);
        let defined = texts.iter();
        let prompted = defined
            .flat_map(|text| self.prompted(*text, Place::Result))
            .collect();
        if self.facts.results.is_empty() {
            self.facts.results.reserve_exact(1);
        }
        self.facts.results.push(ResultFacts {
            id,
            tokens,
            has_references,
            prompted,
            failed,
            index,
            sign,
            answers: pairs.get("type").and_then(Raw::string).as_deref() == Some("tool_result"),
        });
    }

    /// A tool that is added or taken away in the middle of a conversation. The field is `name` here; a tool of an
    /// MCP server, or all of them, is named with its server; a definition may stand in the block itself.
    fn change(&mut self, index: usize, pairs: &Pairs<'_>, removed: bool) {
        let Some(tool) = pairs.get("tool") else {
            self.facts.uncounted += 1;
            return;
        };
        let tool = scan::pairs(tool);
        let definition = tool
            .get("definition")
            .filter(|raw| raw.type_of() == Type::Object);
        let name = match definition {
            Some(definition) => {
                let (entries, _) =
                    tools::read_entries(definition, self.scope, self.context, self.memo);
                let name = entries.first().map(|entry| Arc::clone(&entry.name));
                self.facts.inline.extend(entries);
                name.unwrap_or_else(|| self.memo.name(""))
            }
            None => {
                let part = |key: &str| tool.get(key).and_then(Raw::string).unwrap_or_default();
                let name = match (part("server_name"), part("name")) {
                    (server, name) if server.is_empty() => name.into_owned(),
                    (server, name) if name.is_empty() => server.into_owned(),
                    (server, name) => format!("{server}/{name}"),
                };
                self.memo.name(&name)
            }
        };
        if name.is_empty() {
            self.facts.uncounted += 1;
            return;
        }
        if !removed {
            let how = ReferenceHow::Addition;
            let tail = format!("/content/{index}").into_boxed_str();
            self.facts.references.push((Arc::clone(&name), how, tail));
        }
        self.facts.withdrawals.push(Withdrawal { name, removed });
    }

    fn server_search(&mut self, index: usize, pairs: &Pairs<'_>) {
        let content = pairs.get("content").map(scan::pairs).unwrap_or_default();
        let references = content
            .get("tool_references")
            .map(scan::elements)
            .unwrap_or_default();
        for (item_index, item) in references.into_iter().enumerate() {
            let how = ReferenceHow::ServerSearch;
            let tail = format!("/content/{index}/content/tool_references/{item_index}");
            self.reference(&scan::pairs(item), how, tail);
        }
    }

    fn reference(&mut self, pairs: &Pairs<'_>, how: ReferenceHow, tail: String) {
        let name = pairs.get("tool_name").and_then(Raw::string);
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let name = self.memo.name(&name);
            self.facts
                .references
                .push((name, how, tail.into_boxed_str()));
        }
    }
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
