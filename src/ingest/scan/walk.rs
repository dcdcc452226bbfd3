//! A record proven and opened on one walk, with what is known of its values from before.
//!
//! The levels that pointers lead through are walked here; every value below goes to the memo, and what the memo does
//! not know is proven. Whatever is not as it should be is left to the caller, who reads the record once more as
//! a whole for the exact place and words.

use super::memo::ValueMemo;
use super::object::{Opened, Pairs, below, step};
use super::prove::{Ends, prove};
use super::raw::Raw;

/// Elements of an array of records that are opened on the way; a longer array is opened element by element.
const MOST_OPENED: usize = 1 << 16;

/// What is opened on the way, and what is known from before.
pub(crate) struct Opener<'m> {
    /// JSON pointers of the objects and arrays whose members are wanted, in order.
    pub(crate) deep: &'m [String],
    /// JSON pointers of arrays of records, `""` among them: in a long document their elements are read one by one.
    pub(crate) containers: &'m [String],
    /// Values that were proven before.
    pub(crate) memo: &'m mut ValueMemo,
}

/// A record with its levels.
pub(crate) type Walked<'a> = (Raw<'a>, Option<Opened<'a>>);

/// What begins at the start of a text.
pub(super) enum Found<'a> {
    One(Walked<'a>),
    /// An array, and its elements.
    Many(Raw<'a>, Vec<Walked<'a>>),
}

/// Walks over the object or array at the start of a text. `None`: it is to be read as a whole.
pub(super) fn walk<'a>(bytes: &'a [u8], opener: &mut Opener<'_>) -> Option<Found<'a>> {
    let mut walk = Walk::new(bytes, opener);
    match bytes.first()? {
        b'{' => Some(Found::One(walk.record()?)),
        b'[' => {
            let mut records = Vec::new();
            walk.array(|walk| {
                let record = match walk.bytes.get(walk.at)? {
                    b'{' => walk.record()?,
                    _ => (walk.value()?, None),
                };
                records.push(record);
                (records.len() < MOST_OPENED).then_some(())
            })?;
            let whole = Raw::bare(&bytes[..walk.at]);
            Some(Found::Many(whole, records))
        }
        _ => None,
    }
}

/// Exactly one value, opened where it is an object.
pub(crate) fn walk_value<'a>(bytes: &'a [u8], opener: &mut Opener<'_>) -> Option<Walked<'a>> {
    let mut walk = Walk::new(bytes, opener);
    let walked = match bytes.first()? {
        b'{' => walk.record()?,
        _ => (walk.value()?, None),
    };
    (walk.at == bytes.len()).then_some(walked)
}

/// The offset of the array at one of the pointers (`""` is the value itself), where the beginning of a value leads
/// to it, and how many objects are open there. What stands before it must be there as a whole, and be no body.
pub(crate) fn find_array(
    bytes: &[u8],
    pointers: &[String],
    opener: &mut Opener<'_>,
) -> Option<(usize, usize)> {
    let mut walk = Walk::new(bytes, opener);
    walk.skip_blanks();
    walk.array_at("", pointers, 0)
}

/// Keys of a request body. A document that begins with one is no list of records, whatever else is in it.
const OF_BODIES: [&str; 3] = ["messages", "system", "tools"];

struct Walk<'a, 'o, 'm> {
    bytes: &'a [u8],
    at: usize,
    opener: &'o mut Opener<'m>,
    /// Where the long values of the record end that were not known before.
    ends: Ends,
}

impl<'a, 'o, 'm> Walk<'a, 'o, 'm> {
    fn new(bytes: &'a [u8], opener: &'o mut Opener<'m>) -> Self {
        Self {
            bytes,
            at: 0,
            opener,
            ends: Ends::of(bytes),
        }
    }

    fn record(&mut self) -> Option<Walked<'a>> {
        let mut opened = Opened::default();
        let start = self.at;
        self.object("", &mut opened)?;
        opened.ends = std::mem::replace(&mut self.ends, Ends::of(self.bytes));
        let raw = Raw::bare(&self.bytes[start..self.at]);
        Some((raw, Some(opened)))
    }

    /// The object that starts here, as deep as pointers lead.
    fn object(&mut self, path: &str, opened: &mut Opened<'a>) -> Option<()> {
        self.at += 1;
        let mut pairs = Vec::new();
        self.skip_blanks();
        while self.bytes.get(self.at)? != &b'}' {
            if !pairs.is_empty() {
                self.take(b',')?;
            }
            if self.bytes.get(self.at)? != &b'"' {
                return None;
            }
            let key = self.value()?.string()?;
            self.skip_blanks();
            self.take(b':')?;
            let byte = self.bytes.get(self.at)?;
            let value = match (below(self.opener.deep, path, &key, *byte), byte) {
                (Some(pointer), b'{') => {
                    let start = self.at;
                    self.object(pointer, opened)?;
                    Raw::bare(&self.bytes[start..self.at])
                }
                (Some(pointer), b'[') => {
                    let start = self.at;
                    // A conversation has about as many messages as the one before, mostly some dozens.
                    let mut elements = Vec::with_capacity(64);
                    self.array(|walk| {
                        elements.push(walk.value()?);
                        Some(())
                    })?;
                    opened.arrays.push((pointer.clone(), elements));
                    Raw::bare(&self.bytes[start..self.at])
                }
                _ => self.value()?,
            };
            pairs.push((key, value));
            self.skip_blanks();
        }
        self.at += 1;
        opened.objects.push((path.to_owned(), Pairs(pairs)));
        Some(())
    }

    /// The array at a pointer below the value that starts here.
    fn array_at(&mut self, path: &str, pointers: &[String], open: usize) -> Option<(usize, usize)> {
        let leads = |path: &str| {
            let below = |pointer: &String| {
                let rest = pointer.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            pointers.iter().any(below)
        };
        match self.bytes.get(self.at)? {
            b'[' => {
                let found = pointers.iter().any(|own| own == path);
                return found.then_some((self.at, open));
            }
            b'{' => self.take(b'{')?,
            _ => return None,
        }
        loop {
            if self.bytes.get(self.at)? != &b'"' {
                return None;
            }
            let key = self.value()?.string()?;
            self.skip_blanks();
            self.take(b':')?;
            let below = format!("{path}/{}", step(&key));
            if leads(&below) {
                return self.array_at(&below, pointers, open + 1);
            }
            if open == 0 && OF_BODIES.contains(&&*key) {
                return None;
            }
            self.value()?;
            self.skip_blanks();
            self.take(b',')?;
        }
    }

    /// The array that starts here; `each` goes past one element.
    fn array(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.skip_blanks();
        let mut first = true;
        while self.bytes.get(self.at)? != &b']' {
            if !first {
                self.take(b',')?;
            }
            first = false;
            each(self)?;
            self.skip_blanks();
        }
        self.at += 1;
        Some(())
    }

    /// Any value, from the memo or proven now.
    fn value(&mut self) -> Option<Raw<'a>> {
        let rest = self.bytes.get(self.at..)?;
        let nested = matches!(rest.first()?, b'{' | b'[');
        if nested && let Some(known) = self.opener.memo.find(rest) {
            self.at += known.bytes().len();
            return Some(known);
        }
        let value = prove(self.bytes, self.at, &mut self.ends)?;
        self.at += value.bytes().len();
        Some(if nested {
            self.opener.memo.keep(value)
        } else {
            value
        })
    }

    /// One mark, with the blanks after it.
    fn take(&mut self, mark: u8) -> Option<()> {
        if self.bytes.get(self.at)? != &mark {
            return None;
        }
        self.at += 1;
        self.skip_blanks();
        Some(())
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}
