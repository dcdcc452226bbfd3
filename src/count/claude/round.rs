//! Tool rounds of a conversation, and the schema of an answer: what the API writes for them, and its tokens.
//!
//! A call is tagged lines, one for each argument; a result stands between tags of its own. What a round costs
//! beyond both texts is a constant of the family (reconstruction from recorded conversations, 2026-11-30).

use super::scope::Scope;
use super::{Family, content_tokens};
use crate::count::line::{members, respaced};
use crate::model::{Count, Evidence, Text};

/// What stands before the tags of a call.
const NAMESPACE: &str = concat!("ant", "ml:");

/// Tokens that the API adds to the schema of an answer (v3; the other families were not recorded).
const SCHEMA_FRAME: u64 = 81;

/// Tokens of a call, with what a round costs beyond its texts.
pub(super) fn call(scope: Scope, name: &str, input: Option<&str>) -> Count {
    let mut text = format!("<{NAMESPACE}function_calls>\n<{NAMESPACE}invoke name=\"{name}\">\n");
    let known = input.is_none_or(|input| arguments(&mut text, scope, input).is_some());
    text.push_str(&format!(
        "</{NAMESPACE}invoke>\n</{NAMESPACE}function_calls>"
    ));
    let tokens = content_tokens(scope.family, Text::Plain(&text));
    let count = match scope.round {
        Some((round, evidence)) => scope.count(
            tokens.saturating_add_signed(round),
            evidence.max(scope.family_evidence),
        ),
        // What a round costs beyond its texts was never recorded on this family.
        None => Count {
            at_least: true,
            ..scope.count(tokens, Evidence::C)
        },
    };
    match known {
        true => count,
        false => Count {
            at_least: true,
            ..count
        },
    }
}

fn arguments(text: &mut String, scope: Scope, input: &str) -> Option<()> {
    for (key, value) in members(input)? {
        let key = Text::Literal(key).decode();
        let literal = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        let value = match literal {
            Some(literal) => Text::Literal(literal).decode().into_owned(),
            None => respaced(value, scope.escaping, None)?,
        };
        text.push_str(&format!(
            "<{NAMESPACE}parameter name=\"{key}\">{value}</{NAMESPACE}parameter>\n"
        ));
    }
    Some(())
}

/// What stands in the prompt where a call gave nothing back (found from fifteen requests of one recorded session).
const NOTHING: &str = "\n<system>Tool ran without output or errors</system>\n";

/// Tokens of what a call gave back.
pub(super) fn result(scope: Scope, texts: &[Text<'_>], with_more: bool) -> Count {
    let texts: Vec<_> = texts.iter().map(|text| text.decode()).collect();
    let mut inside = texts.join("\n");
    let empty = inside.is_empty() && !with_more;
    if empty {
        inside.push_str(NOTHING);
    }
    let text = format!("<function_results>{inside}</function_results>");
    let evidence = match scope.family {
        _ if empty => Evidence::C,
        Family::V3 => Evidence::B,
        Family::V47 | Family::V48 => Evidence::C,
    };
    let tokens = content_tokens(scope.family, Text::Plain(&text));
    scope.count(tokens, evidence.max(scope.family_evidence))
}

/// Tokens of the schema that an answer must fit.
pub(super) fn output_schema(scope: Scope, raw: &str) -> Count {
    let Some(text) = respaced(raw, scope.escaping, Some(2)) else {
        return Count::UNKNOWN;
    };
    let tokens = content_tokens(scope.family, Text::Plain(&text));
    match scope.family {
        Family::V3 => scope.count(tokens + SCHEMA_FRAME, Evidence::B),
        // The text that comes with it is not known here.
        Family::V47 | Family::V48 => Count {
            at_least: true,
            ..scope.count(tokens, Evidence::C)
        },
    }
}
