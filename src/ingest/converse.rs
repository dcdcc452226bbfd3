//! Bodies of Bedrock's Converse, rewritten as Messages bodies: the same parts under other names.

use super::scan::{self, Pairs, Raw, Type};
use std::fmt::Write as _;

/// Keys that only Converse has.
const SIGNS: [&str; 3] = [
    "toolConfig",
    "inferenceConfig",
    "additionalModelRequestFields",
];

/// The body as a Messages body; `None` where it is no body of Converse. Parts that Messages has no name for keep
/// their own, so that they are told as unknown and not lost.
pub(super) fn as_messages(body: &Pairs<'_>) -> Option<String> {
    if !SIGNS.iter().any(|sign| body.get(sign).is_some()) {
        return None;
    }
    let messages = body
        .get("messages")
        .filter(|raw| raw.type_of() == Type::Array)?;
    let mut out = String::from("{");
    let model = body.get("model").or_else(|| body.get("modelId"));
    if let Some(model) = model {
        let _ = write!(out, "\"model\":{},", model.text());
    }
    if let Some(system) = body.get("system") {
        let _ = write!(out, "\"system\":{},", content(system));
    }
    let config = body.get("toolConfig").map(scan::pairs).unwrap_or_default();
    if let Some(tools) = config.get("tools") {
        let tools = scan::elements(tools).into_iter().filter_map(tool);
        let _ = write!(out, "\"tools\":[{}],", joined(tools));
    }
    if let Some(choice) = config.get("toolChoice").map(scan::pairs) {
        let kind = ["auto", "any", "tool"]
            .into_iter()
            .find(|kind| choice.get(kind).is_some());
        if let Some(kind) = kind {
            let _ = write!(out, "\"tool_choice\":{{\"type\":\"{kind}\"}},");
        }
    }
    let messages = scan::elements(messages).into_iter().map(|message| {
        let message = scan::pairs(message);
        let role = message.get("role").map_or("\"user\"", Raw::text);
        let content = message
            .get("content")
            .map_or_else(|| "[]".to_owned(), content);
        format!("{{\"role\":{role},\"content\":{content}}}")
    });
    let _ = write!(out, "\"messages\":[{}]}}", joined(messages));
    Some(out)
}

/// `{toolSpec: {name, description, inputSchema: {json}}}`; a cache point is no tool.
fn tool(entry: Raw<'_>) -> Option<String> {
    let pairs = scan::pairs(entry);
    if pairs.get("cachePoint").is_some() {
        return None;
    }
    let Some(spec) = pairs.get("toolSpec").map(scan::pairs) else {
        return Some(entry.text().to_owned());
    };
    let schema = spec.get("inputSchema").map(scan::pairs);
    let members = [
        ("name", spec.get("name")),
        ("description", spec.get("description")),
        ("input_schema", schema.and_then(|schema| schema.get("json"))),
    ];
    let members = members
        .into_iter()
        .filter_map(|(key, value)| Some(format!("\"{key}\":{}", value?.text())));
    Some(format!("{{{}}}", joined(members)))
}

/// The blocks of a message, of the system prompt, or of a result.
fn content(raw: Raw<'_>) -> String {
    if raw.type_of() != Type::Array {
        return raw.text().to_owned();
    }
    format!(
        "[{}]",
        joined(scan::elements(raw).into_iter().filter_map(block))
    )
}

fn block(raw: Raw<'_>) -> Option<String> {
    let pairs = scan::pairs(raw);
    if pairs.get("type").is_some() {
        return Some(raw.text().to_owned());
    }
    let (key, value) = pairs.0.first()?;
    Some(match key.as_ref() {
        "cachePoint" => return None,
        "text" => format!("{{\"type\":\"text\",\"text\":{}}}", value.text()),
        "reasoningContent" => "{\"type\":\"thinking\"}".to_owned(),
        "toolUse" => {
            let call = scan::pairs(*value);
            let of = |key: &str| call.get(key).map_or("null", Raw::text);
            let (id, name, input) = (of("toolUseId"), of("name"), of("input"));
            format!("{{\"type\":\"tool_use\",\"id\":{id},\"name\":{name},\"input\":{input}}}")
        }
        "toolResult" => {
            let result = scan::pairs(*value);
            let id = result.get("toolUseId").map_or("null", Raw::text);
            let content = result
                .get("content")
                .map_or_else(|| "[]".to_owned(), content);
            format!("{{\"type\":\"tool_result\",\"tool_use_id\":{id},\"content\":{content}}}")
        }
        _ => "{\"type\":\"converse\"}".to_owned(),
    })
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_names_in_messages() {
        let body = r#"{"modelId":"m","inferenceConfig":{},"system":[{"text":"s"},{"cachePoint":{"type":"default"}}],
            "toolConfig":{"tools":[{"toolSpec":{"name":"a","description":"d","inputSchema":{"json":{"type":"object"}}}},{"cachePoint":{"type":"default"}}],"toolChoice":{"any":{}}},
            "messages":[{"role":"user","content":[{"text":"t"},{"image":{"format":"png"}}]},
                {"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"a","input":{}}}]},
                {"role":"user","content":[{"toolResult":{"toolUseId":"1","content":[{"text":"r"},{"json":{}}]}}]}]}"#;
        let expected = concat!(
            r#"{"model":"m","system":[{"type":"text","text":"s"}],"tools":[{"name":"a","description":"d","input_schema":{"type":"object"}}],"#,
            r#""tool_choice":{"type":"any"},"messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"converse"}]},"#,
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"r"},{"type":"converse"}]}]}]}"#
        );
        let pairs = scan::pairs(Raw::parse(body).unwrap());
        assert_eq!(as_messages(&pairs).unwrap(), expected);
        let plain = scan::pairs(Raw::parse(r#"{"messages":[],"tools":[]}"#).unwrap());
        assert!(as_messages(&plain).is_none());
    }
}
