//! One pass over a value that was never seen: is it JSON, where does it end, and where do the long values in it end.
//!
//! It accepts what `serde_json` accepts and nothing else (a test holds the two against each other). What it refuses is
//! read once more by `serde_json`, whose words and places are told; so this says yes or no and never why.

use super::marks::Marks;
use super::raw::Raw;
use std::cell::Cell;

/// Values of so many bytes and more are noted: the end of a shorter one is found as fast as it is looked up.
const LONG: usize = 128;

/// Deeper values are left to the parser that needs a byte for each level.
const MOST_DEEP: usize = 1 << 14;

/// Where the long values of a record end, so that opening one level looks at no byte of those below.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    /// Address of the first byte of the text that offsets are of.
    base: usize,
    /// Start and end of strings, arrays and objects, in the order of their starts.
    spans: Vec<(u32, u32)>,
    /// Where the last one was looked for: the next is mostly a few places further.
    near: Cell<usize>,
}

impl Ends {
    /// For values of this text.
    pub(super) fn of(text: &[u8]) -> Self {
        Self {
            base: text.as_ptr() as usize,
            spans: Vec::new(),
            near: Cell::new(0),
        }
    }

    /// Nothing was noted: everything was known before, or is short.
    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The length of the value that starts at these bytes, where it is a long one.
    pub(super) fn length_at(&self, bytes: &[u8]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let start = (bytes.as_ptr() as usize).checked_sub(self.base)?;
        let start = u32::try_from(start).ok()?;
        let at = self.first_from(start);
        self.near.set(at);
        let (own, end) = *self.spans.get(at)?;
        (own == start).then_some((end - own) as usize)
    }

    /// The place of the first one that starts there or later.
    fn first_from(&self, start: u32) -> usize {
        const STEPS: usize = 8;
        let from = self.near.get().min(self.spans.len());
        let (before, after) = self.spans.split_at(from);
        if before.last().is_none_or(|(own, _)| *own < start) {
            let near = &after[..after.len().min(STEPS)];
            if let Some(steps) = near.iter().position(|(own, _)| *own >= start) {
                return from + steps;
            }
        }
        self.spans.partition_point(|(own, _)| *own < start)
    }

    /// Forgets what was noted after this many values.
    fn forget(&mut self, after: usize) {
        self.spans.truncate(after);
    }
}

/// An array or object that is open.
struct Open {
    object: bool,
    /// Its place among the noted values.
    span: usize,
}

/// Proves the value that starts at an offset of the text that `ends` are of.
pub(super) fn prove<'a>(text: &'a [u8], start: usize, ends: &mut Ends) -> Option<Raw<'a>> {
    let noted = ends.spans.len();
    let mut proof = Proof {
        text,
        at: start,
        ends,
        open: Vec::new(),
        marks: Marks::of(text),
    };
    let value = proof.value().and_then(|()| text.get(start..proof.at));
    let value = value.and_then(|bytes| simdutf8::basic::from_utf8(bytes).ok());
    if value.is_none() {
        ends.forget(noted);
    }
    value.map(Raw::known)
}

struct Proof<'a, 'e> {
    text: &'a [u8],
    at: usize,
    ends: &'e mut Ends,
    open: Vec<Open>,
    /// What may end a string.
    marks: Marks<'a>,
}

impl Proof<'_, '_> {
    fn value(&mut self) -> Option<()> {
        loop {
            self.skip_blanks();
            match self.text.get(self.at)? {
                b'{' => {
                    self.enter(true)?;
                    if self.text.get(self.at)? != &b'}' {
                        self.key()?;
                        continue;
                    }
                    self.leave();
                }
                b'[' => {
                    self.enter(false)?;
                    if self.text.get(self.at)? != &b']' {
                        continue;
                    }
                    self.leave();
                }
                b'"' => self.string()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => self.number()?,
            }
            if self.after_value()? {
                return Some(());
            }
        }
    }

    /// Goes on to the next value; `true`: the outermost one has ended.
    fn after_value(&mut self) -> Option<bool> {
        loop {
            let Some(inner) = self.open.last() else {
                return Some(true);
            };
            let object = inner.object;
            self.skip_blanks();
            match (self.text.get(self.at)?, object) {
                (b',', true) => {
                    self.at += 1;
                    self.skip_blanks();
                    self.key()?;
                    return Some(false);
                }
                (b',', false) => {
                    self.at += 1;
                    return Some(false);
                }
                (b'}', true) | (b']', false) => self.leave(),
                _ => return None,
            }
        }
    }

    fn enter(&mut self, object: bool) -> Option<()> {
        if self.open.len() == MOST_DEEP {
            return None;
        }
        let span = self.ends.spans.len();
        self.open.push(Open { object, span });
        // The end is filled in when it is known.
        self.ends.spans.push((u32::try_from(self.at).ok()?, 0));
        self.at += 1;
        self.skip_blanks();
        Some(())
    }

    fn leave(&mut self) {
        self.at += 1;
        let Some(inner) = self.open.pop() else { return };
        let end = u32::try_from(self.at).unwrap_or(u32::MAX);
        let span = &mut self.ends.spans[inner.span];
        span.1 = end;
        if ((end - span.0) as usize) < LONG {
            // What is in a short value is short, and was forgotten before it.
            self.ends.forget(inner.span);
        }
    }

    fn key(&mut self) -> Option<()> {
        self.string()?;
        self.skip_blanks();
        if self.text.get(self.at)? != &b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let start = self.at;
        if self.text.get(start)? != &b'"' {
            return None;
        }
        self.at += 1;
        loop {
            self.at = self.marks.next(self.at);
            let mark = *self.text.get(self.at)?;
            self.at += 1;
            match mark {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        if self.at - start >= LONG {
            let span = (u32::try_from(start).ok()?, u32::try_from(self.at).ok()?);
            self.ends.spans.push(span);
        }
        Some(())
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<()> {
        match self.text.get(self.at)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                let digits = self.text.get(self.at + 1..self.at + 5)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 5;
            }
            _ => return None,
        }
        Some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        if !self.text[self.at..].starts_with(word) {
            return None;
        }
        self.at += word.len();
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        if self.text.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        match self.text.get(self.at)? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.text.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    /// One digit and more.
    fn digits(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let digits = digits.count();
        self.at += digits;
        (digits > 0).then_some(())
    }

    fn skip_blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
