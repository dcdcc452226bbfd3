//! What each command prints, with exit code and stderr: text for every fixture, JSON for the small ones.
//! `cargo insta review` (or `INSTA_UPDATE=always`) accepts a change.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, root, run_in, toolcost};
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("fixtures")).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 10);
    names
}

/// Flags of a fixture: a line each in `fixtures/<name>.args`, where there is one.
fn flags(fixture: &str) -> Vec<String> {
    let path: PathBuf = root().join("fixtures").join(format!("{fixture}.args"));
    std::fs::read_to_string(path)
        .map(|text| text.lines().map(str::to_owned).collect())
        .unwrap_or_default()
}

fn settings(name: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_suffix(name);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn every_fixture_reports_in_text() {
    for name in fixtures() {
        let path = format!("fixtures/{name}");
        let flags = flags(&name);
        let mut args = vec!["report", &path];
        args.extend(flags.iter().map(String::as_str));
        let answer = toolcost(&args);
        settings(&name).bind(|| insta::assert_snapshot!("text", answer.whole()));
    }
}

#[test]
fn every_fixture_reports_in_json() {
    for name in fixtures() {
        let path = format!("fixtures/{name}");
        let flags = flags(&name);
        let mut args = vec!["report", &path, "--format", "json", "--per-request"];
        args.extend(flags.iter().map(String::as_str));
        let answer = toolcost(&args);
        settings(&name).bind(|| insta::assert_snapshot!("json", answer.whole()));
    }
}

#[test]
fn the_shipped_captures_report_in_text() {
    for (name, path) in [
        ("captures", "captures/"),
        ("captures-deferred", "captures/deferred"),
    ] {
        let answer = toolcost(&["report", path]);
        settings(name).bind(|| insta::assert_snapshot!("text", answer.whole()));
    }
}

#[test]
fn a_search_speaks_in_every_form() {
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let answer = toolcost(&[
            "search",
            "captures/deferred",
            "+slack post",
            "--all",
            "-f",
            form,
        ]);
        settings(form).bind(|| insta::assert_snapshot!("search", answer.whole()));
    }
}

#[test]
fn advice_speaks_in_every_form() {
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        let answer = toolcost(&["advise", "captures/deferred", "-f", format]);
        settings(format).bind(|| insta::assert_snapshot!("advise", answer.whole()));
    }
}

#[test]
fn a_timeline_speaks_in_every_form() {
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let answer = toolcost(&["timeline", "captures/deferred", "-f", form]);
        settings(form).bind(|| insta::assert_snapshot!("timeline", answer.whole()));
    }
    let plain = "timeline captures/deferred --cache prefix --block 16 --prefill 850";
    let answer = toolcost(&plain.split(' ').collect::<Vec<_>>());
    settings("prefix").bind(|| insta::assert_snapshot!("timeline", answer.whole()));
    for (name, rule) in [("breaks", "anthropic"), ("breaks-prefix", "prefix")] {
        let answer = toolcost(&["timeline", "fixtures/prefix", "--cache", rule]);
        settings(name).bind(|| insta::assert_snapshot!("timeline", answer.whole()));
    }
}

#[test]
fn a_forecast_speaks_in_every_form() {
    let flags = ["--turns", "20", "--discover", "3", "--idealised"];
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let call = ["forecast", "captures/vanilla", "-f", form];
        let answer = toolcost(&[&call[..], &flags].concat());
        settings(form).bind(|| insta::assert_snapshot!("forecast", answer.whole()));
    }
    let deferred = ["captures/deferred", "--tools", "captures/vanilla"];
    for (name, args) in [
        ("deferred", &deferred[..]),
        ("lacking", &["captures/deferred", "--idealised"]),
        ("backtest", &["fixtures/sse", "--backtest"]),
    ] {
        let answer = toolcost(&[&["forecast"], args].concat());
        settings(name).bind(|| insta::assert_snapshot!("forecast", answer.whole()));
    }
}

#[test]
fn a_check_speaks_in_every_form() {
    let forms = [
        "text", "json", "ndjson", "csv", "markdown", "github", "sarif", "junit",
    ];
    for form in forms {
        let mut args = vec!["check", "captures", "--rule", "default", "-f", form];
        args.extend(["--counter", "claude", "--limit", "loaded=20000tokens"]);
        args.extend(["--limit", "share=90%", "--limit-tool", "mcp__*=500tokens"]);
        let answer = toolcost(&args);
        settings(form).bind(|| insta::assert_snapshot!("check", answer.whole()));
    }
    let answer = toolcost(&["init", "captures/deferred", "-o", "-"]);
    insta::assert_snapshot!("init", answer.whole());
}

#[test]
fn runs_compare_in_every_form() {
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let seed = "fixtures/seed-001";
        let answer = toolcost(&["compare", "vanilla", "snippet", "--in", seed, "-f", form]);
        settings(form).bind(|| insta::assert_snapshot!("compare", answer.whole()));
    }
    for other in ["captures/plugin", "captures/deferred"] {
        let answer = toolcost(&["compare", "captures/vanilla", other]);
        let name = other.replace('/', "-");
        settings(&name).bind(|| insta::assert_snapshot!("compare", answer.whole()));
    }
}

#[test]
fn a_recorded_conversation_calibrates_in_every_form() {
    for form in ["text", "json", "ndjson", "csv", "markdown", "toml"] {
        let answer = toolcost(&["calibrate", "fixtures/sse", "-f", form]);
        settings(form).bind(|| insta::assert_snapshot!("calibrate", answer.whole()));
    }
}

#[test]
fn the_gate_explains_itself_in_text_and_json() {
    let numbers = "explain --model claude-opus-4-6 --context-window 200k --deferred-tokens 20000 --env ENABLE_TOOL_SEARCH=auto";
    let calls = [
        ("numbers", numbers),
        (
            "capture",
            "explain captures/deferred WebFetch mcp__github__get_issue --what-if deny=ToolSearch",
        ),
        ("bad-lines", "explain fixtures/bad-lines"),
    ];
    for (name, call) in calls {
        let mut args: Vec<&str> = call.split(' ').collect();
        settings(name).bind(|| insta::assert_snapshot!("explain", toolcost(&args).whole()));
        if name != "capture" {
            args.extend(["-f", "json"]);
            settings(name)
                .bind(|| insta::assert_snapshot!("explain-json", toolcost(&args).whole()));
        }
    }
}

#[test]
fn help_lists_and_schemas() {
    let calls: [(&str, &[&str]); 15] = [
        ("help", &["--help"]),
        ("help-report", &["report", "--help"]),
        ("help-explain", &["explain", "--help"]),
        ("help-timeline", &["timeline", "--help"]),
        ("help-facts", &["facts", "--help"]),
        ("help-forecast", &["forecast", "--help"]),
        ("help-list", &["list", "--help"]),
        ("list-formats", &["list", "formats"]),
        ("list-counters", &["list", "counters"]),
        ("list-rules", &["list", "rules"]),
        ("list-models", &["list", "models"]),
        ("list-profiles", &["list", "profiles"]),
        ("list-licences", &["list", "licences"]),
        ("list-licences-json", &["list", "licences", "-f", "json"]),
        ("list-formats-json", &["list", "formats", "-f", "json"]),
    ];
    for (name, args) in calls {
        settings(name).bind(|| insta::assert_snapshot!("call", toolcost(args).whole()));
    }
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = Folder::new();
    std::fs::create_dir(Path::new(folder.path()).join("empty")).unwrap();
    folder.file(
        "bad/toolcost.run.toml",
        "base_ulr = \"https://user:secret@host\"\n",
    );
    folder.file("bad/a.json", "{\"messages\":[]}");
    folder.file("x/a.json", "{\"messages\":[]}");
    folder.file("y/a.json", "{\"messages\":[]}");
    folder.file("cut.json", "{\"messages\":[");
    folder.file("notes.txt", "no capture");
    let calls: [(&str, &[&str]); 21] = [
        ("no-path", &["report"]),
        ("missing-path", &["report", "missing"]),
        ("empty-folder", &["report", "empty"]),
        ("same-run", &["report", "x/a.json", "y/a.json"]),
        ("bad-settings", &["report", "bad"]),
        ("only-broken", &["report", "cut.json"]),
        ("no-json", &["report", "notes.txt"]),
        ("unknown-format", &["report", "x", "-f", "yaml"]),
        ("unknown-counter", &["report", "x", "--counter", "gpt"]),
        ("unknown-profile", &["report", "x", "--profile", "9"]),
        ("unknown-as", &["report", "x", "--as", "y"]),
        ("unknown-env", &["report", "x", "--env", "SECRET=x"]),
        ("bad-window", &["report", "x", "--context-window", "big"]),
        ("bad-run", &["report", "--run", "x"]),
        (
            "bad-skips",
            &["report", "x", "--strict", "--max-skipped", "120%"],
        ),
        ("unknown-schema", &["schema", "x"]),
        ("unknown-flag", &["report", "--nope"]),
        ("unknown-provider", &["explain", "--provider", "azure"]),
        ("unknown-what-if", &["explain", "--what-if", "colour=red"]),
        ("unknown-tool", &["explain", "x", "Bash"]),
        ("no-settings", &["explain", "--settings", "missing.json"]),
    ];
    for (name, args) in calls {
        let answer = run_in(Path::new(folder.path()), args, b"");
        settings(name).bind(|| insta::assert_snapshot!("wrong", answer.whole()));
    }
}
