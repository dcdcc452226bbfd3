//! What is wrong with an input schema, as far as the API or a reader would stumble over it.

use super::scan::{self, Raw, Type};
use crate::model::{SchemaFault, SchemaFaultKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values that are looked at; no schema that a tool needs has more.
const MOST: usize = 20_000;

/// Deeper than this nothing is looked at: each level is read once more for each level above.
const DEEPEST: usize = 64;

/// References that are followed for cycles.
const REFERENCES: usize = 300;

/// Keys whose values are data and no schemas.
const DATA: [&str; 5] = ["enum", "const", "default", "examples", "example"];

/// Keys under which names lead to schemas.
const MAPS: [&str; 5] = [
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
];

/// The faults of a schema, the first of each kind, in the order of the kinds.
pub(super) fn faults(schema: Raw<'_>) -> Vec<SchemaFault> {
    let mut walk = Walk {
        root: schema,
        found: BTreeMap::new(),
        references: Vec::new(),
    };
    walk.root();
    walk.all();
    walk.cycles();
    walk.found
        .into_iter()
        .map(|(kind, pointer)| SchemaFault {
            kind,
            pointer: Arc::from(pointer),
        })
        .collect()
}

struct Walk<'a> {
    root: Raw<'a>,
    found: BTreeMap<SchemaFaultKind, String>,
    /// Where a reference stands, and where it leads.
    references: Vec<(String, String)>,
}

impl<'a> Walk<'a> {
    fn note(&mut self, kind: SchemaFaultKind, pointer: String) {
        self.found.entry(kind).or_insert(pointer);
    }

    fn root(&mut self) {
        let top = scan::pairs(self.root);
        let combinator = ["oneOf", "anyOf", "allOf"];
        if let Some(key) = combinator.iter().find(|key| top.get(key).is_some()) {
            self.note(SchemaFaultKind::RootCombinator, format!("/{key}"));
        }
        let object = top
            .get("type")
            .and_then(Raw::string)
            .is_some_and(|type_| type_ == "object");
        if !object {
            self.note(SchemaFaultKind::RootNotObject, String::new());
        }
    }

    fn all(&mut self) {
        let mut stack: Vec<(Raw<'a>, String, usize, bool)> =
            vec![(self.root, String::new(), 0, false)];
        let mut seen = 0;
        while let Some((raw, pointer, depth, is_map)) = stack.pop() {
            seen += 1;
            if seen > MOST || depth > DEEPEST {
                continue;
            }
            match raw.type_of() {
                Type::Object => {
                    let pairs = scan::pairs(raw);
                    if !is_map {
                        self.one(&pairs, &pointer);
                    }
                    for (key, value) in pairs.0.iter().rev() {
                        let data = !is_map && DATA.contains(&key.as_ref());
                        let nested = matches!(value.type_of(), Type::Object | Type::Array);
                        if data || !nested {
                            continue;
                        }
                        let map = !is_map && MAPS.contains(&key.as_ref());
                        stack.push((*value, below(&pointer, key), depth + 1, map));
                    }
                }
                Type::Array => {
                    let elements = scan::elements(raw);
                    for (at, element) in elements.into_iter().enumerate().rev() {
                        stack.push((element, format!("{pointer}/{at}"), depth + 1, false));
                    }
                }
                _ => {}
            }
        }
    }

    /// One schema object.
    fn one(&mut self, pairs: &scan::Pairs<'a>, pointer: &str) {
        let properties = pairs
            .get("properties")
            .filter(|raw| raw.type_of() == Type::Object)
            .map(scan::pairs);
        if let Some(properties) = &properties {
            let odd = properties.0.iter().find(|(key, _)| !is_key(key));
            if let Some((key, _)) = odd {
                let pointer = below(&format!("{pointer}/properties"), key);
                self.note(SchemaFaultKind::PropertyKey, pointer);
            }
        }
        if let Some(missing) = missing(pairs, properties.as_ref()) {
            let pointer = format!("{pointer}/required/{missing}");
            self.note(SchemaFaultKind::RequiredWithoutProperty, pointer);
        }
        if let Some(target) = pairs.get("$ref").and_then(Raw::string) {
            let place = format!("{pointer}/$ref");
            match local(&target) {
                Some(path) if self.leads(&path) => {
                    if self.references.len() < REFERENCES {
                        self.references.push((pointer.to_owned(), path));
                    }
                }
                // An anchor is a name that may stand anywhere: not followed.
                None if target.starts_with('#') => {}
                _ => self.note(SchemaFaultKind::DanglingRef, place),
            }
        }
    }

    /// Does a pointer lead to a value?
    fn leads(&self, path: &str) -> bool {
        let mut at = self.root;
        for step in path.split('/').skip(1) {
            let key = step.replace("~1", "/").replace("~0", "~");
            let next = match at.type_of() {
                Type::Object => scan::pairs(at).get(&key),
                Type::Array => {
                    let index = key.parse::<usize>().ok();
                    index.and_then(|index| scan::elements(at).get(index).copied())
                }
                _ => None,
            };
            let Some(next) = next else { return false };
            at = next;
        }
        true
    }

    /// A reference closes a circle where what it leads to holds a reference that leads back.
    fn cycles(&mut self) {
        let within = |place: &str, target: &str| {
            place
                .strip_prefix(target)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let targets: BTreeSet<&str> = self.references.iter().map(|(_, to)| to.as_str()).collect();
        let next = |target: &str| -> Vec<&str> {
            let inside = self.references.iter();
            let inside = inside.filter(|(from, _)| within(from, target));
            inside.map(|(_, to)| to.as_str()).collect()
        };
        let edges: BTreeMap<&str, Vec<&str>> = targets
            .iter()
            .map(|target| (*target, next(target)))
            .collect();
        let circles = |start: &str| {
            let mut seen = BTreeSet::new();
            let mut stack = edges.get(start).cloned().unwrap_or_default();
            while let Some(at) = stack.pop() {
                if at == start {
                    return true;
                }
                if seen.insert(at) {
                    stack.extend(edges.get(at).into_iter().flatten());
                }
            }
            false
        };
        let found = targets.iter().find(|target| circles(target));
        let place = found.map(|target| (*target).to_owned());
        if let Some(place) = place {
            self.note(SchemaFaultKind::RecursiveRef, place);
        }
    }
}

/// The place of a name in `required` that no property has. Where other keywords may bring properties nothing is said.
fn missing(pairs: &scan::Pairs<'_>, properties: Option<&scan::Pairs<'_>>) -> Option<usize> {
    let elsewhere = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if"];
    if elsewhere.iter().any(|key| pairs.get(key).is_some()) {
        return None;
    }
    let known: BTreeSet<&str> = properties?.0.iter().map(|(key, _)| key.as_ref()).collect();
    let required = pairs.get("required")?;
    scan::elements(required).into_iter().position(|name| {
        name.string()
            .is_some_and(|name| !known.contains(name.as_ref()))
    })
}

/// `#` and `#/…` as a JSON pointer from the root.
fn local(target: &str) -> Option<String> {
    let path = target.strip_prefix('#')?;
    (path.is_empty() || path.starts_with('/')).then(|| path.to_owned())
}

fn below(pointer: &str, key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1");
    format!("{pointer}/{key}")
}

/// `^[a-zA-Z0-9_.-]{1,64}$`, by the API's own message (define-tools page; issue reports).
fn is_key(key: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    (1..=64).contains(&key.len()) && key.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(schema: &str) -> Vec<(SchemaFaultKind, String)> {
        faults(Raw::parse(schema).unwrap())
            .into_iter()
            .map(|fault| (fault.kind, fault.pointer.to_string()))
            .collect()
    }

    #[test]
    fn each_fault_has_its_place() {
        use SchemaFaultKind as K;
        for (schema, expected) in [
            (
                r#"{"type":"object","properties":{"a":{"anyOf":[{}]}}}"#,
                vec![],
            ),
            (
                r#"{"type":"object","anyOf":[{}]}"#,
                vec![(K::RootCombinator, "/anyOf")],
            ),
            (r#"{"properties":{}}"#, vec![(K::RootNotObject, "")]),
            (
                r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b c":{}}}}}"#,
                vec![(K::PropertyKey, "/properties/a/properties/b c")],
            ),
            // A property may be called like a keyword, and data like a schema.
            (
                r#"{"type":"object","properties":{"properties":{"type":"string"},"enum":{"type":"string"}},"default":{"$ref":"x"}}"#,
                vec![],
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"c":{}}}"##,
                vec![(K::DanglingRef, "/properties/a/$ref")],
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{}}}"##,
                vec![],
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"items":{"$ref":"#/$defs/n"}}}}"##,
                vec![(K::RecursiveRef, "/$defs/n")],
            ),
            (
                r##"{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}"##,
                vec![(K::RecursiveRef, "/$defs/a")],
            ),
            (
                r#"{"type":"object","properties":{"a":{}},"required":["a","b"]}"#,
                vec![(K::RequiredWithoutProperty, "/required/1")],
            ),
            (r#"{"type":"object","required":["b"]}"#, vec![]),
            ("[]", vec![(K::RootNotObject, "")]),
        ] {
            let expected: Vec<(K, String)> = expected
                .into_iter()
                .map(|(kind, at)| (kind, at.to_owned()))
                .collect();
            assert_eq!(kinds(schema), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_without_end_ends() {
        let deep = format!(
            "{}{}{}",
            r#"{"type":"object","a":"#.repeat(5000),
            "{}",
            "}".repeat(5000)
        );
        assert_eq!(kinds(&deep), []);
        let wide = format!(
            r#"{{"type":"object","properties":{{{}}}}}"#,
            (0..50_000)
                .map(|n| format!(r#""k{n}":{{}}"#))
                .collect::<Vec<_>>()
                .join(",")
        );
        assert_eq!(kinds(&wide), []);
    }
}
