//! Rows of facts: what they hold, that they add up to what `report` says, and that no text of a stranger breaks them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Answer, Folder, root, run_in, toolcost, with_input};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use toolcost::model::{Column, ColumnType};
use toolcost::view::{FACTS, TABLES};

const TABLE_NAMES: [&str; 3] = ["requests", "request_tools", "definitions"];

fn rows(answer: &Answer) -> Vec<Value> {
    let lines = answer.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

fn facts(path: &str, table: &str, flags: &[&str]) -> Vec<Value> {
    let answer = toolcost(&[&["facts", path, "--table", table], flags].concat());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    rows(&answer)
}

/// Every fixture, with the flags that belong to it.
fn inputs() -> Vec<(String, Vec<String>)> {
    let mut inputs = vec![("captures".to_owned(), Vec::new())];
    for entry in std::fs::read_dir(root().join("fixtures")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let flags = std::fs::read_to_string(path.with_extension("args")).unwrap_or_default();
            let flags = flags.lines().map(str::to_owned).collect();
            inputs.push((format!("fixtures/{name}"), flags));
        }
    }
    inputs
}

fn number(row: &Value, column: &str) -> i64 {
    row[column].as_i64().unwrap_or(0)
}

#[test]
fn every_table_in_text_forms() {
    let paths = ["fixtures/flags", "fixtures/bad-lines", "fixtures/sse"];
    for table in TABLE_NAMES {
        for form in ["ndjson", "csv"] {
            let args = ["--table", table, "-f", form, "--counter", "chars"];
            let answer = toolcost(&[&["facts"], &paths[..], &args].concat());
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_suffix(format!("{table}-{form}"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!("facts", answer.whole()));
        }
    }
}

/// A row each request of the report, with its numbers; and the sums over main requests are the report's totals.
#[test]
fn requests_are_those_of_the_report() {
    for (path, flags) in inputs() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let report = [
            &["report", &path, "-f", "json", "--per-request"],
            &flags[..],
        ]
        .concat();
        let report = toolcost(&report).json();
        let rows = facts(&path, "requests", &flags);
        let mut left = rows.iter();
        for run in report["runs"].as_array().unwrap() {
            let by_request = run["by_request"].as_array().unwrap();
            for (at, request) in by_request.iter().enumerate() {
                let row = left.next().unwrap();
                assert_eq!(
                    (&row["run"], &row["request"]),
                    (&run["run"], &json!(at + 1))
                );
                let same = [
                    ("path", "path"),
                    ("place", "place"),
                    ("role", "role"),
                    ("side_kind", "side_kind"),
                    ("session", "session_number"),
                    ("turn", "turn"),
                ];
                for (key, column) in same {
                    assert_eq!(request[key], row[column], "{path}: {row}");
                }
                let parts = [
                    "tools", "prelude", "deferral", "system", "messages", "frame",
                ];
                for key in parts.iter().chain(&["residual", "request", "recorded"]) {
                    let column = format!("tokens_{key}");
                    assert_eq!(
                        request["tokens"][key], row[&column],
                        "{path}: {key} of {row}"
                    );
                }
                for key in ["at_least", "source"] {
                    assert_eq!(request["tokens"][key], row[key], "{path}: {row}");
                }
            }
            let main = rows
                .iter()
                .filter(|row| row["run"] == run["run"] && row["role"] == "main");
            let main: Vec<&Value> = main.collect();
            assert_eq!(run["requests"], main.len());
            let sum = |column: &str| main.iter().map(|row| number(row, column)).sum::<i64>();
            let total = &run["total"];
            for key in [
                "tools", "prelude", "deferral", "system", "messages", "frame", "residual",
                "request",
            ] {
                assert_eq!(
                    sum(&format!("tokens_{key}")),
                    number(total, key),
                    "{path}: {key}"
                );
            }
            let total = &run["savings"]["per_run_total"];
            for key in ["all_loaded", "as_sent"] {
                assert_eq!(sum(key), number(total, key), "{path}: {key}");
            }
            if !total["saved"].is_null() {
                assert_eq!(sum("saved"), number(total, "saved"), "{path}");
            }
            if let Some(first) = main.first() {
                assert_eq!(first["gate_enabled"], run["gate"]["enabled"], "{path}");
                assert_eq!(first["gate_observed"], run["gate"]["observed"], "{path}");
                assert_eq!(
                    first["gate_decided_by"], run["gate"]["decided_by"],
                    "{path}"
                );
            }
        }
        assert_eq!(left.next(), None, "{path}");
    }
}

/// Tools by request add up to the report's tools: turns of each, tokens in the first request, and the part of tools
/// over all main requests.
#[test]
fn request_tools_add_up_to_the_report() {
    for (path, flags) in inputs() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let report = toolcost(&[&["report", &path, "-f", "json"], &flags[..]].concat()).json();
        let rows = facts(&path, "request_tools", &flags);
        for run in report["runs"].as_array().unwrap() {
            let main = rows
                .iter()
                .filter(|row| row["run"] == run["run"] && row["role"] == "main");
            let main: Vec<&Value> = main.collect();
            let listed = main.iter().filter(|row| {
                row["kind"] != "prompted"
                    && (row["state"] == "loaded" || row["state"] == "deferred")
            });
            let sum: i64 = listed.map(|row| number(row, "in_prompt")).sum();
            assert_eq!(sum, number(&run["total"], "tools"), "{path}");
            let mut turns: BTreeMap<&str, u64> = BTreeMap::new();
            for row in &main {
                let paid = row["state"] == "loaded" || row["state"] == "discovered";
                *turns.entry(row["tool"].as_str().unwrap()).or_default() += u64::from(paid);
            }
            let mut of_report: BTreeMap<&str, u64> = BTreeMap::new();
            for tool in run["tools"].as_array().unwrap() {
                *of_report.entry(tool["name"].as_str().unwrap()).or_default() +=
                    tool["turns"].as_u64().unwrap();
            }
            assert_eq!(turns, of_report, "{path}");
            let first = main.first().map(|row| &row["request"]);
            let mut of_first: Vec<[&Value; 5]> = main
                .iter()
                .filter(|row| Some(&row["request"]) == first)
                .map(|row| ["tool", "kind", "state", "size", "in_prompt"].map(|key| &row[key]))
                .collect();
            let tools = run["tools"].as_array().unwrap().iter();
            let mut shown: Vec<[&Value; 5]> = tools
                .filter(|tool| tool["later"] == false)
                .map(|tool| ["name", "kind", "state", "size", "in_prompt"].map(|key| &tool[key]))
                .collect();
            of_first.sort_by_key(|row| row.map(ToString::to_string));
            shown.sort_by_key(|row| row.map(ToString::to_string));
            assert_eq!(of_first, shown, "{path}");
        }
    }
}

/// What `requests` counts is in `request_tools`, and every definition that is referred to has its row.
#[test]
fn tables_join() {
    for (path, flags) in inputs() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let [requests, tools, definitions] = TABLE_NAMES.map(|table| facts(&path, table, &flags));
        for request in &requests {
            let own = tools.iter().filter(|tool| {
                (&tool["run"], &tool["request"]) == (&request["run"], &request["request"])
            });
            let own: Vec<&Value> = own.collect();
            for key in ["session", "session_number", "turn", "role"] {
                assert!(own.iter().all(|tool| tool[key] == request[key]), "{path}");
            }
            let bytes: i64 = own.iter().map(|tool| number(tool, "bytes")).sum();
            assert!(
                request["tools_bytes"].is_null() || request["tools_bytes"] == bytes,
                "{path}: {request}"
            );
            let announced = own
                .iter()
                .filter(|tool| tool["state"] == "announced")
                .count();
            assert_eq!(request["tools_announced"], announced, "{path}");
        }
        let known: BTreeMap<&str, &Value> = definitions
            .iter()
            .map(|row| (row["definition"].as_str().unwrap(), row))
            .collect();
        assert_eq!(
            known.len(),
            definitions.len(),
            "{path}: a definition has one row"
        );
        let mut met = BTreeSet::new();
        for tool in &tools {
            let Some(id) = tool["definition"].as_str() else {
                continue;
            };
            met.insert(id);
            let row = known[id];
            assert_eq!(id.len(), 32);
            if tool["kind"] != "prompted" {
                assert_eq!(row["name"], tool["tool"], "{path}");
            }
        }
        assert_eq!(met.len(), known.len(), "{path}");
    }
}

#[test]
fn the_order_of_reading_changes_nothing() {
    for table in TABLE_NAMES {
        let call = |args: &[&str]| toolcost(&[&["facts", "--table", table], args].concat()).whole();
        let paths = [
            "captures/vanilla",
            "captures/plugin",
            "fixtures/sse",
            "fixtures/flags",
        ];
        let reversed: Vec<&str> = paths.iter().rev().copied().collect();
        let one = call(&[&paths[..], &["--jobs", "1"]].concat());
        assert_eq!(one, call(&[&paths[..], &["--jobs", "7"]].concat()));
        assert_eq!(one, call(&[&reversed[..], &["--jobs", "3"]].concat()));
    }
}

/// The schema of a table, as it is committed.
fn schema(table: &toolcost::model::Table) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let mut text =
        String::from("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n");
    let id = FACTS.replace("facts", &format!("facts.{}", table.name));
    let _ = writeln!(text, "  \"$id\": {},", quoted(&id));
    let _ = writeln!(
        text,
        "  \"title\": {},",
        quoted(&format!("toolcost facts, a row of {}", table.name))
    );
    let _ = writeln!(
        text,
        "  \"description\": {},\n  \"type\": \"object\",",
        quoted(table.doc)
    );
    let properties: Vec<String> = table.columns.iter().map(property).collect();
    let _ = writeln!(
        text,
        "  \"properties\": {{\n{}\n  }},",
        properties.join(",\n")
    );
    let names: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("    {}", quoted(column.name)))
        .collect();
    let _ = writeln!(
        text,
        "  \"required\": [\n{}\n  ],\n  \"additionalProperties\": false\n}}",
        names.join(",\n")
    );
    text
}

fn property(column: &Column) -> String {
    let (type_, least) = match column.type_ {
        ColumnType::String => ("string", ""),
        ColumnType::U64 => ("integer", ",\n      \"minimum\": 0"),
        ColumnType::I64 => ("integer", ""),
        ColumnType::Bool => ("boolean", ""),
    };
    let type_ = match column.nullable {
        true => format!("[\n        \"{type_}\",\n        \"null\"\n      ]"),
        false => format!("\"{type_}\""),
    };
    let (name, doc) = (column.name, serde_json::to_string(column.doc).unwrap());
    format!(
        "    \"{name}\": {{\n      \"type\": {type_}{least},\n      \"description\": {doc}\n    }}"
    )
}

/// The columns of a table, as docs/FACTS.md has them.
fn documented(table: &toolcost::model::Table) -> String {
    let mut text = format!(
        "## `{}`\n\n{}\n\n| column | type | null | meaning |\n|---|---|---|---|\n",
        table.name, table.doc
    );
    for column in table.columns {
        let null = if column.nullable { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "| `{}` | {} | {null} | {} |",
            column.name,
            column.type_.word(),
            column.doc
        );
    }
    text
}

/// `TOOLCOST_WRITE=1 cargo test --test facts committed` writes the schemas anew.
#[test]
fn schemas_and_documents_are_committed_as_the_tables_are() {
    let document = std::fs::read_to_string(root().join("docs/FACTS.md")).unwrap_or_default();
    for table in TABLES {
        let table = table.table();
        let path = root().join(format!("schemas/toolcost.facts.{}-1.json", table.name));
        if std::env::var_os("TOOLCOST_WRITE").is_some() {
            std::fs::write(&path, schema(table)).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), schema(table));
        let columns = documented(table);
        assert!(
            document.contains(&columns),
            "docs/FACTS.md has not:\n{columns}"
        );
        let printed = toolcost(&["schema", &format!("facts.{}", table.name)]);
        assert_eq!(printed.stdout, schema(table));
    }
}

#[test]
fn rows_fit_their_schemas() {
    for (path, flags) in inputs() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        for table in TABLE_NAMES {
            let schema = toolcost(&["schema", &format!("toolcost.facts.{table}/1")]).json();
            let validator = jsonschema::validator_for(&schema).unwrap();
            for row in facts(&path, table, &flags) {
                let faults: Vec<String> =
                    validator.iter_errors(&row).map(|e| e.to_string()).collect();
                assert!(faults.is_empty(), "{path}: {faults:?} {row}");
            }
        }
    }
}

/// A request with a session and one tool.
fn body(session: &str, tool: &str) -> Value {
    json!({"model": "claude-sonnet-5", "metadata": {"user_id": format!("user_1_account_2_session_{session}")},
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"name": tool, "description": "Does.", "input_schema": {"type": "object"}}]})
}

#[test]
fn ids_of_sessions_are_hashed_the_same_everywhere() {
    let folder = Folder::new();
    folder.file("a/one.json", body("abc", "T").to_string());
    // The same session in a transcript, and in a record beside a body without an id.
    let transcript = json!({"type": "assistant", "sessionId": "abc", "uuid": "1", "message": {"id": "m", "model": "claude-sonnet-5",
        "role": "assistant", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}});
    folder.file("b/two.jsonl", transcript.to_string());
    let mut without = body("", "T");
    without["metadata"] = Value::Null;
    folder.file("c/without.json", without.to_string());
    let here = Path::new(folder.path());
    let hashed = rows(&run_in(here, &["facts", "a", "b", "c"], b""));
    let raw = rows(&run_in(here, &["facts", "a", "b", "c", "--raw-ids"], b""));
    let sessions = |rows: &[Value]| {
        rows.iter()
            .map(|row| row["session"].clone())
            .collect::<Vec<_>>()
    };
    // The first digits of the BLAKE3 hash of "abc", as its authors publish it.
    assert_eq!(
        sessions(&hashed),
        [
            json!("6437b3ac38465133"),
            json!("6437b3ac38465133"),
            Value::Null
        ]
    );
    assert_eq!(sessions(&raw), [json!("abc"), json!("abc"), Value::Null]);
}

#[test]
fn a_definition_has_one_id_however_it_is_written() {
    let folder = Folder::new();
    let tool = |text: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":"x"}}],"tools":[{text}]}}"#)
    };
    folder.file(
        "a/a.json",
        tool(r#"{"name":"T","description":"Döes.","input_schema":{"type":"object"}}"#),
    );
    folder.file("b/b.json", tool(r#"{ "input_schema" : { "type" : "object" }, "defer_loading": true, "name":"T", "description":"D\u00f6es." }"#));
    folder.file(
        "c/c.json",
        tool(r#"{"name":"T","description":"Does.","input_schema":{"type":"object"}}"#),
    );
    let answer = run_in(
        Path::new(folder.path()),
        &["facts", "a", "b", "c", "--table", "request_tools"],
        b"",
    );
    let rows = rows(&answer);
    assert_eq!(rows[0]["definition"], rows[1]["definition"]);
    assert_ne!(rows[0]["definition"], rows[2]["definition"]);
    // The entry as it was written, flags and blanks too: `ö` is two bytes, its escape six.
    assert_eq!(
        [&rows[0]["bytes"], &rows[1]["bytes"]],
        [&json!(68), &json!(105)]
    );
}

#[test]
fn no_name_of_a_stranger_breaks_a_row() {
    let names = [
        "=cmd|' /C calc'!A0",
        "a,b",
        "q\"uote",
        "new\nline\r",
        "\u{202e}right",
        "\u{1b}[31mred",
        "-1",
        "\t@x",
        "nul\u{0}",
        "日本語",
    ];
    let folder = Folder::new();
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "input_schema": {}}))
        .collect();
    let mut request = body("=1+1", "T");
    request["tools"] = json!(tools);
    request["model"] = json!("=model,\"x\"\n");
    folder.file("c/a.json", request.to_string());
    let here = Path::new(folder.path());
    for table in TABLE_NAMES {
        let call = ["facts", "c", "--table", table, "--raw-ids", "-f"];
        let lines = run_in(here, &[&call[..], &["ndjson"]].concat(), b"");
        assert!(
            lines.stdout.bytes().all(|b| b == b'\n' || b >= b' '),
            "{}",
            lines.stdout
        );
        assert!(!lines.stdout.contains(['\u{202e}', '\u{7f}']));
        let found = rows(&lines);
        let key = match table {
            "request_tools" => "tool",
            "definitions" => "name",
            _ => "run",
        };
        if key != "run" {
            let kept: Vec<&str> = found.iter().map(|row| row[key].as_str().unwrap()).collect();
            assert_eq!(kept, names);
        }
        let csv = run_in(here, &[&call[..], &["csv"]].concat(), b"").stdout;
        assert!(csv.bytes().all(|b| b == b'\n' || b >= b' '), "{csv}");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let records: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), found.len());
        for cell in records.iter().flatten() {
            assert!(
                !cell.trim_start().starts_with(['=', '+', '@', '|', '%']),
                "{cell}"
            );
        }
    }
}

#[test]
fn standard_input_is_read() {
    let answer = with_input(
        &["facts", "-", "--table", "request_tools"],
        body("s", "T").to_string().as_bytes(),
    );
    assert_eq!(answer.code, 0, "{}", answer.whole());
    assert_eq!(rows(&answer)[0]["tool"], "T");
}

#[test]
fn runs_are_named_and_grouped_as_in_reports() {
    let named = toolcost(&["facts", "--run", "mine=fixtures/sse", "-f", "ndjson"]);
    assert!(rows(&named).iter().all(|row| row["run"] == "mine"));
    let grouped = facts("captures", "requests", &["--group-by", "/model"]);
    assert!(grouped.iter().all(|row| row["run"] == "claude-sonnet-5"));
}

#[test]
fn wrong_calls_are_told_before_anything_is_read() {
    for (args, words) in [
        (&["facts"][..], "PATH"),
        (
            &["facts", "captures", "-f", "text"],
            "write one of ndjson, csv",
        ),
        (&["facts", "captures", "--table", "tools"], "request_tools"),
        (
            &["facts", "captures", "-o", "no/such/folder/x"],
            "folder is not there",
        ),
        (
            &["facts", "captures", "--counter", "chars,claude"],
            "one counter here",
        ),
        (&["facts", "schemas"], "no capture in it"),
        (&["report", "captures", "--raw-ids"], "--raw-ids"),
    ] {
        let answer = toolcost(args);
        assert_eq!(
            (answer.code, answer.stdout.as_str()),
            (2, ""),
            "{}",
            answer.whole()
        );
        assert!(answer.stderr.contains(words), "{}", answer.whole());
    }
}

#[test]
fn what_was_skipped_is_told_beside_the_rows() {
    let folder = Folder::new();
    let broken: String = (0..8)
        .map(|n| format!("{{\"messages\": oops{n}\n"))
        .collect();
    folder.file("c/a.jsonl", format!("{}\n{broken}", body("s", "T")));
    let here = Path::new(folder.path());
    let answer = run_in(here, &["facts", "c"], b"");
    assert_eq!(
        (answer.code, rows(&answer).len()),
        (0, 1),
        "{}",
        answer.whole()
    );
    assert_eq!(answer.stderr.lines().count(), 6, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("skipped c/a.jsonl, line 2") && answer.stderr.contains("and 3 more"),
        "{}",
        answer.stderr
    );
    assert_eq!(
        run_in(here, &["facts", "c", "-v"], b"")
            .stderr
            .lines()
            .count(),
        8
    );
    assert_eq!(run_in(here, &["facts", "c", "-q"], b"").stderr, "");
    assert_eq!(run_in(here, &["facts", "c", "-q", "--strict"], b"").code, 3);
    assert_eq!(
        run_in(
            here,
            &["facts", "c", "-q", "--strict", "--max-skipped", "1"],
            b""
        )
        .code,
        0
    );
    folder.file("d/a.json", "{\"messages\": oops");
    let nothing = run_in(here, &["facts", "d", "-f", "csv"], b"");
    assert_eq!(
        (nothing.code, nothing.stdout.lines().count()),
        (3, 1),
        "{}",
        nothing.whole()
    );
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.file("c/a.json", body("s", "T").to_string());
    let here = Path::new(folder.path());
    let files = || {
        let names = std::fs::read_dir(here)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<BTreeSet<_>>()
    };
    let answer = run_in(here, &["facts", "c", "-o", "rows.csv"], b"");
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (0, ""),
        "{}",
        answer.whole()
    );
    let written = std::fs::read_to_string(here.join("rows.csv")).unwrap();
    assert!(
        written.starts_with("run,request,session,") && written.lines().count() == 2,
        "{written}"
    );
    // One that is there is taken over, and what fails leaves it as it was.
    run_in(here, &["facts", "c", "-o", "rows.csv", "-f", "ndjson"], b"");
    assert!(
        std::fs::read_to_string(here.join("rows.csv"))
            .unwrap()
            .starts_with("{\"run\":")
    );
    folder.file("none/x.txt", "nothing");
    assert_eq!(
        run_in(here, &["facts", "none", "-o", "rows.csv"], b"").code,
        2
    );
    assert!(
        std::fs::read_to_string(here.join("rows.csv"))
            .unwrap()
            .starts_with("{\"run\":")
    );
    assert_eq!(files(), ["c", "none", "rows.csv"].map(str::to_owned).into());
    #[cfg(target_os = "linux")]
    {
        let full = run_in(here, &["facts", "c", "-o", "/dev/full"], b"");
        assert_eq!(
            (full.code, full.stderr.contains("--output /dev/full")),
            (3, true),
            "{}",
            full.whole()
        );
    }
}

/// A file on its way has no name, so that a process that is killed leaves none.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_no_file() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolcost"))
        .args(["facts", "-", "-o", "rows.csv"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // It has begun its file once it waits for its input.
    std::thread::sleep(std::time::Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Somebody who has seen enough is no fault.
#[test]
fn a_closed_pipe_ends_cleanly() {
    let folder = Folder::new();
    let line = format!("{}\n", body("s", &"x".repeat(64)));
    folder.file("c/a.jsonl", line.repeat(2000));
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolcost"))
        .args(["facts", "c", "--counter", "chars"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_says_how_to_get_it() {
    for args in [&["-f", "parquet"][..], &["-o", "x.parquet"]] {
        let answer = toolcost(&[&["facts", "captures"], args].concat());
        assert_eq!(answer.code, 2, "{}", answer.whole());
        assert!(
            answer.stderr.contains("--features parquet"),
            "{}",
            answer.stderr
        );
    }
}

/// Parquet holds what JSON lines hold: names, types, nulls, values.
#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_the_same() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;
    let folder = Folder::new();
    for table in TABLE_NAMES {
        let file = format!("{}/{table}.parquet", folder.path());
        let answer = toolcost(&[
            "facts",
            "captures",
            "fixtures/sse",
            "--table",
            table,
            "-o",
            &file,
        ]);
        assert_eq!(answer.code, 0, "{}", answer.whole());
        let lines = rows(&toolcost(&[
            "facts",
            "captures",
            "fixtures/sse",
            "--table",
            table,
        ]));
        let reader = SerializedFileReader::new(std::fs::File::open(&file).unwrap()).unwrap();
        let notes = reader
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap();
        assert!(
            notes
                .iter()
                .any(|note| note.value.as_deref() == Some(FACTS))
        );
        let value = |field: &Field| match field {
            Field::Null => Value::Null,
            Field::Bool(flag) => json!(flag),
            Field::Long(number) => json!(number),
            Field::ULong(number) => json!(number),
            Field::Str(text) => json!(text),
            other => panic!("{other:?}"),
        };
        let kept: Vec<Value> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| {
                let row = row.unwrap();
                let cells = row
                    .get_column_iter()
                    .map(|(name, field)| (name.clone(), value(field)));
                Value::Object(cells.collect())
            })
            .collect();
        assert_eq!(kept, lines, "{table}");
    }
}
