//! Meanings that must not drift, each on the smallest input that shows it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, tool};
use serde_json::{Value, json};

fn definition(name: &str, defer: bool) -> Value {
    let mut tool =
        json!({"name": name, "description": "Does one thing.", "input_schema": {"type": "object"}});
    if defer {
        tool["defer_loading"] = true.into();
    }
    tool
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn call(id: &str, name: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": {}}]})
}

fn body(tools: &[Value], messages: &[Value]) -> Value {
    json!({"model": "claude-sonnet-5", "max_tokens": 999, "tools": tools, "messages": messages})
}

/// Reports requests as one log, in this order.
fn log(bodies: &[Value], flags: &[&str]) -> Value {
    let folder = Folder::new();
    let lines: Vec<String> = bodies.iter().map(Value::to_string).collect();
    folder.file("log.jsonl", lines.join("\n"));
    report(
        &format!("{}/log.jsonl", folder.path()),
        &[&["--per-request"], flags].concat(),
    )
}

fn run(report: &Value) -> &Value {
    &report["runs"][0]
}

fn codes(report: &Value) -> Vec<&str> {
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_continued_thread_shows_no_zero_for_what_it_leaves_out() {
    let mut continued = body(&[], &[user("more".into())]);
    continued.as_object_mut().unwrap().remove("tools");
    continued["thread"] = json!({"type": "continue", "previous_message_id": "m"});
    continued["max_tokens"] = 9999.into();
    let report = log(&[continued], &[]);
    let first = &run(&report)["first"];
    for part in ["tools", "prelude", "deferral", "system"] {
        assert_eq!(first[part], Value::Null, "{part}");
    }
    assert_eq!(
        (&first["at_least"], &first["share"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(run(&report)["savings"]["at_least"], true);
    assert!(codes(&report).contains(&"thread-continues"));
}

#[test]
fn an_unknown_search_tool_bounds_the_saving_from_above() {
    let search =
        json!({"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"});
    let tools = [search, definition("a", true), definition("b", true)];
    let report = log(&[body(&tools, &[user("x".into())])], &[]);
    let savings = &run(&report)["savings"];
    assert_eq!(
        (&savings["at_least"], &savings["at_most"]),
        (&false.into(), &true.into())
    );
    assert_eq!(savings["unknown_definitions"], 0);
}

#[test]
fn an_unknown_prelude_leaves_the_saving_and_takes_the_share() {
    let mut fable = body(
        &[definition("ToolSearch", false), definition("a", true)],
        &[user("x".into())],
    );
    fable["model"] = "claude-fable-5-1".into();
    let report = log(&[fable], &[]);
    let savings = &run(&report)["savings"];
    assert_eq!(savings["saved_share"], Value::Null);
    assert!(savings["saved"].is_i64());
    let first = &run(&report)["first"];
    assert_eq!(
        (&first["prelude"], &first["unknown_parts"]),
        (&Value::Null, &json!(["prelude"]))
    );
    let estimated = first["estimated_parts"].as_array().unwrap();
    assert!(
        estimated.contains(&"deferral".into()),
        "a family that is inferred is thin evidence: {estimated:?}"
    );
}

#[test]
fn the_frame_has_all_its_known_terms() {
    let mut plain = body(
        &[definition("Read", false)],
        &[
            user("x".into()),
            call("a", "Read"),
            user("y".into()),
            user("z".into()),
        ],
    );
    let frame = |body: &Value| {
        run(&log(std::slice::from_ref(body), &[]))["first"]["frame"]
            .as_u64()
            .unwrap()
    };
    // 6 for the first message, 2 for a change of role, 1 for the second of one role; a call has its price in itself.
    assert_eq!(frame(&plain), 6 + 2 + 1);
    plain["system"] = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    // 1 where tools meet a system block, 1 for the further block.
    assert_eq!(frame(&plain), 6 + 2 + 1 + 1 + 1);
    plain["system"] =
        json!([{"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.240;"}]);
    assert_eq!(
        frame(&plain),
        6 + 2 + 1,
        "the attribution block costs nothing"
    );
}

#[test]
fn a_turn_that_ran_other_tools_too_exists_for_more_than_a_search() {
    let reference = json!([{"type": "tool_reference", "tool_name": "a"}]);
    let answer = |id: &str, content: Value| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    let tools = [
        definition("ToolSearch", false),
        definition("Read", false),
        definition("a", true),
    ];
    let parallel = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "1", "name": "ToolSearch", "input": {"query": "x"}},
        {"type": "tool_use", "id": "2", "name": "Read", "input": {}}]});
    let both = body(
        &tools,
        &[
            user("x".into()),
            parallel,
            user(json!([
                answer("1", reference.clone()),
                answer("2", "ok".into())
            ])),
        ],
    );
    assert_eq!(run(&log(&[both], &[]))["savings"]["search_turns"], 0);
    let alone = body(
        &tools,
        &[
            user("x".into()),
            call("1", "ToolSearch"),
            user(json!([answer("1", reference), {"type": "text", "text": "Tool loaded."}])),
        ],
    );
    assert_eq!(run(&log(&[alone], &[]))["savings"]["search_turns"], 1);
}

#[test]
fn calls_are_counted_over_a_compaction() {
    let tools = [definition("Read", false)];
    let read = |id: &str| {
        [
            call(id, "Read"),
            user(json!([{"type": "tool_result", "tool_use_id": id, "content": "x"}])),
        ]
    };
    let metadata = json!({"user_id": "user_1_account_2_session_3"});
    let with = |messages: &[Value]| {
        let mut body = body(&tools, messages);
        body["metadata"] = metadata.clone();
        body
    };
    let start = [user("go".into())];
    let before = with(&[&start[..], &read("1")].concat());
    let after = with(&[user("summary".into())]);
    let again = with(&[&[user("summary".into())][..], &read("2")].concat());
    assert_eq!(
        tool(run(&log(&[before, after, again], &[])), "Read")["calls"],
        2
    );
}

#[test]
fn the_thinking_of_a_running_round_has_no_known_price() {
    let thought = json!({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "id": "1", "name": "Read", "input": {}}]});
    let answer = user(json!([{"type": "tool_result", "tool_use_id": "1", "content": "x"}]));
    let tools = [definition("Read", false)];
    let running = log(
        &[body(
            &tools,
            &[user("go".into()), thought.clone(), answer.clone()],
        )],
        &[],
    );
    assert_eq!(run(&running)["first"]["unknown_parts"], json!(["messages"]));
    let over = log(
        &[body(
            &tools,
            &[
                user("go".into()),
                thought,
                answer,
                json!({"role": "assistant", "content": "ok"}),
                user("next".into()),
            ],
        )],
        &[],
    );
    assert_eq!(run(&over)["first"]["unknown_parts"], json!([]));
}

#[test]
fn conversations_are_told_apart_by_their_messages() {
    let tools = [definition("Read", false)];
    let turn = |texts: &[&str]| {
        let messages: Vec<Value> = texts.iter().enumerate().map(|(at, text)| json!({"role": if at % 2 == 0 { "user" } else { "assistant" }, "content": *text})).collect();
        body(&tools, &messages)
    };
    let sessions = |bodies: &[Value]| {
        let report = log(bodies, &[]);
        let rows = run(&report)["by_request"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| {
                (
                    row["session"].as_u64().unwrap(),
                    row["turn"].as_u64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        sessions(&[
            turn(&["a"]),
            turn(&["a", "b", "c"]),
            turn(&["x"]),
            turn(&["a", "b", "c", "d", "e"])
        ]),
        [(1, 1), (1, 2), (2, 1), (1, 3)]
    );
    // The same question again, once the first conversation has gone on, is a new one.
    assert_eq!(
        sessions(&[turn(&["a"]), turn(&["a", "b", "c"]), turn(&["a"])]),
        [(1, 1), (1, 2), (2, 1)]
    );
    // A body without messages starts nothing that others go on with.
    assert_eq!(
        sessions(&[turn(&[]), turn(&["a"]), turn(&["b"])]),
        [(1, 1), (2, 1), (3, 1)]
    );
    // A retry is told.
    let twice = log(&[turn(&["a"]), turn(&["a"])], &[]);
    assert!(codes(&twice).contains(&"request-repeats"));
}

#[test]
fn times_order_what_files_do_not() {
    let record = |time: Value, text: &str| json!({"timestamp": time, "body": body(&[definition("Read", false)], &[user(text.into())])});
    for (early, late) in [
        (
            json!("2026-11-30T08:00:00Z"),
            json!("2026-11-30T10:00:00+01:00"),
        ),
        (json!(1.5), json!(2)),
        (json!(1_793_900_000_000_i64), json!(1_793_900_001_000_i64)),
    ] {
        let report = log(
            &[
                record(late, "a long text that comes later"),
                record(early, "x"),
            ],
            &[],
        );
        let rows = run(&report)["by_request"].as_array().unwrap();
        assert_eq!(rows[0]["place"], "line 2");
    }
}

#[test]
fn a_named_run_holds_whatever_else_leads_to_its_files() {
    let folder = Folder::new();
    folder.file(
        "c/one/a.json",
        body(&[definition("Read", false)], &[user("x".into())]).to_string(),
    );
    let path = format!("{}/c", folder.path());
    let named = format!("mine={path}/one");
    let answer = common::toolcost(&["report", &path, "--run", &named, "-f", "json"]);
    assert_eq!(answer.json()["runs"][0]["run"], "mine");
    // The same name from two folders is refused.
    folder.file("d/x/request-r-1.json", "{\"messages\":[]}");
    folder.file("d/y/request-r-1.json", "{\"messages\":[]}");
    assert_eq!(
        common::toolcost(&["report", &format!("{}/d", folder.path())]).code,
        2
    );
}

#[test]
fn the_nearest_settings_up_to_the_path_count() {
    let folder = Folder::new();
    let text = body(&[definition("mcp__a__b", false)], &[user("x".into())]).to_string();
    folder.file("c/run/day/a.json", text);
    folder.file(
        "c/run/toolcost.run.toml",
        "[env]\nENABLE_TOOL_SEARCH = \"false\"\n",
    );
    folder.file(
        "toolcost.run.toml",
        "[env]\nENABLE_TOOL_SEARCH = \"true\"\n",
    );
    let path = format!("{}/c", folder.path());
    assert_eq!(run(&report(&path, &[]))["gate"]["mode"], "standard");
    assert_eq!(
        run(&report(&path, &["--env", "ENABLE_TOOL_SEARCH=auto:7"]))["gate"]["threshold"]["percent"],
        7
    );
}

#[test]
fn a_flag_overrides_the_model_of_a_capture_and_of_counts() {
    let first = |path: &str, model: &str| {
        run(&report(path, &["--model", model]))["first"]["prelude"].clone()
    };
    assert_eq!(first("captures/vanilla", "claude-opus-5"), 286);
    assert_eq!(
        run(&report(
            "fixtures/seed-001",
            &["--model", "claude-opus-4-5"]
        ))["context_window"],
        200_000
    );
}

#[test]
fn mixed_usage_keeps_the_residual_of_what_was_recorded() {
    let one = body(&[definition("Read", false)], &[user("a".into())]);
    let recorded = json!({"body": one, "response": {"usage": {"input_tokens": 5000}}});
    let report = log(
        &[
            recorded,
            json!({"body": body(&[definition("Read", false)], &[user("b".into())])}),
        ],
        &[],
    );
    let total = &run(&report)["total"];
    let names = [
        "tools", "prelude", "deferral", "system", "messages", "frame", "residual",
    ];
    let sum: i64 = names
        .iter()
        .map(|name| total[name].as_i64().unwrap_or(0))
        .sum();
    assert_eq!(
        (sum, &total["recorded"]),
        (total["request"].as_i64().unwrap(), &Value::Null)
    );
}

#[test]
fn a_listing_that_fits_nothing_is_told_and_full_names_are_not_prefixed() {
    let folder = Folder::new();
    let reminder = "<available-deferred-tools>\nmcp__a__one\n</available-deferred-tools>";
    folder.file(
        "c.json",
        body(&[definition("ToolSearch", false)], &[user(reminder.into())]).to_string(),
    );
    let listing = |name: &str| {
        json!([{"name": name, "description": "One.", "inputSchema": {"type": "object"}}])
            .to_string()
    };
    let plain = folder.file("plain.json", listing("one"));
    let full = folder.file("full.json", listing("mcp__a__one"));
    let text = |path: &std::path::Path, flags: &[&str]| {
        let capture = format!("{}/c.json", folder.path());
        let args: Vec<&str> = ["report", &capture, "--tools", path.to_str().unwrap()]
            .iter()
            .chain(flags)
            .copied()
            .collect();
        common::toolcost(&args).stdout
    };
    assert!(text(&plain, &[]).contains("none of the"));
    assert!(!text(&plain, &["--server", "a"]).contains("none of the"));
    assert!(!text(&full, &["--server", "a"]).contains("none of the"));
}

#[test]
fn a_heading_that_names_no_server_belongs_to_the_server_above() {
    let lead = "# MCP Server Instructions\n\nServers say:\n\n";
    let ask = |text: &str, tools: &[&str]| {
        let tools: Vec<Value> = tools.iter().map(|name| definition(name, false)).collect();
        let mut body = body(&tools, &[user("hi".into())]);
        body["system"] = format!("{lead}{text}").into();
        let report = log(&[body], &["--counter", "chars"]);
        let row = &run(&report)["by_request"][0]["tokens"]["sections"];
        let rows = row.as_array().unwrap().iter();
        let own = rows.filter(|row| row["kind"] == "mcp-instructions");
        own.map(|row| (row["owner"].clone(), row["tokens"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    let text = "## strange\nBe brief.\n## github\nAsk first.\n## Usage\nTwice a day, not more.\n## slack\nBe kind.\n";
    let with = ask(text, &["mcp__github__a", "mcp__slack__b"]);
    let owners: Vec<&Value> = with.iter().map(|(owner, _)| owner).collect();
    assert_eq!(owners, [&Value::Null, &json!("github"), &json!("slack")]);
    // The same request without these tools: nobody is confirmed, and as much is there.
    let without = ask(text, &["mcp__other__a"]);
    assert_eq!(without.len(), 1, "{without:?}");
    let whole: u64 = with.iter().map(|(_, tokens)| tokens).sum();
    assert_eq!(whole, without[0].1);
    let usage = ask("## github\nAsk first.\n", &["mcp__github__a"]);
    assert!(with[1].1 > usage[1].1, "{with:?} {usage:?}");
}
