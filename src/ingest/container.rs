//! A document that is too long to be held: the elements of its array of records, one by one.
//!
//! A HAR, an export of a tracing service or an array of bodies is one JSON value of any length. What stands before
//! the array is read and kept; each element is a record; what follows is checked with the rest at the end.

use super::feed::{Feed, Line};
use super::framing::{self, Item};
use super::scan::{self, Opener, Step, Values};
use crate::model::Place;
use std::io;

/// What may stand before the array, and after it.
const AROUND: u64 = 16 << 20;

/// Reads what begins after the stretch as a document with an array of records at one of the opener's `containers`.
/// `false`: it is none, and nothing of it was passed. `line`: where it begins.
///
/// # Errors
/// What reading the file answers.
pub(super) fn stream(
    feed: &mut Feed<'_>,
    line: u64,
    limit: u64,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<bool> {
    let around = usize::try_from(AROUND.min(limit)).unwrap_or(usize::MAX);
    let head = feed.head(|head| head.len() >= around)?;
    let text = framing::strip_bom(head);
    let mark = head.len() - text.len();
    let containers = opener.containers;
    let Some(array) = scan::find_array(text, containers, opener) else {
        return Ok(false);
    };
    let mut document = text[..array].to_vec();
    feed.take(mark + array + 1);
    let mut index = 0;
    loop {
        let place = Place::Element(line, index);
        match feed.skip_blanks()? {
            Some(b']') => break,
            Some(b',') if index > 0 => {
                feed.take(1);
                feed.skip_blanks()?;
            }
            None => {
                sink(Item::Broken(place, CUT.to_owned()));
                return Ok(true);
            }
            _ if index == 0 => {}
            _ => {
                sink(Item::Broken(place, BETWEEN.to_owned()));
                return Ok(true);
            }
        }
        match feed.value(limit)? {
            Line::TooLong => {
                sink(Item::Broken(
                    place,
                    format!("{}, nor is the rest", framing::LONG_RECORD),
                ));
                return Ok(true);
            }
            Line::Whole | Line::End => {}
        }
        match scan::walk_value(feed.stretch(), opener) {
            Some(walked) => sink(Item::Record(place, walked)),
            None => {
                let fault = Values::new(feed.stretch()).find_map(|step| match step {
                    Step::Broken(fault) => Some(fault.reason),
                    _ => None,
                });
                let reason = match fault {
                    Some(reason) => format!("{reason}; the rest is not read"),
                    None => CUT.to_owned(),
                };
                sink(Item::Broken(place, reason));
                return Ok(true);
            }
        }
        index += 1;
    }
    feed.everything(AROUND.min(limit))?;
    document.push(b'[');
    document.extend_from_slice(feed.stretch());
    let mut values = Values::new(&document);
    let whole = matches!(values.next(), Some(Step::Value(..)));
    let more = values.next().is_some() || feed.next()?.is_some();
    if !whole || more {
        let reason =
            "what follows the array of records is not read: one document a file".to_owned();
        sink(Item::Broken(Place::Element(line, index), reason));
    }
    Ok(true)
}

/// What is told of an array that does not end.
const CUT: &str = "cut off: the array of records does not end";

/// What is told of elements that no comma parts.
const BETWEEN: &str = "not valid JSON: expected `,` or `]` after a record; the rest is not read";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::scan::ValueMemo;
    use std::io::Read;

    /// Hands out little at a time, as a pipe may.
    struct Slow<'t>(&'t [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let few = self.0.len().min(buffer.len()).min(7);
            self.0.read(&mut buffer[..few])
        }
    }

    /// What a document gives when no more than `limit` bytes of it are held.
    fn read(limit: u64, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut sink = |item: Item<'_>| {
            found.push(match item {
                Item::Record(place, (raw, opened)) => {
                    let text = raw.text().split_whitespace().collect::<String>();
                    let begins = text.get(..30).unwrap_or(&text);
                    format!("{place}: {begins} {}", opened.is_some())
                }
                Item::Broken(place, reason) => format!("{place}! {reason}"),
            });
        };
        let containers = ["/log/entries".to_owned(), String::new()];
        let mut opener = Opener {
            deep: &[],
            containers: &containers,
            memo: &mut ValueMemo::default(),
        };
        let mut source = Slow(text.as_bytes());
        let mut feed = Feed::new(&mut source, Vec::new());
        framing::within(limit, &mut feed, None, &mut opener, &mut sink).unwrap();
        found
    }

    fn entries(between: &str) -> String {
        let entry =
            |n: usize| format!(r#"{{"n":{n},"text":"a \"b\" [{{ \\","list":[1,[2,{{}}]]}}"#);
        (0..40).map(entry).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn the_elements_of_a_long_document_are_its_records() {
        let har = format!(
            "\u{feff}{{\"log\":{{\"version\":\"1.2\",\"entries\":[{}],\"pages\":[]}}}}",
            entries(",")
        );
        let found = read(1000, &har);
        assert_eq!(found.len(), 40, "{found:?}");
        let last = found.last().unwrap();
        assert!(last.starts_with("line 1, element 39: {\"n\":39,"), "{last}");
        assert!(last.ends_with(" true"), "{last}");
        // On many lines, and an array by itself.
        let pretty = entries(" ,\n");
        let pretty = format!("{{\n \"log\": {{\n \"entries\": [\n{pretty}\n]\n}}\n}}\n");
        assert_eq!(read(1000, &pretty), found);
        let array = format!("[{}]\n", entries(",\n"));
        assert_eq!(read(1000, &array), read(1 << 20, &array));
        let array = format!("[{}]", entries(","));
        assert_eq!(read(1000, &array), read(1 << 20, &array));
        let empty = "[],".repeat(20);
        let mixed = format!("[1,\"a,]\",null,[{empty}[]],{}]", entries(","));
        assert_eq!(read(1000, &mixed).len(), 44);
    }

    #[test]
    fn what_breaks_in_a_long_document_is_told_and_what_stands_before_it_counts() {
        let all = entries(",");
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 19));
        for (text, told) in [
            (
                format!("[{all}"),
                "cut off: the array of records does not end",
            ),
            (
                format!("[{all},"),
                "cut off: the array of records does not end",
            ),
            (format!("[{all},{{\"a\":"), "cut off: the JSON value"),
            (format!("[{all} {{}}]"), "expected `,` or `]`"),
            (format!("[{all},]"), "not valid JSON"),
            (format!("[{all},{{\"a\":x}},{{}}]"), "not valid JSON"),
            (format!("[{all}] {{}}"), "what follows the array"),
            (
                format!("{{\"log\":{{\"entries\":[{all}]}}"),
                "what follows the array",
            ),
            (format!("[{all},{long},{{}}]"), "longer than 512 MiB"),
        ] {
            let found = read(1000, &text);
            assert_eq!(found.len(), 41, "{told}: {found:?}");
            let last = found.last().unwrap();
            assert!(last.starts_with("line 1, element 40! "), "{last}");
            assert!(last.contains(told), "{last}");
        }
    }
}
