//! Bedrock's Converse: the same request under other names.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::Folder;
use serde_json::{Value, json};

fn body() -> Value {
    json!({"model": "claude-sonnet-5", "system": [{"type": "text", "text": "You help."}],
        "tools": [
            {"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}},
            {"name": "mcp__db__query", "description": "Runs one query.", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": "How many rows?"},
            {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "mcp__db__query", "input": {"q": "count"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "42"}]}]})
}

/// The same request as Bedrock's Converse spells it.
fn converse(body: &Value) -> Value {
    let block = |block: &Value| match block["type"].as_str() {
        Some("tool_use") => {
            json!({"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["input"]}})
        }
        Some("tool_result") => {
            json!({"toolResult": {"toolUseId": block["tool_use_id"], "content": [{"text": block["content"]}]}})
        }
        _ => json!({"text": block["text"]}),
    };
    let blocks = |content: &Value| match content {
        Value::String(text) => json!([{"text": text}]),
        content => content.as_array().unwrap().iter().map(block).collect(),
    };
    let tools = body["tools"].as_array().unwrap().iter().map(|tool| {
        json!({"toolSpec": {"name": tool["name"], "description": tool["description"], "inputSchema": {"json": tool["input_schema"]}}})
    });
    let messages = body["messages"].as_array().unwrap().iter();
    let messages: Vec<Value> = messages
        .map(|message| json!({"role": message["role"], "content": blocks(&message["content"])}))
        .collect();
    let mut found = json!({"inferenceConfig": {"maxTokens": 100}, "toolConfig": {"tools": tools.collect::<Vec<_>>()}, "messages": messages});
    if let Some(system) = body.get("system") {
        found["system"] = blocks(system);
    }
    found
}

#[test]
fn converse_says_what_the_messages_body_says() {
    let body = body();
    let folder = Folder::new();
    folder.file("a/plain.json", body.to_string());
    let log = json!({"schemaType": "ModelInvocationLog", "operation": "Converse", "modelId": body["model"], "input": {"inputBodyJson": converse(&body)},
        "output": {"outputBodyJson": {"usage": {"inputTokens": 900, "outputTokens": 5, "cacheReadInputTokens": 0, "cacheWriteInputTokens": 0}}}});
    folder.file("b/log.jsonl", log.to_string());
    let report = common::report(folder.path(), &[]);
    let (plain, log) = (common::run(&report, "a"), common::run(&report, "b"));
    let rows = |run: &Value| -> Vec<(Value, Value, Value)> {
        let tools = run["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| {
                (
                    tool["name"].clone(),
                    tool["size"].clone(),
                    tool["state"].clone(),
                )
            })
            .collect()
    };
    assert_eq!(rows(plain), rows(log));
    for part in ["tools", "system", "messages", "prelude"] {
        assert_eq!(plain["first"][part], log["first"][part], "{part}");
    }
    assert_eq!(log["first"]["recorded"], 900);
}
