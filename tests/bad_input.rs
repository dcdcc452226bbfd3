//! Bad input is a value: told with path and place, the rest read, no panic, nothing lost, nothing taken for 0.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, read, report, run_in, with_input};
use serde_json::{Value, json};
use std::path::Path;

fn body() -> Value {
    json!({"model": "claude-sonnet-5", "max_tokens": 999, "messages": [{"role": "user", "content": "hello world"}],
        "tools": [{"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}}]})
}

/// Reports one body.
fn first(body: &Value) -> Value {
    read("a.json", body.to_string())["runs"][0]["first"].clone()
}

fn reasons(report: &Value) -> Vec<String> {
    let skipped = report["skipped"].as_array().unwrap().iter();
    skipped
        .map(|s| {
            format!(
                "{}: {}",
                s["place"].as_str().unwrap(),
                s["reason"].as_str().unwrap()
            )
        })
        .collect()
}

fn requests(report: &Value) -> u64 {
    report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["requests"].as_u64().unwrap())
        .sum()
}

#[test]
fn a_fault_costs_its_own_record_only() {
    let good = body().to_string();
    let pretty = serde_json::to_string_pretty(&body()).unwrap();
    for (bytes, found, faults) in [
        (format!("\u{feff}{good}\r\n\r\n{good}"), 2, 0),
        (format!("{good}{good}\n"), 2, 0),
        (format!("null\n{good}\n"), 1, 1),
        (format!("started\n{good}\n"), 1, 1),
        (format!("{good}\n{}\n{good}\n", &good[..60]), 2, 1),
        (format!("{}\n{good}\n{good}\n", &good[..60]), 2, 1),
        (format!("{good}\n{pretty}\n{good}\n"), 3, 0),
        (format!("{pretty}\n{good}\n"), 2, 0),
        (format!("[{good},{good},{}", &good[..60]), 2, 1),
        (format!("{{\"body\":null}}\n{good}"), 1, 1),
        (format!("{{\"x\":1}}\n{good}"), 1, 1),
        (
            format!(
                "{}\n{good}",
                serde_json::to_string(&format!("[{good},{good}]")).unwrap()
            ),
            3,
            0,
        ),
    ] {
        let report = read("log.jsonl", &bytes);
        assert_eq!(
            (requests(&report), reasons(&report).len()),
            (found, faults),
            "{bytes}\n{:?}",
            reasons(&report)
        );
    }
}

#[test]
fn what_is_no_json_is_told_with_its_cure() {
    let cases: [(&[u8], &str); 5] = [
        (b"", "whole file: the file is empty"),
        (
            b"# notes",
            "whole file: not JSON: it begins with neither { nor [",
        ),
        (
            b"\x1f\x8b\x08\0",
            "whole file: begins as gzip data and cannot be unpacked: the packed data is cut off",
        ),
        (
            b"\xff\xfe{\0}\0",
            "whole file: UTF-16 text; save it as UTF-8",
        ),
        (
            b"{\"messages\":[",
            "line 1: cut off: the JSON value that starts here does not end",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(reasons(&read("a.json", bytes)), [expected]);
    }
    let bad = read("a.jsonl", b"{\"a\":\"\xff\"}\n");
    assert_eq!(
        reasons(&bad),
        ["line 1, column 7: not valid UTF-8; save the file as UTF-8"]
    );
}

#[test]
fn a_pipe_may_hand_out_blanks_first() {
    let blanks = "\n".repeat(200_000);
    let answer = with_input(
        &["report", "-", "-f", "json"],
        format!("{blanks}{}", body()).as_bytes(),
    );
    assert_eq!(requests(&answer.json()), 1);
}

#[test]
fn standard_input_is_read_once() {
    for args in [
        &["report", "--run", "a=-", "--run", "b=-"][..],
        &["report", "-", "--tools", "-"],
    ] {
        assert_eq!(with_input(args, body().to_string().as_bytes()).code, 2);
    }
}

#[test]
fn content_of_no_known_shape_is_unknown_and_not_zero() {
    for content in [
        json!({"type": "text", "text": "x"}),
        json!(12345),
        json!(["x"]),
        json!([[{"type": "text"}]]),
        json!([{"type": "text"}]),
        json!([{"type": "image"}]),
        json!([{"type": "tool_result", "tool_use_id": "a", "content": {"x": 1}}]),
    ] {
        let mut changed = body();
        changed["messages"][0]["content"] = content.clone();
        let tokens = first(&changed);
        assert_eq!(tokens["unknown_parts"], json!(["messages"]), "{content}");
        assert_eq!(tokens["at_least"], true);
    }
    for system in [json!({"type": "text", "text": "x"}), json!(5), json!(["x"])] {
        let mut changed = body();
        changed["system"] = system.clone();
        assert_eq!(
            first(&changed)["unknown_parts"],
            json!(["system"]),
            "{system}"
        );
    }
    for tools in [json!({"a": {}}), json!("x"), json!(false)] {
        let mut changed = body();
        changed["tools"] = tools.clone();
        changed["max_tokens"] = json!(9999);
        let tokens = first(&changed);
        assert_eq!(
            (&tokens["tools"], &tokens["prelude"]),
            (&Value::Null, &Value::Null),
            "{tools}"
        );
    }
    for tools in [json!(null), json!([])] {
        let mut changed = body();
        changed["tools"] = tools;
        changed["max_tokens"] = json!(9999);
        assert_eq!(first(&changed)["tools"], 0);
    }
}

#[test]
fn an_odd_tool_is_a_finding_and_keeps_its_row() {
    let mut odd = body();
    odd["tools"] = json!(["Bash", 7, {"description": "no name"}, {"name": "A", "description": "no schema"},
        {"name": "B", "input_schema": {}}, {"name": "B", "description": "again", "input_schema": {}},
        {"name": "C", "description": "c", "input_schema": {}, "defer_loading": "true"}, {"type": "web_search_20250305", "name": "web_search"}]);
    let report = read("a.json", odd.to_string());
    let tools = report["runs"][0]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 8, "two of one name stay two");
    let codes: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect();
    for code in [
        "tool-name-only",
        "tool-not-an-object",
        "tool-without-name",
        "tool-without-schema",
        "tool-without-description",
        "defer-flag-not-boolean",
        "server-tool-price-unknown",
    ] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
    let nameless: Vec<&Value> = tools.iter().filter(|tool| tool["name"] == "").collect();
    assert!(
        nameless.iter().all(|tool| tool["size"].is_null()),
        "no tool has another one's price"
    );
    assert_eq!(report["runs"][0]["savings"]["at_least"], true);
}

#[test]
fn depth_is_no_limit_and_is_told() {
    let deep = |n: usize| format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n));
    let tool = format!(
        r#"{{"name":"Deep","description":"d","input_schema":{}}}"#,
        deep(10_000)
    );
    let brackets = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let bytes = format!(
        r#"{{"model":"claude-sonnet-5","max_tokens":99999,"tools":[{tool}],"messages":[{{"role":"assistant","content":[
        {{"type":"tool_use","id":"x","name":"Deep","input":{}}}]}},{{"role":"user","content":{}}}]}}"#,
        deep(10_000),
        brackets,
    );
    let report = read("a.json", bytes.replace('\n', ""));
    let told = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["code"] == "deep-schema")
        .unwrap();
    assert_eq!(
        (&told["pointer"], &told["line"]),
        (&"/tools/0".into(), &1.into())
    );
    assert!(told["message"].as_str().unwrap().contains("10000 levels"));
    assert!(report["runs"][0]["tools"][0]["size"].as_u64().unwrap() > 20_000);
}

#[test]
fn lone_surrogates_and_duplicate_keys_are_told() {
    let text = body().to_string();
    for (from, to) in [
        ("hello", r"\ud83d hello"),
        ("Reads.", r"\udc00"),
        ("Read\"", "Re\\ud83dad\""),
        ("\"object\"", r#""\ud800""#),
    ] {
        let report = read("a.json", text.replacen(from, to, 1));
        let codes: Vec<&Value> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| &f["code"])
            .collect();
        assert!(
            codes.contains(&&json!("lone-surrogates")),
            "{to}: {codes:?}"
        );
        assert_eq!(requests(&report), 1);
    }
    let twice = text.replacen(
        "\"max_tokens\"",
        "\"model\":\"claude-opus-5\",\"max_tokens\"",
        1,
    );
    let report = read("a.json", twice.replacen("{", "{\"model\":\"x\",", 1));
    let told = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["code"] == "duplicate-key")
        .unwrap();
    assert_eq!(told["subject"], "model");
}

#[test]
fn usage_that_cannot_be_read_is_not_used() {
    let record = |usage: Value| {
        json!({"request": {"body": body()}, "response": {"body": {"usage": usage}}}).to_string()
    };
    let bad = read(
        "a.json",
        record(json!({"input_tokens": 5, "cache_read_input_tokens": "12000"})),
    );
    assert_eq!(bad["runs"][0]["first"]["recorded"], Value::Null);
    assert_eq!(bad["findings"][0]["code"], "usage-unreadable");
    let good = read(
        "a.json",
        record(json!({"input_tokens": 5, "cache_read_input_tokens": null})),
    );
    assert_eq!(good["runs"][0]["first"]["recorded"], 5);
}

#[test]
fn counts_that_say_nothing_are_refused_with_their_pointer() {
    for (parts, pointer) in [
        (json!({}), "/parts"),
        (json!([]), "/parts"),
        (json!(null), "/parts"),
        (
            json!([{"kind": "tool", "name": "A", "tokens": -1}]),
            "/parts/0/tokens",
        ),
        (
            json!([{"kind": "tool", "name": "A", "tokens": 1.5}]),
            "/parts/0/tokens",
        ),
        (
            json!([{"kind": "tool", "name": "A", "tokens": u64::MAX}]),
            "/parts/0/tokens",
        ),
        (json!([{"kind": "tool", "tokens": 1}]), "/parts/0/name"),
        (json!([{"kind": "new", "tokens": 1}]), "/parts/0/kind"),
        (
            json!([{"kind": "tool", "name": "A", "tokens": 1}, {"kind": "tool", "name": "A", "tokens": 2}]),
            "/parts/1",
        ),
        (
            json!([{"kind": "announced", "names": "x"}]),
            "/parts/0/names",
        ),
    ] {
        let report = read(
            "a.json",
            json!({"schema": "toolcost.counts/1", "parts": parts}).to_string(),
        );
        let reasons = reasons(&report);
        assert!(
            reasons.len() == 1 && reasons[0].contains(pointer),
            "{parts}: {reasons:?}"
        );
    }
    let system_only =
        json!({"schema": "toolcost.counts/1", "parts": [{"kind": "system", "tokens": 10}]});
    assert_eq!(first(&system_only)["tools"], Value::Null);
}

#[test]
fn counts_of_a_file_go_to_its_requests_one_by_one() {
    let folder = Folder::new();
    let lines = [body().to_string(), body().to_string()].join("\n");
    folder.file("c/a.jsonl", lines);
    let counts = json!({"schema": "toolcost.counts/1", "request": "a.jsonl", "total": 700, "parts": [{"kind": "tool", "name": "Read", "tokens": 9}]});
    folder.file(
        "c/c.jsonl",
        [counts.to_string(), counts.to_string(), counts.to_string()].join("\n"),
    );
    let path = format!("x={}/c", folder.path());
    let answer = common::toolcost(&["report", "--run", &path, "-f", "json"]);
    let report = answer.json();
    assert_eq!(requests(&report), 2);
    assert_eq!(
        reasons(&report),
        ["line 3: counts of a request that has counts already"]
    );
}

#[test]
fn folders_tell_what_they_hold() {
    let folder = Folder::new();
    folder.file("c/run/a.json", body().to_string());
    folder.file("c/run/cut.json", "{\"messages\":[");
    folder.file("c/run/notes.md", "{ not json");
    folder.file("c/run/image.png", [0x89, b'P', b'N', b'G']);
    folder.file("c/run/.git/x.json", body().to_string());
    folder.file(
        "c/run/toolcost.run.toml",
        "[env]\nENABLE_TOOL_SEARCH = true\n",
    );
    let report = report(&format!("{}/c", folder.path()), &[]);
    assert_eq!(
        (
            requests(&report),
            reasons(&report).len(),
            &report["not_captures"]
        ),
        (1, 1, &json!(2))
    );
    assert_eq!(report["runs"][0]["gate"]["steps"][2]["assumed"], false);
}

#[cfg(unix)]
#[test]
fn links_that_are_not_followed_are_told() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.file("c/run/a.json", body().to_string());
    let at = |name: &str| Path::new(folder.path()).join("c/run").join(name);
    symlink("nowhere.json", at("dangling.json")).unwrap();
    symlink("..", at("up")).unwrap();
    let report = report(&format!("{}/c", folder.path()), &[]);
    let reasons = reasons(&report);
    assert_eq!(requests(&report), 1);
    assert!(
        reasons.len() == 2 && reasons.iter().any(|r| r.contains("leads nowhere")),
        "{reasons:?}"
    );
}

#[test]
fn strict_counts_files_and_not_lines() {
    let folder = Folder::new();
    let broken = "{\"messages\": oops\n".repeat(1000);
    folder.file("c/run/a.jsonl", format!("{}\n{broken}", body()));
    folder.file("c/run/b.json", body().to_string());
    let code = |flags: &[&str]| {
        let path = format!("{}/c", folder.path());
        let args: Vec<&str> = ["report", &path].iter().chain(flags).copied().collect();
        common::toolcost(&args).code
    };
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--strict"]), 3);
    assert_eq!(code(&["--strict", "--max-skipped", "1"]), 0);
    assert_eq!(code(&["--strict", "--max-skipped", "50%"]), 0);
    assert_eq!(code(&["--strict", "--max-skipped", "49%"]), 3);
    assert_eq!(code(&["--max-skipped", "1"]), 2);
}

#[test]
fn hostile_names_are_shown_and_not_obeyed() {
    let mut hostile = body();
    hostile["model"] = json!("claude\u{1b}[31m\n-x");
    hostile["tools"] = json!([
        {"name": "a\u{1b}[2Jb", "description": "d", "input_schema": {}},
        {"name": "\u{202e}txt", "description": "d", "input_schema": {}},
        {"name": "x".repeat(10_000), "description": "d", "input_schema": {}},
        {"name": format!("mcp__{}__t", "日本".repeat(40)), "description": "d", "input_schema": {}},
        {"name": format!("e{}", "\u{301}".repeat(5000)), "description": "d", "input_schema": {}},
    ]);
    let folder = Folder::new();
    folder.file("a.json", hostile.to_string());
    let answer = run_in(
        Path::new(folder.path()),
        &["report", "a.json", "--color", "never"],
        b"",
    );
    assert_eq!(answer.code, 0);
    let unsafe_char =
        |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!answer.stdout.contains(unsafe_char), "{}", answer.stdout);
    for line in answer
        .stdout
        .lines()
        .filter(|line| !line.contains("toolcost report"))
    {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= 80, "{line}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure_and_absurd_flags_are() {
    for (flags, code) in [
        (&["-n", "0"][..], 0),
        (&["-j", "0"], 0),
        (&["-j", "100000"], 0),
        (&["--context-window", "0"], 2),
        (&["--context-window", "-1"], 2),
        (&["-n", "-1"], 2),
        (&["--model", ""], 0),
        (&["--run", "=x"], 2),
    ] {
        let args: Vec<&str> = ["report", "fixtures/sse"]
            .iter()
            .chain(flags)
            .copied()
            .collect();
        assert_eq!(common::toolcost(&args).code, code, "{flags:?}");
    }
}

#[test]
fn notes_beside_a_folder_of_their_name_take_no_name_from_it() {
    let folder = Folder::new();
    let here = Path::new(folder.path());
    folder.file("c/on/a.json", r#"{"messages":[]}"#);
    folder.file("c/on.txt", "what this run was");
    folder.file("c/on.md", "");
    let answer = run_in(here, &["report", "c", "-f", "json"], b"");
    assert_eq!(answer.code, 0, "{}", answer.whole());
    assert_eq!(answer.json()["runs"][0]["run"], "on");
    folder.file("c/on.json", r#"{"messages":[]}"#);
    let answer = run_in(here, &["report", "c"], b"");
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("two paths are named on"),
        "{}",
        answer.stderr
    );
}
