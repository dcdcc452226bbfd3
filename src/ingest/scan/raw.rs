//! The currency of reading: the text of one valid JSON value.
//!
//! Validity is proven once, by the parser that cuts a file into values ([`super::Values`]). From there on the
//! end of a value is found by its brackets and quotes alone, which costs little more than looking at the bytes.

use crate::model::Text;
use std::borrow::Cow;

/// The text of one valid JSON value, without white space round it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Raw<'a>(&'a str);

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
        Self(text)
    }

    /// Checks that a text is one value.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<&serde_json::value::RawValue>(text).map(|raw| Self(raw.get()))
    }

    /// The text.
    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    /// The type.
    pub(crate) fn type_of(self) -> Type {
        match self.0.as_bytes().first() {
            Some(b'{') => Type::Object,
            Some(b'[') => Type::Array,
            Some(b'"') => Type::String,
            Some(b'n') => Type::Null,
            _ => Type::Scalar,
        }
    }

    /// The inside of a string value.
    pub(crate) fn literal(self) -> Option<Text<'a>> {
        self.0
            .strip_prefix('"')
            .and_then(|s| s.strip_suffix('"'))
            .map(Text::Literal)
    }

    /// The decoded text of a string value.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        self.literal().map(Text::decode)
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// Is it the literal `true`?
    pub(crate) fn is_true(self) -> bool {
        self.0 == "true"
    }
}
