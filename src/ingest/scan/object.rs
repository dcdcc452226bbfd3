//! Objects and arrays, one level at a time.

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The members of an object in order of writing, duplicates included.
#[derive(Debug, Default)]
pub(crate) struct Pairs<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Pairs<'a> {
    /// The value of a key; of a key written twice the last, as JavaScript reads it.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0
            .iter()
            .rev()
            .find(|(k, _)| k == key)
            .map(|(_, value)| *value)
    }

    /// Keys that are written more than once, among the first thousand members.
    pub(crate) fn duplicates(&self) -> Vec<String> {
        let head = &self.0[..self.0.len().min(1000)];
        let mut keys: Vec<&str> = head.iter().map(|(key, _)| key.as_ref()).collect();
        keys.sort_unstable();
        let mut twice: Vec<String> = keys
            .windows(2)
            .filter(|w| w[0] == w[1])
            .map(|w| w[0].to_owned())
            .collect();
        twice.dedup();
        twice
    }
}

/// Opens an object; anything else has no members.
pub(crate) fn pairs(raw: &RawValue) -> Pairs<'_> {
    // A raw value is valid JSON, so an error here only says: not an object.
    serde_json::Deserializer::from_str(raw.get())
        .deserialize_map(PairsVisitor)
        .unwrap_or_default()
}

/// Opens an array; anything else has no elements.
pub(crate) fn elements(raw: &RawValue) -> Vec<&RawValue> {
    serde_json::Deserializer::from_str(raw.get())
        .deserialize_seq(ElementsVisitor)
        .unwrap_or_default()
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        // Keys are taken raw too: one with a lone surrogate is legal JSON and no Rust string.
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            pairs.push((super::string(key).unwrap_or_default(), value));
        }
        Ok(Pairs(pairs))
    }
}

struct ElementsVisitor;

impl<'de> Visitor<'de> for ElementsVisitor {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(elements)
    }
}

#[cfg(test)]
mod tests {
    use super::super::value;
    use super::*;

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let raw = value(r#"{"a":1,"b":2,"a":3,"\ud83d":4}"#).unwrap();
        let pairs = pairs(raw);
        assert_eq!(pairs.get("a").unwrap().get(), "3");
        assert_eq!(pairs.duplicates(), ["a"]);
        assert_eq!(pairs.0.len(), 4);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("[{}1{}]", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(elements(value(&deep).unwrap()).len(), 1);
    }
}
