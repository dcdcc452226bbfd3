//! A document that is too long to be held: the elements of its array of records, one by one.
//!
//! A HAR, an export of a tracing service or an array of bodies is one JSON value of any length. What stands before
//! the array is read and kept; each element is a record; what follows is checked with the rest at the end.

use super::feed::{Feed, Line};
use super::framing::{self, Item};
use super::lines::newlines;
use super::scan::{self, Opener, Step, Values};
use crate::model::Place;
use std::io;

/// What may stand before the array, and after it.
const AROUND: u64 = 16 << 20;

/// What became of a long document.
pub(super) enum Streamed {
    /// It is none with an array of records, and nothing of it was passed.
    Not,
    /// It was read up to somewhere on this line, or to the end of the file.
    UpTo(Option<u64>),
}

/// Reads what begins after the stretch as a document with an array of records at one of the opener's `containers`.
/// `line`: where it begins. After a fault reading goes on at the next line that begins with a value.
///
/// # Errors
/// What reading the file answers.
pub(super) fn stream(
    feed: &mut Feed<'_>,
    line: u64,
    limit: u64,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<Streamed> {
    let around = usize::try_from(AROUND.min(limit)).unwrap_or(usize::MAX);
    let head = feed.head(|head| head.len() >= around)?;
    let text = framing::strip_bom(head);
    let mark = head.len() - text.len();
    let containers = opener.containers;
    let Some((array, open)) = scan::find_array(text, containers, opener) else {
        return Ok(Streamed::Not);
    };
    // The document with an empty array is a record too: it may be more than what its array holds.
    let mut document = text[..array].to_vec();
    document.push(b'[');
    let mut here = line + newlines(&document);
    feed.take(mark + array + 1);
    let mut index = 0;
    let fault = loop {
        match feed.skip_blanks(&mut here)? {
            Some(b']') => break None,
            Some(b',') if index > 0 => {
                feed.take(1);
                feed.skip_blanks(&mut here)?;
            }
            Some(_) if index == 0 => {}
            Some(_) => break Some(BETWEEN.to_owned()),
            None => break Some(CUT.to_owned()),
        }
        if feed.value(limit)? == Line::TooLong {
            break Some(framing::LONG_RECORD.to_owned());
        }
        let Some(walked) = scan::walk_value(feed.stretch(), opener) else {
            break Some(fault_of(feed.stretch()));
        };
        sink(Item::Record(Place::Element(line, index), walked));
        here += newlines(feed.stretch());
        index += 1;
    };
    if let Some(reason) = fault {
        let reason = format!("{reason}; the rest of this document is not read");
        sink(Item::Broken(Place::Element(line, index), reason));
        feed.put_back();
        let passed = feed.resume(limit)?;
        return Ok(Streamed::UpTo(passed.map(|passed| here + passed)));
    }
    feed.take(1);
    if feed.close(open, limit)? == Line::TooLong {
        let reason = format!(
            "what follows the array of records: {}",
            framing::LONG_RECORD
        );
        sink(Item::Broken(Place::Element(line, index), reason));
        let passed = feed.resume(limit)?;
        return Ok(Streamed::UpTo(passed.map(|passed| here + passed)));
    }
    document.extend_from_slice(feed.stretch());
    here += newlines(feed.stretch());
    match scan::walk_value(&document, opener) {
        // An array by itself has no more to say.
        Some(_) if open == 0 => {}
        Some(walked) => sink(Item::Record(Place::Line(line, 1), walked)),
        None => {
            let reason = format!("after the array of records: {}", fault_of(&document));
            sink(Item::Broken(Place::Element(line, index), reason));
        }
    }
    Ok(Streamed::UpTo(Some(here)))
}

/// What is wrong with a value.
fn fault_of(value: &[u8]) -> String {
    let fault = Values::new(value).find_map(|step| match step {
        Step::Broken(fault) => Some(fault.reason),
        _ => None,
    });
    fault.unwrap_or_else(|| CUT.to_owned())
}

/// What is told of an array that does not end.
const CUT: &str = "cut off: the array of records does not end";

/// What is told of elements that no comma parts.
const BETWEEN: &str = "not valid JSON: expected `,` or `]` after a record";

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

    /// What a document gives when it is looked at for an array of records beyond `held` bytes.
    fn read(held: u64, text: &str) -> Vec<String> {
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
        framing::within((1 << 20, held), &mut feed, None, &mut opener, &mut sink).unwrap();
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
        // The last one is the document with nothing in its list.
        assert_eq!(found.len(), 41, "{found:?}");
        let last = &found[39];
        assert!(last.starts_with("line 1, element 39: {\"n\":39,"), "{last}");
        assert!(last.ends_with(" true"), "{last}");
        // On many lines, and an array by itself.
        let pretty = entries(" ,\n");
        let pretty = format!("{{\n \"log\": {{\n \"entries\": [\n{pretty}\n]\n}}\n}}\n");
        assert_eq!(read(1000, &pretty)[..40], found[..40]);
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
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat((1 << 20) + 100));
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
            (
                format!("{{\"log\":{{\"entries\":[{all}]}}"),
                "after the array of records: cut off",
            ),
            (
                format!("{{\"log\":{{\"entries\":[{all}],}}}}"),
                "after the array of records: not valid JSON",
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

    #[test]
    fn whatever_follows_a_long_document_is_read_too() {
        let all = entries(",");
        let pretty = entries(" ,\n");
        let har = format!("{{\"log\":{{\"entries\":[{all}]}}}}");
        let spread = format!("{{\n\"log\":{{\n\"entries\":[\n{pretty}\n]}}\n}}");
        let lines = |text: &str| {
            let found = read(1000, text);
            assert!(!found.iter().any(|own| own.contains('!')), "{found:?}");
            let begins = |own: &&String| own.contains("element 0:") || !own.contains("element");
            let records = found
                .iter()
                .filter(begins)
                .map(|own| own.split([':', ',']).next());
            let records: Vec<String> = records.flatten().map(str::to_owned).collect();
            (found.len(), records.join(" "))
        };
        let document = "{\"a\":1}";
        // Each HAR tells of itself as well, with nothing in its list.
        let (count, places) = lines(&format!("{har}\n{document}\n{har}\n{document}\n"));
        // Once lines were seen, each of them is one record, however long.
        assert_eq!(
            (count, places.as_str()),
            (44, "line 1 line 1 line 2 line 3 line 4")
        );
        let (count, places) = lines(&format!("{spread}\n{spread}\n[{all}]\n{document}"));
        assert_eq!(
            (count, places.as_str()),
            (123, "line 1 line 1 line 46 line 46 line 91 line 92")
        );
        // Many small ones, spread over lines, none of which is long.
        let small = "{\n \"a\": 1\n}\n".repeat(500);
        let (count, places) = lines(&small);
        assert_eq!(count, 500);
        assert!(places.ends_with("line 1495 line 1498"), "{places}");
    }

    #[test]
    fn after_a_fault_the_next_document_is_read() {
        let all = entries(",");
        for broken in [
            format!("[{all},{{\"a\":x}}]"),
            format!("{{\"log\":{{\"entries\":[{all} {{}}]}}}}"),
            format!("[{all},{{\"a\":["),
        ] {
            let found = read(1000, &format!("{broken}\n{{\"b\":2}}\n"));
            assert_eq!(found.len(), 42, "{found:?}");
            assert!(
                found[40].starts_with("line 1, element 40! "),
                "{}",
                found[40]
            );
            assert_eq!(found[41], "line 2: {\"b\":2} true");
        }
    }

    #[test]
    fn a_body_is_no_list_of_records() {
        let all = entries(",");
        let body = format!("{{\"system\":\"s\",\"log\":{{\"entries\":[{all}]}}}}");
        assert_eq!(read(1000, &body).len(), 1);
        let slash = format!("{{\"log/entries\":[{all}]}}");
        assert_eq!(read(1 << 20, &slash), read(1000, &slash)[..1]);
    }
}
