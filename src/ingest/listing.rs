//! Tool definitions outside a request: answers to `tools/list`, arrays of tools, one tool a file.

use super::context::Context;
use super::define;
use super::limits;
use super::memo::Memo;
use super::scan::{self, Raw, Type};
use super::tools;
use crate::model::{Listing, Origin, Text, ToolEntry};
use std::borrow::Cow;
use std::sync::Arc;

/// Reads a listing; with a server's name its tools are rendered as the client would send them.
///
/// # Errors
/// It holds more tools than anybody has.
pub(super) fn read(
    raw: Raw<'_>,
    origin: Origin,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Result<Listing, String> {
    let scope = context
        .measure
        .scope(context.model.or(context.listing_model));
    let entries = match raw.type_of() {
        Type::Array => scan::elements(raw),
        _ => vec![raw],
    };
    let tools = entries.into_iter().flat_map(|raw| match context.server {
        Some(server) => vec![as_client(raw, server, scope, context, memo)],
        None => tools::read_entries(raw, scope, context, memo).0,
    });
    // One more than is allowed is enough to refuse the record.
    let tools: Vec<ToolEntry> = tools.take(limits::TOOLS + 1).collect();
    limits::within(tools.len(), limits::TOOLS, "tools")?;
    let (tools, without): (Vec<ToolEntry>, Vec<ToolEntry>) = tools
        .into_iter()
        .partition(|tool| tool.definition.is_some());
    Ok(Listing {
        origin,
        tools,
        without: without.len() as u64,
    })
}

/// The definition as the client sends it: `mcp__<server>__<tool>`, the description cut.
fn as_client(
    raw: Raw<'_>,
    server: &str,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> ToolEntry {
    let (plain, _) = tools::read_entry(raw, scope, context, memo);
    let pairs = scan::pairs(raw);
    let Some(name) = pairs.get("name").and_then(Raw::string) else {
        return plain;
    };
    let schema = ["inputSchema", "input_schema", "parameters"]
        .iter()
        .find_map(|key| pairs.get(key));
    let name = match name.starts_with("mcp__") {
        true => name.into_owned(),
        false => format!("mcp__{}__{}", wire_name(server), wire_name(&name)),
    };
    let description = pairs.get("description").and_then(Raw::string);
    let description = description.map(|text| match context.description_cap {
        Some(cap) => cut(text, cap),
        None => text,
    });
    let description = description.as_deref().map(Text::Plain);
    let definition = define::define(
        Text::Plain(&name),
        description,
        schema,
        scope,
        context,
        memo,
    );
    let definition = tools::with_hint(definition, &pairs);
    ToolEntry {
        name: Arc::clone(&definition.name),
        definition: Some(definition),
        ..plain
    }
}

/// Each character outside A-Z, a-z, 0-9, `_` and `-` becomes `_` (mcp page, 2026-08-22).
fn wire_name(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .collect()
}

/// The first characters of a text and the client's mark, when the text is longer (measured on 2.1.283).
fn cut(text: Cow<'_, str>, cap: u64) -> Cow<'_, str> {
    let cap = usize::try_from(cap).unwrap_or(usize::MAX);
    match text.char_indices().nth(cap) {
        Some((at, _)) => Cow::Owned(format!("{}… [truncated]", &text[..at])),
        None => text,
    }
}
