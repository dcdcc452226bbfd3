//! What a request asks beside its texts: thinking, a schema for the answer, a choice of tools.

use super::context::Context;
use super::scan::{self, Pairs, Raw, Type};
use crate::model::{Asked, Thinking, Thread, ToolChoice};

/// What the answer must be.
pub(super) fn asked(body: &Pairs<'_>, scope: u32, context: &Context<'_>) -> Asked {
    let thinking = body.get("thinking").map(scan::pairs).unwrap_or_default();
    let thinking = match thinking.get("type").and_then(Raw::string).as_deref() {
        None | Some("disabled") => Thinking::Off,
        Some("enabled") => Thinking::Enabled,
        Some("adaptive") => Thinking::Adaptive,
        Some(_) => Thinking::Other,
    };
    let schema = output_format(body)
        .map(scan::pairs)
        .and_then(|format| format.get("schema"));
    Asked {
        thinking,
        output_schema: schema.map(|schema| context.measure.output_schema(scope, schema.text())),
    }
}

pub(super) fn output_format<'a>(body: &Pairs<'a>) -> Option<Raw<'a>> {
    let config = body
        .get("output_config")
        .map(scan::pairs)
        .unwrap_or_default();
    let format = config.get("format").or_else(|| body.get("output_format"));
    format.filter(|raw| raw.type_of() == Type::Object)
}

/// `tool_choice`; OpenAI writes plain words.
pub(super) fn tool_choice(body: &Pairs<'_>) -> ToolChoice {
    let Some(raw) = body
        .get("tool_choice")
        .filter(|raw| raw.type_of() != Type::Null)
    else {
        return ToolChoice::Auto;
    };
    let pairs = scan::pairs(raw);
    let word = raw
        .string()
        .or_else(|| pairs.get("type").and_then(Raw::string));
    match word.as_deref() {
        Some("auto" | "none") => ToolChoice::Auto,
        Some("any" | "required") => ToolChoice::Any,
        Some("tool") => ToolChoice::Tool,
        _ => ToolChoice::Other,
    }
}

pub(super) fn thread(body: &Pairs<'_>) -> Thread {
    let kind = body.get("thread").map(scan::pairs).unwrap_or_default();
    let before = body.get("previous_response_id").and_then(Raw::string);
    match kind.get("type").and_then(Raw::string).as_deref() {
        Some("continue") => Thread::Continue,
        // Responses keeps the history of the one before.
        _ if before.is_some() => Thread::Continue,
        _ => Thread::Whole,
    }
}
