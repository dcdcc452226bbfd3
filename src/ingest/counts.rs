//! Recorded counts of a request by part: `toolcost.counts/1`.

use super::memo::Memo;
use super::scan::{self, Pairs, Raw, Type};
use super::session_key;
use crate::model::{CountedBy, CountedPart, Origin, RecordedCounts, Tokens};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads a counts record.
///
/// # Errors
/// A part or a number that is not what the format says, with its JSON pointer.
pub(super) fn read(
    raw: Raw<'_>,
    origin: Origin,
    memo: &mut Memo,
) -> Result<RecordedCounts, String> {
    let top = scan::pairs(raw);
    let list = top.get("parts").filter(|raw| raw.type_of() == Type::Array);
    let list = list.map(scan::elements).filter(|list| !list.is_empty());
    let list = list.ok_or("/parts: must be an array of parts, and not empty")?;
    let mut parts = Vec::with_capacity(list.len());
    let mut seen = BTreeSet::new();
    for (at, raw) in list.into_iter().enumerate() {
        let part = part(at, raw, memo)?;
        if !seen.insert(key(&part)) {
            return Err(format!("/parts/{at}: counted before; join the parts"));
        }
        parts.push(part);
    }
    let method = match top.get("method").and_then(Raw::string).as_deref() {
        Some("one-by-one") => CountedBy::OneByOne,
        Some("differences") => CountedBy::Differences,
        Some("unstated") => CountedBy::Unstated,
        None if top.get("method").is_none() => CountedBy::Unstated,
        _ => return Err("/method: must be one-by-one, differences or unstated".to_owned()),
    };
    let total = match top.get("total") {
        None => None,
        Some(_) => Some(Tokens(whole(&top, "", "total")?)),
    };
    let mut name = |key: &str| {
        top.get(key)
            .and_then(Raw::string)
            .map(|text| memo.name(&text))
    };
    let (run, request, model) = (name("run"), name("request"), name("model"));
    let version = top.get("client_version").and_then(Raw::string);
    let client_version = version
        .and_then(|v| session_key::client_version(&v))
        .map(|v| memo.name(&v));
    Ok(RecordedCounts {
        origin,
        run,
        request,
        model,
        client_version,
        method,
        parts,
        total,
    })
}

/// Reads the sums of a capture script in the wild: each tool was counted alone, so that its number holds the
/// prelude; `total_tokens` is the system prompt.
///
/// # Errors
/// A number that is none, with its JSON pointer.
pub(super) fn read_summary(
    raw: Raw<'_>,
    origin: Origin,
    memo: &mut Memo,
) -> Result<RecordedCounts, String> {
    let top = scan::pairs(raw);
    let tools = top.get("tool_tokens").map(scan::pairs).unwrap_or_default();
    let mut parts = Vec::with_capacity(tools.0.len() + 1);
    let mut seen = BTreeSet::new();
    for (name, _) in &tools.0 {
        if seen.insert(name.as_ref()) {
            parts.push(CountedPart::Tool {
                name: memo.name(name),
                tokens: Tokens(whole(&tools, "/tool_tokens", name)?),
                description_chars: None,
                description_bytes: None,
            });
        }
    }
    parts.push(CountedPart::System(Tokens(whole(
        &top,
        "",
        "total_tokens",
    )?)));
    let mut name = |key: &str| {
        let text = top.get(key).and_then(Raw::string);
        text.map(|text| memo.name(&text))
    };
    let (request, model) = (name("source_request"), name("model"));
    let version = top.get("version").and_then(Raw::string);
    let version =
        version.and_then(
            |text| match text.trim().strip_prefix(session_key::ATTRIBUTION) {
                Some(_) => session_key::attribution(text.trim()).client_version,
                None => session_key::client_version(&text),
            },
        );
    Ok(RecordedCounts {
        origin,
        run: None,
        request,
        model,
        client_version: version.map(|version| memo.name(&version)),
        method: CountedBy::OneByOne,
        parts,
        total: None,
    })
}

fn part(at: usize, raw: Raw<'_>, memo: &mut Memo) -> Result<CountedPart, String> {
    let pairs = scan::pairs(raw);
    let place = format!("/parts/{at}");
    let tokens = || whole(&pairs, &place, "tokens").map(Tokens);
    let kind = pairs.get("kind").and_then(Raw::string).unwrap_or_default();
    let name = pairs.get("name").and_then(Raw::string);
    let named = || {
        name.as_deref()
            .ok_or_else(|| format!("/parts/{at}/name: missing"))
    };
    Ok(match kind.as_ref() {
        "tool" => CountedPart::Tool {
            name: memo.name(named()?),
            tokens: tokens()?,
            description_chars: pairs.get("description_chars").and_then(Raw::whole),
            description_bytes: pairs.get("description_bytes").and_then(Raw::whole),
        },
        "tools" => CountedPart::Tools {
            name: memo.name(named()?),
            tools: whole(&pairs, &place, "tools")?,
            tokens: tokens()?,
        },
        "placeholder" => CountedPart::Placeholder(tokens()?),
        "prelude" => CountedPart::Prelude(tokens()?),
        "system" => CountedPart::System(tokens()?),
        "messages" => CountedPart::Messages(tokens()?),
        "announced" => {
            let names = pairs
                .get("names")
                .filter(|raw| raw.type_of() == Type::Array);
            let names = names
                .map(scan::elements)
                .ok_or_else(|| format!("/parts/{at}/names: must be an array"))?;
            CountedPart::Announced(
                names
                    .into_iter()
                    .filter_map(Raw::string)
                    .map(|n| memo.name(&n))
                    .collect(),
            )
        }
        _ => {
            return Err(format!(
                "/parts/{at}/kind: must be tool, tools, placeholder, announced, prelude, system or messages"
            ));
        }
    })
}

/// What may be counted once only: a tool by its name, any other part by its kind.
fn key(part: &CountedPart) -> (&'static str, Arc<str>) {
    let none = || Arc::from("");
    match part {
        CountedPart::Tool { name, .. } | CountedPart::Tools { name, .. } => {
            ("tool", Arc::clone(name))
        }
        CountedPart::Placeholder(_) => ("placeholder", none()),
        CountedPart::Announced(_) => ("announced", none()),
        CountedPart::Prelude(_) => ("prelude", none()),
        CountedPart::System(_) => ("system", none()),
        CountedPart::Messages(_) => ("messages", none()),
    }
}

/// A whole number up to 2^53: JSON's numbers are exact that far, and no request is as long.
fn whole(pairs: &Pairs<'_>, place: &str, key: &str) -> Result<u64, String> {
    let number = pairs
        .get(key)
        .and_then(Raw::whole)
        .filter(|number| *number < 1 << 53);
    number.ok_or_else(|| format!("{place}/{key}: must be a whole number below 2^53"))
}
