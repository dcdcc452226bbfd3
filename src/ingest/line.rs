//! Lines of a file, held to a size: a line without end fills no memory.

use std::io::{self, BufRead, Read};

/// How reading a line came out.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// There is none.
    End,
    /// It is in the buffer.
    Whole,
    /// It would not fit, and was passed over: the buffer is empty.
    TooLong,
}

/// Adds a line to a buffer that holds `limit` bytes at most.
///
/// # Errors
/// What reading answers.
pub(super) fn read_line(
    reader: &mut dyn BufRead,
    limit: u64,
    buffer: &mut Vec<u8>,
) -> io::Result<Line> {
    let room = limit.saturating_sub(buffer.len() as u64);
    let read = (&mut *reader).take(room + 1).read_until(b'\n', buffer)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if read as u64 <= room || buffer.ends_with(b"\n") {
        return Ok(Line::Whole);
    }
    *buffer = Vec::new();
    loop {
        let ready = reader.fill_buf()?;
        let newline = memchr::memchr(b'\n', ready);
        let passed = newline.map_or(ready.len(), |at| at + 1);
        reader.consume(passed);
        if newline.is_some() || passed == 0 {
            return Ok(Line::TooLong);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ingest::framing::{self, Item};
    use std::io::{BufReader, Read};

    /// What a file gives when no more than `limit` bytes of it are held at once.
    fn read(limit: u64, bytes: impl Read) -> Vec<String> {
        let mut found = Vec::new();
        let mut sink = |item: Item<'_>| {
            found.push(match item {
                Item::Record(place, raw) => format!("{place}: {} bytes", raw.text().len()),
                Item::Broken(place, reason) => format!("{place}! {reason}"),
            });
        };
        let mut reader = BufReader::with_capacity(64, bytes);
        let mut buffer = Vec::new();
        framing::within(limit, &mut reader, None, &mut buffer, &mut sink).unwrap();
        assert!(
            buffer.capacity() as u64 <= 4 * limit,
            "{}",
            buffer.capacity()
        );
        found
    }

    const LONG: &str = "a record longer than 512 MiB: it is not read";

    #[test]
    fn a_line_without_end_is_told_and_the_rest_is_read() {
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(5000));
        let around = format!("{{}}\n{long}\n{{\"b\":1}}\n{long}");
        assert_eq!(
            read(1000, around.as_bytes()),
            [
                "line 1: 2 bytes".to_owned(),
                format!("line 2! {LONG}"),
                "line 3: 7 bytes".to_owned(),
                format!("line 4! {LONG}"),
            ]
        );
        let first = format!("{long}\n{{\"b\":1}}\n");
        assert_eq!(
            read(1000, first.as_bytes()),
            [format!("line 1! {LONG}"), "line 2: 7 bytes".to_owned()]
        );
        // Nothing but one line, as a bomb unfolds to.
        let bomb = std::io::repeat(b'{').take(1 << 20);
        assert_eq!(read(1000, bomb), [format!("line 1! {LONG}")]);
        // A value that goes on over lines.
        let pretty = format!("{{}}\n{{\n{}}}\n{{\"b\":1}}\n", " \"a\": 1,\n".repeat(300));
        let spread = read(1000, pretty.as_bytes());
        assert_eq!(spread[1], format!("line 2! {LONG}"));
        assert_eq!(spread.last().unwrap(), "line 304: 7 bytes");
    }
}
