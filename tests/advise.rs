//! `advise`: what to change, with its evidence and its saving, and settings that do what was promised.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, toolcost};
use serde_json::{Value, json};

fn advise(path: &str, flags: &[&str]) -> Value {
    let args = [&["advise", path, "-f", "json"], flags].concat();
    let answer = toolcost(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

fn of<'v>(run: &'v Value, list: &str, kind: &str, subject: &str) -> &'v Value {
    let rows = run[list].as_array().unwrap().iter();
    let mut own = rows.filter(|row| row["kind"] == kind && row["subject"] == subject);
    own.next()
        .unwrap_or_else(|| panic!("no {kind} of {subject} in {run:#}"))
}

#[test]
fn the_server_nobody_called_and_the_tool_searched_most_are_named() {
    let view = advise("captures/deferred", &[]);
    let run = &view["runs"][0];
    let jira = of(run, "advice", "remove-server", "jira");
    assert!(jira["tokens_per_session"].as_u64().unwrap() > 0);
    of(run, "advice", "always-load", "mcp__github__create_issue");
    let advice = run["advice"].as_array().unwrap();
    for advice in advice {
        assert!(
            !advice["evidence"].as_array().unwrap().is_empty(),
            "{advice}"
        );
        assert!(
            advice["tokens_per_session"].as_u64().unwrap() > 0,
            "{advice}"
        );
        assert!(advice["usd_per_session"].is_string(), "{advice}");
    }
    let saved: Vec<u64> = advice
        .iter()
        .map(|own| own["tokens_per_session"].as_u64().unwrap())
        .collect();
    assert!(saved.is_sorted_by(|a, b| a >= b), "{saved:?}");
}

/// Worked by hand: 3 main requests of one session; the server `idle` has two loaded tools that nobody called.
#[test]
fn what_a_server_costs_is_what_its_definitions_cost_in_each_request() {
    let tool = |name: &str| json!({"name": name, "description": "Does one thing.", "input_schema": {"type": "object"}});
    let tools = [
        tool("Read"),
        tool("mcp__idle__a"),
        tool("mcp__idle__b"),
        tool("mcp__busy__c"),
    ];
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "mcp__busy__c", "input": {}}]});
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]});
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    let folder = Folder::new();
    for turn in 1..=3 {
        let body = json!({"model": "claude-opus-4-6", "max_tokens": 9000, "tools": tools, "messages": messages});
        folder.file(&format!("request-r-{turn}.json"), body.to_string());
        messages.extend([call.clone(), result.clone()]);
    }
    let view = advise(folder.path(), &[]);
    let run = &view["runs"][0];
    let report = common::report(folder.path(), &[]);
    let size = |name: &str| {
        common::tool(&report["runs"][0], name)["size"]
            .as_u64()
            .unwrap()
    };
    let idle = of(run, "advice", "remove-server", "idle");
    let expected = 3 * (size("mcp__idle__a") + size("mcp__idle__b"));
    assert_eq!(idle["tokens_per_session"], json!(expected));
    let advised: Vec<&Value> = run["advice"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| &own["subject"])
        .collect();
    assert!(!advised.contains(&&json!("busy")), "{advised:?}");
    // 5 US dollars a million, and no usage that tells of a cache.
    assert_eq!(run["usd_per_million"], "5");
    assert!(
        run["no_money"]
            .as_str()
            .unwrap()
            .contains("no recorded usage")
    );
}

#[test]
fn settings_of_the_advice_do_what_it_promises() {
    let view = advise("captures/deferred", &[]);
    let run = &view["runs"][0];
    let folder = Folder::new();
    let settings = folder.file("settings.json", run["change"].to_string());
    let explained = |flags: &[&str]| {
        let args = [&["explain", "captures/deferred", "-f", "json"], flags].concat();
        toolcost(&args).json()["requests"][0].clone()
    };
    let (before, after) = (
        explained(&[]),
        explained(&["--settings", settings.to_str().unwrap()]),
    );
    let denied = |view: &Value| {
        let tools = view["tools"].as_array().unwrap().iter();
        tools.filter(|tool| tool["denied"] == true).count()
    };
    assert_eq!(
        (denied(&before), denied(&after)),
        (0, 42),
        "the tools of jira"
    );
}

#[test]
fn tool_search_is_turned_on_where_it_would_save() {
    let body = |turn: usize| {
        let tools = (0..60).map(|n| json!({"name": format!("mcp__a__tool_{n}"), "description": "Does one of very many things for you. ".repeat(20), "input_schema": {"type": "object"}}));
        let mut all = vec![
            json!({"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}}),
        ];
        all.extend(tools);
        let messages: Vec<Value> = (0..turn * 2 - 1)
            .map(|n| json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": "x"}))
            .collect();
        json!({"model": "claude-sonnet-4-5", "max_tokens": 9000, "tools": all, "messages": messages,
            "system": [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.240.abc; cc_entrypoint=cli;"}]})
        .to_string()
    };
    let (captures, listings) = (Folder::new(), Folder::new());
    for turn in [1, 2] {
        captures.file(&format!("request-r-{turn}.json"), body(turn));
    }
    let search = json!([{"name": "ToolSearch", "description": "Finds tools.", "input_schema": {"type": "object", "properties": {"query": {}}}}]);
    let search = listings.file("search.json", search.to_string());
    let view = advise(
        captures.path(),
        &[
            "--tools",
            search.to_str().unwrap(),
            "--env",
            "ENABLE_TOOL_SEARCH=false",
        ],
    );
    let run = &view["runs"][0];
    let on = of(run, "advice", "tool-search-on", "ENABLE_TOOL_SEARCH");
    assert!(on["tokens_per_session"].as_u64().unwrap() > 1000);
    let set = run["change"]["env"]["ENABLE_TOOL_SEARCH"]
        .as_str()
        .unwrap()
        .to_owned();
    let gate = |env: &str| {
        let env = format!("ENABLE_TOOL_SEARCH={env}");
        let answer = toolcost(&["explain", captures.path(), "-f", "json", "--env", &env]);
        answer.json()["requests"][0]["gate"].clone()
    };
    assert_eq!(
        (&gate("false")["mode"], &gate(&set)["mode"]),
        (&json!("standard"), &json!("tst"))
    );
}

#[test]
fn money_comes_from_recorded_usage_and_is_unknown_without_a_price() {
    let record = |model: &str| {
        json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": {"model": model, "max_tokens": 9000,
            "tools": [{"name": "mcp__idle__a", "description": "Does one thing.", "input_schema": {"type": "object"}}], "messages": [{"role": "user", "content": "go"}]}},
            "response": {"body": {"usage": {"input_tokens": 0, "cache_read_input_tokens": 1_000_000, "output_tokens": 1}}}})
        .to_string()
    };
    let run = |model: &str| {
        let folder = Folder::new();
        folder.file("log.jsonl", record(model));
        advise(folder.path(), &[])["runs"][0].clone()
    };
    let opus = run("claude-opus-4-6");
    assert_eq!(
        (&opus["usd_per_million"], &opus["no_money"]),
        (&json!("0.5"), &Value::Null),
        "read from the cache"
    );
    let unknown = run("somebodys-model");
    assert_eq!(unknown["usd_per_million"], Value::Null);
    assert!(unknown["no_money"].as_str().unwrap().contains("no price"));
}

#[test]
fn nothing_to_advise_on_is_an_error() {
    let folder = Folder::new();
    folder.file("x.json", r#"{"model":"claude-haiku-4-5","max_tokens":1,"messages":[{"role":"user","content":"quota"}]}"#);
    let answer = toolcost(&["advise", folder.path()]);
    assert_eq!(answer.code, 2, "{}", answer.whole());
    assert!(
        answer.stderr.contains("nothing to advise on"),
        "{}",
        answer.stderr
    );
}

/// A recorded call with its answer, as claude-trace writes it.
fn recorded(body: &Value, answer: &Value) -> String {
    json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body},
        "response": {"body": {"content": answer, "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1}}}})
    .to_string()
}

fn idle_tools(names: &[&str]) -> Vec<Value> {
    let tool = |name: &&str| json!({"name": name, "description": "Does one thing.", "input_schema": {"type": "object"}});
    names.iter().map(tool).collect()
}

#[test]
fn a_server_that_anybody_called_is_not_advised_away() {
    let call = json!([{"type": "tool_use", "id": "t", "name": "mcp__db__q", "input": {}}]);
    let body = |system: &str| {
        json!({"model": "claude-opus-4-6", "max_tokens": 9000, "tools": idle_tools(&["mcp__db__q"]),
            "system": [{"type": "text", "text": system}, {"type": "text", "text": "You help."}], "messages": [{"role": "user", "content": "go"}]})
    };
    let main = "x-anthropic-billing-header: cc_version=2.1.240.abc; cc_entrypoint=cli;";
    let side = "x-anthropic-billing-header: cc_version=2.1.240.abc; cc_entrypoint=cli; cc_is_subagent=true;";
    let advised = |lines: &[String]| {
        let folder = Folder::new();
        folder.file("log.jsonl", lines.join("\n"));
        let view = advise(folder.path(), &[]);
        let advice = view["runs"][0]["advice"].as_array().unwrap().clone();
        advice.iter().any(|own| own["kind"] == "remove-server")
    };
    assert!(advised(&[recorded(&body(main), &json!([]))]));
    // The last answer calls it, and so does its event stream.
    assert!(!advised(&[recorded(&body(main), &call)]));
    let stream = format!(
        "event: content_block_start\ndata: {}\n\n",
        json!({"type": "content_block_start", "content_block": call[0]})
    );
    let mut streamed: Value = serde_json::from_str(&recorded(&body(main), &json!([]))).unwrap();
    streamed["response"] = json!({"body_raw": stream});
    assert!(!advised(&[streamed.to_string()]));
    // A subagent called it.
    let mut agent = body(side);
    let messages = agent["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": call}));
    messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]}));
    assert!(!advised(&[
        recorded(&body(main), &json!([])),
        recorded(&agent, &json!([]))
    ]));
}

#[test]
fn tool_search_that_another_step_keeps_off_is_not_advised() {
    let tools: Vec<Value> = (0..60).map(|n| json!({"name": format!("mcp__a__tool_{n}"), "description": "Does one of very many things for you. ".repeat(20), "input_schema": {"type": "object"}})).collect();
    let body = json!({"model": "claude-sonnet-4-5", "max_tokens": 9000, "tools": tools, "messages": [{"role": "user", "content": "x"}],
        "system": [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.240.abc; cc_entrypoint=cli;"}]});
    let (captures, listings) = (Folder::new(), Folder::new());
    captures.file("request-r-1.json", body.to_string());
    let search = json!([{"name": "ToolSearch", "description": "Finds tools.", "input_schema": {"type": "object", "properties": {"query": {}}}}]);
    let search = listings.file("search.json", search.to_string());
    let on = |env: &str| {
        let flags = ["--tools", search.to_str().unwrap(), "--env", env];
        let view = advise(captures.path(), &flags);
        let run = view["runs"][0].clone();
        let has = |list: &str| {
            run[list]
                .as_array()
                .unwrap()
                .iter()
                .any(|own| own["kind"] == "tool-search-on")
        };
        (has("advice"), has("left"))
    };
    assert_eq!(on("ENABLE_TOOL_SEARCH=false"), (true, false));
    assert_eq!(
        on("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1"),
        (false, true)
    );
}

#[test]
fn a_denied_tool_stands_as_denied_in_the_text_too() {
    let folder = Folder::new();
    let settings = folder.file("settings.json", r#"{"permissions":{"deny":["mcp__jira"]}}"#);
    let text = |names: &[&str]| {
        let args = [
            &["explain", "captures/vanilla"],
            names,
            &["--settings", settings.to_str().unwrap()],
        ]
        .concat();
        toolcost(&args)
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(
        text(&[]).contains("The settings deny 42 of them"),
        "{}",
        text(&[])
    );
    assert!(text(&["mcp__jira__list_sprints"]).contains("loaded, and denied by the settings"));
}

#[test]
fn other_clients_get_no_settings_of_this_one() {
    let view = advise("fixtures/responses-codex", &[]);
    for run in view["runs"].as_array().unwrap() {
        assert_eq!(run["change"], json!({}), "{run:#}");
    }
}
