//! `calibrate`: what captures with recorded sizes say of a model that no table knows, and what reports make of it.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, shared, toolcost};
use serde_json::{Value, json};

/// A conversation of so many turns, with a tool whose description is not ASCII.
fn body(model: &str, turns: usize, tools: bool, defers: bool) -> Value {
    let mut messages =
        vec![json!({"role": "user", "content": "Where is the report — and who wrote it?"})];
    for turn in 0..turns {
        messages.push(json!({"role": "assistant", "content": format!("It lies in folder number {turn} of the archive, as you said.")}));
        messages.push(json!({"role": "user", "content": format!("Look again, {}", "please and carefully ".repeat(turn * 7 + 1))}));
    }
    let mut body = json!({"model": model, "max_tokens": 100, "messages": messages, "system": "You find things."});
    if tools {
        let tool = |name: &str| json!({"name": name, "description": "Finds things – anywhere “here”…", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}});
        let mut list: Vec<Value> = ["find", "look", "see", "get", "seek"]
            .into_iter()
            .take(turns + 1)
            .map(tool)
            .collect();
        if defers {
            let mut deferred = tool("other");
            deferred["defer_loading"] = json!(true);
            list.push(deferred);
        }
        body["tools"] = json!(list);
    }
    body
}

/// What the reconstruction says of a body on a model that it knows.
fn counted(folder: &Folder, body: &Value) -> u64 {
    let file = folder.file("counted.json", body.to_string());
    let answer = toolcost(&[
        "count",
        "--request",
        file.to_str().unwrap(),
        "-f",
        "json",
        "--counter",
        "claude",
    ]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()[0]["tokens"].as_u64().unwrap()
}

/// A capture of a strange model that counts as `like` does, with another prelude.
fn capture(
    folder: &Folder,
    name: &str,
    like: &str,
    kinds: &[(usize, bool, bool)],
    more: u64,
) -> String {
    let mut lines = Vec::new();
    for (at, (turns, tools, defers)) in kinds.iter().enumerate() {
        let known = body(like, *turns, *tools, *defers);
        let size = counted(folder, &known) + if *tools { more } else { 0 };
        let request = body("claude-strange-9", *turns, *tools, *defers);
        let response = json!({"usage": {"input_tokens": size, "output_tokens": 5}});
        lines.push(json!({"request": {"timestamp": 1_790_000_000 + at, "method": "POST", "url": "https://api.anthropic.com/v1/messages", "body": request}, "response": {"status_code": 200, "body": response}}).to_string());
    }
    folder
        .file(name, lines.join("\n"))
        .to_str()
        .unwrap()
        .to_owned()
}

fn calibrate(path: &str) -> Value {
    let answer = toolcost(&["calibrate", path, "-f", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

const MANY: &[(usize, bool, bool)] = &[
    (0, false, false),
    (1, false, false),
    (2, false, false),
    (0, true, false),
    (1, true, false),
    (2, true, false),
    (3, true, false),
    (4, true, true),
    (2, true, true),
];

#[test]
fn the_switches_of_a_strange_model_are_settled_and_used() {
    for (like, family, non_ascii, prelude, block) in [
        ("claude-opus-5", "v48", "raw", 286, 93),
        ("claude-sonnet-4-5", "v3", "escaped", 496, 0),
        ("claude-sonnet-4-6", "v3", "raw", 497, 0),
    ] {
        let folder = Folder::new();
        let path = capture(&folder, "many.jsonl", like, MANY, 111);
        let found = calibrate(&path);
        let model = &found["model"][0];
        assert_eq!(model["id"], "claude-strange-9");
        assert_eq!(model["family"], family, "{like}: {model}");
        assert_eq!(model["non_ascii"], non_ascii, "{like}: {model}");
        assert_eq!(model["prelude_auto"], prelude + 111, "{like}: {model}");
        assert_eq!(model["deferral_block"], block, "{like}: {model}");
        assert_eq!(model["exact"], true, "{like}: {model}");
        assert_eq!(model["within_two"], MANY.len() as u64);
        assert_eq!(model["checked"], "2026-09-21");

        let toml = std::path::Path::new(folder.path()).join("calibration.toml");
        let output = format!("toml={}", toml.display());
        assert_eq!(toolcost(&["calibrate", &path, "-o", &output]).code, 0);
        let without = common::report(&path, &["--per-request"]);
        let with = common::report(
            &path,
            &["--per-request", "--calibration", toml.to_str().unwrap()],
        );
        let first = |report: &Value| report["runs"][0]["by_request"].as_array().unwrap().clone();
        assert!(
            first(&without)
                .iter()
                .any(|row| row["tokens"]["residual"] != 0)
        );
        for row in first(&with) {
            assert_eq!(row["tokens"]["residual"], 0, "{like}: {row}");
        }
        // A project's file says the same, from wherever its captures are looked at.
        folder.file("toolcost.toml", "calibration = \"calibration.toml\"");
        let project = std::path::Path::new(folder.path()).join("toolcost.toml");
        let by_project = common::report(
            &path,
            &["--per-request", "--config", project.to_str().unwrap()],
        );
        assert_eq!(first(&by_project), first(&with));
        let tool = &with["runs"][0]["tools"][0];
        assert_eq!(tool["source"], "reconstructed", "{tool}");
        assert_eq!(with["counted_for"][0]["vocabulary"], "verified");
        // And `count` counts by it.
        let row = toolcost(&[
            "count",
            "--request",
            &path,
            "-f",
            "json",
            "--counter",
            "claude",
            "--calibration",
            toml.to_str().unwrap(),
        ]);
        assert_eq!(row.json()[0]["at_least"], false, "{}", row.whole());
    }
}

#[test]
fn a_counter_that_reads_low_is_corrected() {
    let folder = Folder::new();
    let path = capture(&folder, "many.jsonl", "claude-opus-5", MANY, 0);
    let toml = std::path::Path::new(folder.path()).join("c.toml");
    toolcost(&[
        "calibrate",
        &path,
        "-o",
        &format!("toml={}", toml.display()),
    ]);
    let toml = toml.to_str().unwrap();
    for counter in ["chars", "o200k"] {
        let off = |flags: &[&str]| {
            let args: Vec<&str> = ["--counter", counter, "--per-request"]
                .iter()
                .chain(flags)
                .copied()
                .collect();
            let report = common::report(&path, &args);
            let rows = report["runs"][0]["by_request"].as_array().unwrap().clone();
            (
                report,
                rows.iter()
                    .map(|row| row["tokens"]["residual"].as_i64().unwrap().abs())
                    .sum::<i64>(),
            )
        };
        let (_, raw) = off(&[]);
        let (report, corrected) = off(&["--calibration", toml]);
        assert!(corrected * 2 < raw, "{counter}: {corrected} against {raw}");
        assert_eq!(
            report["settings"]["calibrated"]["corrected"][0]["counter"],
            counter
        );
        let tool = &report["runs"][0]["tools"][0];
        assert_eq!(
            (&tool["source"], &tool["error"]),
            (&json!("estimated"), &Value::Null)
        );
        let parts: i64 = ["name", "description", "schema", "wrapper"]
            .iter()
            .filter_map(|part| tool["parts"][part].as_i64())
            .sum();
        assert!(
            tool["parts"].is_null() || parts == tool["size"].as_i64().unwrap(),
            "{tool}"
        );
    }
    let text = toolcost(&["report", &path, "--counter", "chars", "--calibration", toml]).whole();
    assert!(text.contains("corrected for claude-strange-9"), "{text}");
}

#[test]
fn too_little_is_said() {
    let folder = Folder::new();
    let one = calibrate(&capture(
        &folder,
        "one.jsonl",
        "claude-opus-5",
        &[(1, true, false)],
        0,
    ));
    let model = &one["model"][0];
    assert_eq!(model["exact"], Value::Null, "{model}");
    assert_eq!(model["family"], Value::Null, "{model}");
    let notes = model["notes"].to_string();
    for expected in [
        "not settled",
        "nothing is left to check it with",
        "under three requests",
    ] {
        assert!(notes.contains(expected), "{expected}: {notes}");
    }
    // One request without tools is enough to check a family, if not to tell it from the others.
    let plain = calibrate(&capture(
        &folder,
        "plain.jsonl",
        "claude-opus-5",
        &[(1, false, false)],
        0,
    ));
    assert_eq!(plain["model"][0]["exact"], true, "{plain}");
    // Nothing recorded: nothing to fit.
    let answer = toolcost(&["calibrate", "captures/vanilla"]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("no request with a recorded size"),
        "{}",
        answer.whole()
    );
    assert_eq!(toolcost(&["calibrate", "-"]).code, 2);
}

#[test]
fn files_that_are_no_calibration_say_what_is_wrong() {
    let folder = Folder::new();
    let head = "schema = \"toolcost.calibration/1\"\ntoolcost = \"0\"\ndata_version = \"0\"\n";
    let model = "[[model]]\nid = \"x\"\nrequests = 1\ncomplete = 1\nwithin_two = 0\n";
    for (text, expected) in [
        ("x".to_owned(), "line 1"),
        (
            head.replace("/1", "/2"),
            "schema must be toolcost.calibration/1",
        ),
        (
            format!("{head}{model}famly = \"v3\"\n"),
            "unknown field `famly`",
        ),
        (
            format!("{head}{model}family = \"v9\"\n"),
            "family must be v3, v47 or v48",
        ),
        (format!("{head}{model}{model}"), "model x: is there twice"),
        (
            format!(
                "{head}{model}[[model.counter]]\ncounter = \"chars\"\nrequests = 1\nslope = 0.0\nintercept = 0.0\n"
            ),
            "slope must lie",
        ),
        (
            format!(
                "{head}{model}[[model.counter]]\ncounter = \"chars\"\nrequests = 1\nslope = nan\nintercept = 0.0\n"
            ),
            "slope must lie",
        ),
    ] {
        let file = folder.file("c.toml", &text);
        let answer = toolcost(&[
            "report",
            "captures/vanilla",
            "--calibration",
            file.to_str().unwrap(),
        ]);
        assert_eq!(answer.code, 2, "{text}");
        assert!(
            answer.stderr.contains(expected),
            "{expected}: {}",
            answer.stderr
        );
    }
    let answer = toolcost(&[
        "report",
        "captures/vanilla",
        "--calibration",
        "no-such-file.toml",
    ]);
    assert_eq!(answer.code, 2);
}

#[test]
fn the_recorded_conversations_are_exact() {
    let Some(corpus) = shared("corpus/claude-trace") else {
        return;
    };
    let found = calibrate(corpus.to_str().unwrap());
    for model in found["model"].as_array().unwrap() {
        assert_eq!(model["family"], "v3", "{model}");
        assert_eq!(model["exact"], true, "{model}");
        assert_eq!(model["within_two"], model["requests"], "{model}");
    }
}
