//! Lints: each has a folder with a capture that triggers exactly it, and a near miss that triggers nothing.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{root, run_in, toolcost};
use serde_json::Value;
use std::path::{Path, PathBuf};
use toolcost::lint::LINTS;

/// The findings of all rules, as code and subject.
fn found(folder: &Path, file: &Path) -> Vec<Value> {
    let mut args = vec![
        "check",
        file.to_str().unwrap(),
        "--rule",
        "default",
        "-f",
        "json",
    ];
    let flags = std::fs::read_to_string(folder.join("args")).unwrap_or_default();
    args.extend(flags.lines());
    let answer = run_in(folder, &args, b"");
    assert!(answer.code <= 1, "{}", answer.whole());
    answer.json()["findings"].as_array().unwrap().clone()
}

fn file(folder: &Path, stem: &str) -> PathBuf {
    ["json", "jsonl"]
        .iter()
        .map(|ending| folder.join(format!("{stem}.{ending}")))
        .find(|file| file.exists())
        .unwrap_or_else(|| panic!("{}: no {stem} file", folder.display()))
}

/// Further hits and near misses of a folder, each in a file of its own: `hit-*` and `near-*`.
fn further(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files: Vec<(String, PathBuf)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let stem = path.file_stem().unwrap();
            (stem.to_string_lossy().into_owned(), path)
        })
        .filter(|(stem, _)| stem.starts_with("hit-") || stem.starts_with("near-"))
        .collect();
    files.sort();
    files
}

#[test]
fn each_lint_is_triggered_alone_and_missed_nearly() {
    for lint in LINTS {
        let folder = root().join("tests/lints").join(lint.code);
        let hit = found(&folder, &file(&folder, "hit"));
        let codes: Vec<&str> = hit.iter().map(|f| f["code"].as_str().unwrap()).collect();
        assert_eq!(codes, [lint.code], "{hit:#?}");
        assert_eq!(hit[0]["level"], lint.level.word(), "{}", lint.code);
        let near = found(&folder, &file(&folder, "near"));
        assert_eq!(near, [] as [Value; 0], "{}", lint.code);
        for (stem, path) in further(&folder) {
            let found = found(&folder, &path);
            let codes: Vec<&str> = found.iter().map(|f| f["code"].as_str().unwrap()).collect();
            let expected: &[&str] = match stem.starts_with("hit-") {
                true => &[lint.code],
                false => &[],
            };
            assert_eq!(codes, expected, "{}: {stem}: {found:#?}", lint.code);
        }
    }
    let folders = std::fs::read_dir(root().join("tests/lints")).unwrap();
    assert_eq!(folders.count(), LINTS.len(), "a folder a lint");
}

#[test]
fn a_server_that_was_found_and_not_called_was_not_paid_in_vain() {
    let answer = toolcost(&["check", "captures/deferred", "--rule", "never-called"]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    assert!(!answer.stdout.contains("slack"), "{}", answer.stdout);
    let loaded = toolcost(&["check", "captures/vanilla", "--rule", "never-called"]);
    assert!(loaded.stdout.contains("jira"), "{}", loaded.stdout);
}

#[test]
fn what_a_person_needs_to_know_stands_in_the_message() {
    let text = |case: &str| {
        toolcost(&[
            "check",
            &format!("tests/cases/{case}/input.json"),
            "--rule",
            "default",
        ])
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
    };
    for (case, expected) in [
        (
            "01-tool-reference-unresolved",
            "every later one with this history",
        ),
        ("03-duplicate-tool-names", "tools[1], tools[2]"),
        (
            "05-name-65-chars",
            "65 characters, and referred to at /messages/2",
        ),
        ("07-toplevel-combinator", "not only to calls of the tool"),
        ("08-defer-plus-cache-control", "ToolSearch (tools[1])"),
        (
            "10-five-cache-breakpoints",
            "5 cache_control blocks, maximum 4: /tools/0, /tools/1, /system/0, /messages/0/content/0, /messages/0/content/1",
        ),
    ] {
        assert!(text(case).contains(expected), "{case}: {}", text(case));
    }
}

#[test]
fn rules_are_weighed_and_told() {
    let path = "tests/lints/many-loaded-tools/hit.json";
    let levels = |rules: &[&str]| {
        let mut args = vec!["check", path, "-f", "json"];
        args.extend(rules.iter().flat_map(|rule| ["--rule", rule]));
        let answer = toolcost(&args);
        let found = answer.json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f["level"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>();
        (answer.code, found)
    };
    assert_eq!(levels(&["default"]), (0, vec!["warn".to_owned()]));
    assert_eq!(
        levels(&["many-loaded-tools=error"]),
        (1, vec!["error".to_owned()])
    );
    assert_eq!(levels(&["many-loaded-tools"]), (0, vec!["warn".to_owned()]));
    assert_eq!(levels(&["default", "many-loaded-tools=off"]), (0, vec![]));
    assert_eq!(levels(&["duplicate-tool-name"]), (0, vec![]));
    let wrong = toolcost(&["check", path, "--rule", "many-tools"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("did you mean many-loaded-tools?"),
        "{}",
        wrong.stderr
    );
    for lint in LINTS {
        let told = toolcost(&["list", "lints", lint.code]).stdout;
        let plain = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [lint.what, lint.why, lint.cure, lint.source] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(plain.contains(&text), "{}: {text}: {told}", lint.code);
        }
    }
}

#[test]
fn a_finding_repeats_no_name_of_any_length() {
    for code in ["property-key-pattern", "tool-name-pattern"] {
        let folder = root().join("tests/lints").join(code);
        let found = found(&folder, &file(&folder, "hit-long"));
        let text = serde_json::to_string(&found).unwrap();
        assert!(text.len() < 2_000, "{code}: {} bytes", text.len());
        assert!(text.contains('…'), "{code}: {text}");
    }
}
