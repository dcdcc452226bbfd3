//! Recorded requests and sets of tools with the number that the API said: the strict rows must be exact, no other may
//! be worse than the residual it is known to have.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, shared};
use serde_json::Value;
use serde_json::value::RawValue;

/// A row's request as its text.
#[derive(serde::Deserialize)]
struct Raw {
    request: Option<Box<RawValue>>,
}

#[test]
fn every_strict_request_is_exact_and_no_other_is_worse_than_it_was() {
    let Some(path) = shared("claude-tokenizer/oracle/open.jsonl") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let raws: Vec<Raw> = text
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let rows: Vec<Value> = text
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let folder = Folder::new();
    for (at, row) in rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row["request"].is_object())
    {
        // The order of keys counts, so that the body is taken as it is written.
        let raw = raws[at].request.as_ref().unwrap().get();
        let body = format!("{{\"model\":{},{}", row["model"], &raw[1..]);
        folder.file(&format!("r{at:03}.json"), body);
    }
    let report = report(folder.path(), &["--per-request", "--counter", "claude"]);
    let (mut strict, mut exact, mut others) = (0, 0, 0);
    for (at, row) in rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row["request"].is_object())
    {
        let run = common::run(&report, &format!("r{at:03}"));
        let tokens = &run["by_request"][0]["tokens"];
        let residual = row["api_tokens"].as_i64().unwrap() - tokens["request"].as_i64().unwrap();
        let known = row["residual"].as_i64().unwrap();
        let what = format!("row {at}, {}: {residual} left, {tokens}", row["path"]);
        if known == 0 && row["inexact_parts"].as_array().unwrap().is_empty() {
            strict += 1;
            assert_eq!(residual, 0, "{what}");
            assert!(
                tokens["unknown_parts"].as_array().unwrap().is_empty(),
                "{what}"
            );
        } else {
            others += 1;
            assert!(residual.abs() <= known.abs(), "{what}, was {known}");
        }
        exact += u64::from(residual == 0);
        // What is not known is said to be missing, not folded into what is.
        let odd = row["inexact_parts"].as_array().unwrap().iter();
        let blocks = ["!image", "!document", "!parallel"];
        let lacks = odd
            .filter_map(Value::as_str)
            .any(|part| blocks.iter().any(|block| part.starts_with(block)));
        if lacks {
            assert_eq!(tokens["at_least"], true, "{what}");
        }
    }
    assert!(
        strict >= 170 && others >= 228 && exact >= 256,
        "{strict} {others} {exact}"
    );
}

#[test]
fn a_recorded_session_of_a_client_is_counted_to_a_few_tokens() {
    if shared("corpus/claude-trace").is_none() {
        return;
    }
    let report = report(
        "../shared/corpus/claude-trace/test-traffic.jsonl",
        &["--per-request", "--counter", "claude"],
    );
    let rows = report["runs"][0]["by_request"].as_array().unwrap();
    let (with, without): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row["tokens"]["tools"] != 0);
    assert_eq!((with.len(), without.len()), (17, 47));
    for row in without {
        assert_eq!(row["tokens"]["residual"], 0, "{row:#}");
    }
    for row in with {
        let residual = row["tokens"]["residual"].as_i64().unwrap();
        assert!(residual.abs() <= 3, "{row:#}");
    }
}
