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
        "under three different requests",
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
    let fit = "[[model.counter]]\ncounter = \"chars\"\nrequests = 1\nslope = 1.0\n";
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
            "model x: counter chars: slope must lie",
        ),
        (
            format!(
                "{head}{model}[[model.counter]]\ncounter = \"chars\"\nrequests = 1\nslope = nan\nintercept = 0.0\n"
            ),
            "model x: counter chars: slope must lie",
        ),
        (
            format!("{head}{model}prelude_auto = 1000001\n"),
            "model x: prelude_auto must be at most 1,000,000 tokens",
        ),
        (
            format!("{head}{model}prelude_any = 9000000000\n"),
            "model x: prelude_any must be",
        ),
        (
            format!("{head}{model}deferral_block = 9000000000\n"),
            "model x: deferral_block must be",
        ),
        (
            format!("{head}{model}checked = \"yesterday\"\n"),
            "model x: checked must be a day",
        ),
        (
            format!("{head}{model}checked = \"2026-02-31\"\n"),
            "model x: checked must be a day",
        ),
        (
            format!("{head}{model}{fit}intercept = -2e9\n"),
            "model x: counter chars: intercept must lie",
        ),
        (
            format!("{head}{model}{fit}intercept = inf\n"),
            "model x: counter chars: intercept must lie",
        ),
        (
            format!("{head}{model}{fit}intercept = 0.0\nmedian = -0.1\n"),
            "model x: counter chars: median and p95 must be",
        ),
        (
            format!("{head}{model}{fit}intercept = 0.0\np95 = inf\n"),
            "model x: counter chars: median and p95 must be",
        ),
        (
            format!(
                "{head}{model}{}",
                model.replace("\"x\"", "\"claude-opus-5\"")
                    + &model.replace("\"x\"", "\"anthropic/claude-opus-5\"")
            ),
            "model anthropic/claude-opus-5: is there twice",
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

/// Lines of requests of a model with these recorded sizes.
fn lines(of: impl IntoIterator<Item = (Value, u64)>) -> String {
    let line = |(at, (request, size)): (usize, (Value, u64))| {
        let response = json!({"usage": {"input_tokens": size, "output_tokens": 5}});
        json!({"request": {"timestamp": 1_790_000_000 + at, "method": "POST", "url": "https://api.anthropic.com/v1/messages", "body": request}, "response": {"status_code": 200, "body": response}}).to_string()
    };
    let lines: Vec<String> = of.into_iter().enumerate().map(line).collect();
    lines.join("\n")
}

fn found(folder: &Folder, text: &str) -> Value {
    let path = folder.file("found.jsonl", text);
    calibrate(path.to_str().unwrap())["model"][0].clone()
}

/// Requests of a model that the tables know, each off by so much; `times`: copies of each.
fn off(folder: &Folder, kinds: &[(usize, bool, bool)], off: u64, times: usize) -> Value {
    let mut all = Vec::new();
    for (turns, tools, defers) in kinds {
        let body = body("claude-sonnet-5", *turns, *tools, *defers);
        let size = counted(folder, &body) + off;
        all.extend(std::iter::repeat_n((body, size), times));
    }
    found(folder, &lines(all))
}

#[test]
fn copies_of_a_request_confirm_nothing() {
    let folder = Folder::new();
    let copies = off(&folder, &[(1, true, false)], 8_552, 3);
    assert_eq!(
        (&copies["requests"], &copies["complete"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(copies["prelude_auto"], Value::Null, "{copies}");
    assert_eq!(
        (&copies["exact"], &copies["within_two"]),
        (&json!(false), &json!(0))
    );
    let notes = copies["notes"].to_string();
    assert!(
        notes.contains("the prelude would be 8906, the tables say 354: not taken over"),
        "{notes}"
    );
    // Recorded otherwise, it is another observation, if not one of another size.
    let body = body("claude-sonnet-5", 1, true, false);
    let size = counted(&folder, &body);
    let twice = [
        (body.clone(), size + 500),
        (body.clone(), size + 501),
        (body, size + 502),
    ];
    let model = found(&folder, &lines(twice));
    assert_eq!(
        (&model["complete"], &model["prelude_auto"]),
        (&json!(3), &Value::Null),
        "{model}"
    );
    // One request that counts as the tables say confirms them.
    let one = off(&folder, &[(1, true, false)], 0, 2);
    assert_eq!(
        (&one["exact"], &one["within_two"]),
        (&json!(true), &json!(1)),
        "{one}"
    );
    assert_eq!(one["counter"][0]["requests"], 1, "{one}");
    let text = toolcost(&["calibrate", folder.path()]).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("copies left out"), "{text}");
}

#[test]
fn the_tables_give_way_to_three_sizes_that_agree() {
    let folder = Folder::new();
    let kinds = [(0, true, false), (1, true, false), (2, true, false)];
    for (kinds, taken) in [(&kinds[..2], Value::Null), (&kinds[..], json!(354 + 70))] {
        let model = off(&folder, kinds, 70, 2);
        assert_eq!(model["prelude_auto"], taken, "{model}");
        let exact = !taken.is_null();
        assert_eq!(model["exact"], exact, "{model}");
        assert_eq!(model["prelude_agree"], if exact { 3 } else { 0 }, "{model}");
        let notes = model["notes"].to_string();
        assert_eq!(
            notes.contains("under three requests of different sizes"),
            !exact,
            "{notes}"
        );
    }
}

#[test]
fn a_block_that_nothing_confirms_does_not_stand() {
    let folder = Folder::new();
    let mut all = Vec::new();
    // Both alone in their kind: each number fits the request that it was found from.
    for (turns, defers, off) in [(1, false, 0), (2, true, 40)] {
        let body = body("claude-sonnet-5", turns, true, defers);
        let size = counted(&folder, &body) + off;
        all.push((body, size));
    }
    let model = found(&folder, &lines(all));
    assert_eq!(model["deferral_block"], Value::Null, "{model}");
    let notes = model["notes"].to_string();
    assert!(
        notes.contains("the deferral block would be 133, the tables say 93"),
        "{notes}"
    );
    let any = |size: u64| {
        let mut body = body("claude-sonnet-5", 1, true, false);
        body["tool_choice"] = json!({"type": "any"});
        let size = counted(&folder, &body) + size;
        found(&folder, &lines([(body, size)]))
    };
    let model = any(9);
    assert_eq!(model["prelude_any"], Value::Null, "{model}");
    assert!(
        model["notes"]
            .to_string()
            .contains("the prelude for any would be 483"),
        "{model}"
    );
    // What fits no request is written for no model, known or not.
    let strange = (0..4).map(|turns| {
        let size = counted(&folder, &body("claude-opus-5", turns, true, false));
        let off = 1_000 * (turns as u64 + 1);
        (body("claude-strange-9", turns, true, false), size + off)
    });
    let model = found(&folder, &lines(strange.collect::<Vec<_>>()));
    assert_eq!(
        (&model["exact"], &model["prelude_auto"]),
        (&json!(false), &Value::Null),
        "{model}"
    );
    assert!(
        model["notes"]
            .to_string()
            .contains("most requests with tools do not fit it"),
        "{model}"
    );
}

#[test]
fn thousands_of_models_take_no_time() {
    let folder = Folder::new();
    let mut toml =
        "schema = \"toolcost.calibration/1\"\ntoolcost = \"0\"\ndata_version = \"0\"\n".to_owned();
    for n in 0..8_000 {
        toml.push_str(&format!("[[model]]\nid = \"claude-m{n}\"\nrequests = 9\ncomplete = 9\nexact = false\nwithin_two = 0\nprelude_auto = {n}\n[[model.counter]]\ncounter = \"claude\"\nrequests = 9\nslope = 1.5\nintercept = 0.0\nmedian = 0.01\np95 = 0.02\n"));
    }
    let file = folder.file("many.toml", toml);
    let all = (0..1_000).map(|n| {
        let body = json!({"model": format!("claude-m{n}"), "max_tokens": 1, "messages": [{"role": "user", "content": format!("Say {n}.")}]});
        (body, 20)
    });
    let path = folder.file("many.jsonl", lines(all));
    let path = path.to_str().unwrap();
    let begun = std::time::Instant::now();
    let found = calibrate(path);
    assert_eq!(found["model"].as_array().unwrap().len(), 1_000);
    let report = common::report(path, &["--calibration", file.to_str().unwrap()]);
    assert_eq!(
        report["settings"]["calibrated"]["models"]
            .as_array()
            .unwrap()
            .len(),
        8_000
    );
    // Far from what it takes, and from what it took when each model was looked for among all others.
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn what_to_type_next_can_be_typed() {
    let folder = Folder::new();
    let path = capture(&folder, "my one.jsonl", "claude-opus-5", MANY, 0);
    let text = toolcost(&["calibrate", &path]).stdout;
    assert!(
        text.contains(&format!("toolcost report '{path}' --calibration")),
        "{text}"
    );
    let path = capture(&folder, "it's.jsonl", "claude-opus-5", MANY, 0);
    let text = toolcost(&["calibrate", &path]).stdout;
    assert!(!text.contains("Next:"), "{text}");
}

#[test]
fn nothing_but_what_cannot_be_read_says_why() {
    let folder = Folder::new();
    folder.file("bad.jsonl", "{\"request\": {\"body\": {\"model\": \n");
    let answer = toolcost(&["calibrate", folder.path()]);
    assert_eq!(answer.code, 3, "{}", answer.whole());
    assert!(
        answer.stderr.contains("bad.jsonl, line 1"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_counter_that_is_named_twice_counts_once() {
    let folder = Folder::new();
    let path = capture(&folder, "many.jsonl", "claude-opus-5", MANY, 0);
    let twice = "claude,chars,claude";
    let found = toolcost(&["calibrate", &path, "-f", "json", "--counter", twice]).json();
    assert_eq!(
        found["model"][0]["counter"].as_array().unwrap().len(),
        2,
        "{found}"
    );
    let rows = toolcost(&[
        "count",
        "--request",
        &path,
        "-f",
        "json",
        "--counter",
        twice,
    ])
    .json();
    assert_eq!(rows.as_array().unwrap().len(), 2 * MANY.len(), "{rows}");
}

#[test]
fn a_corrected_counter_is_named_and_equals_nothing() {
    let folder = Folder::new();
    let body = body("claude-opus-5", 1, true, false);
    let size = counted(&folder, &body);
    let path = folder.file("one.jsonl", lines([(body, size)]));
    let file = folder.file(
        "c.toml",
        "schema = \"toolcost.calibration/1\"\ntoolcost = \"0\"\ndata_version = \"0\"\n[[model]]\nid = \"claude-opus-5\"\nrequests = 9\ncomplete = 9\nexact = false\nwithin_two = 0\n[[model.counter]]\ncounter = \"claude\"\nrequests = 9\nslope = 1.5\nintercept = 0.0\nmedian = 0.01\np95 = 0.02\n",
    );
    let (path, file) = (path.to_str().unwrap(), file.to_str().unwrap());
    let report = common::report(path, &["--calibration", file]);
    assert_eq!(
        report["counted_for"][0]["vocabulary"], "assumed",
        "{report}"
    );
    let text = toolcost(&["report", path, "--calibration", file]).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("~ is estimated by claude (corrected for claude-opus-5"),
        "{text}"
    );
    assert!(!text.contains("equal to what the API counts"), "{text}");
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
        assert_eq!(model["within_two"], model["complete"], "{model}");
    }
}
