//! A file on its way through one buffer: filled in pieces, handed out in stretches, held to a size.

use super::brackets::{Brackets, is_blank};
use super::lines::newlines;
use super::scan::starts_value;
use std::io::{self, Read};

/// Bytes that are asked for at a time: as much as stays in the processor's cache until it is looked at.
const PIECE: usize = 1 << 18;

/// How reading a line came out.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// There is none.
    End,
    /// The stretch ends with it.
    Whole,
    /// It would not fit, and was passed over: the stretch is empty.
    TooLong,
}

/// The bytes of a file, a stretch of them at a time.
pub(super) struct Feed<'r> {
    source: &'r mut dyn Read,
    /// Bytes read, and room for more.
    buffer: Vec<u8>,
    /// Where the stretch begins.
    start: usize,
    /// Where it ends.
    end: usize,
    /// Up to where bytes were read.
    filled: usize,
    /// There is no more.
    over: bool,
}

impl<'r> Feed<'r> {
    /// Reads into a buffer, whose content does not matter.
    pub(super) fn new(source: &'r mut dyn Read, buffer: Vec<u8>) -> Self {
        Self {
            source,
            buffer,
            start: 0,
            end: 0,
            filled: 0,
            over: false,
        }
    }

    /// Gives the buffer back.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The bytes that are looked at.
    pub(super) fn stretch(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Goes past the stretch: the next one is empty and begins after it.
    pub(super) fn pass(&mut self) {
        self.start = self.end;
    }

    /// Leaves out bytes at the beginning of the stretch.
    pub(super) fn leave_out(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.end);
    }

    /// What is read and not handed out, once `enough` says so or there is no more.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn head(&mut self, enough: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        while !self.over && !enough(&self.buffer[self.end..self.filled]) {
            self.fill()?;
        }
        Ok(&self.buffer[self.end..self.filled])
    }

    /// The byte after the stretch.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let head = self.head(|head| !head.is_empty())?;
        Ok(head.first().copied())
    }

    /// Everything that was not handed out, and where more comes from.
    pub(super) fn into_rest(self) -> (Vec<u8>, &'r mut dyn Read) {
        let rest = self.buffer[self.end..self.filled].to_vec();
        (rest, self.source)
    }

    /// Adds bytes that were read already to the stretch.
    pub(super) fn take(&mut self, bytes: usize) {
        self.end = (self.end + bytes).min(self.filled);
    }

    /// Makes the stretch empty again; what was in it comes next.
    pub(super) fn put_back(&mut self) {
        self.end = self.start;
    }

    /// Adds a line to the stretch, which holds `limit` bytes at most. One that would not fit is passed over.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn line(&mut self, limit: u64) -> io::Result<Line> {
        match self.short_line(limit)? {
            Line::TooLong => self.pass_line(),
            line => Ok(line),
        }
    }

    /// Adds a line to the stretch, which holds `limit` bytes at most. One that would not fit is left where it is.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn short_line(&mut self, limit: u64) -> io::Result<Line> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        // From the start of the stretch on, since what is read may move.
        let mut looked = self.end - self.start;
        loop {
            let from = self.start + looked;
            if let Some(newline) = memchr::memchr(b'\n', &self.buffer[from..self.filled]) {
                let end = from + newline + 1;
                if end - self.start > limit.saturating_add(1) {
                    return Ok(Line::TooLong);
                }
                self.end = end;
                return Ok(Line::Whole);
            }
            looked = self.filled - self.start;
            if looked > limit {
                return Ok(Line::TooLong);
            }
            if self.over {
                let more = self.filled > self.end;
                self.end = self.filled;
                return Ok(if more { Line::Whole } else { Line::End });
            }
            self.fill()?;
        }
    }

    /// Adds everything to the stretch that fits into `limit` bytes.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn everything(&mut self, limit: u64) -> io::Result<()> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        while !self.over && self.filled - self.start < limit {
            self.fill()?;
        }
        self.end = self.filled.min(self.start.saturating_add(limit));
        Ok(())
    }

    /// Adds a JSON value to the stretch, from its first byte to where brackets and quotes say that it ends; whether
    /// it is one is for others to see. `End`: the file ends before it does, and all that is left is in the stretch.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn value(&mut self, limit: u64) -> io::Result<Line> {
        self.ends(Brackets::default(), limit)
    }

    fn ends(&mut self, mut ends: Brackets, limit: u64) -> io::Result<Line> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut looked = self.end - self.start;
        loop {
            let from = self.start + looked;
            if let Some(end) = ends.find(&self.buffer[from..self.filled]) {
                self.end = from + end;
                return Ok(Line::Whole);
            }
            looked = self.filled - self.start;
            if looked > limit {
                return Ok(Line::TooLong);
            }
            if self.over {
                self.end = self.filled;
                return Ok(Line::End);
            }
            self.fill()?;
        }
    }

    /// How many bytes of the stretch are values that end in it, one after another.
    pub(super) fn whole_values(&self) -> usize {
        let bytes = self.stretch();
        let (mut at, mut whole) = (0, 0);
        loop {
            let blanks = bytes[at..].iter().take_while(|byte| is_blank(**byte));
            at += blanks.count();
            match Brackets::default().find(&bytes[at..]) {
                Some(length) => at += length,
                None => return whole,
            }
            // Brackets of broken text may end anywhere: what begins a line is taken for the next value, as it is
            // after a fault.
            let rest = bytes[at..].trim_ascii_start();
            let begins = bytes[..bytes.len() - rest.len()].ends_with(b"\n");
            if begins && rest.first().is_some_and(|byte| starts_value(*byte)) {
                whole = at;
            }
        }
    }

    /// Goes past the next newlines to a line that begins a value; how many lines were passed, `None` where there is
    /// no such line.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn resume(&mut self, limit: u64) -> io::Result<Option<u64>> {
        let mut passed = 0;
        loop {
            self.pass();
            if self.line(limit)? == Line::End {
                return Ok(None);
            }
            passed += 1;
            if self.next()?.is_some_and(starts_value) {
                self.pass();
                return Ok(Some(passed));
            }
        }
    }

    /// Adds to the stretch what closes so many arrays and objects that are open, and what stands before that.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn close(&mut self, open: usize, limit: u64) -> io::Result<Line> {
        match open {
            0 => Ok(Line::Whole),
            open => self.ends(Brackets::inside(open), limit),
        }
    }

    /// Goes past blanks and tells the byte after them; counts their lines.
    ///
    /// # Errors
    /// What reading answers.
    pub(super) fn skip_blanks(&mut self, lines: &mut u64) -> io::Result<Option<u8>> {
        loop {
            self.pass();
            let head = self.head(|head| !head.is_empty())?;
            let blanks = head.iter().take_while(|byte| is_blank(**byte)).count();
            *lines += newlines(&head[..blanks]);
            let next = head.get(blanks).copied();
            let over = head.is_empty();
            self.take(blanks);
            if next.is_some() || over {
                self.pass();
                return Ok(next);
            }
        }
    }

    /// Passes over the rest of a line.
    fn pass_line(&mut self) -> io::Result<Line> {
        loop {
            let read = &self.buffer[self.end..self.filled];
            if let Some(newline) = memchr::memchr(b'\n', read) {
                self.take(newline + 1);
                self.pass();
                return Ok(Line::TooLong);
            }
            // What one long line blew up is not kept.
            if self.buffer.len() > 2 * PIECE {
                self.buffer = Vec::new();
            }
            (self.start, self.end, self.filled) = (0, 0, 0);
            if self.over {
                return Ok(Line::TooLong);
            }
            self.fill()?;
        }
    }

    /// Reads one piece more. What was passed makes room: at most a piece is moved for each that is read.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.end -= self.start;
            self.filled -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.filled < PIECE {
            // Half as much again, so that a record of any size takes no more than twice its bytes.
            let more = (self.buffer.len() / 2).max(PIECE);
            self.buffer.reserve_exact(more);
            self.buffer.resize(self.buffer.len() + more, 0);
        }
        let piece = &mut self.buffer[self.filled..self.filled + PIECE];
        loop {
            match self.source.read(piece) {
                Ok(read) => {
                    self.filled += read;
                    self.over = read == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::framing::{self, Item};
    use crate::ingest::scan::{Opener, ValueMemo};
    use std::io::Read;

    /// What a file gives when no more than `limit` bytes of it are held at once.
    fn read(limit: u64, mut bytes: impl Read) -> Vec<String> {
        let mut found = Vec::new();
        let mut sink = |item: Item<'_>| {
            found.push(match item {
                Item::Record(place, (raw, _)) => format!("{place}: {} bytes", raw.text().len()),
                Item::Broken(place, reason) => format!("{place}! {reason}"),
            });
        };
        let mut feed = Feed::new(&mut bytes, Vec::new());
        let mut opener = Opener {
            deep: &[],
            containers: &[],
            memo: &mut ValueMemo::default(),
        };
        framing::within((limit, limit), &mut feed, None, &mut opener, &mut sink).unwrap();
        let held = feed.into_buffer().capacity();
        assert!(held as u64 <= 2 * limit + 4 * PIECE as u64, "{held}");
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
        let bomb = io::repeat(b'{').take(1 << 20);
        assert_eq!(read(1000, bomb), [format!("line 1! {LONG}")]);
        // A value that goes on over lines.
        let pretty = format!("{{}}\n{{\n{}}}\n{{\"b\":1}}\n", " \"a\": 1,\n".repeat(300));
        let spread = read(1000, pretty.as_bytes());
        assert_eq!(spread[1], format!("line 2! {LONG}"));
        assert_eq!(spread.last().unwrap(), "line 304: 7 bytes");
    }
}
