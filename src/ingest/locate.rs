//! The line of a value, by reading its record once more. Only for what is shown.

use super::scan::{self, Raw, Type};
use crate::data::Data;
use serde_json::value::RawValue;
use std::path::Path;

/// Larger files are not read again.
const MOST_BYTES: u64 = 64 << 20;

/// The line at which the value at a pointer into a request body stands; `record` is the line of its record.
/// `None` where the body is packed, or text inside of text.
pub fn line_of(path: &Path, record: Option<u64>, pointer: &str, data: &Data) -> Option<u64> {
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    line_in(&text, record, pointer, data)
}

fn line_in(text: &str, record: Option<u64>, pointer: &str, data: &Data) -> Option<u64> {
    let line = usize::try_from(record.unwrap_or(1)).ok()?;
    let start = match line {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line - 2)?.0 + 1,
    };
    let start = start + text[start..].find(['{', '['])?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<&RawValue>();
    let record = Raw::parse(values.next()?.ok()?.get()).ok()?;
    let rows = data.formats.format.iter();
    let bodies = rows.flat_map(|row| row.body.0.iter()).map(String::as_str);
    // A listing has its tools where answers have them, or is an array of them.
    let bodies = ["", "/result"].into_iter().chain(bodies);
    let bodies: Vec<&str> = bodies.collect();
    let mut wanted = pointer;
    loop {
        for body in &bodies {
            if let Some(found) = resolve(record, body).and_then(|body| resolve(body, wanted)) {
                return line_at(text, found);
            }
        }
        let bare = wanted
            .strip_prefix("/tools")
            .filter(|_| record.type_of() == Type::Array);
        if let Some(found) = bare.and_then(|bare| resolve(record, bare)) {
            return line_at(text, found);
        }
        // What is not there has its place in what would hold it.
        wanted = &wanted[..wanted.rfind('/')?];
        if wanted.is_empty() {
            return None;
        }
    }
}

fn resolve<'a>(from: Raw<'a>, pointer: &str) -> Option<Raw<'a>> {
    let mut at = from;
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        at = match at.type_of() {
            Type::Object => scan::pairs(at).get(&key)?,
            Type::Array => *scan::elements(at).get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

/// The line of a value that is a piece of the text.
fn line_at(text: &str, value: Raw<'_>) -> Option<u64> {
    let offset = (value.text().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let before = text.get(..offset)?;
    Some(before.matches('\n').count() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_where_it_is_written() {
        let data = Data::embedded().unwrap();
        let body = "{\n \"model\": \"m\",\n \"tools\": [\n  {\"name\": \"a\"},\n  {\n   \"name\": \"b\"\n  }\n ]\n}\n";
        let at = |text: &str, record, pointer: &str| line_in(text, record, pointer, &data);
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
        assert_eq!(at("", None, "/tools"), None);
        assert_eq!(at("{\"a\": ", None, "/a"), None);
    }
}
