//! JSON pointers into a record, each level opened once.

use crate::ingest::scan::{self, Opened, Pairs, Raw, Type};
use std::borrow::Cow;

/// A record and the objects and arrays in it that were opened.
pub(crate) struct Lookup<'a> {
    raw: Raw<'a>,
    opened: Opened<'a>,
    met_json_string: bool,
}

impl<'a> Lookup<'a> {
    /// A record. What stands at the `deep` pointers is opened on the one walk through its text, so that a large
    /// body is looked at once and not once a level.
    pub(crate) fn new(raw: Raw<'a>, deep: &[String]) -> Self {
        Self::opened(raw, scan::open_along(raw, deep))
    }

    /// A record whose levels were opened before.
    pub(crate) fn opened(raw: Raw<'a>, opened: Opened<'a>) -> Self {
        Self {
            raw,
            opened,
            met_json_string: false,
        }
    }

    /// The value at a pointer (RFC 6901); "" is the record itself.
    pub(crate) fn get(&mut self, pointer: &str) -> Option<Raw<'a>> {
        let mut here = self.raw;
        // What is opened is known by the part of the pointer that leads to it.
        let mut end = 0;
        for token in pointer.split('/').skip(1) {
            let key = match token.contains('~') {
                true => Cow::Owned(token.replace("~1", "/").replace("~0", "~")),
                false => Cow::Borrowed(token),
            };
            here = match here.type_of() {
                Type::Object => self.open(&pointer[..end], here).get(&key)?,
                Type::Array => element(here, &key)?,
                Type::String => {
                    let inner = here.text().trim_start_matches('"').trim_start();
                    self.met_json_string |= inner.starts_with(['{', '[']);
                    return None;
                }
                _ => return None,
            };
            end += 1 + token.len();
        }
        Some(here)
    }

    /// A pointer led into a string that may hold JSON.
    pub(crate) fn met_json_string(&self) -> bool {
        self.met_json_string
    }

    /// The members of the object at a pointer, and the elements of the array under `key` where they were
    /// opened on the way.
    pub(crate) fn object(
        &mut self,
        pointer: &str,
        key: &str,
    ) -> Option<(&Pairs<'a>, Option<&[Raw<'a>]>)> {
        let raw = self.get(pointer)?;
        self.open(pointer, raw);
        let array = format!("{pointer}/{key}");
        // Of a key written twice the last counts.
        let mut arrays = self.opened.arrays.iter().rev();
        let elements = arrays.find(|(known, _)| *known == array);
        let pairs = self
            .opened
            .objects
            .iter()
            .rfind(|(known, _)| *known == pointer)?;
        Some((&pairs.1, elements.map(|(_, elements)| elements.as_slice())))
    }

    fn open(&mut self, path: &str, raw: Raw<'a>) -> &Pairs<'a> {
        let objects = &mut self.opened.objects;
        let at = objects
            .iter()
            .rposition(|(known, _)| known == path)
            .unwrap_or_else(|| {
                objects.push((path.to_owned(), scan::pairs(raw)));
                objects.len() - 1
            });
        &objects[at].1
    }
}

/// The element that a step names: by its number, or `[key=name]` by a member of it.
fn element<'a>(array: Raw<'a>, step: &str) -> Option<Raw<'a>> {
    let elements = scan::elements(array);
    let named = step
        .strip_prefix('[')
        .and_then(|step| step.strip_suffix(']'))
        .and_then(|step| step.split_once('='));
    let Some((key, name)) = named else {
        return elements.get(step.parse::<usize>().ok()?).copied();
    };
    elements.into_iter().find(|element| {
        let pairs = scan::pairs(*element);
        pairs.get(key).and_then(Raw::string).as_deref() == Some(name)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_step_may_name_an_element_by_a_member() {
        let text = r#"{"list":[{"key":"a","value":1},{"key":"b","value":{"x":2}}]}"#;
        let mut lookup = Lookup::new(Raw::parse(text).unwrap(), &[]);
        assert_eq!(lookup.get("/list/[key=b]/value/x").unwrap().text(), "2");
        assert!(lookup.get("/list/[key=c]/value").is_none());
    }

    use super::*;

    #[test]
    fn pointers_lead_through_objects_and_arrays() {
        let text = r#"{"a":{"b/c":[1,{"d":"x"}], "m":[1,[2]]},"e":null}"#;
        let raw = Raw::parse(text).unwrap();
        for deep in [
            &[][..],
            &["/a".to_owned(), "/a/m".to_owned(), "/e".to_owned()],
        ] {
            let mut lookup = Lookup::new(raw, deep);
            assert_eq!(lookup.get("/a/b~1c/1/d").unwrap().text(), "\"x\"");
            assert_eq!(lookup.get("").unwrap().text(), raw.text());
            assert_eq!(lookup.get("/e").unwrap().text(), "null");
            assert_eq!(
                lookup.get("/a").unwrap().text(),
                r#"{"b/c":[1,{"d":"x"}], "m":[1,[2]]}"#
            );
            assert!(lookup.get("/a/x").is_none() && lookup.get("/e/x").is_none());
            assert!(lookup.get("/a/b~1c/7").is_none());
            let (pairs, elements) = lookup.object("/a", "m").unwrap();
            assert_eq!(pairs.0.len(), 2);
            assert_eq!(
                elements.map(<[_]>::len),
                if deep.is_empty() { None } else { Some(2) }
            );
        }
    }
}
