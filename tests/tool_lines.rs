//! Tools that the API counted, and whether the `claude` counter gives the same.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::shared;
use serde_json::Value;
use toolcost::count::counter;
use toolcost::model::{Count, Evidence, RawTool, Source, Text, ToolCount, ToolSizes};

/// Counts a tool as captured for a model.
fn count(model: &str, tool: &Value) -> ToolCount {
    let counter = counter("claude").unwrap();
    let schema = tool["input_schema"].to_string();
    counter.tool(
        counter.scope(Some(model)),
        &RawTool {
            name: Text::Plain(tool["name"].as_str().unwrap()),
            description: tool["description"].as_str().map(Text::Plain),
            schema: Some(&schema),
            sizes: ToolSizes::default(),
        },
    )
}

fn tokens(count: Count) -> u64 {
    count.tokens.unwrap().0
}

#[test]
fn every_tool_of_every_exact_set_counts_as_the_api_said() {
    let Some(path) = shared("claude-tokenizer/oracle/open.jsonl") else {
        return;
    };
    let mut sets = 0;
    for row in std::fs::read_to_string(path).unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let exact = row["residual"] == 0 && row["inexact_parts"].as_array().unwrap().is_empty();
        if row["kind"] != "tools-delta" || !exact {
            continue;
        }
        sets += 1;
        let model = row["model"].as_str().unwrap();
        let counts: Vec<u64> = row["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| {
                let counted = count(model, tool);
                let parts = counted.parts.unwrap();
                let sum = i64::try_from(parts.name + parts.description + parts.schema).unwrap();
                let total = tokens(counted.count);
                assert_eq!(sum + parts.wrapper, i64::try_from(total).unwrap());
                assert_eq!(counted.count.source, Source::Reconstructed);
                total
            })
            .collect();
        let recorded: Vec<u64> = serde_json::from_value(row["per_tool"].clone()).unwrap();
        assert_eq!(counts, recorded, "{}", row["path"]);
        // What is left is the prelude of Opus 5, once.
        let prelude = row["api_tokens"].as_u64().unwrap() - counts.iter().sum::<u64>();
        assert_eq!(prelude, 286, "{}", row["path"]);
    }
    assert!(sets >= 10, "only {sets} sets");
}

#[test]
fn evidence_is_that_of_the_weakest_part() {
    let plain =
        serde_json::json!({"name": "n", "description": "d", "input_schema": {"type": "object"}});
    let dash = serde_json::json!({"name": "n", "description": "a — b", "input_schema": {"type": "object"}});
    let float = serde_json::json!({"name": "n", "input_schema": {"default": 1e20}});
    for (model, tool, expected) in [
        ("claude-opus-5", &plain, Some(Evidence::A)),
        ("claude-opus-5", &dash, Some(Evidence::A)),
        ("claude-opus-5", &float, Some(Evidence::C)),
        ("claude-opus-4-8", &plain, Some(Evidence::A)),
        ("claude-opus-4-8", &dash, Some(Evidence::C)),
        ("claude-sonnet-4-6", &dash, Some(Evidence::B)),
        ("claude-opus-9", &plain, None),
    ] {
        let counted = count(model, tool).count;
        assert_eq!(counted.evidence, expected, "{model} {tool}");
        let source = match expected {
            Some(_) => Source::Reconstructed,
            None => Source::Estimated,
        };
        assert_eq!(counted.source, source, "{model}");
    }
    assert_eq!(count("gpt-5", &plain).count, Count::UNKNOWN);
    // The dash is one character on Opus 5, six on Haiku 4.5.
    assert!(
        tokens(count("claude-haiku-4-5", &dash).count)
            > tokens(count("claude-haiku-4-6", &dash).count)
    );
}

/// The texts of a message's content or of a system prompt.
fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .map(|block| block["text"].as_str().unwrap().to_owned())
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn whole_requests_of_one_message_with_tools_add_up_to_what_the_api_said() {
    let Some(path) = shared("claude-tokenizer/oracle/open.jsonl") else {
        return;
    };
    let counter = counter("claude").unwrap();
    let data = toolcost::data::Data::embedded().unwrap();
    let mut requests = 0;
    for row in std::fs::read_to_string(path).unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let request = &row["request"];
        let exact = row["residual"] == 0 && row["inexact_parts"].as_array().unwrap().is_empty();
        let plain = request["messages"].as_array().is_some_and(|m| m.len() == 1)
            && request["thinking"].is_null()
            && request["output_config"].is_null();
        if row["kind"] != "request+tools" || !exact || !plain {
            continue;
        }
        let id = row["model"].as_str().unwrap();
        let Some(model) = data.models.get(id) else {
            continue;
        };
        let scope = counter.scope(Some(id));
        let text = |text: &String| tokens(counter.text(scope, Text::Plain(text)));
        let prelude = match request["tool_choice"]["type"].as_str() {
            Some("any") => model.prelude_any,
            _ => model.prelude_auto,
        };
        let frame = data
            .models
            .family(model)
            .unwrap()
            .frame_first
            .unwrap()
            .tokens;
        let system = &request["system"];
        let sum = frame
            + prelude.unwrap()
            + u64::from(!system.is_null())
            + texts(system).iter().map(text).sum::<u64>()
            + texts(&request["messages"][0]["content"])
                .iter()
                .map(text)
                .sum::<u64>()
            + request["tools"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tool| tokens(count(id, tool).count))
                .sum::<u64>();
        assert_eq!(Some(sum), row["api_tokens"].as_u64(), "{}", row["path"]);
        requests += 1;
    }
    assert!(requests >= 10, "only {requests} requests");
}
