//! YAML cassettes as the JSON they stand for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A YAML document is read whole up to this many bytes.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// A cassette begins with its list of interactions, perhaps after comments or a document mark.
pub(super) fn is_cassette(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4096)];
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#") && *line != b"---");
    first.is_some_and(|line| line == b"interactions:" || line.starts_with(b"interactions: "))
}

/// A value as the text of its JSON: keys in the order of writing, no tree in between.
struct Json(String);

/// Rewrites a YAML document.
///
/// # Errors
/// It is no YAML, or too long; the place without the text.
pub(super) fn to_json(text: &[u8]) -> Result<String, String> {
    if text.len() as u64 > MOST_BYTES {
        let limit = MOST_BYTES >> 20;
        return Err(format!(
            "a YAML document of more than {limit} MiB; convert it to JSON"
        ));
    }
    let text = std::str::from_utf8(text).map_err(|_| "not valid UTF-8".to_owned())?;
    let options = serde_saphyr::options! {
        budget: None,
        with_snippet: false,
        // `n` is a key like any other.
        strict_booleans: true,
        // A body that was packed stays base64.
        ignore_binary_tag_for_string: true,
    };
    let json: Result<Json, _> = serde_saphyr::from_str_with_options(text, options);
    json.map(|json| json.0).map_err(|error| {
        let place = error.location().map_or_else(String::new, |place| {
            format!(" at line {}, column {}", place.line(), place.column())
        });
        format!("YAML that cannot be read{place}")
    })
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Writer)
    }
}

struct Writer;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'de> Visitor<'de> for Writer {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        Ok(Json(serde_json::Value::from(value).to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json(quoted(value)))
    }

    /// Binary data stays base64: only a gzip body is written so, and it is told by its first bytes.
    fn visit_bytes<E>(self, value: &[u8]) -> Result<Json, E> {
        Ok(Json(quoted(&STANDARD.encode(value))))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json("null".to_owned()))
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json("null".to_owned()))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        Json::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut text = String::from("[");
        while let Some(Json(value)) = list.next_element()? {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&value);
        }
        text.push(']');
        Ok(Json(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut text = String::from("{");
        while let Some((Json(key), Json(value))) = map.next_entry()? {
            if text.len() > 1 {
                text.push(',');
            }
            // Keys that are no strings (numbers, null) are strings in JSON.
            text.push_str(&if key.starts_with('"') {
                key
            } else {
                quoted(&key)
            });
            text.push(':');
            text.push_str(&value);
        }
        text.push('}');
        Ok(Json(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_the_json_it_stands_for() {
        let text = "interactions:\n- request:\n    body: '{\"a\":1}'\n    uri: https://h/x\n    n: 1\n    f: 1.5\n    t: true\n    e:\n  response:\n    body: |-\n      one\n      two\nversion: 1\n";
        assert!(is_cassette(text.as_bytes()));
        let json: serde_json::Value =
            serde_json::from_str(&to_json(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            json["interactions"][0]["request"],
            serde_json::json!({"body": "{\"a\":1}", "uri": "https://h/x", "n": 1, "f": 1.5, "t": true, "e": null})
        );
        assert_eq!(json["interactions"][0]["response"]["body"], "one\ntwo");
    }

    #[test]
    fn what_is_no_yaml_is_told_by_place_and_without_its_text() {
        let error = to_json(b"interactions:\n- secret: [\n").unwrap_err();
        assert!(
            error.starts_with("YAML that cannot be read at line"),
            "{error}"
        );
        assert!(!error.contains("secret"));
        assert!(!is_cassette(b"other: 1\n"));
    }
}
