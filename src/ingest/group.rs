//! The name of a record's run by `--group-by`: a short value that stands at a pointer of its record.

use super::format::Lookup;
use super::scan::{Raw, Type};
use std::sync::Arc;

/// Longer values are texts, not names.
const MOST_CHARS: usize = 64;

/// Steps of a pointer below which credentials or the words of a conversation stand.
const PRIVATE: [&str; 12] = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "api_key",
    "apikey",
    "cookie",
    "set-cookie",
    "x-amz-security-token",
    "messages",
    "system",
    "input",
];

/// May runs be named by what stands there? Credentials and message text never reach an output.
pub fn may_group_by(pointer: &str) -> bool {
    let private = |step: &str| {
        let step = step.to_ascii_lowercase();
        PRIVATE.contains(&step.as_str()) || step.contains("secret") || step.contains("token")
    };
    pointer.starts_with('/') && !pointer.split('/').any(private)
}

/// The value at the pointer, where it can be a name.
pub(super) fn group(record: &mut Lookup<'_>, pointer: &str) -> Option<Arc<str>> {
    let found = record.get(pointer)?;
    let text = match found.type_of() {
        Type::String => Raw::string(found)?.into_owned(),
        Type::Null | Type::Object | Type::Array => return None,
        _ => found.text().to_owned(),
    };
    let fits = !text.trim().is_empty() && text.chars().take(MOST_CHARS + 1).count() <= MOST_CHARS;
    fits.then(|| Arc::from(text))
}
