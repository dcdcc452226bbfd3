//! Recorded usage in a response: a message object, or the text of an event stream.

use super::scan::{self, Pairs, Raw, Type};
use crate::model::{Tokens, Usage};

/// What a response says of its tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Recorded {
    /// Nothing. Stub upstreams answer 0 or 1: that is nothing too.
    #[default]
    Nothing,
    /// A number of it cannot be read, so none is believed.
    Unreadable,
    /// Usage.
    Usage(Usage),
}

/// No request has as many tokens as this: 2^53, up to which JSON's numbers are exact everywhere.
const ABSURD: u64 = 1 << 53;

/// The same numbers by other names: the API, Bedrock's Converse and logs, context-lens, Langfuse.
const INPUT: [&str; 4] = ["input_tokens", "inputTokens", "inputTokenCount", "input"];
const CACHE_WRITE: [&str; 4] = [
    "cache_creation_input_tokens",
    "cacheWriteInputTokens",
    "cache_write_tokens",
    "input_cache_creation",
];
const CACHE_READ: [&str; 4] = [
    "cache_read_input_tokens",
    "cacheReadInputTokens",
    "cache_read_tokens",
    "input_cache_read",
];
const OUTPUT: [&str; 4] = [
    "output_tokens",
    "outputTokens",
    "outputTokenCount",
    "output",
];

#[derive(Default)]
struct Found {
    usage: Usage,
    seen: bool,
    unreadable: bool,
}

impl Recorded {
    /// Usage that is believed.
    pub(super) fn known(self) -> Option<Usage> {
        match self {
            Self::Usage(usage) => Some(usage),
            Self::Nothing | Self::Unreadable => None,
        }
    }
}

/// The usage of a response, where it tells one: an object, the text of an event stream, a list of events.
pub(super) fn usage(raw: Raw<'_>) -> Recorded {
    let mut found = Found::default();
    match raw.type_of() {
        Type::Object => merge(raw, &mut found),
        Type::String => text(&raw.string().unwrap_or_default(), &mut found),
        Type::Array => {
            for item in scan::elements(raw) {
                listed(item, &mut found);
            }
        }
        Type::Null | Type::Scalar => {}
    }
    told(found)
}

/// The same of a text that was decoded already. A gzip body may stand there as base64 (`H4sI`).
pub(super) fn usage_of_text(body: &str) -> Recorded {
    let mut found = Found::default();
    text(body, &mut found);
    told(found)
}

/// The usage object itself, in anybody's words.
pub(super) fn usage_object(raw: Raw<'_>) -> Recorded {
    let mut found = Found::default();
    numbers(raw, &mut found);
    told(found)
}

fn text(body: &str, found: &mut Found) {
    let unpacked = body
        .starts_with("H4sI")
        .then(|| super::unpack::base64_text(body))
        .flatten();
    let body = unpacked.as_deref().unwrap_or(body);
    if body.trim_start().starts_with('{') && !body.contains("\ndata:") {
        if let Ok(value) = Raw::parse(body) {
            merge(value, found);
        }
    } else {
        events(body, found);
    }
}

/// An event of a list: the event itself, its text, or an object with either under `data`.
fn listed(item: Raw<'_>, found: &mut Found) {
    match item.type_of() {
        Type::String => text(&item.string().unwrap_or_default(), found),
        Type::Object => {
            let pairs = scan::pairs(item);
            match pairs.get("data") {
                Some(data) if data.type_of() == Type::Object => event(data, found),
                Some(data) => {
                    let inner = data.string().unwrap_or_default();
                    if let Ok(data) = Raw::parse(&inner) {
                        event(data, found);
                    }
                }
                None => event(item, found),
            }
        }
        _ => {}
    }
}

fn told(found: Found) -> Recorded {
    match found {
        Found {
            unreadable: true, ..
        } => Recorded::Unreadable,
        Found {
            usage, seen: true, ..
        } if usage.prompt().0 > 1 => Recorded::Usage(usage),
        _ => Recorded::Nothing,
    }
}

fn events(text: &str, found: &mut Found) {
    for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        // Most events carry deltas of text: few carry usage, and none without the word.
        if !data.contains("\"usage\"") {
            continue;
        }
        if let Ok(data) = Raw::parse(data.trim()) {
            event(data, found);
        }
    }
}

fn event(raw: Raw<'_>, found: &mut Found) {
    let pairs = scan::pairs(raw);
    match pairs.get("type").and_then(Raw::string).as_deref() {
        Some("message_start") => {
            if let Some(message) = pairs.get("message") {
                merge(message, found);
            }
        }
        Some("message_delta") => merge(raw, found),
        // Responses tells it at the end, with the whole answer.
        Some(_) => {
            if let Some(response) = pairs.get("response") {
                merge(response, found);
            }
        }
        // The last chunk of Chat Completions.
        None => merge(raw, found),
    }
}

/// Takes over the numbers of `{usage: {…}}`; what a later event leaves out, or tells as 0, stands.
fn merge(holder: Raw<'_>, found: &mut Found) {
    let holder = scan::pairs(holder);
    let Some(raw) = holder
        .get("usage")
        .filter(|raw| raw.type_of() == Type::Object)
    else {
        return;
    };
    numbers(raw, found);
}

fn numbers(raw: Raw<'_>, found: &mut Found) {
    let pairs = scan::pairs(raw);
    if let Some(usage) = openai(&pairs) {
        match usage {
            Ok(usage) => (found.usage, found.seen) = (usage, true),
            Err(()) => found.unreadable = true,
        }
        return;
    }
    let any = |keys: &[&str]| keys.iter().find_map(|key| pairs.get(key));
    found.seen |= any(&INPUT).is_some();
    let by_age = pairs
        .get("cache_creation")
        .map(scan::pairs)
        .unwrap_or_default();
    let tells = |keys: &[&str]| any(keys).is_some_and(|raw| !matches!(raw.type_of(), Type::Null));
    let Found {
        usage, unreadable, ..
    } = found;
    usage.tells_read |= tells(&CACHE_READ);
    usage.tells_write |= tells(&CACHE_WRITE);
    for (slot, raw) in [
        (&mut usage.input, any(&INPUT)),
        (&mut usage.cache_write, any(&CACHE_WRITE)),
        (
            &mut usage.cache_write_1h,
            by_age.get("ephemeral_1h_input_tokens"),
        ),
        (&mut usage.cache_read, any(&CACHE_READ)),
        (&mut usage.output, any(&OUTPUT)),
    ] {
        let Some(raw) = raw.filter(|raw| raw.type_of() != Type::Null) else {
            continue;
        };
        match raw.whole().filter(|number| *number < ABSURD) {
            Some(0) => {}
            Some(number) => *slot = Tokens(number),
            None => *unreadable = true,
        }
    }
}

/// OpenAI's numbers: the input holds what was read from a cache, and nothing is told of writing.
/// Responses and Chat Completions differ in their words only. `None` = these are not OpenAI's.
fn openai(pairs: &Pairs<'_>) -> Option<Result<Usage, ()>> {
    let responses = pairs.get("input_tokens_details").is_some();
    let (input, details, output) = match pairs.get("prompt_tokens") {
        Some(_) => (
            "prompt_tokens",
            "prompt_tokens_details",
            "completion_tokens",
        ),
        None if responses => ("input_tokens", "input_tokens_details", "output_tokens"),
        None => return None,
    };
    let number = |pairs: &Pairs<'_>, key: &str| match pairs.get(key) {
        Some(raw) if raw.type_of() != Type::Null => {
            raw.whole().filter(|number| *number < ABSURD).ok_or(())
        }
        _ => Ok(0),
    };
    let read = || {
        let details = pairs.get(details).map(scan::pairs).unwrap_or_default();
        let cached = number(&details, "cached_tokens")?;
        let told = details.get("cached_tokens");
        let whole = number(pairs, input)?;
        Ok(Usage {
            input: Tokens(whole.checked_sub(cached).ok_or(())?),
            cache_read: Tokens(cached),
            output: Tokens(number(pairs, output)?),
            tells_read: told.is_some_and(|raw| raw.type_of() != Type::Null),
            ..Usage::default()
        })
    };
    Some(read())
}

#[cfg(test)]
mod tests {
    #[test]
    fn openai_counts_what_was_read_from_a_cache_inside_the_input() {
        let responses = r#"{"usage":{"input_tokens":640,"input_tokens_details":{"cached_tokens":512},"output_tokens":46}}"#;
        let chat = r#"{"usage":{"prompt_tokens":640,"prompt_tokens_details":{"cached_tokens":512},"completion_tokens":46}}"#;
        let event =
            format!("data: {{\"type\":\"response.completed\",\"response\":{responses}}}\n\n");
        let chunk = format!("data: {{\"choices\":[],{}\n\ndata: [DONE]\n", &chat[1..]);
        let expected = Usage {
            input: Tokens(128),
            cache_read: Tokens(512),
            output: Tokens(46),
            tells_read: true,
            ..Usage::default()
        };
        for text in [
            responses.to_owned(),
            chat.to_owned(),
            serde_json::to_string(&event).unwrap(),
            serde_json::to_string(&chunk).unwrap(),
        ] {
            let read = usage(Raw::parse(&text).unwrap());
            assert_eq!(read, Recorded::Usage(expected), "{text}");
        }
        let more_cached_than_sent =
            r#"{"usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":6}}}"#;
        let read = usage(Raw::parse(more_cached_than_sent).unwrap());
        assert_eq!(read, Recorded::Unreadable);
    }

    use super::*;

    #[test]
    fn usage_is_read_from_an_object_and_from_events() {
        let object = r#"{"usage":{"input_tokens":4,"cache_creation_input_tokens":15032,"cache_read_input_tokens":0,"output_tokens":2}}"#;
        let read = |text: &str| match usage(Raw::parse(text).unwrap()) {
            Recorded::Usage(usage) => usage,
            other => panic!("{other:?}"),
        };
        assert_eq!(read(object).prompt(), Tokens(15036));
        let stream = format!(
            "event: message_start\ndata: {{\"type\":\"message_start\",\"message\":{object}}}\n\nevent: message_delta\ndata: {{\"type\":\"message_delta\",\"usage\":{{\"output_tokens\":99}}}}\n\n"
        );
        let quoted = serde_json::to_string(&stream).unwrap();
        let read = read(&quoted);
        assert_eq!((read.prompt(), read.output), (Tokens(15036), Tokens(99)));
    }

    #[test]
    fn no_usage_is_not_zero() {
        for none in [
            "null",
            "{}",
            r#"{"usage":null}"#,
            r#"{"usage":{"input_tokens":0}}"#,
            r#""data: x""#,
            "\"\"",
        ] {
            assert_eq!(
                usage(Raw::parse(none).unwrap()),
                Recorded::Nothing,
                "{none}"
            );
        }
    }

    #[test]
    fn a_number_that_cannot_be_read_spoils_the_usage() {
        for number in [
            "\"12000\"",
            "12000.5",
            "1.2e4",
            "-1",
            "18446744073709551615",
            "[]",
        ] {
            let text =
                format!(r#"{{"usage":{{"input_tokens":5,"cache_read_input_tokens":{number}}}}}"#);
            assert_eq!(
                usage(Raw::parse(&text).unwrap()),
                Recorded::Unreadable,
                "{number}"
            );
        }
    }

    #[test]
    fn a_later_zero_does_not_unsay_a_number() {
        let events = "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5000}}}\r\rdata: {\"type\":\"message_delta\",\"usage\":{\"input_tokens\":0,\"output_tokens\":7}}\r";
        let quoted = serde_json::to_string(events).unwrap();
        let Recorded::Usage(usage) = usage(Raw::parse(&quoted).unwrap()) else {
            panic!()
        };
        assert_eq!((usage.prompt(), usage.output), (Tokens(5000), Tokens(7)));
    }
}
