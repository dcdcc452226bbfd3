//! Objects and arrays, one level at a time.

use super::marks;
use super::prove::Ends;
use super::raw::{Raw, Type};
use std::borrow::Cow;

/// The members of an object in order of writing, duplicates included.
#[derive(Debug, Default)]
pub(crate) struct Pairs<'a>(pub(crate) Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'a> Pairs<'a> {
    /// The value of a key; of a key written twice the last, as JavaScript reads it.
    pub(crate) fn get(&self, key: &str) -> Option<Raw<'a>> {
        self.0
            .iter()
            .rev()
            .find(|(k, _)| k == key)
            .map(|(_, value)| *value)
    }

    /// Keys that are written more than once, among the first thousand members.
    pub(crate) fn duplicates(&self) -> Vec<String> {
        let head = &self.0[..self.0.len().min(1000)];
        let mut keys: Vec<&str> = head.iter().map(|(key, _)| key.as_ref()).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).filter(|pair| pair[0] == pair[1]);
        let mut twice: Vec<String> = twice.map(|pair| pair[0].to_owned()).collect();
        twice.dedup();
        twice
    }
}

/// Opens an object; anything else has no members.
pub(crate) fn pairs(raw: Raw<'_>) -> Pairs<'_> {
    let mut pairs = Vec::new();
    if raw.type_of() == Type::Object {
        let mut cursor = Cursor::new(raw, 1);
        while let Some(key) = cursor.value() {
            let Some(value) = cursor.value() else { break };
            // A key with a lone surrogate is legal JSON and no Rust string: it is read as its neighbour is.
            pairs.push((key.string().unwrap_or_default(), value));
        }
    }
    Pairs(pairs)
}

/// Opens an array; anything else has no elements.
pub(crate) fn elements(raw: Raw<'_>) -> Vec<Raw<'_>> {
    Elements::of(raw).collect()
}

/// The elements of an array, one at a time.
pub(crate) struct Elements<'a>(Option<Cursor<'a>>);

impl<'a> Elements<'a> {
    /// Anything but an array has none.
    pub(crate) fn of(raw: Raw<'a>) -> Self {
        Self((raw.type_of() == Type::Array).then(|| Cursor::new(raw, 1)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        self.0.as_mut()?.value()
    }
}

/// What was opened on one walk through a text, by JSON pointer.
#[derive(Debug, Default)]
pub(crate) struct Opened<'a> {
    pub(crate) objects: Vec<(String, Pairs<'a>)>,
    pub(crate) arrays: Vec<(String, Vec<Raw<'a>>)>,
    /// Where the long values end that were proven on the way.
    pub(super) ends: Ends,
}

impl<'a> Opened<'a> {
    /// Takes out what is known of ends.
    pub(crate) fn take_ends(&mut self) -> Ends {
        std::mem::take(&mut self.ends)
    }

    /// With what is known of ends in every value.
    pub(crate) fn noting<'b>(self, ends: &'b Ends) -> Opened<'b>
    where
        'a: 'b,
    {
        if ends.is_empty() {
            return self;
        }
        let note = |raw: Raw<'a>| raw.noting(Some(ends));
        let pairs = |pairs: Pairs<'a>| {
            let pairs = pairs.0.into_iter();
            Pairs(pairs.map(|(key, raw)| (key, note(raw))).collect())
        };
        let objects = self.objects.into_iter();
        let arrays = self.arrays.into_iter();
        Opened {
            objects: objects.map(|(path, own)| (path, pairs(own))).collect(),
            arrays: arrays
                .map(|(path, own)| (path, own.into_iter().map(note).collect()))
                .collect(),
            ends: Ends::default(),
        }
    }
}

/// Opens an object and, on the same walk, the objects and arrays at the `deep` pointers.
pub(crate) fn open_along<'a>(raw: Raw<'a>, deep: &[String]) -> Opened<'a> {
    let mut opened = Opened::default();
    if raw.type_of() == Type::Object {
        let mut cursor = Cursor::new(raw, 0);
        cursor.object("", deep, &mut opened);
    }
    opened
}

/// A key as a step of a JSON pointer (RFC 6901).
pub(super) fn step(key: &str) -> Cow<'_, str> {
    match key.contains(['~', '/']) {
        true => Cow::Owned(key.replace('~', "~0").replace('/', "~1")),
        false => Cow::Borrowed(key),
    }
}

/// The pointer that leads below a key, among pointers in order; `byte`: the first one of the key's value.
pub(super) fn below<'d>(deep: &'d [String], path: &str, key: &str, byte: u8) -> Option<&'d String> {
    if !matches!(byte, b'{' | b'[') {
        return None;
    }
    let key = step(key);
    let own = path.bytes().chain(*b"/").chain(key.bytes());
    let at = deep.binary_search_by(|pointer| pointer.bytes().cmp(own.clone()));
    at.ok().and_then(|at| deep.get(at))
}

/// Walks over the values inside one level of valid JSON.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    ends: Option<&'a Ends>,
}

impl<'a> Cursor<'a> {
    fn new(raw: Raw<'a>, at: usize) -> Self {
        Self {
            text: raw.text(),
            at,
            ends: raw.ends(),
        }
    }

    fn raw(&self, text: &'a str) -> Raw<'a> {
        Raw::known(text).noting(self.ends)
    }

    /// Opens the object that starts here, and goes to its end. Goes as deep as `deep` has levels.
    fn object(&mut self, path: &str, deep: &[String], opened: &mut Opened<'a>) {
        self.at += 1;
        let mut pairs = Vec::new();
        while let Some(key) = self.value() {
            let key = key.string().unwrap_or_default();
            self.skip_blanks();
            let start = self.at;
            let byte = self.text.as_bytes().get(start);
            let pointer = byte.and_then(|byte| below(deep, path, &key, *byte));
            match (pointer, byte) {
                (Some(pointer), Some(b'{')) => self.object(pointer, deep, opened),
                (Some(pointer), Some(b'[')) => {
                    self.at += 1;
                    let elements = std::iter::from_fn(|| self.value()).collect();
                    opened.arrays.push((pointer.clone(), elements));
                    self.at = (self.at + 1).min(self.text.len());
                }
                _ => {
                    self.value();
                }
            }
            let Some(value) = self
                .text
                .get(start..self.at)
                .filter(|text| !text.is_empty())
            else {
                break;
            };
            pairs.push((key, self.raw(value)));
        }
        self.at = (self.at + 1).min(self.text.len());
        opened.objects.push((path.to_owned(), Pairs(pairs)));
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while matches!(
            bytes.get(self.at),
            Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':')
        ) {
            self.at += 1;
        }
    }

    /// The next value; `None` at the end of the level.
    fn value(&mut self) -> Option<Raw<'a>> {
        self.skip_blanks();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let noted = self.ends.and_then(|ends| ends.length_at(&bytes[start..]));
        let end = match bytes.get(start)? {
            b'}' | b']' => return None,
            b'"' | b'{' | b'[' if noted.is_some() => start + noted.unwrap_or_default(),
            b'"' => after_string(bytes, start),
            b'{' | b'[' => after_brackets(bytes, start),
            _ => {
                let stop = |b: &u8| matches!(b, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
                bytes[start..]
                    .iter()
                    .position(stop)
                    .map_or(bytes.len(), |n| start + n)
            }
        };
        self.at = end;
        self.text
            .get(start..end)
            .filter(|text| !text.is_empty())
            .map(|text| self.raw(text))
    }
}

/// The offset after the string that starts at `start`.
fn after_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    // Keys and words are short: to start a search costs more than they are long.
    if let Some(first) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        match marks::first_end(first) {
            Some(end) if first[end] == b'"' => return at + end + 1,
            Some(end) => at += end + 2,
            None => at += first.len(),
        }
    }
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The offset after the object or array that starts at `start`; of one that does not end, that of the end of the text.
pub(crate) fn after_brackets(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = after_string(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        Raw::parse(text).unwrap()
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let pairs = pairs(raw(r#"{"a":1,"b":2,"a":3,"\ud83d":4}"#));
        assert_eq!(pairs.get("a").unwrap().text(), "3");
        assert_eq!(pairs.duplicates(), ["a"]);
        assert_eq!(pairs.0.len(), 4);
    }

    #[test]
    fn values_end_where_they_end() {
        let text = r#" { "a\\" : "}\"," , "b" : [ 1 , {"c":"]"} , [ ] , true ], "d":-1.5e3 , "e" : null } "#;
        let pairs = pairs(raw(text));
        let shown: Vec<_> = pairs
            .0
            .iter()
            .map(|(key, value)| format!("{key}={}", value.text()))
            .collect();
        assert_eq!(
            shown,
            [
                r#"a\="}\",""#,
                r#"b=[ 1 , {"c":"]"} , [ ] , true ]"#,
                "d=-1.5e3",
                "e=null"
            ]
        );
        let inner: Vec<_> = elements(pairs.0[1].1).into_iter().map(Raw::text).collect();
        assert_eq!(inner, ["1", r#"{"c":"]"}"#, "[ ]", "true"]);
        assert!(elements(raw("{}")).is_empty() && elements(raw("[]")).is_empty());
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("[{}1{}]", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(elements(raw(&deep)).len(), 1);
    }
}
