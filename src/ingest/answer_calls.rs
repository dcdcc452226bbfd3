//! Tools that an answer calls: the last one of a session stands in no later request.

use super::scan::{self, Raw, Type};
use std::collections::BTreeSet;

/// The names, each once: of a message, of the text of an event stream, of a list of events.
pub(super) fn answer_calls(response: Raw<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match response.type_of() {
        Type::Object => of_message(response, &mut names),
        Type::Array => {
            for event in scan::elements(response) {
                of_event(event, &mut names);
            }
        }
        // Most answers call nothing, and none without the word.
        Type::String if response.text().contains("tool_use") => {
            let text = response.string().unwrap_or_default();
            if text.trim_start().starts_with('{')
                && let Ok(message) = Raw::parse(&text)
            {
                of_message(message, &mut names);
            }
            for line in text.lines().filter(|line| line.contains("tool_use")) {
                let event = line.strip_prefix("data:").map(str::trim);
                if let Some(Ok(event)) = event.map(Raw::parse) {
                    of_event(event, &mut names);
                }
            }
        }
        Type::String | Type::Null | Type::Scalar => {}
    }
    names
}

fn of_message(message: Raw<'_>, names: &mut BTreeSet<String>) {
    let content = scan::pairs(message).get("content").map(scan::elements);
    for block in content.into_iter().flatten() {
        of_block(block, names);
    }
}

fn of_event(event: Raw<'_>, names: &mut BTreeSet<String>) {
    let pairs = scan::pairs(event);
    let data = pairs.get("data").unwrap_or(event);
    if let Some(block) = scan::pairs(data).get("content_block") {
        of_block(block, names);
    }
}

fn of_block(block: Raw<'_>, names: &mut BTreeSet<String>) {
    let pairs = scan::pairs(block);
    if pairs.get("type").and_then(Raw::string).as_deref() == Some("tool_use")
        && let Some(name) = pairs.get("name").and_then(Raw::string)
    {
        names.insert(name.into_owned());
    }
}
