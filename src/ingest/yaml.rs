//! YAML cassettes as the JSON they stand for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
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

/// References may unfold a document to so many bytes of JSON; a small one could else fill the memory.
const MOST_WRITTEN: usize = 256 << 20;

/// Rewrites a YAML document.
///
/// # Errors
/// It is no YAML, or too long, or unfolds to too much; the place without the text.
pub(super) fn to_json(text: &[u8]) -> Result<String, String> {
    within(text, MOST_WRITTEN)
}

fn within(text: &[u8], most: usize) -> Result<String, String> {
    if text.len() as u64 > MOST_BYTES {
        let limit = MOST_BYTES >> 20;
        return Err(format!(
            "a YAML document of more than {limit} MiB; convert it to JSON"
        ));
    }
    let text = std::str::from_utf8(text).map_err(|_| "not valid UTF-8".to_owned())?;
    // No budget of the parser's: what it limits (nodes, bytes of text) is less than a long cassette has. Depth
    // and the number of references it limits by itself, what they unfold to is limited here.
    let options = serde_saphyr::options! {
        budget: None,
        with_snippet: false,
        // `n` is a key like any other.
        strict_booleans: true,
        // A body that was packed stays base64.
        ignore_binary_tag_for_string: true,
    };
    let mut json = Json {
        text: String::new(),
        most,
    };
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |yaml| {
        Writer(&mut json).deserialize(yaml)
    });
    match read {
        Ok(()) => Ok(json.text),
        Err(_) if json.text.len() > most => Err(format!(
            "YAML whose references unfold to more than {} MiB; convert it to JSON",
            most >> 20
        )),
        Err(error) => {
            let place = error.location().map_or_else(String::new, |place| {
                format!(" at line {}, column {}", place.line(), place.column())
            });
            Err(format!("YAML that cannot be read{place}"))
        }
    }
}

/// The text of the JSON: keys in the order of writing, no tree in between.
struct Json {
    text: String,
    most: usize,
}

impl Json {
    fn push<E: de::Error>(&mut self, text: &str) -> Result<(), E> {
        self.text.push_str(text);
        match self.text.len() > self.most {
            true => Err(E::custom("too long")),
            false => Ok(()),
        }
    }
}

/// Writes one value, and those in it.
struct Writer<'j>(&'j mut Json);

impl<'de> DeserializeSeed<'de> for Writer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'de> Visitor<'de> for Writer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.0.push(&value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.0.push(&value.to_string())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.0.push(&value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.push(&serde_json::Value::from(value).to_string())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.0.push(&quoted(value))
    }

    /// Binary data stays base64: only a gzip body is written so, and it is told by its first bytes.
    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<(), E> {
        self.0.push(&quoted(&STANDARD.encode(value)))
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.push("null")
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.0.push("null")
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.push("[")?;
        let start = self.0.text.len();
        loop {
            let before = self.0.text.len();
            if before > start {
                self.0.push(",")?;
            }
            if list.next_element_seed(Writer(self.0))?.is_none() {
                self.0.text.truncate(before);
                return self.0.push("]");
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.push("{")?;
        let start = self.0.text.len();
        loop {
            let before = self.0.text.len();
            if before > start {
                self.0.push(",")?;
            }
            let key = self.0.text.len();
            if map.next_key_seed(Writer(self.0))?.is_none() {
                self.0.text.truncate(before);
                return self.0.push("}");
            }
            // Keys that are no strings (numbers, null) are strings in JSON.
            if !self.0.text[key..].starts_with('"') {
                let written = quoted(&self.0.text[key..]);
                self.0.text.truncate(key);
                self.0.push(&written)?;
            }
            self.0.push(":")?;
            map.next_value_seed(Writer(self.0))?;
        }
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

    #[test]
    fn what_references_unfold_to_is_limited() {
        let text = format!(
            "interactions: &a\n- {}\nmore: [{}]\n",
            "x".repeat(1000),
            vec!["*a"; 100].join(", ")
        );
        let json = to_json(text.as_bytes()).unwrap();
        assert!(json.len() > 100_000);
        let error = within(text.as_bytes(), 50_000).unwrap_err();
        assert!(error.starts_with("YAML whose references unfold to more than"));
        // Keys of any kind, lists and objects in each other, nothing in them.
        let odd = "interactions: [[], {}, [{a: []}]]\n1: a\n~: b\n[x, y]: c\n";
        assert_eq!(
            to_json(odd.as_bytes()).unwrap(),
            r#"{"interactions":[[],{},[{"a":[]}]],"1":"a","null":"b","[\"x\",\"y\"]":"c"}"#
        );
    }
}
