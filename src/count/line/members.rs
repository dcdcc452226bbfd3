//! JSON in the order in which it was sent: the members of an object, and a value with other spaces between its parts.

use super::{Escaping, Writer};
use crate::model::Text;

/// The members of an object as written: the inside of the key, and the value's text. `None` when it is no object.
pub(in crate::count) fn members(json: &str) -> Option<Vec<(&str, &str)>> {
    let inside = json.trim().strip_prefix('{')?.strip_suffix('}')?;
    let bytes = inside.as_bytes();
    let mut members = Vec::new();
    let (mut at, mut from, mut depth) = (0, 0, 0_usize);
    let mut key: Option<&str> = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = after_string(bytes, at + 1)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b':' if depth == 0 && key.is_none() => {
                key = Some(inside.get(from..at)?.trim());
                from = at + 1;
            }
            b',' if depth == 0 => {
                members.push((key.take()?, inside.get(from..at)?.trim()));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if let Some(key) = key {
        members.push((key, inside.get(from..)?.trim()));
    }
    let unquoted = members.into_iter().map(|(key, value)| {
        let key = key.strip_prefix('"')?.strip_suffix('"')?;
        Some((key, value))
    });
    unquoted.collect()
}

/// The place after the quote that ends a string.
fn after_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// A value as Python's `json.dumps` writes it, keys in the order they have; with `indent` spaces a level, or on
/// one line.
pub(in crate::count) fn respaced(
    json: &str,
    escaping: Escaping,
    indent: Option<usize>,
) -> Option<String> {
    let mut writer = Writer::new(escaping);
    let bytes = json.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    let newline = |writer: &mut Writer, depth: usize| {
        if let Some(indent) = indent {
            writer.text.push('\n');
            writer
                .text
                .extend(std::iter::repeat_n(' ', depth.saturating_mul(indent)));
        }
    };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' => {
                at = after_string(bytes, at)?;
                writer.text.push('"');
                writer.string(Text::Literal(json.get(start + 1..at - 1)?));
                writer.text.push('"');
            }
            b'{' | b'[' => {
                writer.text.push(char::from(byte));
                depth += 1;
                let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\n' | b'\r');
                let next = bytes.get(at..)?.iter().find(|byte| !blank(byte));
                if !matches!(next, Some(b'}' | b']')) {
                    newline(&mut writer, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if !writer.text.ends_with(['{', '[']) {
                    newline(&mut writer, depth);
                }
                writer.text.push(char::from(byte));
            }
            b',' => {
                writer.text.push(',');
                match indent {
                    Some(_) => newline(&mut writer, depth),
                    None => writer.text.push(' '),
                }
            }
            b':' => writer.text.push_str(": "),
            _ => {
                let ends = |byte: &u8| {
                    matches!(
                        byte,
                        b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'}' | b']'
                    )
                };
                at = bytes[start..]
                    .iter()
                    .position(ends)
                    .map_or(bytes.len(), |length| start + length);
                match json.get(start..at)? {
                    word @ ("true" | "false" | "null") => writer.text.push_str(word),
                    number => writer.number(number),
                }
            }
        }
    }
    Some(writer.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_text() {
        let json = r#" {"b" : "x,y", "a":{"c":[1,2]} , "d\"e":null} "#;
        let expected = [
            ("b", r#""x,y""#),
            ("a", r#"{"c":[1,2]}"#),
            (r#"d\"e"#, "null"),
        ];
        assert_eq!(members(json).unwrap(), expected);
        assert_eq!(members("{}").unwrap(), []);
        assert!(members("[1]").is_none() && members("\"x\"").is_none());
    }

    #[test]
    fn spaces_are_those_of_python() {
        let json = r#"{"b":[1,2.50,{}],"a":{"x":[],"y":"é"}}"#;
        let line = respaced(json, Escaping::Escaped, None).unwrap();
        assert_eq!(
            line,
            r#"{"b": [1, 2.5, {}], "a": {"x": [], "y": "\u00e9"}}"#
        );
        let page = respaced(json, Escaping::Raw, Some(2)).unwrap();
        let expected = "{\n  \"b\": [\n    1,\n    2.5,\n    {}\n  ],\n  \"a\": {\n    \"x\": [],\n    \"y\": \"é\"\n  }\n}";
        assert_eq!(page, expected);
    }
}
