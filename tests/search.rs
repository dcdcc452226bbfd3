//! `search`: queries as the client answers them, recorded searches replayed, and no text that nobody asked for.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, toolcost};
use serde_json::{Value, json};

fn view(args: &[&str]) -> Value {
    let answer = toolcost(&[&["search"], args, &["-f", "json"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

#[test]
fn words_are_scored_term_by_term() {
    let view = view(&["captures/vanilla", "github create issue"]);
    assert_eq!(
        (&view["mode"], &view["by_rules"]),
        (&json!("keyword"), &json!(true))
    );
    let first = &view["results"][0];
    assert_eq!(
        (&first["name"], &first["score"]),
        (&json!("mcp__github__create_issue"), &json!(38))
    );
    assert_eq!(
        first["terms"],
        json!([
            {"term": "github", "where": "name part", "points": 12},
            {"term": "create", "where": "name part", "points": 12},
            {"term": "issue", "where": "name part", "points": 12},
            {"term": "issue", "where": "description", "points": 2},
        ])
    );
    let scores: Vec<u64> = view["results"]
        .as_array()
        .unwrap()
        .iter()
        .chain(view["more"].as_array().unwrap())
        .map(|hit| hit["score"].as_u64().unwrap())
        .collect();
    assert!(
        scores.len() > 20 && scores.windows(2).all(|pair| pair[0] >= pair[1]),
        "{scores:?}"
    );
    for hit in view["results"].as_array().unwrap() {
        let points: u64 = hit["terms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|term| term["points"].as_u64().unwrap())
            .sum();
        assert_eq!(hit["score"], points);
    }
}

#[test]
fn recorded_searches_agree_and_show_their_text_only_when_asked() {
    let args = ["captures/deferred", "--all"];
    let replayed = view(&args);
    let calls = replayed["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2);
    for call in calls {
        assert_eq!(
            (&call["equal"], &call["query"]),
            (&json!(true), &Value::Null),
            "{call}"
        );
    }
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        let out = toolcost(&["search", "captures/deferred", "--all", "-f", format]).stdout;
        assert!(!out.contains("github create issue"), "{format}: {out}");
    }
    let shown = view(&["captures/deferred", "--all", "--show-text"]);
    assert_eq!(shown["calls"][0]["query"], "github create issue");
    let schema = jsonschema::validator_for(&toolcost(&["schema", "search"]).json()).unwrap();
    for value in [
        &replayed,
        &shown,
        &view(&["captures/vanilla", "select:create_issue,Read"]),
    ] {
        assert!(
            schema.is_valid(value),
            "{:?}",
            schema
                .iter_errors(value)
                .map(|e| e.to_string())
                .collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_search_that_the_algorithm_answers_otherwise_is_told() {
    let folder = Folder::new();
    let tool = |name: &str, description: &str, defer: bool| json!({"name": name, "description": description, "input_schema": {"type": "object", "properties": {"query": {}}}, "defer_loading": defer});
    let tools = [
        tool("ToolSearch", "x", false),
        tool("mcp__a__send", "Sends.", true),
        tool("mcp__b__send", "Sends.", true),
    ];
    let call = json!({"type": "tool_use", "id": "toolu_secret_1", "name": "ToolSearch", "input": {"query": "send", "max_results": 5}});
    let answer = json!({"type": "tool_result", "tool_use_id": "toolu_secret_1", "content": [{"type": "tool_reference", "tool_name": "mcp__b__send"}]});
    let body = json!({"model": "claude-opus-4-6", "max_tokens": 4096, "tools": tools, "messages": [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]});
    let file = folder.file("body.json", body.to_string());
    let view = view(&[file.to_str().unwrap(), "--all"]);
    let call = &view["calls"][0];
    assert_eq!(
        (&call["recorded"], &call["replayed"], &call["equal"]),
        (
            &json!(["mcp__b__send"]),
            &json!(["mcp__a__send", "mcp__b__send"]),
            &json!(false)
        )
    );
    assert!(!view.to_string().contains("toolu_secret"));
    // A hint of a listing counts, and a listing can be searched by itself.
    let listing = json!({"tools": [{"name": "a", "description": "x", "inputSchema": {"type": "object"}, "_meta": {"anthropic/searchHint": "deploy to production"}}]});
    let listing = folder.file("tools.json", listing.to_string());
    let found = toolcost(&[
        "search",
        listing.to_str().unwrap(),
        "production",
        "--server",
        "ops",
        "-f",
        "json",
    ])
    .json();
    assert_eq!(
        (&found["results"][0]["name"], &found["results"][0]["score"]),
        (&json!("mcp__ops__a"), &json!(4)),
        "{found:#}"
    );
}

#[test]
fn wrong_calls_say_what_to_do() {
    for (args, code, expected) in [
        (&["captures/vanilla"][..], 2, "give a QUERY"),
        (&["captures", "x"], 2, "holds 3 runs"),
        (&["README.md", "x"], 3, "not valid JSON"),
        (&["no-such", "x"], 2, "no-such"),
    ] {
        let answer = toolcost(&[&["search"], args].concat());
        assert_eq!(answer.code, code, "{}", answer.whole());
        assert!(answer.stderr.contains(expected), "{}", answer.stderr);
    }
}
