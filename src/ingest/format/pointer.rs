//! JSON pointers into a record, each level opened once.

use crate::ingest::scan::{self, Pairs, Type};
use serde_json::value::RawValue;

/// A record and the objects in it that were opened.
pub(crate) struct Lookup<'a> {
    raw: &'a RawValue,
    opened: Vec<(String, Pairs<'a>)>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(raw: &'a RawValue) -> Self {
        Self {
            raw,
            opened: Vec::new(),
        }
    }

    /// The value at a pointer (RFC 6901); "" is the record itself.
    pub(crate) fn get(&mut self, pointer: &str) -> Option<&'a RawValue> {
        let mut here = self.raw;
        let mut path = String::new();
        for token in pointer.split('/').skip(1) {
            let key = token.replace("~1", "/").replace("~0", "~");
            here = match scan::type_of(here) {
                Type::Object => self.open(&path, here).get(&key)?,
                Type::Array => *scan::elements(here).get(key.parse::<usize>().ok()?)?,
                _ => return None,
            };
            path.push('/');
            path.push_str(token);
        }
        Some(here)
    }

    /// The members of the object at a pointer; anything else has none.
    pub(crate) fn pairs(&mut self, pointer: &str) -> Option<&Pairs<'a>> {
        let raw = self.get(pointer)?;
        Some(self.open(pointer, raw))
    }

    fn open(&mut self, path: &str, raw: &'a RawValue) -> &Pairs<'a> {
        let at = self
            .opened
            .iter()
            .position(|(known, _)| known == path)
            .unwrap_or_else(|| {
                self.opened.push((path.to_owned(), scan::pairs(raw)));
                self.opened.len() - 1
            });
        &self.opened[at].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_lead_through_objects_and_arrays() {
        let raw = scan::value(r#"{"a":{"b/c":[1,{"d":"x"}]},"e":null}"#).unwrap();
        let mut lookup = Lookup::new(raw);
        assert_eq!(lookup.get("/a/b~1c/1/d").unwrap().get(), "\"x\"");
        assert_eq!(lookup.get("").unwrap().get(), raw.get());
        assert_eq!(lookup.get("/e").unwrap().get(), "null");
        assert!(
            lookup.get("/a/x").is_none()
                && lookup.get("/e/x").is_none()
                && lookup.get("/a/b~1c/7").is_none()
        );
    }
}
