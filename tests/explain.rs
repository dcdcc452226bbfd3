//! `explain`: the gate for given numbers and for captures, and what would turn it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, shared, toolcost};
use serde_json::{Value, json};

fn explain(args: &[&str]) -> Value {
    let args: Vec<&str> = ["explain", "-f", "json"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let answer = toolcost(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

fn request<'v>(view: &'v Value, run: &str) -> &'v Value {
    view["requests"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["run"] == run)
        .unwrap()
}

#[test]
fn reaching_the_threshold_defers_under_both_profiles() {
    for profile in ["current", "legacy"] {
        for (tokens, word, enabled) in [
            ("20000", "Answer: defer,", true),
            ("19999", "Answer: load everything,", false),
        ] {
            let args = [
                "--model",
                "claude-opus-4-6",
                "--context-window",
                "200k",
                "--deferred-tokens",
                tokens,
                "--env",
                "ENABLE_TOOL_SEARCH=auto",
                "--profile",
                profile,
            ];
            let gate = &explain(&args)["requests"][0]["gate"];
            assert_eq!(
                (&gate["enabled"], &gate["decided_by"]),
                (&enabled.into(), &"threshold".into())
            );
            assert_eq!(gate["profile"], profile);
            let text: Vec<&str> = ["explain"].iter().chain(&args).copied().collect();
            assert!(toolcost(&text).stdout.contains(word));
        }
    }
}

#[test]
fn characters_alone_decide_where_they_alone_are_given() {
    for (chars, enabled) in [("50000", true), ("49999", false)] {
        let gate = &explain(&[
            "--context-window",
            "200000",
            "--deferred-chars",
            chars,
            "--env",
            "ENABLE_TOOL_SEARCH=auto",
        ])["requests"][0]["gate"];
        assert_eq!(
            (&gate["enabled"], &gate["threshold"]["method"]),
            (&enabled.into(), &"characters".into())
        );
    }
}

#[test]
fn servers_that_are_connecting_keep_the_search_tool() {
    let ask = |servers: &str| {
        explain(&[
            "--deferred-tokens",
            "0",
            "--pending-servers",
            servers,
            "--model",
            "claude-opus-5",
        ])["requests"][0]["gate"]
            .clone()
    };
    assert_eq!(ask("github,slack")["enabled"], true);
    assert_eq!(
        (&ask("")["enabled"], &ask("")["decided_by"]),
        (&false.into(), &"pool".into())
    );
}

#[test]
fn what_if_turns_the_shipped_run_at_the_right_step() {
    let changes = [
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1", "kill-switch"),
        ("base_url=http://127.0.0.1:4000", "proxy"),
        ("ENABLE_TOOL_SEARCH=auto", "threshold"),
        ("model=claude-opus-4-1", "model"),
        ("deny=ToolSearch", "search-tool"),
        ("provider=foundry-azure", "provider"),
        ("profile=2.1.6", "client"),
    ];
    let mut args = vec!["captures"];
    for (change, _) in &changes {
        args.extend(["--what-if", change]);
    }
    let view = explain(&args);
    let deferred = request(&view, "deferred");
    assert_eq!(deferred["gate"]["enabled"], true);
    for ((change, step), row) in changes.iter().zip(deferred["what_if"].as_array().unwrap()) {
        assert_eq!(
            (&row["enabled"], &row["step"]),
            (&false.into(), &(*step).into()),
            "{change}"
        );
        let key = change.split('=').next().unwrap();
        let flips = deferred["flips"].as_array().unwrap();
        assert!(
            flips
                .iter()
                .any(|flip| flip["key"] == key && flip["step"] == *step),
            "{change}"
        );
    }
    assert!(
        !view.to_string().contains("127.0.0.1"),
        "a URL is not repeated"
    );
}

#[test]
fn the_shipped_runs_agree_with_the_wire() {
    let view = explain(&["captures"]);
    for (run, observed, enabled) in [
        ("vanilla", "off", false),
        ("deferred", "on", true),
        ("plugin", "on", true),
    ] {
        let gate = &request(&view, run)["gate"];
        assert_eq!(
            (&gate["observed"], &gate["enabled"]),
            (&observed.into(), &enabled.into()),
            "{run}"
        );
        assert_eq!(gate["profile"], "2.1.240", "the version the capture names");
        let assumed = gate["steps"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|step| step["assumed"] == true)
            .count();
        assert!(assumed >= 1, "the kill switch was not given");
    }
    let against: Vec<&Value> = request(&view, "plugin")["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["agrees"] == false)
        .collect();
    let names: Vec<&str> = against
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["mcp__plugin_tidy_review__second_opinion", "ListAgents"]
    );
}

#[test]
fn a_recorded_trace_agrees_with_the_wire_and_says_what_it_assumes() {
    if shared("corpus/claude-trace").is_none() {
        return;
    }
    let view = explain(&["../shared/corpus/claude-trace/test-traffic.jsonl"]);
    let gate = &view["requests"][0]["gate"];
    // Client 1.0.6 has no tool search, by its version.
    assert_eq!(
        (&gate["observed"], &gate["enabled"], &gate["decided_by"]),
        (&"off".into(), &false.into(), &"client".into())
    );
    assert_eq!(view["requests"][0]["tools"].as_array().unwrap().len(), 17);
}

#[test]
fn settings_of_the_client_are_read_for_the_gate_alone() {
    let folder = Folder::new();
    let settings = folder.file("settings.json", r#"{"env":{"ENABLE_TOOL_SEARCH":"false","TOKEN":"CANARY"},"permissions":{"deny":["ToolSearch"]}}"#);
    let servers = folder.file(
        "mcp.json",
        r#"{"mcpServers":{"plugin_tidy_review":{"alwaysLoad":true,"command":"CANARY"}}}"#,
    );
    let (settings, servers) = (settings.to_str().unwrap(), servers.to_str().unwrap());
    let denied = explain(&["--settings", settings, "--model", "claude-opus-5"]);
    assert_eq!(denied["requests"][0]["gate"]["decided_by"], "mode");
    let denied = explain(&[
        "--settings",
        settings,
        "--env",
        "ENABLE_TOOL_SEARCH=true",
        "--model",
        "claude-opus-5",
    ]);
    assert_eq!(
        denied["requests"][0]["gate"]["decided_by"], "search-tool",
        "a flag wins over the file"
    );
    let always = explain(&["captures/plugin", "--settings", servers]);
    let tool = always["requests"][0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "mcp__plugin_tidy_review__second_opinion")
        .unwrap();
    assert_eq!(
        (&tool["verdict"]["rule"], &tool["agrees"]),
        (&"always-load".into(), &true.into())
    );
    assert!(!denied.to_string().contains("CANARY") && !always.to_string().contains("CANARY"));
    // Before 2.1.121 the setting of a server means nothing.
    let old = explain(&[
        "captures/plugin",
        "--settings",
        servers,
        "--profile",
        "2.1.120",
    ]);
    let tool = old["requests"][0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "mcp__plugin_tidy_review__second_opinion")
        .unwrap();
    assert_eq!(tool["verdict"]["rule"], "mcp");
}

#[test]
fn undocumented_values_and_unknown_models_give_no_guess() {
    for value in ["auto:150", "AUTO", "auto:", "maybe"] {
        let gate = &explain(&[
            "--env",
            &format!("ENABLE_TOOL_SEARCH={value}"),
            "--model",
            "claude-opus-5",
        ])["requests"][0]["gate"];
        let mode = gate["steps"]
            .as_array()
            .unwrap()
            .iter()
            .find(|step| step["name"] == "mode")
            .unwrap();
        assert_eq!(
            (&gate["enabled"], &mode["undocumented"], &mode["outcome"]),
            (&Value::Null, &true.into(), &"unknown".into()),
            "{value}"
        );
    }
    assert_eq!(
        explain(&["--model", "nobodys-model"])["requests"][0]["gate"]["enabled"],
        Value::Null
    );
    let newer = explain(&["--profile", "9.9.9", "--model", "claude-opus-5"]);
    let client = &newer["requests"][0]["gate"]["steps"][0];
    assert_eq!(
        (&client["assumed"], &client["outcome"]),
        (&true.into(), &"pass".into())
    );
}

#[test]
fn what_means_nothing_is_an_error_that_says_so() {
    for (args, said) in [
        (&["--what-if", "deny"][..], "write KEY=VALUE"),
        (&["--what-if", "deny=Bash"], "write deny=ToolSearch"),
        (
            &["--what-if", "colour=red"],
            "not known; write an environment variable",
        ),
        (
            &["--what-if", "context_window=big"],
            "--what-if context_window: write tokens",
        ),
        (
            &["--what-if", "profile=x"],
            "write current, legacy, or a version",
        ),
        (
            &["--profile", "2.1"],
            "write current, legacy, or a client version",
        ),
        (&["--provider", "aws"], "--provider: write one of"),
        (&["--settings", "no-such-file"], "--settings no-such-file"),
        (
            &["captures", "mcp__github__create_isue"],
            "the nearest is mcp__github__create_issue",
        ),
        (
            &["captures", "--deferred-tokens", "1"],
            "cannot be used with",
        ),
        (&["fixtures/missing"], "no such file or folder"),
    ] {
        let args: Vec<&str> = ["explain"].iter().chain(args).copied().collect();
        let answer = toolcost(&args);
        assert!(
            answer.code == 2 && answer.stderr.contains(said),
            "{args:?}: {}",
            answer.whole()
        );
    }
}

#[test]
fn a_request_is_walked_in_thirteen_steps() {
    let view = toolcost(&["explain", "captures/deferred", "-f", "json"]).json();
    let steps = view["requests"][0]["steps"].as_array().unwrap().clone();
    let names: Vec<&str> = steps
        .iter()
        .map(|step| step["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "mode",
            "model",
            "search-tool",
            "threshold",
            "deferred-set",
            "scan-history",
            "filter-tools",
            "serialize",
            "announce",
            "send",
            "search",
            "next-turn",
            "compaction",
        ]
    );
    for (n, step) in (1..).zip(&steps) {
        assert_eq!(step["n"], n);
        assert!(
            !step["input"].as_str().unwrap().is_empty()
                && !step["evidence"].as_str().unwrap().is_empty(),
            "{step}"
        );
    }
    let outcome =
        |name: &str| steps.iter().find(|step| step["name"] == name).unwrap()["outcome"].clone();
    assert_eq!(outcome("next-turn"), "pass");
    assert_eq!(outcome("compaction"), "pass");
    // With tool search off nothing is announced, flagged or left out.
    let off = toolcost(&["explain", "captures/vanilla", "-f", "json"]).json();
    let steps = off["requests"][0]["steps"].as_array().unwrap().clone();
    for name in ["filter-tools", "serialize", "announce"] {
        let step = steps.iter().find(|step| step["name"] == name).unwrap();
        assert_eq!(step["outcome"], "fail", "{step}");
    }
    let what_if = toolcost(&[
        "explain",
        "captures/vanilla",
        "--what-if",
        "ENABLE_TOOL_SEARCH=auto:50",
        "-f",
        "json",
    ])
    .json();
    let asked = &what_if["requests"][0]["what_if"][0];
    assert_eq!(asked["step"], "threshold", "{asked}");
}

#[test]
fn what_would_turn_the_threshold_is_a_number() {
    let of = |arguments: &[&str]| {
        let asked = [&["explain"], arguments, &["-f", "json"]].concat();
        toolcost(&asked).json()["requests"][0]["turning_point"].clone()
    };
    // The seeds' example: 10 % of 200,000 is 20,000; reaching it defers.
    let gate = |tokens: &str| of(&["--model", "claude-sonnet-4-5", "--deferred-tokens", tokens]);
    for (tokens, defers, loads) in [
        ("20000", json!(10), json!(11)),
        ("19999", json!(9), json!(10)),
        ("1999", Value::Null, json!(1)),
        ("2000", json!(1), json!(2)),
        ("198000", json!(99), Value::Null),
        ("197999", json!(98), json!(99)),
    ] {
        let point = gate(tokens);
        assert_eq!(
            (&point["defers_up_to"], &point["loads_from"]),
            (&defers, &loads),
            "{tokens}: {point}"
        );
        assert_eq!(point["measured"].to_string(), tokens);
        assert_eq!(point["unit"], "tokens");
    }
    let chars = of(&["--model", "claude-sonnet-4-5", "--deferred-chars", "50000"]);
    assert_eq!(chars["defers_up_to"], 10, "{chars}");
    assert_eq!(chars["unit"], "characters");
    // What the percentages say is what the gate answers when asked.
    let vanilla = of(&["captures/vanilla"]);
    let up_to = vanilla["defers_up_to"].as_u64().unwrap();
    for (percent, enabled) in [(up_to, true), (up_to + 1, false)] {
        let change = format!("ENABLE_TOOL_SEARCH=auto:{percent}");
        let asked = [
            "explain",
            "captures/vanilla",
            "--what-if",
            &change,
            "-f",
            "json",
        ];
        let view = toolcost(&asked).json();
        assert_eq!(view["requests"][0]["what_if"][0]["enabled"], enabled);
    }
    // Nothing measured, or another step that decides: no number.
    assert_eq!(of(&["--model", "claude-sonnet-4-5"]), Value::Null);
    assert_eq!(
        of(&["captures/deferred/request-deferred-1.json"]),
        Value::Null
    );
    let killed = of(&[
        "--model",
        "claude-sonnet-4-5",
        "--deferred-tokens",
        "20000",
        "--env",
        "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1",
    ]);
    assert_eq!(killed, Value::Null);
}
