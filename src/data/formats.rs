//! Capture formats as rows of pointers.

use serde::Deserialize;

/// The formats, in the order in which they are tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formats {
    /// The rows.
    pub format: Vec<FormatRow>,
}

/// What a format's records are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormatKind {
    /// A request, perhaps with its response.
    #[default]
    Exchange,
    /// Recorded counts.
    Counts,
    /// Tool definitions without a request.
    Listing,
}

/// The type of a JSON value, for matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// Whatever stands there.
    Any,
    /// An array.
    Array,
    /// An object.
    Object,
    /// A string.
    String,
}

/// A condition on a record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatMatch {
    /// Where to look.
    pub pointer: String,
    /// The type that must stand there.
    #[serde(rename = "type")]
    pub type_: Option<ValueType>,
    /// The string that must stand there.
    pub value: Option<String>,
}

/// One format. Pointers are JSON pointers into a record; "" is the record itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatRow {
    /// The name users write.
    pub name: String,
    /// What its records are.
    #[serde(default)]
    pub kind: FormatKind,
    /// What a record must show.
    #[serde(rename = "match")]
    pub match_: FormatMatch,
    /// Of these at least one must show too, where there are any.
    #[serde(default)]
    pub also: Vec<FormatMatch>,
    /// Where the request body or the listing is.
    #[serde(default)]
    pub body: String,
    /// Where the response is: the first that is there and not null.
    #[serde(default)]
    pub response: Vec<String>,
    /// Where the request's URL is.
    pub url: Option<String>,
    /// Where the request's headers are.
    pub headers: Option<String>,
    /// Where the time is: seconds, milliseconds or RFC 3339.
    pub time: Option<String>,
    /// What it is, in a few words.
    pub about: String,
    /// How its shape is known.
    pub sure: String,
}
