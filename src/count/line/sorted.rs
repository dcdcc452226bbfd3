//! Any JSON value with the keys of its objects sorted.
//!
//! Schemas come from strangers, so depth costs no stack: values are indexed bottom-up, then written top-down.

use super::Writer;
use crate::model::Text;
use std::cmp::Ordering;
use std::ops::Range;

/// A value in the index.
#[derive(Debug, Clone)]
enum Value<'a> {
    /// The inside of a string.
    String(&'a str),
    /// A number, `true`, `false` or `null`.
    Bare(&'a str),
    /// An object; where its members are.
    Object(Range<usize>),
    /// An array; where its elements are.
    Array(Range<usize>),
}

/// A member of an object, or an element of an array (then its key is empty).
#[derive(Debug)]
struct Member<'a> {
    key: &'a str,
    value: Value<'a>,
}

/// An object or array that is not closed yet.
#[derive(Debug)]
struct Open<'a> {
    /// Its own key.
    key: &'a str,
    /// The key of the member that is read; `None` in arrays and between members.
    member: Option<&'a str>,
    object: bool,
    /// Its first member among those that wait.
    from: usize,
}

/// Members of closed objects and arrays, each one's together.
#[derive(Debug, Default)]
struct Index<'a> {
    members: Vec<Member<'a>>,
    waiting: Vec<Member<'a>>,
    open: Vec<Open<'a>>,
    doubled: bool,
}

impl Writer {
    /// A value; nothing may follow it. `None` when it is no JSON.
    pub(super) fn sorted(&mut self, json: &str) -> Option<()> {
        self.text.reserve(json.len() + json.len() / 8);
        let mut index = Index::default();
        let root = index.read(json)?;
        self.untested |= index.doubled;
        self.write(root, &index.members);
        Some(())
    }

    fn write<'a>(&mut self, root: Value<'a>, members: &'a [Member<'a>]) {
        let mut open: Vec<(std::slice::Iter<'_, Member<'_>>, bool)> = Vec::new();
        let mut value = &root;
        loop {
            let mut first = true;
            match value {
                Value::String(inside) => {
                    self.quoted(inside);
                    first = false;
                }
                Value::Bare(bare @ ("true" | "false" | "null")) => {
                    self.text.push_str(bare);
                    first = false;
                }
                Value::Bare(number) => {
                    self.number(number);
                    first = false;
                }
                Value::Object(range) => {
                    self.text.push('{');
                    open.push((members[range.clone()].iter(), true));
                }
                Value::Array(range) => {
                    self.text.push('[');
                    open.push((members[range.clone()].iter(), false));
                }
            }
            // On to the next member of whatever is still open.
            value = loop {
                let Some((rest, object)) = open.last_mut() else {
                    return;
                };
                let Some(member) = rest.next() else {
                    self.text.push(if *object { '}' } else { ']' });
                    open.pop();
                    first = false;
                    continue;
                };
                if !first {
                    self.text.push_str(", ");
                }
                if *object {
                    self.quoted(member.key);
                    self.text.push_str(": ");
                }
                break &member.value;
            };
        }
    }

    fn quoted(&mut self, inside: &str) {
        self.text.push('"');
        self.string(Text::Literal(inside));
        self.text.push('"');
    }
}

impl<'a> Index<'a> {
    /// Indexes one value and all below it.
    fn read(&mut self, json: &'a str) -> Option<Value<'a>> {
        let bytes = json.as_bytes();
        let mut at = 0;
        let mut root = None;
        while let Some(&byte) = bytes.get(at) {
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':') {
                at += 1;
                continue;
            }
            if root.is_some() {
                return None;
            }
            let start = at;
            at += 1;
            let value = match byte {
                b'{' | b'[' => {
                    self.open(byte == b'{')?;
                    continue;
                }
                b'}' | b']' => match self.close()? {
                    (key, value) if !self.open.is_empty() => {
                        self.waiting.push(Member { key, value });
                        continue;
                    }
                    (_, value) => {
                        root = Some(value);
                        continue;
                    }
                },
                b'"' => {
                    at = after_string(bytes, at)?;
                    let inside = json.get(start + 1..at - 1)?;
                    match self.open.last_mut() {
                        Some(open) if open.object && open.member.is_none() => {
                            open.member = Some(inside);
                            continue;
                        }
                        _ => Value::String(inside),
                    }
                }
                _ => {
                    let more = |byte: &&u8| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
                    };
                    at += bytes[at..].iter().take_while(more).count();
                    Value::Bare(json.get(start..at)?)
                }
            };
            if self.open.is_empty() {
                root = Some(value);
            } else {
                let key = self.key()?;
                self.waiting.push(Member { key, value });
            }
        }
        root.filter(|_| self.open.is_empty())
    }

    /// The key of the value that comes now; empty in arrays and at the top.
    fn key(&mut self) -> Option<&'a str> {
        match self.open.last_mut() {
            Some(open) if open.object => open.member.take(),
            _ => Some(""),
        }
    }

    fn open(&mut self, object: bool) -> Option<()> {
        let key = self.key()?;
        self.open.push(Open {
            key,
            member: None,
            object,
            from: self.waiting.len(),
        });
        Some(())
    }

    /// Closes the innermost object or array: its members move from the waiting ones to their place.
    fn close(&mut self) -> Option<(&'a str, Value<'a>)> {
        let open = self.open.pop()?;
        if !open.object {
            let from = self.members.len();
            self.members.extend(self.waiting.drain(open.from..));
            return Some((open.key, Value::Array(from..self.members.len())));
        }
        let own = &mut self.waiting[open.from..];
        // Nearly all keys are written without escapes; UTF-8 sorts as code points do.
        let order: fn(&str, &str) -> Ordering = match own.iter().any(|m| m.key.contains('\\')) {
            true => by_code_point,
            false => |a, b| a.cmp(b),
        };
        own.sort_by(|a, b| order(a.key, b.key));
        let from = self.members.len();
        for member in self.waiting.drain(open.from..) {
            // Sorting kept the order of equal keys, and the last one counts.
            let last = self.members.get_mut(from..).and_then(|own| own.last_mut());
            match last.filter(|last| order(last.key, member.key).is_eq()) {
                Some(last) => {
                    self.doubled = true;
                    *last = member;
                }
                None => self.members.push(member),
            }
        }
        Some((open.key, Value::Object(from..self.members.len())))
    }
}

/// The order of decoded keys.
fn by_code_point(a: &str, b: &str) -> Ordering {
    let points = |key| {
        let mut points = Vec::new();
        Text::Literal(key).units(|unit| points.push(unit.map_or_else(|lone| lone, u32::from)));
        points
    };
    points(a).cmp(&points(b))
}

/// The offset after the string whose inside starts at `at`.
fn after_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}
