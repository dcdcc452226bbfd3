//! `count`: one text has one count, by every way it is given; sets and requests are the sums of their parts.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, root, toolcost, with_input};
use serde_json::{Value, json};
use toolcost::count::counter;
use toolcost::model::Text;

fn count(args: &[&str], input: &str) -> Value {
    let args: Vec<&str> = ["count", "-f", "json"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let answer = with_input(&args, input.as_bytes());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

#[test]
fn one_text_has_one_count_by_every_way() {
    let texts = [
        "hello, world",
        "It's NASA's GaN “API” — 1234567 naïve…",
        " a",
        "end\n\n\n",
        "文字 한글 ①",
        "",
    ];
    for model in ["claude-opus-4-6", "claude-opus-4-7", "claude-opus-5"] {
        for name in ["claude", "chars"] {
            let counter = counter(name).unwrap();
            let folder = Folder::new();
            let lines: Vec<String> = texts
                .iter()
                .map(|text| json!({"id": "x", "text": text}).to_string())
                .collect();
            let jsonl = folder.file("texts.jsonl", lines.join("\n"));
            let by_lines = count(
                &[
                    "--jsonl",
                    jsonl.to_str().unwrap(),
                    "--model",
                    model,
                    "--counter",
                    name,
                ],
                "",
            );
            for (text, row) in texts.iter().zip(by_lines.as_array().unwrap()) {
                let scope = counter.scope(Some(model));
                let library = counter.text(scope, Text::Plain(text)).tokens.unwrap().0;
                assert_eq!(row["tokens"], library, "{model} {name} {text:?}");
                let by_input = count(&["-", "--model", model, "--counter", name], text);
                assert_eq!(by_input[0]["tokens"], library, "{model} {name} {text:?}");
                // In a report it is the content of a message.
                let body = json!({"model": model, "messages": [{"role": "user", "content": text}]});
                let file = folder.file("body.json", body.to_string());
                let report = common::report(file.to_str().unwrap(), &["--counter", name]);
                assert_eq!(
                    report["runs"][0]["first"]["messages"], library,
                    "{model} {name} {text:?}"
                );
            }
        }
    }
}

#[test]
fn sets_and_requests_are_the_sums_of_their_parts() {
    let request = "captures/deferred/request-deferred-1.json";
    for flag in ["--tools", "--request"] {
        for row in count(&[flag, request, "--counter", "claude,chars,p50k"], "")
            .as_array()
            .unwrap()
        {
            let parts = row["parts"].as_array().unwrap().iter();
            let sum: u64 = parts.filter_map(|part| part["tokens"].as_u64()).sum();
            assert_eq!(row["tokens"], sum, "{row}");
        }
    }
    let set = count(&["--tools", request], "");
    let whole = count(&["--request", request], "");
    let part = |name: &str| {
        let parts = whole[0]["parts"].as_array().unwrap().iter();
        parts
            .filter(|part| part["name"] == name)
            .map(|part| part["tokens"].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(
        set[0]["tokens"],
        part("tools") + part("prelude"),
        "what a set adds is its tools and the prelude once"
    );
}

#[test]
fn counts_fit_their_schema_and_faults_say_where() {
    let schema = toolcost(&["schema", "count"]).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let rows = count(
        &[
            "-",
            "--request",
            "captures/vanilla/request-vanilla-1.json",
            "--counter",
            "auto,chars",
        ],
        "x",
    );
    assert!(validator.is_valid(&rows), "{rows:#}");
    let folder = Folder::new();
    let bad = folder.file("bad.jsonl", "\"x\"\n{\"txt\": 1}\n");
    for (args, code, expected) in [
        (vec!["count"], 2, "nothing to count"),
        (vec!["count", "none.txt"], 2, "entity not found"),
        (
            vec!["count", "-", "--counter", "x"],
            2,
            "--counter x: not known",
        ),
        (
            vec!["count", "--jsonl", bad.to_str().unwrap()],
            3,
            "line 2: no JSON string",
        ),
        (
            vec!["count", "--tools", "README.md"],
            3,
            "README.md, line 1: not valid JSON",
        ),
        (vec!["count", "-", "--counter", "claude"], 3, ""),
    ] {
        let answer = with_input(&args, b"x");
        assert_eq!(answer.code, code, "{args:?}: {}", answer.whole());
        assert!(
            answer.stderr.contains(expected),
            "{args:?}: {}",
            answer.whole()
        );
    }
    assert!(root().join("schemas/toolcost.count-1.json").exists());
}

#[test]
fn a_report_puts_counters_side_by_side() {
    let args = [
        "report",
        "captures/deferred",
        "--counter",
        "claude,chars,o200k",
    ];
    let report = toolcost(&[&args[..], &["-f", "json"]].concat()).json();
    let run = &report["runs"][0];
    for (row, name) in run["by_counter"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["claude", "chars", "o200k"])
    {
        assert_eq!(row["counter"], name);
        let alone = toolcost(&[
            "report",
            "captures/deferred",
            "-f",
            "json",
            "--counter",
            name,
        ])
        .json();
        let alone = &alone["runs"][0];
        assert_eq!(row["loaded"], alone["first"]["tools"], "{name}");
        for tool in alone["tools"].as_array().unwrap() {
            if let Some(size) = row["sizes"].get(tool["name"].as_str().unwrap()) {
                assert_eq!(*size, tool["size"], "{name}: {tool}");
            }
        }
    }
    assert!(
        toolcost(&args)
            .stdout
            .contains("every definition of the pool")
    );
    let one = toolcost(&["report", "captures/deferred", "-f", "json"]).json();
    assert_eq!(one["runs"][0]["by_counter"], json!([]));
    assert_eq!(
        toolcost(&["report", "captures/deferred", "--counter", "claude,nix"]).code,
        2
    );
}

#[test]
fn standard_input_is_read_once() {
    let rows = with_input(
        &["count", "-f", "json", "-", "--counter", "chars,o200k"],
        b"hello there",
    );
    let rows = rows.json();
    assert_eq!(
        (&rows[0]["tokens"], &rows[1]["tokens"]),
        (&json!(4), &json!(2))
    );
    let body = std::fs::read(root().join("captures/deferred/request-deferred-1.json")).unwrap();
    for args in [
        &["count", "--tools", "-", "--counter", "chars,o200k"][..],
        &["count", "-", "--request", "-"],
        &["report", "-", "--counter", "chars,o200k"],
    ] {
        let answer = with_input(args, &body);
        assert_eq!(answer.code, 2, "{}", answer.whole());
        assert!(answer.stderr.contains("once only"), "{}", answer.whole());
    }
}

#[test]
fn a_number_that_is_not_there_has_its_reason() {
    let rows = with_input(
        &["count", "-f", "json", "-", "--counter", "claude,o200k"],
        &vec![b' '; 600_000],
    );
    assert_eq!(rows.code, 3);
    let rows = rows.json();
    assert!(
        rows[0]["reason"].as_str().unwrap().contains("--model"),
        "{rows}"
    );
    // Both counters saw the same text, though standard input is read once.
    assert!(
        rows[1]["reason"].as_str().unwrap().contains("500,000"),
        "{rows}"
    );
}
