//! Recorded usage in a response: a message object, or the text of an event stream.

use super::scan::{self, Type};
use crate::model::{Tokens, Usage};
use serde_json::value::RawValue;

/// The usage of a response, where it tells one. Stub upstreams answer 0 or 1: that is no usage.
pub(super) fn usage(raw: &RawValue) -> Option<Usage> {
    let mut usage = Usage::default();
    let mut seen = false;
    match scan::type_of(raw) {
        Type::Object => merge(raw, &mut usage, &mut seen),
        Type::String => {
            let text = scan::string(raw)?;
            if text.trim_start().starts_with('{') && !text.contains("\ndata:") {
                merge(scan::value(&text).ok()?, &mut usage, &mut seen);
            } else {
                events(&text, &mut usage, &mut seen);
            }
        }
        _ => {}
    }
    (seen && usage.prompt().0 > 1).then_some(usage)
}

fn events(text: &str, usage: &mut Usage, seen: &mut bool) {
    for line in text.lines() {
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        // Most events carry deltas of text: only two kinds carry usage.
        if !(data.contains("message_start") || data.contains("message_delta")) {
            continue;
        }
        let Ok(event) = scan::value(data.trim()) else {
            continue;
        };
        let pairs = scan::pairs(event);
        match pairs.get("type").and_then(scan::string).as_deref() {
            Some("message_start") => {
                if let Some(message) = pairs.get("message") {
                    merge(message, usage, seen);
                }
            }
            Some("message_delta") => merge(event, usage, seen),
            _ => {}
        }
    }
}

/// Takes over the numbers of `{usage: {…}}`; what a later event leaves out stands.
fn merge(holder: &RawValue, usage: &mut Usage, seen: &mut bool) {
    let Some(raw) = scan::pairs(holder)
        .get("usage")
        .filter(|raw| scan::type_of(raw) == Type::Object)
    else {
        return;
    };
    let pairs = scan::pairs(raw);
    let number = |key: &str| pairs.get(key).and_then(scan::whole).map(Tokens);
    *seen |= number("input_tokens").is_some();
    let by_age = pairs
        .get("cache_creation")
        .map(scan::pairs)
        .unwrap_or_default();
    let one_hour = by_age
        .get("ephemeral_1h_input_tokens")
        .and_then(scan::whole)
        .map(Tokens);
    for (slot, value) in [
        (&mut usage.input, number("input_tokens")),
        (
            &mut usage.cache_write,
            number("cache_creation_input_tokens"),
        ),
        (&mut usage.cache_write_1h, one_hour),
        (&mut usage.cache_read, number("cache_read_input_tokens")),
        (&mut usage.output, number("output_tokens")),
    ] {
        if let Some(value) = value {
            *slot = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_read_from_an_object_and_from_events() {
        let object = r#"{"usage":{"input_tokens":4,"cache_creation_input_tokens":15032,"cache_read_input_tokens":0,"output_tokens":2}}"#;
        assert_eq!(
            usage(scan::value(object).unwrap()).unwrap().prompt(),
            Tokens(15036)
        );
        let stream = format!(
            "event: message_start\ndata: {{\"type\":\"message_start\",\"message\":{object}}}\n\nevent: message_delta\ndata: {{\"type\":\"message_delta\",\"usage\":{{\"output_tokens\":99}}}}\n\n"
        );
        let quoted = serde_json::to_string(&stream).unwrap();
        let read = usage(scan::value(&quoted).unwrap()).unwrap();
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
            assert_eq!(usage(scan::value(none).unwrap()), None, "{none}");
        }
    }
}
