//! A definition, each distinct one measured once.

use super::context::Context;
use super::hash;
use super::memo::Memo;
use super::scan::{Compact, Raw, compact};
use super::schema;
use crate::model::{
    Chars, DefId, Definition, Ids, RawTool, SearchTexts, Text, TextSize, ToolSizes,
};
use std::sync::Arc;

/// The client's mark at the end of a description that it cut (measured on 2.1.283).
const CUT: &str = "… [truncated]";

/// Measures a definition, or finds the one of the same content.
pub(super) fn define(
    name: Text<'_>,
    description: Option<Text<'_>>,
    schema: Option<Raw<'_>>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<Definition> {
    let schema_compact = schema.map(|schema| compact(schema.text()));
    let decoded = name.decode();
    let absent = hash::content(b"\0absent");
    let text_hash = |text: Option<Text<'_>>| {
        text.map_or(absent, |text| hash::content(text.decode().as_bytes()))
    };
    let schema_hash = schema_compact
        .as_ref()
        .map_or(absent, |schema| hash::content(schema.text.as_bytes()));
    let id = hash::chain(
        hash::chain(text_hash(Some(name)), text_hash(description)),
        schema_hash,
    );
    let key = hash::chain(id, u128::from(scope));
    if let Some(known) = memo.definitions.get(key) {
        return known;
    }
    let sizes = sizes(
        name.size(),
        description.map(Text::size),
        schema_compact.as_ref(),
    );
    let raw = RawTool {
        name,
        description,
        schema: schema.map(Raw::text),
        sizes,
    };
    let decoded_description = description.map(Text::decode);
    let texts = context.keep_texts.then(|| {
        let description = decoded_description.as_deref().map(Box::from);
        Arc::new(SearchTexts {
            description,
            hint: None,
        })
    });
    let definition = Arc::new(Definition {
        texts,
        id: DefId(id),
        body: hash::chain(text_hash(description), schema_hash),
        cut: decoded_description
            .as_deref()
            .is_some_and(|text| text.trim_end().ends_with(CUT)),
        // Whoever asks for no messages asks for no lint.
        faults: schema
            .filter(|_| context.measure.counts_messages())
            .map(schema::faults)
            .unwrap_or_default(),
        name: memo.name(&decoded),
        sizes,
        tokens: context.measure.tool(scope, &raw),
        as_text: false,
        stable: (context.ids != Ids::None).then(|| {
            let schema = schema_compact.as_ref().map(|schema| &*schema.text);
            let body = hash::body(decoded_description.as_deref(), schema);
            Arc::new(hash::definition(&decoded, body))
        }),
    });
    memo.definitions.put(key, Arc::clone(&definition));
    definition
}

fn sizes(name: TextSize, description: Option<TextSize>, schema: Option<&Compact>) -> ToolSizes {
    let (depth, lone) = schema.map_or((0, 0), |schema| (schema.depth, schema.lone_surrogates));
    let schema = schema.map(|schema| Text::Plain(&schema.text).size());
    // The parts of {"name":"…","description":"…","input_schema":…} round the texts.
    let mut wire = (
        r#"{"name":""}"#.len() as u64 + name.json_units,
        r#"{"name":""}"#.len() as u64 + name.json_bytes,
    );
    let mut chars = name.units;
    if let Some(description) = description {
        let around = r#","description":"""#.len() as u64;
        wire = (
            wire.0 + around + description.json_units,
            wire.1 + around + description.json_bytes,
        );
        chars += description.units;
    }
    if let Some(schema) = schema {
        let around = r#","input_schema":"#.len() as u64;
        wire = (
            wire.0 + around + schema.units,
            wire.1 + around + schema.bytes,
        );
        chars += schema.units;
    }
    ToolSizes {
        chars: Chars(chars),
        wire_chars: Chars(wire.0),
        bytes: wire.1,
        name: Chars(name.units),
        description: description.map(|size| Chars(size.units)),
        schema: schema.map(|size| Chars(size.units)),
        depth,
        lone_surrogates: name.lone_surrogates
            + description.map_or(0, |size| size.lone_surrogates)
            + lone,
    }
}
