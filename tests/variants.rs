//! Shapes of other clients and APIs: what is deferred, added, taken away, and what the wire says of its host.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in, toolcost};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn report(args: &[&str]) -> Value {
    let args: Vec<&str> = ["report", "-f", "json", "--per-request"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let answer = toolcost(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

/// State and deciding rule of each tool, by name.
fn tools(report: &Value) -> BTreeMap<&str, (&str, &str)> {
    let rows = report["runs"][0]["tools"].as_array().unwrap();
    let text = |value: &'_ Value| value.as_str().unwrap_or_default().to_owned();
    let rows = rows.iter().map(|row| {
        let rule = row["verdict"]["rule"].as_str().unwrap();
        assert!(!text(&row["state"]).is_empty());
        (
            row["name"].as_str().unwrap(),
            (row["state"].as_str().unwrap(), rule),
        )
    });
    rows.collect()
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_responses_request_says_itself_what_it_defers() {
    let report = report(&["fixtures/responses-tool-search"]);
    let tools = tools(&report);
    assert_eq!(tools["read_page"], ("loaded", "requested"));
    assert_eq!(tools["crm"], ("loaded", "requested"));
    assert_eq!(tools["crm.list_orders"], ("deferred", "requested"));
    assert_eq!(tools["send_note"], ("deferred", "requested"));
    assert_eq!(tools["files"], ("deferred", "requested"));
    assert_eq!(tools["tool_search"], ("loaded", "tool-search"));
    let gate = &report["runs"][0]["gate"];
    assert_eq!(
        (&gate["observed"], &gate["decided_by"], &gate["mode"]),
        (&json!("on"), &json!("api"), &Value::Null)
    );
    let requests = report["runs"][0]["by_request"].as_array().unwrap();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0]["tokens"]["recorded"], 412);
    assert_eq!(
        requests[1]["tokens"]["recorded"], 560,
        "cached tokens are inside"
    );
    assert_eq!(
        (&requests[1]["session"], &requests[1]["turn"]),
        (&json!(1), &json!(2))
    );
    for request in requests {
        let tokens = &request["tokens"];
        let part = |name: &str| tokens[name].as_i64().unwrap_or(0);
        let parts = [
            "tools", "prelude", "deferral", "system", "messages", "frame",
        ];
        let sum: i64 = parts.iter().map(|name| part(name)).sum();
        assert_eq!(sum + part("residual"), part("recorded"));
    }
}

#[test]
fn a_deferred_function_still_shows_its_name_and_description() {
    let folder = Folder::new();
    let function = |deferred: bool| {
        json!({"model": "gpt-5.4", "input": "hi", "tools": [
            {"type": "tool_search"},
            {"type": "function", "name": "send_note", "description": "Sends a short note to a colleague.",
             "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}, "defer_loading": deferred},
        ]})
    };
    folder.file("on.json", function(true).to_string());
    folder.file("off.json", function(false).to_string());
    let run = |file: &str| {
        let answer = run_in(
            Path::new(folder.path()),
            &["report", file, "-f", "json"],
            b"",
        );
        answer.json()["runs"][0]["first"]["tools"].as_u64().unwrap()
    };
    let (shown, whole) = (run("on.json"), run("off.json"));
    assert!(0 < shown && shown < whole, "{shown} of {whole}");
}

#[test]
fn tools_may_stand_in_an_item_and_be_found_by_the_client() {
    let report = report(&["fixtures/responses-codex"]);
    let tools = tools(&report);
    assert_eq!(tools["apply_patch"], ("loaded", "requested"));
    assert_eq!(tools["mcp__notes__.find"], ("deferred", "requested"));
    assert_eq!(tools["find_note"], ("discovered", "requested"));
    let servers = report["runs"][0]["by_server"].as_array().unwrap();
    assert!(
        servers.iter().any(|server| server["server"] == "notes"),
        "{servers:?}"
    );
    assert!(!codes(&report).contains(&"deferred-against-rules"));
}

#[test]
fn chat_completions_has_calls_beside_the_content_and_results_of_their_own() {
    let folder = Folder::new();
    let function = json!({"type": "function", "function": {"name": "find", "description": "Finds.", "parameters": {"type": "object"}}});
    let calls = json!({"id": "c", "type": "function", "function": {"name": "find", "arguments": "{\"what\":\"all of it\"}"}});
    let bare = json!({"model": "gpt-5", "tools": [function], "messages": [
        {"role": "user", "content": "look"}, {"role": "assistant", "content": null}]});
    let called = json!({"model": "gpt-5", "tools": [function], "messages": [
        {"role": "user", "content": "look"}, {"role": "assistant", "content": null, "tool_calls": [calls]},
        {"role": "tool", "tool_call_id": "c", "content": "three of them"}]});
    folder.file("bare.json", bare.to_string());
    folder.file("called.json", called.to_string());
    let run = |file: &str| {
        let answer = run_in(
            Path::new(folder.path()),
            &["report", file, "-f", "json"],
            b"",
        );
        answer.json()["runs"][0]["first"]["messages"]
            .as_u64()
            .unwrap()
    };
    // The call's name and arguments, and the result: 4, 20 and 13 characters at 2.5 each, rounded down.
    assert_eq!(run("called.json") - run("bare.json"), 1 + 8 + 5);
    let flagged = json!({"model": "gpt-5", "messages": [], "tools": [
        {"type": "function", "defer_loading": true, "function": {"name": "outside", "description": "d", "parameters": {}}},
        {"type": "function", "function": {"name": "inside", "description": "d", "parameters": {}, "defer_loading": true}}]});
    folder.file("flagged.json", flagged.to_string());
    let answer = run_in(
        Path::new(folder.path()),
        &["report", "flagged.json", "-f", "json"],
        b"",
    );
    let report = answer.json();
    let tools = tools(&report);
    assert_eq!(tools["outside"], ("deferred", "requested"));
    assert_eq!(tools["inside"], ("deferred", "requested"));
}

#[test]
fn tools_are_added_and_taken_away_in_the_middle() {
    let report = report(&["fixtures/tool-changes"]);
    let tools = tools(&report);
    assert_eq!(tools["mcp__db__query"].0, "discovered");
    assert_eq!(tools["mcp__db__drop"].0, "deferred");
    assert_eq!(
        tools["plan"].0, "discovered",
        "a definition inside the block"
    );
    assert_eq!(tools["Write"].0, "loaded", "it stays in the list");
    let removed = |finding: &&Value| finding["code"] == "tool-removed";
    let findings = report["findings"].as_array().unwrap();
    let removed: Vec<&Value> = findings.iter().filter(removed).collect();
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0]["subject"], "Write");
    assert!(!report.to_string().contains("secret-beta"));
}

#[test]
fn what_was_taken_away_and_given_back_is_there() {
    let folder = Folder::new();
    let change =
        |kind: &str| json!({"type": kind, "tool": {"type": "tool_reference", "name": "Write"}});
    let body = json!({"model": "claude-opus-5", "tools": [{"name": "Write", "description": "w", "input_schema": {}}], "messages": [
        {"role": "user", "content": "a"},
        {"role": "system", "content": [change("tool_removal"), change("tool_addition")]}]});
    folder.file("a.json", body.to_string());
    let answer = run_in(
        Path::new(folder.path()),
        &["report", "a.json", "-f", "json"],
        b"",
    );
    assert!(!answer.stdout.contains("tool-removed"), "{}", answer.stdout);
}

#[test]
fn a_toolset_defers_by_its_own_configuration() {
    let report = report(&["fixtures/mcp-toolset"]);
    let tools = tools(&report);
    assert_eq!(tools["wiki"], ("deferred", "requested"));
    assert_eq!(tools["wiki/search"], ("loaded", "requested"));
    assert_eq!(tools["mail/send"].0, "loaded");
    assert!(!tools.contains_key("wiki/purge"), "it is not enabled");
    assert!(!tools.contains_key("mail"), "none but one is enabled");
    assert_eq!(tools["computer_toolset_20260801"].0, "deferred");
    assert!(codes(&report).contains(&"toolset-flags-differ"));
    assert!(!codes(&report).contains(&"deferred-against-rules"));
}

#[test]
fn settings_are_held_against_the_wire() {
    let report = report(&["fixtures/bedrock-killed", "--model", "claude-opus-4-6"]);
    let found = codes(&report);
    for code in ["fields-after-kill-switch", "provider-differs"] {
        assert!(found.contains(&code), "{code}: {found:?}");
    }
    let whole = report.to_string();
    assert!(whole.contains("defer_loading, eager_input_streaming, anthropic-beta"));
}

#[test]
fn the_beta_of_tool_search_is_held_against_what_is_deferred() {
    let folder = Folder::new();
    let tool = |deferred: bool| json!({"name": "mcp__a__b", "description": "d", "input_schema": {}, "defer_loading": deferred});
    let record = |beta: &str, deferred: bool| {
        json!({"request": {"headers": {"Anthropic-Beta": beta, "x": "y"}, "body":
            {"model": "claude-opus-5", "tools": [tool(deferred)], "messages": [{"role": "user", "content": "a"}]}}})
    };
    let other = "context-1m-2025-08-07";
    let both = "context-1m-2025-08-07, advanced-tool-use-2025-11-20";
    for (beta, deferred, code) in [
        (other, true, Some("deferral-without-beta")),
        (both, false, Some("beta-without-deferral")),
        (both, true, None),
        (other, false, None),
    ] {
        folder.file("a.jsonl", record(beta, deferred).to_string());
        let answer = run_in(
            Path::new(folder.path()),
            &["report", "a.jsonl", "-f", "json"],
            b"",
        );
        let report = answer.json();
        let found: Vec<&str> = codes(&report)
            .into_iter()
            .filter(|code| code.contains("beta"))
            .collect();
        assert_eq!(
            found,
            code.into_iter().collect::<Vec<_>>(),
            "{beta} {deferred}"
        );
    }
    // Without headers nothing is said of betas.
    folder.file(
        "a.jsonl",
        json!({"model": "claude-opus-5", "tools": [tool(true)], "messages": []}).to_string(),
    );
    let answer = run_in(
        Path::new(folder.path()),
        &["report", "a.jsonl", "-f", "json"],
        b"",
    );
    assert!(!answer.stdout.contains("without-beta"));
}

#[test]
fn the_host_or_the_body_shows_the_cloud() {
    let folder = Folder::new();
    let body = |version: &str| {
        json!({"anthropic_version": version, "model": "claude-opus-4-1", "messages": [{"role": "user", "content": "a"}],
        "tools": [{"name": "mcp__a__b", "description": "d", "input_schema": {}}]})
    };
    let by_url = |url: &str| json!({"request": {"url": url, "body": body("2023-06-01")}});
    for (record, shown) in [
        (body("vertex-2023-10-16"), "vertex"),
        (body("bedrock-2023-05-31"), "bedrock"),
        (
            by_url("https://bedrock-runtime.eu-west-1.amazonaws.com/model/x/invoke"),
            "bedrock",
        ),
        (
            by_url("https://europe-west1-aiplatform.googleapis.com/v1/x:rawPredict"),
            "vertex",
        ),
        (
            by_url("https://team.services.ai.azure.com/anthropic/v1/messages"),
            "foundry",
        ),
        (
            by_url("https://api.anthropic.com/v1/messages"),
            "anthropic, assumed",
        ),
    ] {
        folder.file("a.json", record.to_string());
        let answer = run_in(
            Path::new(folder.path()),
            &["explain", "a.json", "-f", "json"],
            b"",
        );
        let explained = answer.json();
        let steps = explained["requests"][0]["gate"]["steps"]
            .as_array()
            .unwrap();
        let step = steps
            .iter()
            .find(|step| step["name"] == "provider")
            .unwrap();
        assert_eq!(step["input"], shown);
    }
}

#[test]
fn a_search_tool_of_another_program_is_told() {
    let folder = Folder::new();
    let body = |property: &str| {
        json!({"model": "claude-opus-5", "messages": [{"role": "user", "content": "a"}],
        "tools": [{"name": "ToolSearch", "description": "d", "input_schema": {"type": "object", "properties": {property: {"type": "string"}}}}]})
    };
    for (property, told) in [("query", false), ("goal", true)] {
        folder.file("a.json", body(property).to_string());
        let answer = run_in(
            Path::new(folder.path()),
            &["report", "a.json", "-f", "json"],
            b"",
        );
        assert_eq!(answer.stdout.contains("search-tool-foreign"), told);
    }
}

#[test]
fn a_listing_says_which_tools_are_always_loaded() {
    let folder = Folder::new();
    let tool = |name: &str, mark: Value| json!({"name": name, "description": "d", "inputSchema": {}, "_meta": {"anthropic/alwaysLoad": mark}});
    folder.file("listing.json", json!({"tools": [tool("up", json!(true)), tool("down", json!(false)), tool("odd", json!("true"))]}).to_string());
    let names = ["up", "down", "odd"].map(|name| format!("mcp__db__{name}"));
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "description": "d", "input_schema": {}}))
        .collect();
    let body = json!({"model": "claude-opus-5", "messages": [{"role": "user", "content": "a"}], "tools": tools});
    folder.file("a.json", body.to_string());
    let verdicts = |settings: &str| -> Vec<String> {
        folder.file("s.json", settings);
        let args = [
            "explain",
            "a.json",
            "-f",
            "json",
            "--tools",
            "listing.json",
            "--server",
            "db",
            "--settings",
            "s.json",
        ];
        let answer = run_in(Path::new(folder.path()), &args, b"");
        assert_eq!(answer.code, 0, "{}", answer.whole());
        let tools = answer.json()["requests"][0]["tools"]
            .as_array()
            .unwrap()
            .clone();
        tools
            .iter()
            .map(|tool| tool["verdict"]["rule"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(verdicts("{}"), ["always-load", "mcp", "mcp"]);
    // By the newest rules a server's false wins over a tool's true, and a tool's false over a server's true.
    let server = |on: bool| json!({"mcpServers": {"db": {"alwaysLoad": on}}}).to_string();
    assert_eq!(verdicts(&server(false)), ["mcp", "mcp", "mcp"]);
    assert_eq!(
        verdicts(&server(true)),
        ["always-load", "mcp", "always-load"]
    );
}

#[test]
fn the_cap_on_descriptions_follows_profile_and_variable() {
    let folder = Folder::new();
    let long = "x".repeat(5000);
    folder.file(
        "listing.json",
        json!({"tools": [{"name": "t", "description": long, "inputSchema": {}}]}).to_string(),
    );
    let announce = "<available-deferred-tools>\nmcp__db__t\n</available-deferred-tools>";
    let body = json!({"model": "claude-opus-5", "messages": [{"role": "user", "content": announce}], "tools": [{"name": "ToolSearch", "description": "d", "input_schema": {"properties": {"query": {}}}}]});
    folder.file("a.json", body.to_string());
    let chars = |flags: &[&str]| {
        let args = [
            "report",
            "a.json",
            "-f",
            "json",
            "--tools",
            "listing.json",
            "--server",
            "db",
        ];
        let args: Vec<&str> = args.iter().chain(flags).copied().collect();
        let answer = run_in(Path::new(folder.path()), &args, b"");
        assert_eq!(answer.code, 0, "{}", answer.whole());
        let report = answer.json();
        let tools = report["runs"][0]["tools"].as_array().unwrap();
        let tool = tools
            .iter()
            .find(|tool| tool["name"] == "mcp__db__t")
            .unwrap();
        tool["chars"].as_u64().unwrap()
    };
    // The name and the empty schema are 12 characters, the client's mark 13.
    let variable = "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH=3000";
    assert_eq!(chars(&[]), 12 + 2048 + 13);
    assert_eq!(chars(&["--env", variable]), 12 + 3000 + 13);
    assert_eq!(
        chars(&["--profile", "2.1.279", "--env", variable]),
        12 + 2048 + 13
    );
    assert_eq!(chars(&["--profile", "2.1.83"]), 12 + 5000);
    let odd = [
        "report",
        "a.json",
        "--env",
        "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH=lots",
    ];
    let answer = run_in(Path::new(folder.path()), &odd, b"");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("whole number") && !answer.stderr.contains("lots"));
}
