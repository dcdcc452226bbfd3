//! `JSON.stringify(JSON.parse(text))` without a tree: the form in which the client measures a schema.
//!
//! White space goes, strings and numbers take their canonical spelling, of a key written twice the last value stays
//! at the first one's place. Works on a stack of its own, so depth is no limit.

use crate::model::Text;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A value in its compact form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Compact {
    /// The text.
    pub(crate) text: String,
    /// How deep arrays and objects are nested.
    pub(crate) depth: u32,
    /// Surrogates without a partner.
    pub(crate) lone_surrogates: u64,
}

/// Below this depth a key that is written twice stays twice: looking for it at every level of a value nested
/// without end would cost the square of its length.
const DEDUPLICATED: usize = 128;

struct Frame {
    object: bool,
    start: usize,
    key_next: bool,
    /// Start of each member in the output, and the end of its key.
    members: Vec<(usize, usize)>,
}

/// The compact form of a valid JSON text.
pub(crate) fn compact(json: &str) -> Compact {
    let bytes = json.as_bytes();
    let mut text = String::with_capacity(json.len());
    let mut stack: Vec<Frame> = Vec::new();
    let mut depth = 0;
    let mut lone = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                text.push(char::from(byte));
                stack.push(Frame {
                    object: byte == b'{',
                    start: text.len(),
                    key_next: true,
                    members: Vec::new(),
                });
                depth = depth.max(stack.len());
                at += 1;
            }
            b'}' | b']' => {
                if let Some(frame) = stack.pop()
                    && stack.len() < DEDUPLICATED
                {
                    keep_last_of_each_key(&mut text, &frame);
                }
                text.push(char::from(byte));
                at += 1;
            }
            b',' => {
                text.push(',');
                if let Some(frame) = stack.last_mut() {
                    frame.key_next = true;
                }
                at += 1;
            }
            b':' => {
                text.push(':');
                at += 1;
            }
            b'"' => {
                let end = string_end(bytes, at);
                let start = text.len();
                lone += push_string(&mut text, &json[at + 1..end.max(at + 1)]);
                if let Some(frame) = stack
                    .last_mut()
                    .filter(|frame| frame.object && frame.key_next)
                {
                    frame.key_next = false;
                    frame.members.push((start, text.len()));
                }
                at = (end + 1).min(bytes.len());
            }
            b'-' | b'0'..=b'9' => {
                let end = bytes[at..]
                    .iter()
                    .position(|b| matches!(b, b',' | b'}' | b']') || b.is_ascii_whitespace());
                let end = end.map_or(bytes.len(), |n| at + n);
                push_number(&mut text, &json[at..end]);
                at = end;
            }
            b't' | b'f' | b'n' => {
                let end = bytes[at..]
                    .iter()
                    .position(|b| !b.is_ascii_alphabetic())
                    .map_or(bytes.len(), |n| at + n);
                text.push_str(&json[at..end]);
                at = end;
            }
            _ => at += 1,
        }
    }
    Compact {
        text,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        lone_surrogates: lone,
    }
}

/// The offset of the quote that ends the string starting at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(rest) = bytes.get(end..) {
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(found) if rest[found] == b'"' => return end + found,
            Some(found) => end += found + 2,
            None => break,
        }
    }
    bytes.len()
}

/// Writes a string and tells how many lone surrogates it has.
fn push_string(out: &mut String, literal: &str) -> u64 {
    out.push('"');
    let lone = if needs_rewriting(literal) {
        push_escaped(out, Text::Literal(literal))
    } else {
        out.push_str(literal);
        0
    };
    out.push('"');
    lone
}

/// Has it an escape that JavaScript writes in another way, or that may stand for half a character?
fn needs_rewriting(literal: &str) -> bool {
    let bytes = literal.as_bytes();
    let mut after = 0;
    memchr::memchr_iter(b'\\', bytes).any(|at| {
        // The second of two backslashes.
        if at < after {
            return false;
        }
        after = at + 2;
        !matches!(
            bytes.get(at + 1),
            Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')
        )
    })
}

fn push_escaped(out: &mut String, text: Text<'_>) -> u64 {
    let mut lone = 0;
    text.units(|unit| match unit {
        Err(code) => {
            lone += 1;
            let _ = write!(out, "\\u{code:04x}");
        }
        Ok('"') => out.push_str("\\\""),
        Ok('\\') => out.push_str("\\\\"),
        Ok('\u{8}') => out.push_str("\\b"),
        Ok('\u{c}') => out.push_str("\\f"),
        Ok('\n') => out.push_str("\\n"),
        Ok('\r') => out.push_str("\\r"),
        Ok('\t') => out.push_str("\\t"),
        Ok(c) if c < ' ' => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        Ok(c) => out.push(c),
    });
    lone
}

/// Numbers as JavaScript prints them: shortest digits, exponents from 1e21 up and below 1e-6.
fn push_number(out: &mut String, literal: &str) {
    let plain_integer = literal.len() <= 15
        && literal != "-0"
        && literal.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    let number = if plain_integer {
        None
    } else {
        literal.parse::<f64>().ok()
    };
    let Some(number) = number else {
        out.push_str(literal);
        return;
    };
    let size = number.abs();
    let _ = if number == 0.0 {
        out.write_str("0")
    } else if !number.is_finite() {
        out.write_str("null")
    } else if (1e-6..1e21).contains(&size) {
        write!(out, "{number}")
    } else {
        let text = format!("{number:e}");
        match text.split_once('e') {
            Some((digits, power)) if !power.starts_with('-') => write!(out, "{digits}e+{power}"),
            _ => out.write_str(&text),
        }
    };
}

fn keep_last_of_each_key(text: &mut String, frame: &Frame) {
    if frame.members.len() < 2 {
        return;
    }
    let ends = frame
        .members
        .iter()
        .skip(1)
        .map(|&(start, _)| start - 1)
        .chain([text.len()]);
    let members: Vec<(&str, &str)> = frame
        .members
        .iter()
        .zip(ends)
        .map(|(&(start, key_end), end)| (&text[start..key_end], &text[key_end..end]))
        .collect();
    // Nearly every object has few keys, and none of them twice.
    let few = members.len() <= 8;
    let twice = |at: usize| members[..at].iter().any(|(key, _)| *key == members[at].0);
    if few && !(1..members.len()).any(twice) {
        return;
    }
    let mut place = HashMap::with_capacity(members.len());
    let mut kept: Vec<(&str, &str)> = Vec::with_capacity(members.len());
    for (key, value) in members {
        match place.get(key) {
            Some(&at) => {
                let slot: &mut (&str, &str) = &mut kept[at];
                slot.1 = value;
            }
            None => {
                place.insert(key, kept.len());
                kept.push((key, value));
            }
        }
    }
    if kept.len() == frame.members.len() {
        return;
    }
    let joined = kept
        .iter()
        .map(|(key, value)| format!("{key}{value}"))
        .collect::<Vec<_>>()
        .join(",");
    text.truncate(frame.start);
    text.push_str(&joined);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compact_form_is_what_json_stringify_writes() {
        for (json, expected) in [
            (
                r#" { "a" : [ 1 , 2.50 , -0 , 1e21 , 1E-7 , 100000000000000000000 ] } "#,
                r#"{"a":[1,2.5,0,1e+21,1e-7,100000000000000000000]}"#,
            ),
            (
                r#""\u0041\/\u00e9\u001f\ud83d\ude00\udc00""#,
                "\"A/é\\u001f😀\\udc00\"",
            ),
            (
                r#"{"a":1,"b":{"c":[]},"a":{"d":2}}"#,
                r#"{"a":{"d":2},"b":{"c":[]}}"#,
            ),
            (
                r#"{"a":{"x":1,"x":2},"b":true,"b":null}"#,
                r#"{"a":{"x":2},"b":null}"#,
            ),
            ("9007199254740993", "9007199254740992"),
            ("[]", "[]"),
        ] {
            assert_eq!(compact(json).text, expected, "{json}");
        }
        assert_eq!(compact("[[{}]]").depth, 3);
    }

    #[test]
    fn depth_is_no_limit() {
        let deep = format!("{}{}", r#"{"a":"#.repeat(50_000) + "1", "}".repeat(50_000));
        let compact = compact(&deep);
        assert_eq!((compact.depth, compact.text.len()), (50_000, deep.len()));
    }
}
