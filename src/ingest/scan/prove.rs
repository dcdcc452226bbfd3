//! One pass over a value that was never seen: is it JSON, where does it end, and where do the long values in it end.
//!
//! It accepts what `serde_json` accepts and nothing else (a test holds the two against each other). What it refuses is
//! read once more by `serde_json`, whose words and places are told; so this says yes or no and never why.

use super::raw::Raw;

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
}

impl Ends {
    /// For values of this text.
    pub(super) fn of(text: &[u8]) -> Self {
        Self {
            base: text.as_ptr() as usize,
            spans: Vec::new(),
        }
    }

    /// The length of the value that starts at these bytes, where it is a long one.
    pub(super) fn length_at(&self, bytes: &[u8]) -> Option<usize> {
        if self.spans.is_empty() {
            return None;
        }
        let start = (bytes.as_ptr() as usize).checked_sub(self.base)?;
        let start = u32::try_from(start).ok()?;
        let at = self
            .spans
            .binary_search_by_key(&start, |(start, _)| *start)
            .ok()?;
        let (start, end) = self.spans[at];
        Some((end - start) as usize)
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
            let rest = &self.text[self.at..];
            let found = memchr::memchr2(b'"', b'\\', rest)?;
            if rest[..found].iter().any(|byte| *byte < b' ') {
                return None;
            }
            self.at += found + 1;
            if rest[found] == b'"' {
                break;
            }
            self.escape()?;
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
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    fn proven(text: &[u8]) -> Option<usize> {
        let mut ends = Ends::of(text);
        prove(text, 0, &mut ends).map(|raw| raw.bytes().len())
    }

    /// What `serde_json` says of the value at the beginning.
    fn parsed(text: &[u8]) -> Option<usize> {
        if text.first().is_none_or(u8::is_ascii_whitespace) {
            return None;
        }
        let mut values = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>();
        values.next()?.ok().map(|raw| raw.get().len())
    }

    /// The two may differ in what follows a number or a word by itself, which `serde_json` looks at.
    fn agree(text: &[u8]) {
        let outermost = text.first().copied().unwrap_or(b' ');
        if matches!(outermost, b'{' | b'[' | b'"') {
            let shown = String::from_utf8_lossy(text);
            assert_eq!(proven(text), parsed(text), "{shown}");
        }
    }

    #[test]
    fn it_accepts_what_the_parser_accepts() {
        for text in [
            r#"{"a":1,"b":[true,false,null,-0.5e+10,0,"x\u00e9\n\\\"/"],"c":{}}  x"#,
            r#"{}"#,
            r#"[]"#,
            r#"[ ]"#,
            r#"{ }"#,
            r#"[1,]"#,
            r#"[,1]"#,
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{a:1}"#,
            r#"[01]"#,
            r#"[1.]"#,
            r#"[-]"#,
            r#"[1e]"#,
            r#"[.5]"#,
            r#"[+1]"#,
            r#"[tru]"#,
            r#"[truex]"#,
            r#"["\x"]"#,
            r#"["\u12g4"]"#,
            r#"["\ud800"]"#,
            r#"["\u12"#,
            "[\"\u{1}\"]",
            "[\"\u{7f}\"]",
            "[\"a\nb\"]",
            "[1}",
            "{\"a\":1]",
            "[[[[",
            "\"abc",
            "\"abc\"def",
            "[1 2]",
            "{\"a\" 1}",
            "[1\u{a0}]",
            "[\u{c}1]",
        ] {
            agree(text.as_bytes());
        }
        agree(b"[\"\xff\"]");
        agree(b"[\"\xed\xa0\x80\"]");
        agree(b"[\"\xc3\xa9\"]\xff");
        let deep = "[".repeat(MOST_DEEP + 1) + &"]".repeat(MOST_DEEP + 1);
        assert_eq!(proven(deep.as_bytes()), None, "left to the parser");
    }

    #[test]
    fn long_values_are_noted_with_their_ends() {
        let long = "x".repeat(LONG);
        let text = format!(r#"{{"a":"{long}","b":[1,{{"c":"{long}\"]"}},[]],"d":{{}}}}"#);
        let mut ends = Ends::of(text.as_bytes());
        prove(text.as_bytes(), 0, &mut ends).unwrap();
        let noted: Vec<&str> = ends
            .spans
            .iter()
            .map(|(start, end)| &text[*start as usize..*end as usize])
            .collect();
        let string = format!("\"{long}\"");
        let inner = format!("\"{long}\\\"]\"");
        let object = format!("{{\"c\":{inner}}}");
        let array = format!("[1,{object},[]]");
        assert_eq!(noted, [&text, &string, &array, &object, &inner]);
        let at = text.find('[').unwrap();
        assert_eq!(ends.length_at(&text.as_bytes()[at..]), Some(array.len()));
        assert_eq!(ends.length_at(&text.as_bytes()[at + 1..]), None);
    }

    /// Text of JSON's own characters, so that much of it is nearly right.
    fn nearly() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(&b"{"[..]),
            Just(&b"}"[..]),
            Just(&b"["[..]),
            Just(&b"]"[..]),
            Just(&b","[..]),
            Just(&b":"[..]),
            Just(&b"\"a\""[..]),
            Just(&b"\"\\u00e9\""[..]),
            Just(&b"\""[..]),
            Just(&b"\\"[..]),
            Just(&b"1"[..]),
            Just(&b"-1.5e3"[..]),
            Just(&b"0"[..]),
            Just(&b"true"[..]),
            Just(&b"null"[..]),
            Just(&b" "[..]),
            Just(&b"\n"[..]),
            Just(&b"\xe2\x86\x92"[..]),
            Just(&b"\xe2"[..]),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn it_accepts_what_the_parser_accepts_of_anything(inside in nearly(), kind in 0..3u8) {
            let (open, close) = [("[", "]"), ("{\"k\":", "}"), ("", "")][usize::from(kind)];
            agree(&[open.as_bytes(), &inside, close.as_bytes()].concat());
        }
    }
}
