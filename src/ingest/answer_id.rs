//! The id of an answer: what a capture and a transcript of one call have in common.

use super::hash;
use super::scan::{self, Raw, Type};
use crate::model::Text;

/// So much of an event stream is looked at: the id stands in its first event.
const HEAD: usize = 4096;

/// The id in a response, hashed: of a message, of the text of an event stream, of a list of events.
pub(super) fn answer_id(response: Raw<'_>) -> Option<u128> {
    match response.type_of() {
        Type::Object => of_message(response),
        Type::Array => scan::elements(response)
            .into_iter()
            .take(2)
            .find_map(of_event),
        Type::String => {
            let Text::Literal(literal) = response.literal()? else {
                return None;
            };
            if literal.trim_start().starts_with('{') {
                return of_message(Raw::parse(&response.string()?).ok()?);
            }
            // A whole stream is not decoded for its first line.
            let text = Text::Literal(head(literal)).decode();
            let mut events = text.lines();
            events.find_map(|line| {
                let event = line.strip_prefix("data:")?.trim();
                of_event(Raw::parse(event).ok()?)
            })
        }
        Type::Null | Type::Scalar => None,
    }
}

/// The beginning of a literal, cut between characters and before its last escape.
fn head(literal: &str) -> &str {
    let mut end = literal.len().min(HEAD);
    while !literal.is_char_boundary(end) {
        end -= 1;
    }
    match literal[..end].rfind('\\') {
        Some(at) if end < literal.len() => &literal[..at],
        _ => &literal[..end],
    }
}

fn of_event(event: Raw<'_>) -> Option<u128> {
    let pairs = scan::pairs(event);
    let data = pairs.get("data").map_or(event, |data| data);
    of_message(scan::pairs(data).get("message")?)
}

fn of_message(message: Raw<'_>) -> Option<u128> {
    let id = scan::pairs(message).get("id")?;
    // Stub upstreams answer every call with one short word.
    let real = id.string().is_some_and(|id| id.len() >= LEAST);
    real.then(|| hash::content(id.text().as_bytes()))
}

/// Ids of the API are longer than this.
const LEAST: usize = 12;
