//! A tool definition, written once and shared by every request which sends it.
//! The size follows the estimate the project is about: two tokens for five UTF-16 units of name,
//! description and compact schema.

use crate::json::{Json, record, text};

/// One tool as a client would send it.
pub(crate) struct Tool {
    pub(crate) name: String,
    /// Two tokens for five UTF-16 units.
    pub(crate) tokens: usize,
    definition: String,
}

impl Tool {
    pub(crate) fn new(name: &str, description: &str, schema: &Json) -> Self {
        let schema = schema.to_string();
        let definition = record([
            ("name", text(name)),
            ("description", text(description)),
            ("input_schema", Json::Ready(schema.clone())),
        ]);
        Self {
            name: name.to_owned(),
            tokens: (units(name) + units(description) + units(&schema)) * 2 / 5,
            definition: definition.to_string(),
        }
    }

    /// The definition of a tool which is loaded from the start.
    pub(crate) fn loaded(&self) -> Json {
        Json::Ready(self.definition.clone())
    }

    /// The same bytes with the flag which keeps the definition out of the prompt.
    pub(crate) fn deferred(&self) -> Json {
        let open = self.definition.strip_suffix('}').unwrap_or_default();
        Json::Ready(format!("{open},\"defer_loading\":true}}"))
    }
}

/// The length of a text as JavaScript counts it.
pub(crate) fn units(value: &str) -> usize {
    value.encode_utf16().count()
}

/// The marker a client sends so that a request with tool search always holds a deferred tool.
pub(crate) fn placeholder() -> Tool {
    let schema = record([
        ("type", text("object")),
        ("properties", Json::Record(Vec::new())),
    ]);
    Tool::new(
        "DeferredToolPlaceholder",
        "A marker which shows that some tools are deferred. It does nothing; never call it.",
        &schema,
    )
}
