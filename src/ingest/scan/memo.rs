//! Values that were proven before, by their bytes.
//!
//! An array or object ends where its brackets do: bytes that equal those of a proven value *are* that value, and
//! its end and its content are known without a look inside. A session sends nearly all of its bytes again with
//! every request, so most of a capture is met here for the second time.
//!
//! No text is kept. A value is known by a hash of its first bytes, then by its length and a few bytes of its middle
//! and end, then by a 128-bit hash of all of it, with a secret of this process so that no collision can be
//! worked out beforehand. The one that followed the value before, when that was met last, is tried first: it is told
//! by the same hash, and nothing is looked up.

use super::raw::Raw;
use crate::ingest::hash;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bytes by which values are told apart at first. Shorter values are parsed: that costs less than looking them up.
pub(super) const HEAD: usize = 128;

/// Values kept, as many as fit into a hash map of a power of two. Beyond it all are forgotten, which costs time and
/// changes no result.
const MOST: usize = 7 << 13;

/// Values with one head that are kept; the one that was met longest ago goes first.
const MOST_ALIKE: usize = 1 << 12;

/// Lengths that are tried for one head. Each costs a hash of so many bytes, which a hostile capture could make dear.
const MOST_LENGTHS: usize = 64;

/// No value is expected.
const NOTHING: u32 = u32::MAX;

/// A value that was proven.
#[derive(Debug, Clone, Copy)]
struct Known {
    length: usize,
    /// Bytes of its middle and end.
    probe: u64,
    /// In bytes, which need no more room than they have.
    content: [u8; 16],
    /// The value that followed it when it was met last, in most records the one that follows it now.
    next: u32,
}

impl Known {
    /// Is it the value that begins with these bytes? Answers its text.
    fn begins<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let own = bytes.get(..self.length)?;
        (probe(own) == self.probe).then_some(own)
    }
}

type ByHead<V> = HashMap<u64, V, BuildHasherDefault<Hashed>>;

/// Values by the hash of their head.
#[derive(Debug, Default)]
pub(crate) struct ValueMemo {
    values: Vec<Known>,
    /// Of each head the value met last. Nearly every head is of one value.
    by_head: ByHead<u32>,
    /// The others, that which was met longest ago last.
    others: ByHead<Vec<u32>>,
    /// The value met last.
    last: u32,
    off: bool,
}

impl ValueMemo {
    /// A memo that remembers nothing, to check results against.
    pub(crate) fn off() -> Self {
        Self {
            off: true,
            ..Self::default()
        }
    }

    /// The known value that these bytes begin with.
    pub(super) fn find<'a>(&mut self, bytes: &'a [u8]) -> Option<Raw<'a>> {
        // A session sends its values again in their order: mostly nothing need be looked up.
        let expected = self.values.get(self.last as usize)?.next;
        if let Some(known) = self.values.get(expected as usize)
            && let Some(own) = known.begins(bytes)
        {
            let content = hash::content(own);
            if content.to_le_bytes() == known.content {
                self.last = expected;
                return Some(Raw::proven(own, content));
            }
            // Once deceived is enough: a hostile capture could make every small value cost the hash of a large one.
            self.follow_nothing();
        }
        let head = bytes.get(..HEAD).filter(|_| !self.off)?;
        let head = hash::id(head);
        let first = self.by_head.get_mut(&head)?;
        let mut lengths = 0;
        let mut hashed: Option<(usize, u128)> = None;
        let mut others: Option<&mut Vec<u32>> = None;
        for at in 0.. {
            if at == 1 {
                others = self.others.get_mut(&head);
            }
            let place = match at {
                0 => *first,
                at => *others.as_ref()?.get(at - 1)?,
            };
            let known = self.values.get(place as usize)?;
            let Some(own) = known.begins(bytes) else {
                continue;
            };
            let content = match hashed {
                Some((length, content)) if length == known.length => content,
                _ if lengths == MOST_LENGTHS => return None,
                _ => {
                    lengths += 1;
                    let content = hash::content(own);
                    hashed = Some((known.length, content));
                    content
                }
            };
            if content.to_le_bytes() == known.content {
                if let Some(others) = others {
                    others[..at].rotate_right(1);
                    others[0] = std::mem::replace(first, place);
                }
                self.follow(place);
                return Some(Raw::proven(own, content));
            }
        }
        None
    }

    /// What follows the value met last is not known any more.
    fn follow_nothing(&mut self) {
        if let Some(before) = self.values.get_mut(self.last as usize) {
            before.next = NOTHING;
        }
    }

    /// A value was met after the one met last.
    fn follow(&mut self, place: u32) {
        if let Some(before) = self.values.get_mut(self.last as usize) {
            before.next = place;
        }
        self.last = place;
    }

    /// Keeps a value that was just proven; gives it back with its content hashed.
    pub(super) fn keep<'a>(&mut self, raw: Raw<'a>) -> Raw<'a> {
        let bytes = raw.bytes();
        let Some(head) = bytes.get(..HEAD).filter(|_| !self.off) else {
            return raw;
        };
        let content = hash::content(bytes);
        if self.values.len() == MOST {
            self.values.clear();
            self.by_head.clear();
            self.others.clear();
        }
        let place = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(Known {
            length: bytes.len(),
            probe: probe(bytes),
            content: content.to_le_bytes(),
            next: NOTHING,
        });
        self.follow(place);
        let head = hash::id(head);
        if let Some(before) = self.by_head.insert(head, place) {
            let others = self.others.entry(head).or_default();
            if others.len() + 1 == MOST_ALIKE {
                others.pop();
            }
            others.insert(0, before);
        }
        raw.with_content(content)
    }
}

/// Bytes that are cheap to compare before everything is hashed: eight of the middle, eight of the end.
fn probe(bytes: &[u8]) -> u64 {
    let word = |at: usize| {
        let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok());
        u64::from_le_bytes(word.unwrap_or_default())
    };
    word(bytes.len() / 2) ^ word(bytes.len().saturating_sub(8)).rotate_left(32)
}

/// Hands a hash on as it is: keys are hashes already, with a seed of the process.
#[derive(Debug, Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 ^= hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::scan::{Opener, Step, Values};

    fn value(middle: &str, end: &str) -> String {
        format!("[\"{}{middle}{}{end}\"]", "h".repeat(200), "m".repeat(188))
    }

    fn proven(text: &str) -> Raw<'_> {
        Raw::parse(text).unwrap()
    }

    #[test]
    fn what_was_proven_is_found_where_it_begins() {
        let text = value("0123456789abcdef", "0123456789abcdef");
        let mut memo = ValueMemo::default();
        assert!(memo.find(text.as_bytes()).is_none());
        let kept = memo.keep(proven(&text));
        let longer = format!("{text},{text}");
        let found = memo.find(longer.as_bytes()).unwrap();
        assert_eq!(found.bytes(), text.as_bytes());
        assert_eq!(found.content(), kept.content());
        assert_eq!(found.content(), proven(&text).content());
        assert!(memo.find(&text.as_bytes()[..text.len() - 1]).is_none());
        assert!(ValueMemo::off().find(text.as_bytes()).is_none());
    }

    #[test]
    fn values_of_one_head_one_length_and_one_probe_are_told_apart() {
        let first = value("AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAA");
        let mut second = first.clone().into_bytes();
        // The same bits are turned over in the middle and, as the probe turns them, at the end.
        let (middle, end) = (second.len() / 2, second.len() - 8);
        second[middle] ^= 1;
        second[end + 4] ^= 1;
        let second = String::from_utf8(second).unwrap();
        assert_eq!(probe(first.as_bytes()), probe(second.as_bytes()));
        assert_ne!(first, second);
        let mut memo = ValueMemo::default();
        memo.keep(proven(&first));
        assert!(memo.find(second.as_bytes()).is_none());
        let kept = memo.keep(proven(&second)).content();
        assert_eq!(memo.find(second.as_bytes()).unwrap().content(), kept);
        assert_ne!(memo.find(first.as_bytes()).unwrap().content(), kept);
        // Broken text of the same head and length is no value.
        let broken = first.replace("\"]", "\" ");
        assert!(memo.find(broken.as_bytes()).is_none());
    }

    #[test]
    fn what_only_seems_to_follow_is_tried_once() {
        let first = value("AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAA");
        let second = value("BBBBBBBBBBBBBBBB", "BBBBBBBBBBBBBB");
        let mut memo = ValueMemo::default();
        memo.keep(proven(&first));
        memo.keep(proven(&second));
        assert!(memo.find(first.as_bytes()).is_some());
        let expected = |memo: &ValueMemo| memo.values[memo.last as usize].next;
        assert_eq!(expected(&memo), 1);
        // As long, with the same probe, and something else.
        let mut other = second.clone().into_bytes();
        other[HEAD / 2] ^= 1;
        assert!(memo.find(&other).is_none());
        assert_eq!(expected(&memo), NOTHING);
        assert!(memo.find(second.as_bytes()).is_some());
        assert!(memo.find(first.as_bytes()).is_some());
        assert_eq!(expected(&memo), 1);
    }

    #[test]
    fn a_full_memo_starts_anew_and_finds_on() {
        let mut memo = ValueMemo::default();
        let text = |n: usize| format!("[\"{n:08}{}\"]", "x".repeat(HEAD));
        for n in 0..MOST + 10 {
            memo.keep(proven(&text(n)));
        }
        assert!(memo.find(text(0).as_bytes()).is_none());
        assert!(memo.find(text(MOST + 5).as_bytes()).is_some());
        assert!(memo.values.len() <= MOST);
    }

    #[test]
    fn many_of_one_head_push_out_the_oldest() {
        let mut memo = ValueMemo::default();
        let text = |n: usize| format!("[\"{}{n:08}\"]", "x".repeat(HEAD));
        for n in 0..=MOST_ALIKE {
            memo.keep(proven(&text(n)));
        }
        assert!(memo.find(text(0).as_bytes()).is_none());
        assert!(memo.find(text(1).as_bytes()).is_some());
        assert_eq!(memo.others.values().next().unwrap().len() + 1, MOST_ALIKE);
    }

    #[test]
    fn a_walk_proves_what_the_parser_proves() {
        let long = value("0123456789abcdef", "0123456789abcdef");
        let good = [
            format!(r#"{{"a":{long},"m":[{long},{long} , 1 ],"b":{{ }}}}"#),
            format!(r#" {{ "m" : [ ] , "x" : {{ "m" : [ {long} ] }} }}"#),
            format!("[{long},{{\"m\":[{long}]}}]"),
        ];
        let bad = [
            format!(r#"{{"m":[{long},]}}"#),
            format!(r#"{{"m":[{long} {long}]}}"#),
            format!(r#"{{"m":[{long}],}}"#),
            format!(r#"{{"m" [{long}]}}"#),
            format!(r#"{{m:[{long}]}}"#),
            format!(r#"{{"m":[{long}"#),
            format!("[{long},]"),
            format!("[{long}1]"),
            format!(r#"{{"m":[{long}],"n":01}}"#),
            format!(r#"{{"m":[{long}]]"#),
        ];
        let deep = ["/m".to_owned(), "/x".to_owned(), "/x/m".to_owned()];
        let mut memo = ValueMemo::default();
        let mut read = |text: &str| {
            let mut opener = Opener {
                deep: &deep,
                containers: &[],
                memo: &mut memo,
            };
            let mut steps = Values::opening(text.as_bytes(), &mut opener);
            steps.all(|step| !matches!(step, Step::Broken(_)))
        };
        for text in good.iter().chain(&bad).chain(&good) {
            let valid = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            assert_eq!(read(text), valid, "{text}");
        }
    }
}
