//! `compare`: what changed between runs, what else differs, and sums that close.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, shared, toolcost};
use serde_json::{Value, json};

fn compare(args: &[&str]) -> Value {
    let args: Vec<&str> = ["compare"]
        .iter()
        .chain(args)
        .chain(&["-f", "json"])
        .copied()
        .collect();
    let answer = toolcost(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

/// The three numbers of a pair.
fn three(pair: &Value) -> Value {
    json!({"a": pair["a"], "b": pair["b"], "delta": pair["delta"]})
}

fn delta<'v>(other: &'v Value, name: &str) -> &'v Value {
    let deltas = other["deltas"].as_array().unwrap();
    deltas
        .iter()
        .find(|delta| delta["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {other:#}"))
}

const SEED: [&str; 2] = [
    "fixtures/seed-001/report-vanilla.json",
    "fixtures/seed-001/report-snippet.json",
];

#[test]
fn the_counts_of_a_plugin_run_against_vanilla() {
    let view = compare(&SEED);
    let other = &view["others"][0];
    for (name, change, a, b) in [
        ("Agent", "changed", 1602, 986),
        ("Bash", "changed", 1177, 958),
        ("Read", "changed", 712, 590),
        ("ListAgents", "deferred", 405, 0),
        ("mcp__dotclaude-jev__second_opinion", "added", 0, 530),
        ("other seven", "same", 6237, 6237),
    ] {
        let row = delta(other, name);
        assert_eq!(
            (&row["change"], &row["a"], &row["b"], &row["delta"]),
            (&json!(change), &json!(a), &json!(b), &json!(b - a)),
            "{name}"
        );
    }
    assert_eq!(delta(other, "other seven")["tools"], 7);
    let fell = other["deltas"].as_array().unwrap().iter();
    let fell = fell
        .filter_map(|row| row["delta"].as_i64())
        .filter(|delta| *delta < 0);
    assert_eq!(fell.sum::<i64>(), -1362);
    let tokens = &other["tokens"];
    assert_eq!(
        three(&tokens["tools"]),
        json!({"a": 10133, "b": 9301, "delta": -832})
    );
    assert_eq!(
        three(&tokens["tool_part"]),
        json!({"a": 10226, "b": 9394, "delta": -832})
    );
    assert_eq!(
        three(&tokens["request"]),
        json!({"a": 18253, "b": 19906, "delta": 1653})
    );
    let share = |side: &str| (tokens["share"][side].as_f64().unwrap() * 100.0).round();
    assert_eq!((share("a"), share("b")), (56.0, 47.0));
    // Characters and bytes stand beside each other and are never subtracted.
    for (name, chars, bytes) in [
        ("Agent", 2906, 937),
        ("Bash", 1492, 850),
        ("Read", 790, 428),
    ] {
        let row = delta(other, name);
        assert_eq!(
            three(&row["description_chars"]),
            json!({"a": chars, "b": null, "delta": null})
        );
        assert_eq!(
            three(&row["description_bytes"]),
            json!({"a": null, "b": bytes, "delta": null})
        );
    }
    assert_eq!(delta(other, "ListAgents")["description_chars"]["a"], 777);
    let text = toolcost(&[&["compare"], &SEED[..]].concat()).stdout;
    for expected in [
        "the runs differ in more than the tools",
        "everything else moved by ~+2,485",
        "1,362",
        "description 2,906 characters → 937 bytes",
        "7 the same",
        "≥10,226",
        "≥56 %",
        "56 %",
        "47 %",
    ] {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn text_fits_80_columns_and_markdown_has_its_tables() {
    for args in [
        ["compare", "captures/vanilla", "captures/plugin"],
        ["compare", "captures/vanilla", "captures/deferred"],
    ] {
        let answer = toolcost(&args);
        assert_eq!(answer.code, 0);
        for line in answer.stdout.lines() {
            let command = line.starts_with("Next:") || line.starts_with("      toolcost");
            assert!(command || line.chars().count() <= 80, "{line}");
        }
        let markdown = toolcost(&[&args[..], &["-f", "markdown"]].concat()).stdout;
        assert!(
            markdown.contains("| Part | A | B | B − A |\n| :-- | --: | --: | --: |"),
            "{markdown}"
        );
        assert!(!markdown.contains('\u{1b}'));
    }
}

/// A body of one set-up, on one day, in one folder.
fn body(date: &str, folder: &str, git: &str, mark: bool) -> Value {
    let reminder = format!(
        "<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# claudeMd\nContents of {folder}/CLAUDE.md (project instructions):\n\nBe brief.\n# currentDate\nToday's date is {date}.\n\n      IMPORTANT: this may not matter.\n</system-reminder>\n"
    );
    let system = format!(
        "You find things.\n\n# MCP Server Instructions\n\nThe following MCP servers have provided instructions:\n\n## github\nUse it for issues.\n\n## nobody\nStay away.\n\n# Environment\n - Primary working directory: {folder}\n\n# Tone\nShort.\n\ngitStatus: at the start\n{git}\n"
    );
    let mut tool = json!({"name": "mcp__github__find", "description": "Finds.", "input_schema": {"type": "object", "properties": {}}});
    if mark {
        tool["cache_control"] = json!({"type": "ephemeral"});
    }
    json!({"model": "claude-sonnet-5", "max_tokens": 9, "system": system, "tools": [tool],
        "messages": [{"role": "user", "content": [{"type": "text", "text": reminder}, {"type": "text", "text": "hello"}]}]})
}

#[test]
fn two_captures_of_one_set_up_differ_in_no_tool() {
    let folder = Folder::new();
    folder.file(
        "a.json",
        body("2026-11-29", "/home/x/one", "M a.rs", false).to_string(),
    );
    folder.file(
        "b.json",
        body("2026-11-30", "/srv/another/place", "M a.rs\nM b.rs", true).to_string(),
    );
    let view = compare(&["a", "b", "--in", folder.path()]);
    let other = &view["others"][0];
    assert_eq!(other["tokens"]["tools"]["delta"], 0);
    assert_eq!(delta(other, "mcp__github__find")["change"], "same");
    let moved = |by_itself: bool| {
        let rows = other["sections"].as_array().unwrap().iter();
        let mut names: Vec<String> = rows
            .filter(|row| row["changed"] == true && row["by_itself"] == by_itself)
            .map(|row| {
                row["what"]
                    .as_str()
                    .unwrap_or_else(|| row["kind"].as_str().unwrap())
                    .to_owned()
            })
            .collect();
        names.sort();
        names
    };
    assert_eq!(moved(true), ["date", "environment", "git-status"]);
    // The file's path is in the memory section.
    assert_eq!(moved(false), ["memory-files"]);
    let marks = other["confounds"].as_array().unwrap();
    assert!(
        marks
            .iter()
            .any(|c| c["what"] == "cache marks on tools" && c["b"] == "tool 1"),
        "{marks:?}"
    );
    let text = toolcost(&["compare", "a", "b", "--in", folder.path()]).stdout;
    assert!(text.contains("date (changes by itself)"), "{text}");
    // An owner is told only where a tool has it in its name.
    let instructions: Vec<(&Value, bool)> = other["sections"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["kind"] == "mcp-instructions")
        .map(|row| (&row["owner"], row["changed"] == true))
        .collect();
    assert_eq!(instructions.len(), 2);
    assert!(instructions.contains(&(&json!("github"), false)));
    assert!(!view.to_string().contains("nobody"));
}

#[test]
fn several_runs_are_held_against_the_first() {
    let view = compare(&["vanilla", "deferred", "plugin", "--in", "captures"]);
    assert_eq!(view["base"], "vanilla");
    let runs: Vec<&Value> = view["others"]
        .as_array()
        .unwrap()
        .iter()
        .map(|other| &other["run"])
        .collect();
    assert_eq!(runs, ["deferred", "plugin"]);
    for other in view["others"].as_array().unwrap() {
        assert_eq!(other["usd"], Value::Null, "no usage was recorded");
        let tools: i64 = other["deltas"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|d| d["delta"].as_i64())
            .sum();
        assert_eq!(tools, other["tokens"]["tools"]["delta"].as_i64().unwrap());
        closes(&other["tokens"]);
        closes(&other["total"]);
    }
    let grown = |key: &str, runs: [&str; 2]| {
        let answer = toolcost(&[
            "compare",
            runs[0],
            runs[1],
            "--in",
            "captures",
            "--max-growth",
            key,
        ]);
        (answer.code, answer.stdout)
    };
    assert_eq!(grown("request=2%", ["vanilla", "deferred"]).0, 0);
    let (code, text) = grown("request=2%", ["deferred", "vanilla"]);
    assert_eq!(code, 1);
    assert!(
        text.contains("vanilla: request grew by 388 % (+60,498), at most 2.0 % was"),
        "{text}"
    );
    assert_eq!(grown("tools=62638tokens", ["deferred", "vanilla"]).0, 0);
    assert_eq!(grown("tools=62637tokens", ["deferred", "vanilla"]).0, 1);
    assert_eq!(
        grown("wire_chars=10characters", ["deferred", "vanilla"]).0,
        1
    );
    // From nothing to something is growth beyond any share.
    assert_eq!(grown("deferral=1000%", ["vanilla", "deferred"]).0, 1);
    // What is not known is not good.
    let args = [&["compare"], &SEED[..], &["--max-growth", "prelude=5%"]].concat();
    assert_eq!(toolcost(&args).code, 3);
}

/// Parts and residual sum to the request, on both sides and in the differences.
fn closes(tokens: &Value) {
    if tokens["request"]["delta"].is_null() {
        return;
    }
    let parts = [
        "tools", "prelude", "deferral", "system", "messages", "frame", "residual",
    ];
    for side in ["a", "b", "delta"] {
        let of = |part: &str| tokens[part][side].as_i64().unwrap_or(0);
        let sum: i64 = parts.iter().map(|part| of(part)).sum();
        assert_eq!(sum, of("request"), "{side}: {tokens:#}");
    }
}

#[test]
fn unlike_models_and_money_are_named() {
    let folder = Folder::new();
    let line = |model: &str, usage: bool, version: &str| {
        let mut body = body("2026-11-30", "/x", "", false);
        body["model"] = json!(model);
        body["tool_choice"] = json!({"type": if usage { "auto" } else { "any" }});
        let response = if usage {
            json!({"usage": {"input_tokens": 100, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 500, "output_tokens": 10}})
        } else {
            Value::Null
        };
        json!({"request": {"timestamp": 1_790_000_000, "method": "POST", "url": if usage { "https://api.anthropic.com/v1/messages" } else { "http://localhost:9/v1/messages" },
            "headers": {"user-agent": format!("claude-cli/{version} (external, cli)")}, "body": body},
            "response": {"status_code": 200, "body": response}}).to_string()
    };
    folder.file("old.jsonl", line("claude-haiku-4-5", true, "2.1.1"));
    folder.file("new.jsonl", line("claude-sonnet-5", true, "2.1.240"));
    folder.file("bare.jsonl", line("claude-sonnet-5", false, "2.1.240"));
    let view = compare(&["old", "new", "bare", "--in", folder.path()]);
    let whats = |at: usize| -> Vec<String> {
        view["others"][at]["confounds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["what"].as_str().unwrap().to_owned())
            .collect()
    };
    for expected in ["model", "tokenizer family", "client version"] {
        assert!(
            whats(0).contains(&expected.to_owned()),
            "{expected}: {:?}",
            whats(0)
        );
    }
    for expected in ["tool_choice", "host"] {
        assert!(
            whats(1).contains(&expected.to_owned()),
            "{expected}: {:?}",
            whats(1)
        );
    }
    // Haiku 4.5: 100 at $1, 1,000 at $0.10, 500 at $1.25, 10 of output at $5 a million.
    assert_eq!(view["others"][0]["usd"]["a"], "0.000875");
    assert_eq!(
        view["others"][1]["usd"],
        Value::Null,
        "one side has no usage"
    );
    let counters = compare(&["old", "new", "--in", folder.path(), "--counter", "chars"]);
    assert_eq!(counters["settings"]["counter"], "chars");
}

#[test]
fn recorded_conversations_close_turn_by_turn() {
    let Some(corpus) = shared("corpus/claude-trace") else {
        return;
    };
    let log = std::fs::read_dir(corpus)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .unwrap();
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("\"tools\": [{"))
        .collect();
    assert!(lines.len() >= 15);
    // Every request against every other: each is a run of one turn.
    let folder = Folder::new();
    let names: Vec<String> = (0..lines.len()).map(|at| format!("r{at:02}")).collect();
    for (name, line) in names.iter().zip(&lines) {
        folder.file(&format!("{name}.jsonl"), line);
    }
    folder.file("all.jsonl", lines.join("\n"));
    folder.file("later.jsonl", lines[1..].join("\n"));
    // A compaction is no turn: nothing to hold a turn against.
    let main = |name: &String| {
        let report = common::report(&format!("{}/{name}.jsonl", folder.path()), &[]);
        report["runs"][0]["requests"] == 1
    };
    let names: Vec<String> = names.into_iter().filter(main).collect();
    assert!(names.len() >= 15);
    let mut pairs = 0;
    for base in 0..names.len() {
        let mut args: Vec<&str> = names[base..].iter().map(String::as_str).collect();
        if args.len() < 2 {
            break;
        }
        args.extend(["--in", folder.path()]);
        for other in compare(&args)["others"].as_array().unwrap() {
            for turn in other["turns"].as_array().unwrap() {
                assert_eq!(turn["tokens"]["recorded"], json!([true, true]));
                closes(&turn["tokens"]);
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs, names.len() * (names.len() - 1) / 2);
    let view = compare(&["all", "later", "--in", folder.path()]);
    let other = &view["others"][0];
    assert!(other["turns"].as_array().unwrap().len() >= 10, "{other:#}");
    for turn in other["turns"].as_array().unwrap() {
        closes(&turn["tokens"]);
    }
    closes(&other["total"]);
}

#[test]
fn what_cannot_be_compared_says_why() {
    let folder = Folder::new();
    let one = folder.file("one.json", body("x", "y", "z", false).to_string());
    let broken = folder.file("broken.json", "{\"model\": ");
    let quota = json!({"model": "claude-haiku-4-5", "max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]});
    let side = folder.file("side.json", quota.to_string());
    let notes = folder.file("notes.csv", "a,b\n1,2\n");
    let path = |file: &std::path::PathBuf| file.to_str().unwrap().to_owned();
    let (one, broken, side, notes) = (path(&one), path(&broken), path(&side), path(&notes));
    for (args, code, expected) in [
        (
            vec!["venilla", "deferred", "--in", "captures"],
            2,
            "did you mean vanilla?",
        ),
        (
            vec!["vanilla", "vanilla", "--in", "captures"],
            2,
            "given twice",
        ),
        (
            vec!["captures/vanilla", "captures/vanilla/"],
            2,
            "given twice",
        ),
        (
            vec!["captures/vanilla", "no-such-path"],
            2,
            "or its name with --in",
        ),
        (
            vec!["captures/vanilla", "captures"],
            2,
            "lies in another of the paths",
        ),
        (
            vec!["fixtures/sse", "captures"],
            2,
            "holds 3 runs (deferred, plugin, vanilla)",
        ),
        (vec![&one, &broken], 3, "could not be read"),
        (vec![&one, &side], 2, "no main request in it, only 1 beside"),
        (vec![&one, &notes], 3, "could not be read"),
        (vec!["captures/vanilla"], 2, "2 values required"),
        (
            vec!["captures/vanilla", "captures/plugin", "--min-delta", "50"],
            2,
            "50tokens",
        ),
        (
            vec![
                "captures/vanilla",
                "captures/plugin",
                "--max-growth",
                "nix=1%",
            ],
            2,
            "KEY is one of",
        ),
        (
            vec![
                "captures/vanilla",
                "captures/plugin",
                "--max-growth",
                "tools=-1%",
            ],
            2,
            "write KEY=2%",
        ),
        (
            vec!["captures/vanilla", "captures/plugin", "--group-by", "/x"],
            2,
            "--in",
        ),
    ] {
        let answer = toolcost(&[&["compare"], &args[..]].concat());
        assert_eq!(answer.code, code, "{args:?}: {}", answer.whole());
        assert!(
            answer.stderr.contains(expected),
            "{args:?}: {}",
            answer.stderr
        );
    }
}

#[test]
fn two_tools_of_one_name_are_marked() {
    let folder = Folder::new();
    let tool = |text: &str| json!({"name": "find", "description": text, "input_schema": {"type": "object"}});
    let body = |tools: Vec<Value>| {
        json!({"model": "claude-sonnet-5", "max_tokens": 4096, "tools": tools, "messages": [{"role": "user", "content": "x"}]}).to_string()
    };
    folder.file("a.json", body(vec![tool("one")]));
    folder.file("b.json", body(vec![tool("one"), tool("two of them")]));
    folder.file("none.json", body(Vec::new()));
    let view = compare(&["a", "b", "--in", folder.path()]);
    let rows: Vec<(&Value, &Value)> = view["others"][0]["deltas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["change"], &row["duplicate"]))
        .collect();
    assert_eq!(
        rows,
        [
            (&json!("added"), &json!(true)),
            (&json!("same"), &json!(true))
        ]
    );
    let text = toolcost(&["compare", "a", "b", "--in", folder.path()]).stdout;
    assert!(text.contains("find #2"), "{text}");
    let text = toolcost(&["compare", "none", "none2", "--in", folder.path()]);
    assert_eq!(text.code, 2);
    folder.file("none2.json", body(Vec::new()));
    let text = toolcost(&["compare", "none", "none2", "--in", folder.path()]);
    assert!(
        text.stdout.contains("No tool was seen on either side"),
        "{}",
        text.whole()
    );
}

#[test]
fn what_is_not_known_or_not_alike_is_never_a_number() {
    let folder = Folder::new();
    // Without a model nothing is counted: no zero, no difference.
    let body = |model: Option<&str>, text: &str| {
        let tool = json!({"name": "find", "description": "x", "input_schema": {"type": "object"}});
        let mut body = json!({"max_tokens": 4096, "tools": [tool], "system": text, "messages": [{"role": "user", "content": text}]});
        if let Some(model) = model {
            body["model"] = json!(model);
        }
        body
    };
    folder.file("none1.json", body(None, "a").to_string());
    folder.file("none2.json", body(None, &"a b c ".repeat(50)).to_string());
    let view = compare(&[
        "none1",
        "none2",
        "--in",
        folder.path(),
        "--counter",
        "claude",
    ]);
    let tokens = &view["others"][0]["tokens"];
    for key in ["tools", "system", "messages", "request", "tool_part"] {
        assert_eq!(
            three(&tokens[key]),
            json!({"a": null, "b": null, "delta": null}),
            "{key}"
        );
    }
    // A recorded whole and a sum of parts are not alike, in one turn as in the sum of all.
    let line = |turns: usize, recorded: bool| {
        let mut request = body(Some("claude-sonnet-5"), "hello");
        for turn in 0..turns {
            let messages = request["messages"].as_array_mut().unwrap();
            messages.push(json!({"role": "assistant", "content": format!("yes {turn}")}));
            messages.push(json!({"role": "user", "content": "more"}));
        }
        let response = if recorded {
            json!({"usage": {"input_tokens": 900 + turns, "output_tokens": 1}})
        } else {
            Value::Null
        };
        json!({"request": {"timestamp": 1_790_000_000 + turns, "method": "POST", "url": "https://api.anthropic.com/v1/messages", "body": request},
            "response": {"status_code": 200, "body": response}}).to_string()
    };
    let run = |recorded: [bool; 4]| -> String {
        let lines = recorded
            .iter()
            .enumerate()
            .map(|(turn, recorded)| line(turn, *recorded));
        lines.collect::<Vec<_>>().join("\n")
    };
    folder.file("early.jsonl", run([true, true, false, false]));
    folder.file("late.jsonl", run([true, false, true, true]));
    let view = compare(&["early", "late", "--in", folder.path()]);
    let other = &view["others"][0];
    let deltas: Vec<&Value> = other["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| &turn["request"]["delta"])
        .collect();
    assert_eq!(
        deltas,
        [&json!(0), &Value::Null, &Value::Null, &Value::Null]
    );
    assert_eq!(other["total"]["request"]["delta"], Value::Null);
    assert!(
        other["confounds"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["what"] == "size of requests"),
        "{other:#}"
    );
    // Growth is decided where a bound decides it.
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let mut with_image = body(Some("claude-sonnet-5"), &"word ".repeat(3000));
    with_image["messages"][0]["content"] =
        json!([image, {"type": "text", "text": "word ".repeat(3000)}]);
    folder.file("small.json", body(Some("claude-sonnet-5"), "a").to_string());
    folder.file("image.json", with_image.to_string());
    let grown = |runs: [&str; 2]| {
        toolcost(&[
            "compare",
            runs[0],
            runs[1],
            "--in",
            folder.path(),
            "--max-growth",
            "request=2%",
        ])
        .code
    };
    assert_eq!(grown(["small", "image"]), 1);
    assert_eq!(grown(["image", "small"]), 0);
    assert_eq!(grown(["image", "image2"]), 2);
}

#[test]
fn a_path_is_blamed_for_its_own_files_only() {
    let folder = Folder::new();
    std::fs::create_dir_all(format!("{}/run1", folder.path())).unwrap();
    std::fs::create_dir_all(format!("{}/run10", folder.path())).unwrap();
    folder.file("run10/bad.json", "{\"model\": ");
    let path = |name: &str| format!("{}/{name}", folder.path());
    let answer = toolcost(&["compare", "captures/plugin", &path("run1"), &path("run10")]);
    assert_eq!(answer.code, 2, "{}", answer.whole());
    assert!(
        answer.stderr.contains("run1: no capture in it"),
        "{}",
        answer.stderr
    );
    let long = format!("mcp__server__{}", "long_name_".repeat(40));
    let tool =
        |text: &str| json!({"name": long, "description": text, "input_schema": {"type": "object"}});
    let body = |text: &str| {
        json!({"model": "claude-sonnet-5", "max_tokens": 4096, "tools": [tool(text)], "messages": [{"role": "user", "content": "x"}]}).to_string()
    };
    folder.file("a.json", body("one"));
    folder.file("b.json", body("one and two"));
    let text = toolcost(&[
        "compare",
        "a",
        "b",
        "--in",
        folder.path(),
        "--counter",
        "claude",
    ])
    .stdout;
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
