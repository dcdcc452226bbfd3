//! The currency of reading: the text of one valid JSON value.
//!
//! Validity is proven once, by the parser that cuts a file into values ([`super::Values`]). From there on the
//! end of a value is found by its brackets and quotes alone, which costs little more than looking at the bytes.
//! Bytes that are known from before are not even looked at as text, until somebody asks for it.

use super::prove::Ends;
use crate::ingest::hash;
use crate::model::Text;
use std::borrow::Cow;

/// The text of one valid JSON value, without white space round it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a> {
    inside: Inside<'a>,
    /// The hash of its bytes, where it was needed already.
    content: Option<u128>,
    /// Where the long values in it end, where that was noted on the way.
    ends: Option<&'a Ends>,
}

#[derive(Debug, Clone, Copy)]
enum Inside<'a> {
    Text(&'a str),
    /// Proven by what they equal, or part by part.
    Bytes(&'a [u8]),
}

/// What a value is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Object,
    Array,
    String,
    Null,
    Scalar,
}

impl<'a> Raw<'a> {
    /// A text whose validity is known.
    pub(super) fn known(text: &'a str) -> Self {
        Self {
            inside: Inside::Text(text),
            content: None,
            ends: None,
        }
    }

    /// Bytes whose parts are proven.
    pub(super) fn bare(bytes: &'a [u8]) -> Self {
        Self {
            inside: Inside::Bytes(bytes),
            content: None,
            ends: None,
        }
    }

    /// Bytes that equal those of a proven value, by this hash.
    pub(super) fn proven(bytes: &'a [u8], content: u128) -> Self {
        Self {
            content: Some(content),
            ..Self::bare(bytes)
        }
    }

    /// With the hash of its bytes.
    pub(super) fn with_content(self, content: u128) -> Self {
        Self {
            content: Some(content),
            ..self
        }
    }

    /// With what was noted of the ends in it.
    pub(super) fn noting<'b>(self, ends: Option<&'b Ends>) -> Raw<'b>
    where
        'a: 'b,
    {
        Raw { ends, ..self }
    }

    /// What was noted of the ends in it.
    pub(super) fn ends(self) -> Option<&'a Ends> {
        self.ends
    }

    /// Checks that a text is one value.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<&serde_json::value::RawValue>(text).map(|raw| Self::known(raw.get()))
    }

    /// The text.
    pub(crate) fn text(self) -> &'a str {
        match self.inside {
            Inside::Text(text) => text,
            // Proven JSON is UTF-8.
            Inside::Bytes(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
        }
    }

    /// The bytes of the text.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self.inside {
            Inside::Text(text) => text.as_bytes(),
            Inside::Bytes(bytes) => bytes,
        }
    }

    /// The hash of the text as it is written.
    pub(crate) fn content(self) -> u128 {
        self.content.unwrap_or_else(|| hash::content(self.bytes()))
    }

    /// The type.
    pub(crate) fn type_of(self) -> Type {
        match self.bytes().first() {
            Some(b'{') => Type::Object,
            Some(b'[') => Type::Array,
            Some(b'"') => Type::String,
            Some(b'n') => Type::Null,
            _ => Type::Scalar,
        }
    }

    /// The inside of a string value.
    pub(crate) fn literal(self) -> Option<Text<'a>> {
        let quoted = self.bytes().first() == Some(&b'"');
        let text = if quoted { self.text() } else { "" };
        text.strip_prefix('"')
            .and_then(|s| s.strip_suffix('"'))
            .map(Text::Literal)
    }

    /// The decoded text of a string value.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        self.literal().map(Text::decode)
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(self) -> Option<u64> {
        self.text().parse().ok()
    }

    /// Is it the literal `true`?
    pub(crate) fn is_true(self) -> bool {
        self.bytes() == b"true"
    }
}
