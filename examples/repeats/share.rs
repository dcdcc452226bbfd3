//! What of a body was seen before.

use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use twox_hash::XxHash3_128;

/// Smaller values are not worth remembering: a memo costs more than reading them again.
const LEAST: usize = 64;

/// Bytes seen before, over the bodies that were added.
#[derive(Debug, Default)]
pub(crate) struct Share {
    seen: HashSet<u128>,
    requests: u64,
    bytes: u64,
    /// In elements of the lists that are equal to an earlier one.
    whole: u64,
    /// In objects and arrays inside of new elements.
    parts: u64,
    /// Strings of new elements, up to `most` bytes.
    pub(crate) texts: Vec<String>,
    most: usize,
}

impl Share {
    /// Keeps so many bytes of new texts.
    pub(crate) fn new(most: Option<usize>) -> Self {
        Self {
            most: most.unwrap_or(0),
            ..Self::default()
        }
    }

    /// Adds a request body.
    pub(crate) fn add(&mut self, body: &Value) {
        self.requests += 1;
        for list in ["tools", "system", "messages"] {
            match body.get(list) {
                Some(Value::Array(elements)) => {
                    for element in elements {
                        let (length, seen) = self.note(element);
                        self.bytes += length;
                        match seen {
                            true => self.whole += length,
                            false => self.parts += self.inside(element),
                        }
                    }
                }
                // A system prompt that is one string is no array or object: it is never taken for seen.
                Some(text @ Value::String(_)) => {
                    self.bytes += text.to_string().len() as u64;
                    self.keep(text);
                }
                _ => {}
            }
        }
    }

    /// The length of a value, and whether it was seen; it is from now on.
    fn note(&mut self, value: &Value) -> (u64, bool) {
        let text = value.to_string();
        let seen = text.len() >= LEAST && !self.seen.insert(XxHash3_128::oneshot(text.as_bytes()));
        (text.len() as u64, seen)
    }

    /// Bytes of values inside of a new one that were seen before.
    fn inside(&mut self, value: &Value) -> u64 {
        let children: Vec<&Value> = match value {
            Value::Object(map) => map.values().collect(),
            Value::Array(values) => values.iter().collect(),
            _ => return 0,
        };
        let mut bytes = 0;
        for child in children {
            if !(child.is_object() || child.is_array()) {
                self.keep(child);
                continue;
            }
            let (length, seen) = self.note(child);
            bytes += if seen { length } else { self.inside(child) };
        }
        bytes
    }

    fn keep(&mut self, value: &Value) {
        if let Value::String(text) = value
            && text.len() <= self.most
        {
            self.most -= text.len();
            self.texts.push(text.clone());
        }
    }
}

impl fmt::Display for Share {
    #[allow(
        clippy::cast_precision_loss,
        reason = "shares are told to a tenth of a percent"
    )]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64| 100.0 * part as f64 / (self.bytes.max(1)) as f64;
        let both = self.whole + self.parts;
        write!(
            f,
            "{}\t{}\t{:.1} %\t{:.1} %\t{}",
            self.requests,
            self.bytes,
            share(self.whole),
            share(both),
            self.bytes - both
        )
    }
}
