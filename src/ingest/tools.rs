//! Tool lists and definitions, each distinct one read once.

use super::context::Context;
use super::define::define;
use super::hash;
use super::limits;
use super::memo::Memo;
use super::scan::{self, Pairs, Raw, Type};
use super::toolsets;
use crate::model::{
    DeferFlag, Definition, Flags, SEARCH_TOOLS, SearchTexts, Shape, ToolEntry, ToolList,
};
use std::sync::Arc;

/// Nested deeper than this, a schema is worth a word; it is measured all the same.
const DEEP: u32 = 64;

/// Keys of a tool that may be named in a finding.
const KEYS: [&str; 6] = [
    "name",
    "description",
    "input_schema",
    "type",
    "defer_loading",
    "cache_control",
];

/// The oddity of Messages tools that the other APIs do not have.
pub(super) const WITHOUT_SCHEMA: &str = "tool-without-schema";

pub(super) type Oddities = Vec<(&'static str, String)>;

/// Reads what stands under `tools`.
pub(super) fn read_list(
    raw: Option<Raw<'_>>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<ToolList> {
    let Some(raw) = raw else {
        return Arc::default();
    };
    let key = hash::chain(raw.content(), u128::from(scope));
    if let Some(known) = memo.lists.get(key) {
        return known;
    }
    let shape = match raw.type_of() {
        Type::Null => Shape::Null,
        Type::Array => Shape::List,
        _ => Shape::Other,
    };
    let mut list = ToolList {
        shape,
        ..ToolList::default()
    };
    for (index, raw) in scan::elements(raw).into_iter().enumerate() {
        // One more than is allowed is enough to refuse the record.
        if list.tools.len() > limits::TOOLS {
            break;
        }
        let (entries, oddities) = read_entries(raw, scope, context, memo);
        list.oddities.extend(
            oddities
                .into_iter()
                .map(|(code, message)| (index, code, message)),
        );
        list.tools.extend(
            entries
                .into_iter()
                .map(|entry| ToolEntry { index, ..entry }),
        );
    }
    let first = scan::elements(raw).first().map(|raw| scan::pairs(*raw));
    list.functions = first.is_some_and(|first| {
        let object = |key| {
            first
                .get(key)
                .is_some_and(|raw| raw.type_of() == Type::Object)
        };
        // A Messages tool may have `custom` too, beside its name.
        object("function") || (object("custom") && first.get("name").is_none())
    });
    let list = Arc::new(list);
    memo.lists.put(key, Arc::clone(&list));
    list
}

/// Reads the `functions` that Chat Completions once had in the place of `tools`: bare definitions, which need no
/// schema.
pub(super) fn read_functions(
    raw: Option<Raw<'_>>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<ToolList> {
    let list = read_list(raw, scope, context, memo);
    if list.tools.is_empty() {
        return list;
    }
    let mut list = ToolList::clone(&list);
    list.functions = true;
    list.oddities.retain(|(_, code, _)| *code != WITHOUT_SCHEMA);
    Arc::new(list)
}

/// Reads one entry of a list as one tool.
pub(super) fn read_entry(
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> (ToolEntry, Oddities) {
    let (entries, oddities) = read_entries(raw, scope, context, memo);
    let first = entries.into_iter().next();
    (first.unwrap_or_else(|| bare(memo.name(""))), oddities)
}

/// Reads one entry of a list: a tool, or the tools of a set.
pub(super) fn read_entries(
    raw: Raw<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> (Vec<ToolEntry>, Oddities) {
    let key = hash::chain(raw.content(), u128::from(scope));
    if let Some(known) = memo.entries.get(key) {
        return known;
    }
    let mut oddities = Oddities::new();
    let entries = match raw.type_of() {
        Type::Object => {
            let pairs = scan::pairs(raw);
            let set = toolsets::read(&pairs, scope, context, memo, &mut oddities);
            set.unwrap_or_else(|| vec![object_entry(pairs, scope, context, memo, &mut oddities)])
        }
        Type::String => {
            // Some logs keep names only.
            oddities.push((
                "tool-name-only",
                "only the tool's name was captured".to_owned(),
            ));
            vec![bare(memo.name(&raw.string().unwrap_or_default()))]
        }
        _ => {
            oddities.push((
                "tool-not-an-object",
                "an entry of `tools` is no object".to_owned(),
            ));
            vec![bare(memo.name(""))]
        }
    };
    let entries = with_bytes(entries, raw);
    memo.entries.put(key, (entries.clone(), oddities.clone()));
    (entries, oddities)
}

/// The bytes of an entry as written: a set's members have those of their own texts, its first row the rest.
fn with_bytes(mut entries: Vec<ToolEntry>, raw: Raw<'_>) -> Vec<ToolEntry> {
    let members: u64 = entries.iter().filter_map(|entry| entry.bytes).sum();
    if let Some(first) = entries.first_mut() {
        first.bytes = Some((raw.text().len() as u64).saturating_sub(members));
    }
    entries
}

pub(super) fn bare(name: Arc<str>) -> ToolEntry {
    ToolEntry {
        name,
        index: 0,
        server_type: None,
        definition: None,
        flags: Flags::default(),
        stub: None,
        bytes: None,
    }
}

fn object_entry(
    mut pairs: Pairs<'_>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
    oddities: &mut Oddities,
) -> ToolEntry {
    for key in pairs.duplicates() {
        let key = KEYS
            .iter()
            .find(|known| **known == key)
            .copied()
            .unwrap_or("(another key)");
        oddities.push((
            "duplicate-key",
            format!("the key {key} is written twice; the last one counts"),
        ));
    }
    let mut flags = flags(&pairs, oddities);
    // Chat Completions wraps the definition; the flag may stand inside or outside.
    let wrapper = ["function", "custom"].iter().find_map(|key| pairs.get(key));
    let wrapper = wrapper.filter(|raw| {
        raw.type_of() == Type::Object
            && pairs.get("name").is_none()
            && scan::pairs(*raw).get("name").is_some()
    });
    if let Some(function) = wrapper {
        pairs = scan::pairs(function);
        if flags.defer == DeferFlag::Absent {
            flags = self::flags(&pairs, oddities);
        }
    }
    // Messages asks for a schema; functions and custom tools of OpenAI may take nothing, or any text.
    let needs_schema = wrapper.is_none()
        && pairs
            .get("type")
            .and_then(Raw::string)
            .is_none_or(|type_| type_ == "custom");
    let name = pairs.get("name").and_then(Raw::literal);
    // OpenAI's custom tools have a grammar, or nothing, where others have a schema.
    let schema = [
        "input_schema",
        "inputSchema",
        "parameters",
        "parameters_json_schema",
        "format",
        // The key of transcripts of the client.
        "schema",
    ]
    .iter()
    .find_map(|key| pairs.get(key));
    let schema = schema.filter(|schema| schema.type_of() != Type::Null);
    let type_ = pairs
        .get("type")
        .and_then(Raw::string)
        .filter(|t| !matches!(t.as_ref(), "custom" | "function"));
    if let (Some(type_), None) = (&type_, schema) {
        let server_type = memo.name(type_);
        let name = name.map_or_else(
            || Arc::clone(&server_type),
            |name| memo.name(&name.decode()),
        );
        return ToolEntry {
            name,
            index: 0,
            server_type: Some(server_type),
            definition: None,
            flags,
            stub: None,
            bytes: None,
        };
    }
    let Some(name) = name else {
        oddities.push(("tool-without-name", "a tool has no name".to_owned()));
        return ToolEntry {
            flags,
            ..bare(memo.name(""))
        };
    };
    let description = pairs.get("description").and_then(Raw::literal);
    if description.is_none() {
        oddities.push((
            "tool-without-description",
            "the tool has no description".to_owned(),
        ));
    }
    if schema.is_none() && needs_schema {
        oddities.push((WITHOUT_SCHEMA, "the tool has no input schema".to_owned()));
    }
    let definition = define(name, description, schema, scope, context, memo);
    let definition = with_hint(definition, &pairs);
    if definition.sizes.depth > DEEP {
        let depth = definition.sizes.depth;
        oddities.push((
            "deep-schema",
            format!("the input schema is nested {depth} levels deep"),
        ));
    }
    if SEARCH_TOOLS.contains(&&*definition.name) && !asks_a_query(schema) {
        oddities.push((
            "search-tool-foreign",
            "named like the client's search tool, but its schema has no `query`".to_owned(),
        ));
    }
    // A deferred function of OpenAI's still shows its name and description.
    let shows = flags.defer.defers() && pairs.get("parameters").is_some();
    let stub = shows.then(|| define(name, description, None, scope, context, memo));
    let name = Arc::clone(&definition.name);
    ToolEntry {
        name,
        index: 0,
        server_type: None,
        definition: Some(definition),
        flags,
        stub: stub.map(|stub| stub.tokens.count),
        bytes: None,
    }
}

/// With the hint for searches, where texts are kept and the listing has one.
pub(super) fn with_hint(definition: Arc<Definition>, pairs: &Pairs<'_>) -> Arc<Definition> {
    let Some(texts) = &definition.texts else {
        return definition;
    };
    let meta = pairs.get("_meta").map(scan::pairs).unwrap_or_default();
    match meta.get("anthropic/searchHint").and_then(Raw::string) {
        Some(hint) => Arc::new(Definition {
            texts: Some(Arc::new(SearchTexts {
                description: texts.description.clone(),
                hint: Some(Box::from(hint.as_ref())),
            })),
            ..(*definition).clone()
        }),
        None => definition,
    }
}

/// The client's search tools are asked with a `query`, in every version captured.
fn asks_a_query(schema: Option<Raw<'_>>) -> bool {
    let schema = schema.map(scan::pairs).unwrap_or_default();
    let properties = schema.get("properties").map(scan::pairs);
    properties.is_some_and(|properties| properties.get("query").is_some())
}

fn flags(pairs: &Pairs<'_>, oddities: &mut Oddities) -> Flags {
    let flag = |pairs: &Pairs<'_>, wrapped| match pairs.get("defer_loading").map(Raw::text) {
        None | Some("null") => DeferFlag::Absent,
        Some("true") => DeferFlag::True { wrapped },
        Some("false") => DeferFlag::False { wrapped },
        Some(_) => DeferFlag::NotBoolean { wrapped },
    };
    let mut defer = flag(pairs, false);
    if defer == DeferFlag::Absent {
        defer = flag(
            &pairs.get("custom").map(scan::pairs).unwrap_or_default(),
            true,
        );
    }
    match defer {
        DeferFlag::NotBoolean { .. } => oddities.push((
            "defer-flag-not-boolean",
            "`defer_loading` is not a boolean; only the literal true defers".to_owned(),
        )),
        DeferFlag::True { wrapped: true } => oddities.push((
            "defer-flag-wrapped",
            "`defer_loading` stands inside `custom`; a gateway that drops the wrapper loads the tool".to_owned(),
        )),
        _ => {}
    }
    Flags {
        defer,
        cache_control: pairs
            .get("cache_control")
            .is_some_and(|raw| raw.type_of() != Type::Null),
        strict: pairs.get("strict").is_some_and(Raw::is_true),
        always_load: always_load(pairs),
        eager: pairs
            .get("eager_input_streaming")
            .is_some_and(|raw| raw.type_of() != Type::Null),
    }
}

/// A strict boolean: any other value says nothing.
fn always_load(pairs: &Pairs<'_>) -> Option<bool> {
    let meta = pairs.get("_meta").map(scan::pairs)?;
    match meta.get("anthropic/alwaysLoad").map(Raw::text) {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    }
}
