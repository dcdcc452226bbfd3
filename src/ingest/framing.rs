//! Files → records: whole files, lines, array elements, values glued together; in bounded memory.
//!
//! A file whose first line holds complete JSON values is read line by line; any other is read whole, up to a
//! stated limit. Either way the values in a stretch follow one another, and an array stands for its elements.

use super::container::{self, Streamed};
use super::feed::{Feed, Line};
use super::lines::{Lines, newlines};
use super::scan::{Elements, Opener, Step, Type, Values, Walked, starts_value};
use super::unpack::Packing;
use super::yaml;
use crate::model::Place;
use std::io;

/// A file that is not written in lines is read whole up to this many bytes; a longer one is read in lines.
const WHOLE_LIMIT: u64 = 512 << 20;

/// A longer file that is no lines is looked at for an array of records, whose elements are read one by one.
const HELD: u64 = 16 << 20;

/// A file up to this size is tried as one value first.
const ONE: u64 = 4 << 20;

/// What a stretch of a file turned out to be.
pub(super) enum Item<'a> {
    /// With its levels, where they were opened on the way.
    Record(Place, Walked<'a>),
    Broken(Place, String),
}

/// What a file is that holds no text in JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotText {
    /// Nothing but white space.
    Empty,
    /// Another known encoding: its name and the cure.
    Encoded(&'static str),
    /// Packed text.
    Packed(Packing),
    /// A YAML document of recorded calls.
    Yaml,
    /// It does not begin like JSON.
    Other,
}

/// Looks at the first bytes of a file.
pub(super) fn refuse(head: &[u8]) -> Option<NotText> {
    let head = strip_bom(head);
    match head {
        [0x1f, 0x8b, ..] => return Some(NotText::Packed(Packing::Gzip)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Some(NotText::Packed(Packing::Zstd)),
        [0x78, 0x01 | 0x9c | 0xda, ..] => return Some(NotText::Packed(Packing::Zlib)),
        // With its mark, or by the zero beside an opening bracket.
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'{' | b'[', 0, ..] | [0, b'{' | b'[', ..] => {
            return Some(NotText::Encoded("UTF-16 text; save it as UTF-8"));
        }
        _ => {}
    }
    let text = head.trim_ascii_start();
    if yaml::is_cassette(text) {
        return Some(NotText::Yaml);
    }
    match (text.first(), text.get(1)) {
        (None, _) => Some(NotText::Empty),
        (Some(b'{' | b'['), _) => None,
        // A body that is a JSON string begins with an escaped or a bare bracket.
        (Some(b'"'), Some(b'{' | b'[' | b'\\' | b' ') | None) => None,
        // A log may begin with another line; its records begin lines of their own.
        _ if text
            .windows(2)
            .any(|pair| pair[0] == b'\n' && matches!(pair[1], b'{' | b'[')) =>
        {
            None
        }
        _ => Some(NotText::Other),
    }
}

/// UTF-8's byte order mark.
pub(super) const BOM: &[u8] = &[0xef, 0xbb, 0xbf];

/// The mark says nothing and is left out.
pub(super) fn strip_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Hands out the records of a file in order. `length` is that of a regular file.
///
/// # Errors
/// What reading the file answers.
pub(super) fn records(
    feed: &mut Feed<'_>,
    length: Option<u64>,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<()> {
    within((WHOLE_LIMIT, HELD), feed, length, opener, sink)
}

/// The same with other limits: on what is held at once, and on what is held before an array of records is looked for.
pub(super) fn within(
    limits: (u64, u64),
    feed: &mut Feed<'_>,
    length: Option<u64>,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<()> {
    if length.is_some_and(|length| length <= ONE) && one(ONE.min(limits.1), feed, opener, sink)? {
        return Ok(());
    }
    let mut line = 0;
    // A long document may be followed by anything.
    while let Some(next) = section(limits, line, feed, length, opener, sink)? {
        line = next - 1;
    }
    Ok(())
}

/// Reads on after so many lines: to the end, or to the end of a long document, which is on the line that is told.
fn section(
    (limit, held): (u64, u64),
    mut line: u64,
    feed: &mut Feed<'_>,
    length: Option<u64>,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<Option<u64>> {
    // The first line that is not blank decides.
    loop {
        feed.pass();
        line += 1;
        let mut read = feed.short_line(held)?;
        if read == Line::TooLong {
            // An array of records on one line, perhaps.
            match container::stream(feed, line, limit, opener, sink)? {
                Streamed::Not => read = feed.line(limit)?,
                Streamed::UpTo(line) => return Ok(line),
            }
        }
        match read {
            Line::End => return Ok(None),
            Line::Whole => {}
            Line::TooLong => {
                sink(Item::Broken(Place::Line(line, 1), LONG_RECORD.to_owned()));
                return lines(limit, feed, line, opener, sink).map(|()| None);
            }
        }
        if line == 1 && feed.stretch().starts_with(BOM) {
            feed.leave_out(BOM.len());
        }
        if !feed.stretch().trim_ascii().is_empty() {
            break;
        }
    }
    // A file of one line is its own answer, and is not scanned twice for it.
    if feed.next()?.is_none() {
        values(feed.stretch(), line, opener, sink);
        return Ok(None);
    }
    if complete(feed.stretch(), opener) {
        return lines(limit, feed, line, opener, sink).map(|()| None);
    }
    feed.everything(held)?;
    if feed.next()?.is_none() {
        values(feed.stretch(), line, opener, sink);
        return Ok(None);
    }
    let whole = feed.whole_values();
    feed.put_back();
    if whole > 0 {
        feed.take(whole);
        values(feed.stretch(), line, opener, sink);
        return Ok(Some(line + newlines(feed.stretch())));
    }
    if let Streamed::UpTo(line) = container::stream(feed, line, limit, opener, sink)? {
        return Ok(line);
    }
    if length.is_some_and(|length| length > limit) {
        // Only its first line may be broken: the next one tells.
        feed.line(limit)?;
        let first = feed.stretch().trim_ascii_end().to_vec();
        feed.pass();
        let read = feed.line(limit)?;
        let next = feed.stretch();
        if read == Line::Whole && !next.trim_ascii().is_empty() && complete(next, opener) {
            values(&first, line, opener, sink);
            return lines(limit, feed, line + 1, opener, sink).map(|()| None);
        }
        sink(Item::Broken(Place::Line(line, 1), TOO_LONG.to_owned()));
        return Ok(None);
    }
    feed.everything(limit)?;
    values(feed.stretch(), line, opener, sink);
    if feed.next()?.is_some() {
        sink(Item::Broken(Place::Line(line, 1), TOO_LONG.to_owned()));
    }
    Ok(None)
}

/// Reads a file that is one object or array, without a look for its lines. `false`: it is something else, and nothing
/// of it was passed.
fn one(
    held: u64,
    feed: &mut Feed<'_>,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<bool> {
    let file = feed.head(|head| head.len() as u64 > held)?;
    let file = strip_bom(file);
    if file.len() as u64 > held || !file.first().is_some_and(|byte| starts_value(*byte)) {
        return Ok(false);
    }
    let mut found = Values::opening(file, opener);
    let (first, more) = (found.next(), found.next());
    match (first, more) {
        (Some(Step::Value(_, walked)), None) if walked.1.is_some() => {
            sink(Item::Record(Place::Line(1, 1), walked));
        }
        (Some(Step::Elements(_, walked)), None) => elements(1, walked.into_iter(), sink),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Does it hold whole values and nothing else?
fn complete(bytes: &[u8], opener: &mut Opener<'_>) -> bool {
    let mut values = Values::opening(bytes, opener);
    values.all(|step| !matches!(step, Step::Broken(_)))
}

/// What is told of a file that is too long to be read whole.
const TOO_LONG: &str =
    "longer than 512 MiB and not written in lines: the rest is not read; write one record a line";

/// What is told of one record that is too long.
pub(super) const LONG_RECORD: &str = "a record longer than 512 MiB: it is not read";

/// Reads records that begin lines. One that goes on over the next lines is taken with them, up to the next
/// line that begins a value in its first column.
fn lines(
    limit: u64,
    feed: &mut Feed<'_>,
    mut line: u64,
    opener: &mut Opener<'_>,
    sink: &mut dyn FnMut(Item<'_>),
) -> io::Result<()> {
    let too_long = |line: u64, sink: &mut dyn FnMut(Item<'_>)| {
        sink(Item::Broken(Place::Line(line, 1), LONG_RECORD.to_owned()));
    };
    loop {
        let first = line;
        if ends_open(feed.stretch()) {
            while let Some(next) = feed.next()? {
                if starts_value(next) {
                    break;
                }
                line += 1;
                if feed.line(limit)? == Line::TooLong {
                    too_long(first, sink);
                    break;
                }
            }
        }
        // A line that is cut ends with its line: what ends the line is no part of the value.
        values(feed.stretch().trim_ascii_end(), first, opener, sink);
        loop {
            feed.pass();
            line += 1;
            match feed.line(limit)? {
                Line::End => return Ok(()),
                Line::Whole => break,
                Line::TooLong => too_long(line, sink),
            }
        }
    }
}

/// A line that opens a pretty-printed value: nothing but a bracket, or a key after one.
fn ends_open(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.len() < 4096
        && text.first().is_some_and(|&byte| starts_value(byte))
        && matches!(text.last(), Some(b'{' | b'[' | b','))
}

/// The values of a buffer that starts at line `first`.
fn values(buffer: &[u8], first: u64, opener: &mut Opener<'_>, sink: &mut dyn FnMut(Item<'_>)) {
    let mut lines = Lines::new(buffer, first);
    for step in Values::opening(buffer, opener) {
        match step {
            Step::Value(at, (raw, _)) if raw.type_of() == Type::Array => {
                let (line, _) = lines.place(at);
                elements(line, Elements::of(raw).map(|raw| (raw, None)), sink);
            }
            Step::Value(at, walked) => {
                let (line, column) = lines.place(at);
                sink(Item::Record(Place::Line(line, column), walked));
            }
            Step::Elements(at, walked) => {
                let (line, _) = lines.place(at);
                elements(line, walked.into_iter(), sink);
            }
            Step::Broken(fault) => {
                let (line, column) = lines.place(fault.start);
                let fault_at = fault.at.map(|at| lines.place(at));
                let (place, reason) = match fault_at {
                    // On one line the exact column helps; over many lines the record is what is lost.
                    Some((fault_line, fault_column)) if fault_line == line => {
                        (Place::Line(line, fault_column), fault.reason)
                    }
                    Some((fault_line, fault_column)) => {
                        let reason = format!(
                            "{}, at line {fault_line}, column {fault_column}",
                            fault.reason
                        );
                        (Place::Line(line, column), reason)
                    }
                    None => (Place::Line(line, column), fault.reason),
                };
                sink(Item::Broken(place, reason));
            }
        }
    }
}

fn elements<'a>(
    line: u64,
    elements: impl Iterator<Item = Walked<'a>>,
    sink: &mut dyn FnMut(Item<'_>),
) {
    for (index, element) in elements.enumerate() {
        sink(Item::Record(Place::Element(line, index as u64), element));
    }
}

#[cfg(test)]
mod tests;
