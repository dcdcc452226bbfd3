//! What a request holds is counted, or its part says that something is missing: no shape costs nothing silently.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in};
use serde_json::{Value, json};
use std::path::Path;

fn report(body: &Value) -> Value {
    let folder = Folder::new();
    folder.file("a.json", body.to_string());
    let answer = run_in(
        Path::new(folder.path()),
        &["report", "a.json", "-f", "json"],
        b"",
    );
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

/// Tokens of the messages, or `None` where the report says that some are missing.
fn messages(report: &Value) -> Option<u64> {
    let first = &report["runs"][0]["first"];
    let unknown = first["unknown_parts"].as_array().unwrap();
    let missing = unknown.contains(&json!("messages"));
    (!missing).then(|| first["messages"].as_u64().unwrap())
}

fn long() -> String {
    "x".repeat(10_000)
}

#[test]
fn every_item_of_a_responses_request_counts() {
    let long = long();
    for item in [
        json!({"type": "mcp_list_tools", "server_label": "s", "tools": [{"name": "m", "description": long, "input_schema": {}}]}),
        json!({"type": "mcp_call", "name": "a", "arguments": "{}", "output": long}),
        json!({"type": "mcp_approval_request", "name": "a", "arguments": long}),
        json!({"type": "item_reference", "id": "x"}),
        json!({"type": "compaction", "encrypted_content": long}),
        json!({"type": "brand_new", "stuff": long}),
        json!({"type": "function_call_output", "call_id": "c", "output": {"text": long}}),
        json!({"type": "function_call_output", "call_id": "c", "output": 5}),
        json!({"type": "function_call", "call_id": "c", "name": "a", "arguments": long}),
        json!({"type": "local_shell_call", "action": long}),
        json!({"type": "tool_search_output", "tools": "q"}),
        json!({"type": "tool_search_output", "tools": [5, null]}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": long}]}),
        json!({"role": "user"}),
    ] {
        let body = json!({"model": "gpt-5.4", "instructions": "i", "input": [item]});
        let counted = messages(&report(&body));
        assert!(
            counted.is_none_or(|tokens| tokens >= 4000),
            "{item}: {counted:?}"
        );
    }
    let kept =
        json!({"model": "gpt-5.4", "instructions": "i", "input": "hi", "prompt": {"id": "p"}});
    let report = report(&kept);
    let unknown = report["runs"][0]["first"]["unknown_parts"].clone();
    assert!(
        unknown.as_array().unwrap().contains(&json!("system")),
        "{unknown}"
    );
}

#[test]
fn every_shape_of_a_chat_message_counts() {
    let long = long();
    for message in [
        json!({"role": "assistant", "function_call": {"name": "a", "arguments": long}}),
        json!({"role": "assistant", "content": null, "refusal": long}),
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "q", "input": long}}]}),
        json!({"role": "assistant", "tool_calls": {"a": long}}),
        json!({"role": "assistant", "tool_calls": [5]}),
        json!({"role": "tool", "content": {"text": long}}),
        json!({"role": "tool", "content": long}),
        json!({"role": "user", "content": 7}),
    ] {
        let body = json!({"model": "gpt-5", "messages": [message], "tools": [{"type": "function", "function": {"name": "a", "description": "d", "parameters": {}}}]});
        let counted = messages(&report(&body));
        assert!(
            counted.is_none_or(|tokens| tokens >= 3900),
            "{message}: {counted:?}"
        );
    }
}

#[test]
fn tools_are_found_wherever_an_api_keeps_them() {
    let function = json!({"name": "old", "description": "d", "parameters": {}});
    let custom = json!({"type": "custom", "custom": {"name": "cc", "description": "d", "format": {"type": "text"}}});
    let by_functions = report(&json!({"model": "gpt-4", "messages": [], "functions": [function]}));
    assert_eq!(by_functions["runs"][0]["tools"][0]["name"], "old");
    let by_custom = report(&json!({"model": "gpt-5", "messages": [], "tools": [custom]}));
    assert_eq!(by_custom["runs"][0]["tools"][0]["name"], "cc");
    let alone = report(
        &json!({"model": "gpt-5.4", "input": [{"type": "additional_tools", "tools": [{"type": "function", "name": "f", "description": "d", "parameters": {}}]}]}),
    );
    assert_eq!(alone["runs"][0]["tools"][0]["name"], "f");
}

#[test]
fn each_copy_of_a_definition_in_the_messages_is_paid() {
    let tool = |name: &str, size: usize| json!({"name": name, "description": "z".repeat(size), "input_schema": {}});
    let add = |definition: Value| json!({"role": "system", "content": [{"type": "tool_addition", "tool": {"type": "tool_definition", "definition": definition}}]});
    let body = |additions: Vec<Value>| {
        let mut messages = vec![json!({"role": "user", "content": "a"})];
        messages.extend(additions);
        json!({"model": "claude-opus-5", "messages": messages, "tools": [tool("Read", 10)]})
    };
    let count = |additions| {
        report(&body(additions))["runs"][0]["first"]["messages"]
            .as_u64()
            .unwrap()
    };
    // What a reference costs beyond its definition is a constant; definitions are 5,000 characters, 2,000 tokens.
    let once = count(vec![add(tool("plan", 5000))]);
    assert!(once >= 2000, "{once}");
    assert!(count(vec![add(tool("plan", 5000)), add(tool("plan", 5000))]) >= once + 2000);
    assert!(
        count(vec![add(tool("Read", 5000))]) >= 2000,
        "of a loaded tool too"
    );
}

#[test]
fn a_tool_that_is_added_by_reference_alone_is_a_row_of_unknown_size() {
    let add = |tool: Value| json!({"type": "tool_addition", "tool": tool});
    let body = json!({"model": "claude-opus-5",
        "tools": [{"name": "Read", "description": "r", "input_schema": {}}, {"type": "mcp_toolset", "mcp_server_name": "wiki", "default_config": {"defer_loading": true}}],
        "messages": [{"role": "user", "content": "a"}, {"role": "system", "content": [
            add(json!({"type": "mcp_tool_reference", "server_name": "wiki", "name": "search"})), add(json!({"type": "tool_reference", "name": "ghost"}))]}]});
    let report = report(&body);
    assert_eq!(messages(&report), None);
    let tools = report["runs"][0]["tools"].as_array().unwrap();
    for name in ["wiki/search", "ghost"] {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert_eq!(
            (&tool["state"], &tool["size"]),
            (&json!("discovered"), &Value::Null)
        );
    }
}

#[test]
fn sets_in_sets_cost_no_stack_and_are_told() {
    let function =
        r#"{"type":"function","name":"a","description":"d","parameters":{"type":"object"}}"#;
    let nested = |depth: usize| {
        let open = r#"{"type":"namespace","name":"n","tools":["#.repeat(depth);
        format!(
            r#"{{"model":"gpt-5","input":"x","tools":[{open}{function}{}]}}"#,
            "]}".repeat(depth)
        )
    };
    let folder = Folder::new();
    folder.file("deep.json", nested(20_000));
    folder.file("two.json", nested(2));
    let read = |file: &str| {
        run_in(
            Path::new(folder.path()),
            &["report", file, "-f", "json"],
            b"",
        )
    };
    assert_eq!(read("deep.json").code, 0);
    assert!(read("two.json").stdout.contains("set-in-a-set"));
}

#[test]
fn a_flag_that_is_no_boolean_is_told_in_sets_too() {
    for tool in [
        json!({"type": "mcp_toolset", "mcp_server_name": "w", "default_config": {"defer_loading": "true"}}),
        json!({"type": "mcp_toolset", "mcp_server_name": "w", "configs": {"a": {"defer_loading": 1}}}),
        json!({"type": "mcp", "server_label": "w", "defer_loading": "true"}),
        json!({"type": "computer_toolset_20260801", "configs": {"zoom": {"defer_loading": "true"}}}),
    ] {
        let report = report(
            &json!({"model": "claude-opus-5", "messages": [{"role": "user", "content": "a"}], "tools": [tool]}),
        );
        assert!(
            report["findings"]
                .to_string()
                .contains("defer-flag-not-boolean"),
            "{tool}"
        );
    }
}

#[test]
fn a_namespace_in_a_listing_gives_all_its_tools_and_strangers_are_told() {
    let folder = Folder::new();
    let function = |name: &str| json!({"type": "function", "name": name, "description": "d", "parameters": {}});
    folder.file("list.json", json!({"tools": [{"type": "namespace", "name": "crm", "tools": [function("x"), function("y")]}, 5, null]}).to_string());
    folder.file(
        "a.json",
        json!({"model": "gpt-5.4", "input": "x", "tools": ["crm.x", "crm.y"]}).to_string(),
    );
    let args = ["report", "a.json", "-f", "json", "--tools", "list.json"];
    let report = run_in(Path::new(folder.path()), &args, b"").json();
    for name in ["crm.x", "crm.y"] {
        let tools = report["runs"][0]["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert_eq!(tool["definition_from"], "listing", "{name}");
    }
    assert!(
        report["skipped"]
            .to_string()
            .contains("2 entries of the listing are no tool definitions"),
        "{}",
        report["skipped"]
    );
}

#[test]
fn json_holds_no_character_that_fools_a_terminal() {
    let name = "a\u{202e}b\u{200b}\u{9b}c\u{1b}";
    let folder = Folder::new();
    folder.file("a.json", json!({"model": name, "messages": [], "tools": [{"name": name, "description": "d", "input_schema": {}}]}).to_string());
    for command in ["report", "explain"] {
        let answer = run_in(
            Path::new(folder.path()),
            &[command, "a.json", "-f", "json"],
            b"",
        );
        assert!(
            answer
                .stdout
                .chars()
                .all(|c| c == '\n' || !c.is_control() && !('\u{200b}'..='\u{202e}').contains(&c))
        );
        assert!(
            answer.json().to_string().contains("a\u{202e}b"),
            "the value is the same"
        );
    }
}

#[test]
fn explain_tells_what_it_could_not_read() {
    let folder = Folder::new();
    folder.file("c/a.json", json!({"model": "claude-haiku-4-5", "max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]}).to_string());
    folder.file("c/b.jsonl", "{\"messages\":[");
    let answer = run_in(Path::new(folder.path()), &["explain", "c"], b"");
    assert_eq!(answer.code, 3);
    assert!(
        answer.stderr.contains("c/b.jsonl, line 1"),
        "{}",
        answer.stderr
    );
}

#[test]
fn settings_of_a_wrong_type_are_errors_and_a_mark_at_their_start_is_none() {
    let folder = Folder::new();
    for (text, code) in [
        ("\u{feff}{\"env\":{}}", 0),
        (r#"{"permissions":["ToolSearch"]}"#, 2),
        (r#"{"mcpServers":"x"}"#, 2),
        (r#"{"mcpServers":{"a":"x"}}"#, 2),
        (r#"{"permissions":{"deny":["MCPSearch"]}}"#, 0),
    ] {
        folder.file("s.json", text);
        let answer = run_in(
            Path::new(folder.path()),
            &["explain", "--settings", "s.json"],
            b"",
        );
        assert_eq!(answer.code, code, "{text}: {}", answer.whole());
    }
    for change in ["=", "_=1", "9=", "FOO=1", "provider=azure"] {
        let answer = run_in(
            Path::new(folder.path()),
            &["explain", "--what-if", change],
            b"",
        );
        assert_eq!(answer.code, 2, "{change}");
    }
}
