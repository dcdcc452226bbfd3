//! What is looked at and shown: formats of users, groups, time windows, filters, orders.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Answer, Folder, report, run_in, toolcost};
use serde_json::{Value, json};
use std::path::Path;

fn body() -> Value {
    json!({"model": "claude-sonnet-5", "messages": [{"role": "user", "content": "hello"}], "tools": [
        {"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}},
        {"name": "mcp__db__query", "description": "Queries.", "input_schema": {"type": "object"}, "defer_loading": true}]})
}

fn inside(folder: &Folder, call: &str) -> Answer {
    let args: Vec<&str> = call.split(' ').collect();
    run_in(Path::new(folder.path()), &args, b"")
}

/// A log that nobody foresaw: the call is a text inside a text, the usage lies elsewhere.
fn gateway(folder: &Folder) {
    let call = json!({"body": body().to_string(), "team": "blue"});
    let line = |at: u64| {
        json!({
        "v": 7, "kind": "llm.call", "when": 1_760_000_000 + at,
        "payload": call.to_string(),
        "outcome": {"raw": json!({"usage": {"input_tokens": 900, "output_tokens": 5}}).to_string()},
    }).to_string()
    };
    let other = json!({"v": 7, "kind": "health"}).to_string();
    folder.file("logs/gateway.log", [line(0), other, line(60)].join("\n"));
}

const FIVE_LINES: &str = r#"[[format]]
name = "our-gateway"
match = { pointer = "/kind", value = "llm.call" }
body = "/payload/body"
response = "/outcome/raw"
"#;

#[test]
fn a_log_nobody_foresaw_is_read_with_five_lines() {
    let folder = Folder::new();
    gateway(&folder);
    let unread = inside(&folder, "report logs -f json");
    assert_eq!(
        unread.code,
        2,
        "no shipped format claims it: {}",
        unread.whole()
    );
    assert_eq!(FIVE_LINES.lines().count(), 5);
    folder.file("toolcost.toml", FIVE_LINES);
    folder.file("bare.json", body().to_string());
    let wrapped = inside(&folder, "report logs -f json");
    assert_eq!(wrapped.code, 0, "{}", wrapped.whole());
    let (wrapped, bare) = (
        wrapped.json(),
        inside(&folder, "report bare.json -f json").json(),
    );
    let (wrapped, bare) = (&wrapped["runs"][0], &bare["runs"][0]);
    assert_eq!(wrapped["requests"], 2);
    assert_eq!(wrapped["first"]["recorded"], 900);
    for (a, b) in wrapped["tools"]
        .as_array()
        .unwrap()
        .iter()
        .zip(bare["tools"].as_array().unwrap())
    {
        for key in ["name", "state", "size", "in_prompt"] {
            assert_eq!(a[key], b[key]);
        }
    }
    let list = inside(&folder, "list formats -f json").json();
    assert_eq!(list[0]["name"], "our-gateway");
    assert_eq!(list[0]["source"], "yours");
}

#[test]
fn a_config_is_found_upward_or_by_name() {
    let folder = Folder::new();
    gateway(&folder);
    folder.file("toolcost.toml", FIVE_LINES);
    let below = Path::new(folder.path()).join("logs");
    assert_eq!(run_in(&below, &["report", "gateway.log"], b"").code, 0);
    folder.file("else/other.toml", "counter = \"nobody\"");
    let named = inside(&folder, "report logs --config else/other.toml");
    assert_eq!(named.code, 2);
    assert!(
        named.stderr.contains("--counter nobody"),
        "{}",
        named.whole()
    );
    let missing = inside(&folder, "report logs --config none.toml");
    assert_eq!(missing.code, 2);
    let unknown = Folder::new();
    gateway(&unknown);
    unknown.file("toolcost.toml", "fromat = 1");
    let answer = inside(&unknown, "report logs");
    assert_eq!(answer.code, 2);
    assert_eq!(
        answer.stderr,
        "toolcost: toolcost.toml: unknown key fromat; did you mean format?\n"
    );
}

#[test]
fn a_pointer_that_leads_nowhere_is_told_with_its_place() {
    let folder = Folder::new();
    gateway(&folder);
    folder.file(
        "toolcost.toml",
        FIVE_LINES.replace("/payload/body", "/payload/boddy"),
    );
    let answer = inside(&folder, "report logs -f ndjson");
    assert_eq!(answer.code, 3);
    let whole = answer.whole();
    assert!(
        whole.contains("line 1")
            && whole.contains("/payload/boddy: nothing there, format our-gateway"),
        "{whole}"
    );
}

fn two_teams(folder: &Folder) {
    let record = |team: Option<&str>, at: &str| {
        let mut record =
            json!({"timestamp": at, "request": {"body": body(), "headers": {}}, "response": null});
        if let Some(team) = team {
            record["request"]["headers"]["x-team"] = team.into();
        }
        record.to_string()
    };
    let lines = [
        record(Some("blue"), "2026-11-01T08:00:00Z"),
        record(Some("red"), "2026-11-02T08:00:00Z"),
        record(Some("blue"), "2026-11-03T08:00:00Z"),
        record(None, "2026-11-04T08:00:00Z"),
        record(
            Some("550e8400-e29b-41d4-a716-446655440000"),
            "2026-11-05T08:00:00Z",
        ),
    ];
    folder.file("c/a.jsonl", lines[..3].join("\n"));
    folder.file("c/b.jsonl", lines[3..].join("\n"));
}

fn names(report: &Value) -> Vec<(String, u64)> {
    let runs = report["runs"].as_array().unwrap().iter();
    runs.map(|run| {
        (
            run["run"].as_str().unwrap().to_owned(),
            run["requests"].as_u64().unwrap(),
        )
    })
    .collect()
}

#[test]
fn runs_are_grouped_by_a_pointer_across_files() {
    let folder = Folder::new();
    two_teams(&folder);
    let answer = inside(
        &folder,
        "report c -f json --group-by /request/headers/x-team",
    );
    let found = names(&answer.json());
    let expected = [("(none)", 1), ("blue", 2), ("group 1", 1), ("red", 1)];
    assert_eq!(found, expected.map(|(name, n)| (name.to_owned(), n)));
    for pointer in [
        "/request/headers/authorization",
        "/request/headers/X-Api-Key",
        "/request/body/messages/0/content",
        "team",
    ] {
        let answer = inside(&folder, &format!("report c --group-by {pointer}"));
        assert_eq!(answer.code, 2, "{pointer}: {}", answer.whole());
    }
}

#[test]
fn a_time_window_leaves_out_and_says_so() {
    let folder = Folder::new();
    two_teams(&folder);
    folder.file("c/bare.json", body().to_string());
    for (flags, inside_it, outside, without) in [
        ("--since 2026-11-02", 4, 1, 1),
        ("--until 2026-11-02", 2, 3, 1),
        ("--until 2026-11-02T08:00:00Z", 1, 4, 1),
        ("--since 2026-11-02 --until 2026-11-03", 2, 3, 1),
    ] {
        let answer = inside(&folder, &format!("report c -f json {flags}"));
        assert_eq!(answer.code, 0, "{}", answer.whole());
        let report = answer.json();
        let found: u64 = names(&report).iter().map(|(_, n)| n).sum();
        assert_eq!(found, inside_it, "{flags}");
        assert_eq!(
            report["outside_window"],
            json!({"outside": outside, "without_time": without}),
            "{flags}"
        );
        let text = inside(&folder, &format!("report c {flags}")).stdout;
        assert!(text.contains("outside of --since and --until"), "{text}");
    }
    let none = inside(&folder, "report c --since 2027-01-01");
    assert_eq!(none.code, 2);
    assert!(
        none.stderr
            .contains("no request between --since and --until; 6 lie outside (1 have no time)"),
        "{}",
        none.whole()
    );
    for flags in [
        "--since yesterday",
        "--since 2026-13-01",
        "--since 2026-11-03 --until 2026-11-01",
    ] {
        assert_eq!(
            inside(&folder, &format!("report c {flags}")).code,
            2,
            "{flags}"
        );
    }
}

#[test]
fn a_filter_hides_rows_and_no_sum() {
    let whole = report("captures/deferred", &[]);
    let some = report(
        "captures/deferred",
        &["--filter", "mcp__github__*", "--filter", "Re?d"],
    );
    let (whole, some) = (&whole["runs"][0], &some["runs"][0]);
    for key in ["first", "total", "savings", "by_server"] {
        assert_eq!(whole[key], some[key], "{key}");
    }
    let tools = some["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 59);
    let all = whole["tools"].as_array().unwrap().len() as u64;
    assert_eq!(some["tools_left_out"], all - 59);
    assert_eq!(whole["tools_left_out"], 0);
    let text = toolcost(&["report", "captures/deferred", "--filter", "Bash"]).stdout;
    assert!(
        text.contains("… and 11 others") && text.contains("… and 161 others"),
        "{text}"
    );
}

#[test]
fn an_order_is_kept_in_every_form() {
    let by = |key: &str| {
        let report = report("captures", &["--sort", key]);
        let tools = common::run(&report, "deferred")["tools"]
            .as_array()
            .unwrap()
            .clone();
        tools
            .iter()
            .map(|tool| {
                (
                    tool["name"].as_str().unwrap().to_owned(),
                    tool["size"].as_u64().unwrap(),
                    tool["calls"].as_u64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert!(by("name").is_sorted_by_key(|tool| tool.0.clone()));
    assert!(by("size").is_sorted_by_key(|tool| std::cmp::Reverse(tool.1)));
    assert!(by("calls").is_sorted_by_key(|tool| std::cmp::Reverse(tool.2)));
    assert!(by("calls")[0].2 > 0);
    let text = toolcost(&["report", "captures/deferred", "--sort", "name", "-n", "3"]).stdout;
    let (agent, ask) = (
        text.find("\nAgent ").unwrap(),
        text.find("\nBash ").unwrap(),
    );
    assert!(agent < ask, "{text}");
    assert_eq!(
        toolcost(&["report", "captures/deferred", "--sort", "colour"]).code,
        2
    );
}
