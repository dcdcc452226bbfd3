//! Recorded counts of a request by part: `toolcost.counts/1`.

use super::memo::Memo;
use super::scan::{self, Pairs};
use super::session_key;
use crate::model::{CountedBy, CountedPart, Origin, RecordedCounts, Tokens};
use serde_json::value::RawValue;

/// Reads a counts record.
///
/// # Errors
/// A part or a number that is not what the format says, with its JSON pointer.
pub(super) fn read(
    raw: &RawValue,
    origin: Origin,
    memo: &mut Memo,
) -> Result<RecordedCounts, String> {
    let top = scan::pairs(raw);
    let parts = top
        .get("parts")
        .map(scan::elements)
        .ok_or("/parts: missing; counts need their parts")?;
    let parts = parts
        .into_iter()
        .enumerate()
        .map(|(at, raw)| part(at, raw, memo))
        .collect::<Result<_, _>>()?;
    let method = match top.get("method").and_then(scan::string).as_deref() {
        Some("one-by-one") => CountedBy::OneByOne,
        Some("differences") => CountedBy::Differences,
        None | Some("unstated") => CountedBy::Unstated,
        Some(_) => return Err("/method: must be one-by-one, differences or unstated".to_owned()),
    };
    let total = match top.get("total") {
        None => None,
        Some(raw) => Some(Tokens(
            scan::whole(raw).ok_or("/total: must be a whole number of tokens")?,
        )),
    };
    let mut name = |key: &str| {
        top.get(key)
            .and_then(scan::string)
            .map(|text| memo.name(&text))
    };
    let (run, request, model) = (name("run"), name("request"), name("model"));
    let version = top.get("client_version").and_then(scan::string);
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

fn part(at: usize, raw: &RawValue, memo: &mut Memo) -> Result<CountedPart, String> {
    let pairs = scan::pairs(raw);
    let tokens = || whole(&pairs, at, "tokens").map(Tokens);
    let kind = pairs.get("kind").and_then(scan::string).unwrap_or_default();
    let name = pairs.get("name").and_then(scan::string);
    let named = || {
        name.as_deref()
            .ok_or_else(|| format!("/parts/{at}/name: missing"))
    };
    Ok(match kind.as_ref() {
        "tool" => CountedPart::Tool {
            name: memo.name(named()?),
            tokens: tokens()?,
            description_chars: pairs.get("description_chars").and_then(scan::whole),
        },
        "tools" => CountedPart::Tools {
            name: memo.name(named()?),
            tools: whole(&pairs, at, "tools")?,
            tokens: tokens()?,
        },
        "placeholder" => CountedPart::Placeholder(tokens()?),
        "prelude" => CountedPart::Prelude(tokens()?),
        "system" => CountedPart::System(tokens()?),
        "messages" => CountedPart::Messages(tokens()?),
        "announced" => {
            let names = pairs.get("names").map(scan::elements).unwrap_or_default();
            CountedPart::Announced(
                names
                    .into_iter()
                    .filter_map(scan::string)
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

fn whole(pairs: &Pairs<'_>, at: usize, key: &str) -> Result<u64, String> {
    pairs
        .get(key)
        .and_then(scan::whole)
        .ok_or_else(|| format!("/parts/{at}/{key}: must be a whole number"))
}
