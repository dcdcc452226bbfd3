//! Items of OpenAI's shapes: calls and results that are no blocks of a message.
//!
//! Responses has one flat list of items (calls, results, searches, messages); Chat Completions has calls in a
//! field beside the content and results in messages of role `tool`.

use super::context::Context;
use super::hash;
use super::limits;
use super::memo::Memo;
use super::message::{Builder, ResultFacts, Speaker, fold};
use super::prompted::Place;
use super::scan::{self, Pairs, Raw, Type, compact};
use super::tools;
use super::toolsets;
use crate::model::{ReferenceHow, SEARCH_TOOLS, Sum, Text, ToolEntry, ToolList};
use std::sync::Arc;

/// Who speaks in an item without a role.
pub(super) fn speaker(kind: &str) -> Speaker {
    match kind {
        "tool_search_output" | "additional_tools" | "mcp_list_tools" => Speaker::User,
        "mcp_approval_request" => Speaker::Assistant,
        kind if kind.ends_with("_call_output") => Speaker::User,
        "reasoning" => Speaker::Assistant,
        kind if kind.ends_with("_call") => Speaker::Assistant,
        _ => Speaker::Other,
    }
}

/// Is it an item, and no message with blocks?
pub(super) fn is_item(pairs: &Pairs<'_>, kind: &str) -> bool {
    let role = pairs.get("role").and_then(Raw::string);
    matches!(role.as_deref(), Some("tool" | "function"))
        || kind == "additional_tools"
        || role.is_none() && speaker(kind) != Speaker::Other
}

/// The list of a Responses body with what stands in `additional_tools` items: some clients send no `tools` at all.
pub(super) fn with_additional_tools(
    list: Arc<ToolList>,
    items: &[Raw<'_>],
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<ToolList> {
    let mut whole = list;
    // A custom tool of this API takes any text where it has no format.
    let told = |list: &ToolList| {
        let mut odd = list.oddities.iter();
        odd.any(|(_, code, _)| *code == tools::WITHOUT_SCHEMA)
    };
    if told(&whole) {
        let odd = &mut Arc::make_mut(&mut whole).oddities;
        odd.retain(|(_, code, _)| *code != tools::WITHOUT_SCHEMA);
    }
    for item in items {
        if whole.tools.len() > limits::TOOLS {
            break;
        }
        let item = scan::pairs(*item);
        if item.get("type").and_then(Raw::string).as_deref() != Some("additional_tools") {
            continue;
        }
        let more = tools::read_list(item.get("tools"), scope, context, memo);
        let whole = Arc::make_mut(&mut whole);
        let next = whole.tools.last().map_or(0, |last| last.index + 1);
        whole.shape = more.shape;
        whole
            .tools
            .extend(more.tools.iter().cloned().map(|entry| ToolEntry {
                index: entry.index + next,
                ..entry
            }));
        let odd = more.oddities.iter();
        let odd = odd.filter(|(_, code, _)| *code != tools::WITHOUT_SCHEMA);
        let odd = odd.cloned();
        whole
            .oddities
            .extend(odd.map(|(index, code, message)| (index + next, code, message)));
    }
    whole
}

impl Builder<'_, '_> {
    /// Reads an item.
    pub(super) fn item(&mut self, pairs: &Pairs<'_>, kind: &str, raw: Raw<'_>) {
        let content = raw.content();
        self.facts.content = hash::chain(self.facts.content, content);
        match kind {
            "tool_search_call" => self.asked(pairs, "tool_search", true),
            "function_call" | "custom_tool_call" | "mcp_approval_request" => {
                self.asked(pairs, "", false);
            }
            "mcp_call" => {
                self.asked(pairs, "", false);
                self.answered(pairs, "id", "output");
            }
            "mcp_list_tools" => self.server_tools(pairs),
            "tool_search_output" => self.found(pairs),
            "reasoning" => self.facts.thoughts += 1,
            // Read with the tool list.
            "additional_tools" => {}
            kind if kind.ends_with("_call_output") => self.answered(pairs, "call_id", "output"),
            // A message of role `tool`.
            _ if pairs.get("role").is_some() => self.answered(pairs, "tool_call_id", "content"),
            // Calls of tools that the API runs itself: what they cost is not to be seen.
            _ => self.facts.uncounted += 1,
        }
    }

    /// Calls that stand beside the content of a message (Chat Completions).
    pub(super) fn tool_calls(&mut self, pairs: &Pairs<'_>) {
        for key in ["tool_calls", "function_call", "refusal"] {
            let Some(raw) = pairs.get(key).filter(|raw| raw.type_of() != Type::Null) else {
                continue;
            };
            self.facts.content = fold(self.facts.content, key, raw.text());
            match (key, raw.type_of()) {
                ("refusal", Type::String) => {
                    if let Some(text) = raw.literal() {
                        self.count_text(text);
                    }
                }
                ("function_call", Type::Object) => self.ask(&scan::pairs(raw), "", false, 0),
                ("tool_calls", Type::Array) => {
                    for call in scan::elements(raw) {
                        self.tool_call(&scan::pairs(call));
                    }
                }
                _ => self.facts.uncounted += 1,
            }
        }
    }

    fn tool_call(&mut self, call: &Pairs<'_>) {
        let id = call
            .get("id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        let called = call.get("function").or_else(|| call.get("custom"));
        match called.filter(|raw| raw.type_of() == Type::Object) {
            Some(called) => self.ask(&scan::pairs(called), "", false, id),
            None => self.facts.uncounted += 1,
        }
    }

    /// Tools of an MCP server as the API listed them: their definitions stand in the context.
    fn server_tools(&mut self, pairs: &Pairs<'_>) {
        let list = pairs.get("tools").map(scan::elements).unwrap_or_default();
        for raw in list {
            let (entries, _) = tools::read_entries(raw, self.scope, self.context, self.memo);
            for entry in entries {
                match entry.definition {
                    Some(definition) => self.tokens.add(definition.tokens.count),
                    None => self.facts.uncounted += 1,
                }
            }
        }
    }

    fn asked(&mut self, pairs: &Pairs<'_>, otherwise: &str, search: bool) {
        let id = pairs
            .get("call_id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        self.ask(pairs, otherwise, search, id);
    }

    fn ask(&mut self, pairs: &Pairs<'_>, otherwise: &str, search: bool, id: u64) {
        let name = pairs.get("name").and_then(Raw::string).unwrap_or_default();
        let space = pairs
            .get("namespace")
            .and_then(Raw::string)
            .unwrap_or_default();
        let name = match (name.is_empty(), space.is_empty() || space == name) {
            (true, _) => otherwise.to_owned(),
            (false, true) => name.into_owned(),
            (false, false) => toolsets::in_namespace(&space, &name),
        };
        let name = self.memo.name(&name);
        let search = search || SEARCH_TOOLS.contains(&&*name);
        let measure = self.context.measure;
        let mut sum = Sum::from(measure.text(self.scope, Text::Plain(&name)));
        if let Some(arguments) = pairs.get("arguments").or_else(|| pairs.get("input")) {
            match arguments.literal() {
                Some(text) => sum.add(measure.text(self.scope, text)),
                None => {
                    let size = Text::Plain(&compact(arguments.text()).text).size();
                    sum.add(measure.json(self.scope, arguments.text(), size));
                }
            }
        }
        self.called(name, search, id, sum);
    }

    fn answered(&mut self, pairs: &Pairs<'_>, id: &str, key: &str) {
        let id = pairs.get(id).map_or(0, |id| hash::id(id.text().as_bytes()));
        let mut sum = Sum::default();
        let mut has_references = false;
        let mut prompted = Vec::new();
        if let Some(output) = pairs.get(key) {
            match output.type_of() {
                Type::String => {
                    if let Some(text) = output.literal() {
                        sum.add(self.count_text(text));
                        prompted.extend(self.prompted(text, Place::Result));
                    }
                }
                Type::Array | Type::Null => {}
                Type::Object | Type::Scalar => self.facts.uncounted += 1,
            }
            for (at, part) in scan::elements(output).into_iter().enumerate() {
                let part = scan::pairs(part);
                if let Some(name) = part.get("tool_name").and_then(Raw::string) {
                    has_references = true;
                    let name = self.memo.name(&name);
                    let tail = format!("/{key}/{at}").into_boxed_str();
                    self.facts
                        .references
                        .push((name, ReferenceHow::Search, tail));
                    continue;
                }
                match part.get("text").and_then(Raw::literal) {
                    Some(text) => {
                        sum.add(self.count_text(text));
                        prompted.extend(self.prompted(text, Place::Result));
                    }
                    None => self.facts.uncounted += 1,
                }
            }
        }
        self.facts.results.push(ResultFacts {
            sign: None,
            id,
            tokens: sum.count(),
            has_references,
            prompted,
            failed: false,
            index: 0,
            answers: false,
        });
    }

    /// Definitions that a search found: they stand at the end of the context from here on.
    fn found(&mut self, pairs: &Pairs<'_>) {
        let list = pairs.get("tools");
        if list.is_none_or(|list| list.type_of() != Type::Array) {
            self.facts.uncounted += 1;
        }
        let list = list.map(scan::elements).unwrap_or_default();
        for (at, raw) in list.into_iter().enumerate() {
            for entry in tools::read_entries(raw, self.scope, self.context, self.memo).0 {
                if entry.name.is_empty() {
                    self.facts.uncounted += 1;
                    continue;
                }
                let name = Arc::clone(&entry.name);
                let tail = format!("/tools/{at}").into_boxed_str();
                self.facts
                    .references
                    .push((name, ReferenceHow::Search, tail));
                self.facts.inline.push(entry);
            }
        }
        let id = pairs
            .get("call_id")
            .map_or(0, |id| hash::id(id.text().as_bytes()));
        self.facts.results.push(ResultFacts {
            sign: None,
            id,
            tokens: Sum::default().count(),
            has_references: true,
            prompted: Vec::new(),
            failed: false,
            index: 0,
            answers: false,
        });
    }
}
