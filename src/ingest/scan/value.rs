//! One value: its type, its text, its number.

use crate::model::Text;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What a value is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Object,
    Array,
    String,
    Null,
    Scalar,
}

/// The type of a value.
pub(crate) fn type_of(raw: &RawValue) -> Type {
    match raw.get().as_bytes().first() {
        Some(b'{') => Type::Object,
        Some(b'[') => Type::Array,
        Some(b'"') => Type::String,
        Some(b'n') => Type::Null,
        _ => Type::Scalar,
    }
}

/// The text of a string value.
pub(crate) fn text(raw: &RawValue) -> Option<Text<'_>> {
    raw.get()
        .strip_prefix('"')
        .and_then(|s| s.strip_suffix('"'))
        .map(Text::Literal)
}

/// The decoded text of a string value.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    text(raw).map(Text::decode)
}

/// A whole number that is not negative.
pub(crate) fn whole(raw: &RawValue) -> Option<u64> {
    raw.get().parse().ok()
}

/// Is it the literal `true`?
pub(crate) fn is_true(raw: &RawValue) -> bool {
    raw.get() == "true"
}

/// Parses one value that fills a whole text.
pub(crate) fn value(text: &str) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_str(text)
}
