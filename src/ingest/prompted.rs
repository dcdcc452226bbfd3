//! Tools whose definitions stand as text in a prompt: `<function>{"name": …}</function>`.
//!
//! They are counted with the text they stand in, so all that is told of them is an of-which. In a system prompt they
//! count behind a `<functions>` that begins a line. Of the messages only what a search brought is a definition: a
//! person, or a file that was read, may well speak of them.

use super::context::Context;
use super::define::define;
use super::hash;
use super::history::History;
use super::limits;
use super::memo::Memo;
use super::scan::{self, Raw, Type};
use crate::model::{
    Count, Definition, PromptedTool, ReferenceHow, Sum, Text, Tokens, ToolCount, ToolList,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const OPEN: &str = "<function>";
const CLOSE: &str = "</function>";

/// What both tags, and those round all of them, have in common.
const WORD: &str = "function";

/// How often the bytes of a text may be looked at for the ends of definitions: a text of nothing but openings would
/// otherwise be looked at to its end from each of them.
const PATIENCE: usize = 4;

/// Keeps texts apart from definitions in lists among what was read before.
const TEXT: u128 = 0x7465_7874;

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a system prompt, or a message of role `system`.
    System,
    /// In the result of a call.
    Result,
}

/// Could the raw literal hold a definition? Cheap, so that few texts are decoded. Some writers of JSON escape `<`.
pub(super) fn may_hold(literal: &str) -> bool {
    let holds = |needle: &str| scan::holds(literal, needle);
    // One look for what all spellings share: most texts have none of it.
    holds("function") && (holds(OPEN) || holds("\\u003cfunction") || holds("\\u003Cfunction"))
}

/// The definitions of a text, in order, counted as the text they are.
pub(super) fn read(
    text: &str,
    place: Place,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Vec<Arc<Definition>> {
    let found = find(text, place).into_iter();
    // One more than is allowed is enough to refuse the record.
    found
        .filter_map(|found| definition(&found, scope, context, memo))
        .take(limits::TOOLS + 1)
        .collect()
}

/// A definition as it stands in a text.
#[derive(Debug, PartialEq, Eq)]
struct Found<'t> {
    /// Its tags and the end of its line among it.
    text: &'t str,
    /// What stands between the tags.
    json: &'t str,
}

/// Walks once from tag to tag.
fn find(text: &str, place: Place) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut inside = place == Place::Result;
    let mut end = 0;
    let mut looked = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), WORD) {
        let before = &text[..at];
        let after = &text[at + WORD.len()..];
        let (opens, closes) = (before.ends_with('<'), before.ends_with("</"));
        // What stands in a definition is its own.
        if at < end || !(opens || closes) {
            continue;
        }
        if place == Place::System && after.starts_with("s>") {
            let begins = || {
                let line = text[..at - 1].trim_end_matches([' ', '\t']);
                line.is_empty() || line.ends_with('\n')
            };
            inside = opens && (inside || begins());
        } else if inside
            && opens
            && after.starts_with('>')
            && let Some(one) = whole(text, at - 1, &mut looked)
        {
            end = at - 1 + one.text.len();
            found.push(one);
        }
    }
    found
}

/// The definition whose opening tag stands at `start`, where its JSON ends and the closing tag follows.
fn whole<'t>(text: &'t str, start: usize, looked: &mut usize) -> Option<Found<'t>> {
    let blanks = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_start().len()
    };
    let json = blanks(start + OPEN.len());
    if text.as_bytes().get(json) != Some(&b'{') || *looked / PATIENCE > text.len() {
        return None;
    }
    let end = scan::after_brackets(text.as_bytes(), json);
    let close = blanks(end);
    *looked += close.saturating_sub(start);
    let rest = text.get(close..)?.strip_prefix(CLOSE)?;
    let line = ["\r\n", "\n"].iter().find_map(|end| rest.strip_prefix(end));
    let rest = line.unwrap_or(rest);
    Some(Found {
        text: &text[start..text.len() - rest.len()],
        json: text.get(json..end)?,
    })
}

/// Reads one; what is no JSON object with a name is text, and no tool.
fn definition(
    found: &Found<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Option<Arc<Definition>> {
    let content = hash::chain(hash::content(found.text.as_bytes()), TEXT);
    let key = hash::chain(content, u128::from(scope));
    if let Some(known) = memo.definitions.get(key) {
        return Some(known);
    }
    let pairs = scan::pairs(Raw::parse(found.json).ok()?);
    let name = pairs.get("name").and_then(Raw::literal)?;
    if name.decode().is_empty() {
        return None;
    }
    let description = pairs.get("description").and_then(Raw::literal);
    let schema = ["parameters", "input_schema"].iter().find_map(|key| {
        let schema = pairs.get(key);
        schema.filter(|schema| schema.type_of() != Type::Null)
    });
    let listed = define(name, description, schema, scope, context, memo);
    let definition = Arc::new(Definition {
        tokens: ToolCount {
            count: context.measure.tool_as_text(scope, Text::Plain(found.text)),
            parts: None,
        },
        as_text: true,
        ..(*listed).clone()
    });
    memo.definitions.put(key, Arc::clone(&definition));
    Some(definition)
}

/// The prompted tools of a request: one of a name, the last that was written, those of the system prompt first. What
/// is in the list too is that tool, and text besides.
/// What they are is no longer part of what searches brought.
pub(super) fn settle(
    system: &[Arc<Definition>],
    list: &ToolList,
    history: &mut History,
) -> Vec<PromptedTool> {
    if system.is_empty() && history.prompted.is_empty() && history.found.is_empty() {
        return Vec::new();
    }
    let added = history.references.iter();
    let added = added.filter(|reference| reference.how == ReferenceHow::Addition);
    let elsewhere: BTreeSet<&str> = list
        .tools
        .iter()
        .chain(&history.inline)
        .map(|tool| &*tool.name)
        .chain(added.map(|reference| &*reference.name))
        .collect();
    let mut at: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tools: Vec<PromptedTool> = Vec::new();
    let loaded = system.iter().chain(&history.prompted);
    let loaded = loaded.map(|definition| (definition, false));
    let found = history.found.iter();
    let found = found.map(|(_, definition)| (definition, true));
    for (definition, found) in loaded.chain(found) {
        if elsewhere.contains(&*definition.name) {
            continue;
        }
        let tool = PromptedTool {
            definition: Arc::clone(definition),
            found,
        };
        match at.get(&*definition.name) {
            // What is loaded anyway was searched for nothing.
            Some(&known) if tools[known].found == found => tools[known] = tool,
            Some(_) => {}
            None => {
                at.insert(&definition.name, tools.len());
                tools.push(tool);
            }
        }
    }
    let brought = tools.iter().filter(|tool| tool.found);
    let brought: Sum = brought.map(|tool| tool.definition.tokens.count).collect();
    history.searches = Count {
        tokens: history
            .searches
            .tokens
            .map(|tokens| Tokens(tokens.0.saturating_sub(brought.tokens.0))),
        ..history.searches
    };
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, place: Place) -> Vec<&str> {
        find(text, place).iter().map(|found| found.json).collect()
    }

    #[test]
    fn definitions_stand_between_their_tags() {
        let text = "You have tools.\n<functions>\n<function>{\"name\":\"a\"}</function>\n<function>\n{\n \"name\": \"</function>\"\n}\n</function>\r\n</functions>\n<function>{\"name\":\"c\"}</function>";
        let found = find(text, Place::System);
        let texts: Vec<&str> = found.iter().map(|found| found.text).collect();
        assert_eq!(
            texts,
            [
                "<function>{\"name\":\"a\"}</function>\n",
                "<function>\n{\n \"name\": \"</function>\"\n}\n</function>\r\n"
            ]
        );
        assert_eq!(names(text, Place::Result).len(), 3);
    }

    #[test]
    fn what_is_spoken_of_is_none() {
        let one = "<function>{\"name\":\"a\"}</function>";
        assert!(names(one, Place::System).is_empty(), "no block round it");
        let quoted = format!("tools stand in <functions>\n{one}\n</functions>");
        assert!(
            names(&quoted, Place::System).is_empty(),
            "no line begins so"
        );
        for broken in [
            "<function></function>",
            "<function>a</function>",
            "<function>{\"name\":\"a\"}",
            "<function>{\"name\":\"a\"</function>",
            "<function>{\"name\":\"a\"} and more</function>",
            "<function name=\"a\">{}</function>",
            "function>{\"name\":\"a\"}</function>",
            "/function>{\"name\":\"a\"}</function>",
        ] {
            assert!(names(broken, Place::Result).is_empty(), "{broken}");
        }
        // A broken one does not hide the next.
        let text = format!("<function>{{\"name\": \"a</function>\n{one}");
        assert_eq!(names(&text, Place::Result), ["{\"name\":\"a\"}"]);
    }

    #[test]
    fn openings_without_an_end_cost_a_few_walks() {
        for opening in [
            "<function>",
            "<function>{",
            "<function>{\"",
            "<functions>\n<function>{\"a\":[",
            "</functions>\n<functions>\n",
            "<function>   ",
        ] {
            let text = format!("<functions>\n{}", opening.repeat(100_000));
            let start = std::time::Instant::now();
            assert!(find(&text, Place::System).is_empty());
            assert!(start.elapsed().as_secs() < 5, "{opening}");
        }
    }

    #[test]
    fn a_literal_that_may_hold_some_is_told() {
        assert!(may_hold("a <function>{"));
        assert!(may_hold("a \\u003cfunction\\u003e{") && may_hold("\\u003Cfunction>"));
        assert!(!may_hold("a <functions> and a function>"));
    }
}
