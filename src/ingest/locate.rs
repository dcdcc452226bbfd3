//! The line of a value, by reading its file once more. Only for what is shown.

use super::scan::{self, Raw, Type};
use crate::data::Data;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// Larger files are not read again.
const MOST_BYTES: u64 = 64 << 20;

/// Keys by which a request body, or a listing, is known.
const BODY: [&str; 4] = ["messages", "tools", "input", "system"];

/// A place that a finding asks for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'p> {
    /// The line of the record it is in.
    pub record: Option<u64>,
    /// The element of the array that begins there.
    pub element: Option<u64>,
    /// A pointer into the request body.
    pub pointer: &'p str,
}

/// The lines of values in a file. `None` where a body is packed, or text inside of text.
pub fn lines_of(path: &Path, places: &[Wanted<'_>], data: &Data) -> Vec<Option<u64>> {
    let text = std::fs::metadata(path)
        .ok()
        .filter(|meta| meta.is_file() && meta.len() <= MOST_BYTES)
        .and_then(|_| std::fs::read_to_string(path).ok());
    match text {
        Some(text) => lines_in(&text, places, data),
        None => vec![None; places.len()],
    }
}

fn lines_in(text: &str, places: &[Wanted<'_>], data: &Data) -> Vec<Option<u64>> {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let mut records: BTreeMap<(u64, Option<u64>), Option<Body<'_>>> = BTreeMap::new();
    let line = |wanted: &Wanted<'_>| {
        let record = wanted.record.unwrap_or(1).max(1);
        let body = records
            .entry((record, wanted.element))
            .or_insert_with(|| body(text, &ends, (record, wanted.element), data));
        let value = body.as_mut()?.nearest(wanted.pointer)?;
        let offset = (value.text().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let before = ends.partition_point(|end| *end < offset);
        Some(before as u64 + 1)
    };
    places.iter().map(line).collect()
}

/// The body of the record that begins on a line.
fn body<'t>(
    text: &'t str,
    ends: &[usize],
    (line, element): (u64, Option<u64>),
    data: &Data,
) -> Option<Body<'t>> {
    let line = usize::try_from(line).ok()?;
    let start = match line {
        1 => 0,
        line => ends.get(line - 2)? + 1,
    };
    let start = start + text[start..].find(['{', '['])?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<&RawValue>();
    let record = Raw::parse(values.next()?.ok()?.get()).ok()?;
    let record = match (record.type_of(), element) {
        (Type::Array, Some(element)) => {
            let element = usize::try_from(element).ok()?;
            let own = scan::elements(record).get(element).copied()?;
            let pairs = scan::pairs(own);
            if !BODY.iter().any(|key| pairs.get(key).is_some()) && pairs.get("name").is_some() {
                return Some(Body::of(Top::Tool(own)));
            }
            own
        }
        (Type::Array, None) => return Some(Body::of(Top::Tools(record))),
        _ => record,
    };
    let rows = data.formats.format.iter();
    let bodies = rows.flat_map(|row| row.body.0.iter()).map(String::as_str);
    // A listing has its tools where answers have them.
    let mut seen = std::collections::BTreeSet::new();
    let mut bodies = ["", "/result"]
        .into_iter()
        .chain(bodies)
        .filter(|pointer| seen.insert(*pointer));
    bodies.find_map(|pointer| {
        let found = resolve(record, pointer)?;
        let pairs = scan::pairs(found);
        let is_body = BODY.iter().any(|key| pairs.get(key).is_some());
        is_body.then(|| Body::of(Top::Object(pairs)))
    })
}

/// A body, its lists opened once.
struct Body<'t> {
    top: Top<'t>,
    lists: BTreeMap<String, Vec<Raw<'t>>>,
}

enum Top<'t> {
    Object(scan::Pairs<'t>),
    /// An array of tools by itself.
    Tools(Raw<'t>),
    /// One tool of such an array.
    Tool(Raw<'t>),
}

impl<'t> Body<'t> {
    fn of(top: Top<'t>) -> Self {
        Self {
            top,
            lists: BTreeMap::new(),
        }
    }

    /// The value at a pointer, or what would hold it.
    fn nearest(&mut self, pointer: &str) -> Option<Raw<'t>> {
        let mut steps = pointer.split('/').skip(1);
        let key = steps.next()?;
        let mut at = match &self.top {
            Top::Object(pairs) => pairs.get(key)?,
            Top::Tools(list) => Some(*list).filter(|_| key == "tools")?,
            Top::Tool(tool) => {
                // Its index is that of the array.
                steps.next();
                *tool
            }
        };
        let mut first = true;
        for step in steps {
            let next = match at.type_of() {
                Type::Array if first => {
                    let list = self
                        .lists
                        .entry(key.to_owned())
                        .or_insert_with(|| scan::elements(at));
                    step.parse::<usize>()
                        .ok()
                        .and_then(|index| list.get(index).copied())
                }
                _ => below(at, step),
            };
            first = false;
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        Some(at)
    }
}

fn below<'t>(at: Raw<'t>, step: &str) -> Option<Raw<'t>> {
    match at.type_of() {
        Type::Object => {
            let pairs = scan::pairs(at);
            // Listings spell it in another way.
            let other = (step == "input_schema").then(|| pairs.get("inputSchema"));
            pairs
                .get(&step.replace("~1", "/").replace("~0", "~"))
                .or_else(|| other.flatten())
        }
        Type::Array => scan::elements(at).get(step.parse::<usize>().ok()?).copied(),
        _ => None,
    }
}

fn resolve<'t>(from: Raw<'t>, pointer: &str) -> Option<Raw<'t>> {
    pointer.split('/').skip(1).try_fold(from, below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_where_it_is_written() {
        let data = Data::embedded().unwrap();
        let body = "{\n \"model\": \"m\",\n \"tools\": [\n  {\"name\": \"a\"},\n  {\n   \"name\": \"b\"\n  }\n ]\n}\n";
        let at = |text: &str, record, pointer: &str| {
            let element = None;
            lines_in(
                text,
                &[Wanted {
                    record,
                    element,
                    pointer,
                }],
                &data,
            )[0]
        };
        assert_eq!(at(body, None, "/tools/0"), Some(4));
        assert_eq!(at(body, None, "/tools/1/name"), Some(6));
        assert_eq!(at(body, None, "/tools/1/input_schema/type"), Some(5));
        assert_eq!(at(body, None, "/system/0"), None);
        let wrapped = format!("[1]\n\n{{\"request\":\n{{\"body\":\n{body}}}}}");
        assert_eq!(at(&wrapped, Some(3), "/tools/1/name"), Some(10));
        assert_eq!(
            at(
                "[\n{\"name\": \"x\"},\n{\"name\": \"y\"}]",
                None,
                "/tools/1/name"
            ),
            Some(3)
        );
        let bodies = "[\n{\"tools\": []},\n{\"tools\": [\n{\"name\": \"x\"}]}]";
        let wanted = Wanted {
            record: Some(1),
            element: Some(1),
            pointer: "/tools/0",
        };
        assert_eq!(lines_in(bodies, &[wanted], &data), [Some(4)]);
        let tools = "[\n{\"name\": \"x\"},\n{\"name\": \"y\",\n\"inputSchema\": {}}]";
        let wanted = Wanted {
            pointer: "/tools/0/input_schema",
            ..wanted
        };
        assert_eq!(lines_in(tools, &[wanted], &data), [Some(4)]);
        assert_eq!(at("", None, "/tools"), None);
        assert_eq!(at("{\"a\": ", None, "/a"), None);
    }
}
