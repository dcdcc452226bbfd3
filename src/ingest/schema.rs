//! What is wrong with an input schema, as far as the API or a reader would stumble over it.

mod refs;

use super::scan::{self, Raw, Type};
use crate::model::{Hazards, SchemaFault, SchemaFaultKind};
use refs::{Asked, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values that are looked at; no schema that a tool needs has more.
const MOST: usize = 20_000;

/// Deeper than this nothing is looked at: each level is read once more for each level above.
const DEEPEST: usize = 64;

/// References that are followed for cycles.
const REFERENCES: usize = 300;

/// Distinct targets that are looked up, each from the root on.
const TARGETS: usize = 1_000;

/// Keys whose values are data and no schemas.
const DATA: [&str; 5] = ["enum", "const", "default", "examples", "example"];

/// Keys under which names lead to schemas.
const MAPS: [&str; 6] = [
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];

/// Keys that lead to schemas of values of their own: nothing beside them adds properties to the same value.
const OWN: [&str; 7] = [
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "items",
    "prefixItems",
    "additionalProperties",
];

/// Nothing is looked at below a place whose pointer is longer: each value under it carries it.
const LONGEST: usize = 2_000;

/// The faults of a schema, the first of each kind, in the order of the kinds.
pub(super) fn faults(schema: Raw<'_>) -> Vec<SchemaFault> {
    let mut walk = Walk {
        root: schema,
        found: BTreeMap::new(),
        references: Vec::new(),
        asked: Vec::new(),
        names: Names::default(),
        required: Vec::new(),
        mixed: BTreeSet::new(),
    };
    walk.root();
    walk.all();
    walk.resolve();
    walk.required();
    walk.cycles();
    walk.found
        .into_iter()
        .map(|(kind, pointer)| SchemaFault {
            kind,
            pointer: Arc::from(shortened(&pointer)),
        })
        .collect()
}

/// A pointer with its long steps cut.
fn shortened(pointer: &str) -> String {
    let steps: Vec<_> = pointer.split('/').map(Hazards::short).collect();
    steps.join("/")
}

/// A value on its way.
struct Step<'a> {
    raw: Raw<'a>,
    pointer: String,
    depth: usize,
    /// Its keys are names that lead to schemas.
    is_map: bool,
    /// Nothing round it adds properties to the same value.
    is_own: bool,
    /// Where the schema stands that has the nearest `$id`.
    base: Arc<str>,
}

struct Walk<'a> {
    root: Raw<'a>,
    found: BTreeMap<SchemaFaultKind, String>,
    /// Where a reference stands, and where it leads.
    references: Vec<(String, String)>,
    /// References as they are written.
    asked: Vec<Asked>,
    /// What they may lead to by name.
    names: Names,
    /// Schemas that ask for a property they do not have, and where they do.
    required: Vec<(String, String)>,
    /// Schemas that a combination refers to: its other parts may bring their properties.
    mixed: BTreeSet<String>,
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
        let mut stack = vec![Step {
            raw: self.root,
            pointer: String::new(),
            depth: 0,
            is_map: false,
            is_own: true,
            base: Arc::from(""),
        }];
        let mut seen = 0;
        while let Some(mut step) = stack.pop() {
            seen += 1;
            if seen > MOST || step.depth > DEEPEST || step.pointer.len() > LONGEST {
                continue;
            }
            let depth = step.depth + 1;
            match step.raw.type_of() {
                Type::Object => {
                    let pairs = scan::pairs(step.raw);
                    if !step.is_map {
                        self.one(&pairs, &mut step);
                    }
                    for (key, value) in pairs.0.iter().rev() {
                        let data = !step.is_map && DATA.contains(&key.as_ref());
                        let nested = matches!(value.type_of(), Type::Object | Type::Array);
                        if data || !nested {
                            continue;
                        }
                        stack.push(Step {
                            raw: *value,
                            pointer: below(&step.pointer, key),
                            depth,
                            is_map: !step.is_map && MAPS.contains(&key.as_ref()),
                            is_own: step.is_own && (step.is_map || OWN.contains(&key.as_ref())),
                            base: Arc::clone(&step.base),
                        });
                    }
                }
                Type::Array => {
                    let elements = scan::elements(step.raw);
                    for (at, element) in elements.into_iter().enumerate().rev() {
                        stack.push(Step {
                            raw: element,
                            pointer: format!("{}/{at}", step.pointer),
                            depth,
                            is_map: false,
                            is_own: step.is_own,
                            base: Arc::clone(&step.base),
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// One schema object.
    fn one(&mut self, pairs: &scan::Pairs<'a>, step: &mut Step<'a>) {
        let pointer = &step.pointer;
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
        let missing = missing(pairs, properties.as_ref()).filter(|_| step.is_own);
        if let Some(missing) = missing {
            let place = format!("{pointer}/required/{missing}");
            self.required.push((pointer.clone(), place));
        }
        if self.names.add(pairs, pointer) {
            step.base = Arc::from(pointer.as_str());
        }
        if let Some(target) = pairs.get("$ref").and_then(Raw::string) {
            self.asked.push(Asked {
                pointer: pointer.clone(),
                base: Arc::clone(&step.base),
                target: target.into_owned(),
                mixes: !step.is_own || properties.is_some(),
            });
        }
    }

    /// Where the references lead. A name may stand after what refers to it: the whole schema was read before.
    fn resolve(&mut self) {
        let mut known: BTreeMap<String, Option<bool>> = BTreeMap::new();
        for asked in std::mem::take(&mut self.asked) {
            let place = format!("{}/$ref", asked.pointer);
            let target = match self.names.target(&asked) {
                refs::Target::Elsewhere => continue,
                refs::Target::Nowhere => {
                    self.note(SchemaFaultKind::DanglingRef, place);
                    continue;
                }
                refs::Target::Place(target) => target,
            };
            let room = known.len() < TARGETS;
            let leads = known
                .entry(target.clone())
                .or_insert_with(|| room.then(|| self.leads(&target)));
            match leads {
                Some(true) => {
                    if asked.mixes {
                        self.mixed.insert(target.clone());
                    }
                    if self.references.len() < REFERENCES {
                        self.references.push((asked.pointer, target));
                    }
                }
                Some(false) => self.note(SchemaFaultKind::DanglingRef, place),
                None => {}
            }
        }
    }

    fn required(&mut self) {
        let required = std::mem::take(&mut self.required);
        let first = required
            .into_iter()
            .find(|(schema, _)| !self.mixed.contains(schema));
        if let Some((_, place)) = first {
            self.note(SchemaFaultKind::RequiredWithoutProperty, place);
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
    let elsewhere = [
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
        "patternProperties",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependencies",
    ];
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
mod tests;
