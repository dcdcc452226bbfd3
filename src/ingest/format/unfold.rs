//! JSON inside strings: where a format's pointers lead into one, the record is rewritten with its content.

use super::pointer::Lookup;
use crate::ingest::scan::{Raw, Type};
use std::collections::BTreeSet;

/// How often a record is opened: a string in a string in a string.
const MOST: usize = 4;

/// The record with the strings opened that stand on the way of a pointer; `None` = there are none.
pub(crate) fn unfolded(raw: Raw<'_>, pointers: &[&str]) -> Option<String> {
    let mut text: Option<String> = None;
    for _ in 0..MOST {
        let next = {
            let here = match &text {
                None => raw,
                Some(text) => Raw::parse(text).ok()?,
            };
            once(here, pointers)
        };
        match next {
            Some(next) => text = Some(next),
            None => break,
        }
    }
    text
}

fn once(raw: Raw<'_>, pointers: &[&str]) -> Option<String> {
    let mut record = Lookup::new(raw, &[]);
    let start = raw.text().as_ptr() as usize;
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    for pointer in pointers {
        // The value at the whole pointer may stay a string: only what stands before its last step must open.
        let Some((before, _)) = pointer.rsplit_once('/') else {
            continue;
        };
        let ends = before.match_indices('/').map(|(at, _)| at).skip(1);
        for end in ends.chain([before.len()]) {
            let Some(value) = record.get(&before[..end]) else {
                break;
            };
            if value.type_of() == Type::String {
                let at = value.text().as_ptr() as usize - start;
                found.insert((at, at + value.text().len()));
                break;
            }
        }
    }
    let mut text = String::with_capacity(raw.text().len());
    let mut from = 0;
    for (start, end) in found {
        let Some(inner) = Raw::parse(&raw.text()[start..end])
            .ok()
            .and_then(|string| string.string().map(std::borrow::Cow::into_owned))
            .filter(|inner| inner.trim_start().starts_with(['{', '[']))
        else {
            continue;
        };
        // What does not parse stays a string, and the record stays whole.
        if Raw::parse(&inner).is_err() || start < from {
            continue;
        }
        text.push_str(&raw.text()[from..start]);
        text.push_str(inner.trim());
        from = end;
    }
    (from > 0).then(|| {
        text.push_str(&raw.text()[from..]);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfold(text: &str, pointers: &[&str]) -> Option<String> {
        unfolded(Raw::parse(text).unwrap(), pointers)
    }

    #[test]
    fn strings_on_the_way_are_opened() {
        let inner = r#"{"b":"{\"c\":1}"}"#;
        let text = format!(
            r#"{{"a":{},"x":"{{}}"}}"#,
            serde_json::to_string(inner).unwrap()
        );
        assert_eq!(
            unfold(&text, &["/a/b/c", "/x"]).unwrap(),
            r#"{"a":{"b":{"c":1}},"x":"{}"}"#
        );
        assert_eq!(unfold(&text, &["/a", "/x"]), None);
        assert_eq!(unfold(r#"{"a":"{oops"}"#, &["/a/b"]), None);
        assert_eq!(unfold(r#"{"a":{"b":1}}"#, &["/a/b"]), None);
    }
}
