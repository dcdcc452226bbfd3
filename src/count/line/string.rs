//! Strings as Python writes them.

use super::{Escaping, Writer};
use crate::model::Text;
use std::fmt::Write as _;

impl Writer {
    /// The inside of a string.
    pub(super) fn string(&mut self, text: Text<'_>) {
        let (Text::Literal(inside) | Text::Plain(inside)) = text;
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if inside.bytes().all(plain) {
            self.text.push_str(inside);
            return;
        }
        text.units(|unit| match unit {
            Ok(c) => self.character(c),
            Err(surrogate) => self.lone(surrogate),
        });
    }

    fn character(&mut self, c: char) {
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            ' '..='~' => return self.text.push(c),
            // Python escapes DEL together with what is not ASCII.
            '\u{7f}' if self.escaping == Escaping::Raw => return self.text.push(c),
            ..='\u{7f}' => return self.unit(u32::from(c)),
            _ => {
                self.non_ascii = true;
                match self.escaping {
                    Escaping::Raw => self.text.push(c),
                    Escaping::Escaped => {
                        for unit in c.encode_utf16(&mut [0; 2]) {
                            self.unit(u32::from(*unit));
                        }
                    }
                }
                return;
            }
        };
        self.text.push_str(short);
    }

    /// A surrogate without a partner cannot be written as UTF-8; the tokenizer reads it as U+FFFD.
    fn lone(&mut self, surrogate: u32) {
        self.non_ascii = true;
        self.untested = true;
        match self.escaping {
            Escaping::Raw => self.text.push(char::REPLACEMENT_CHARACTER),
            Escaping::Escaped => self.unit(surrogate),
        }
    }

    fn unit(&mut self, unit: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "\\u{unit:04x}");
    }
}
