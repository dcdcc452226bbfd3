//! Reports that are joined say what one report of all captures says.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Answer, Folder, root, run, run_in, tool, toolcost, with_input};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders of captures that ship with the project.
fn inputs() -> Vec<String> {
    let mut inputs = vec!["captures".to_owned()];
    for below in ["fixtures", "tests/cases"] {
        for entry in std::fs::read_dir(root().join(below)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_dir() {
                inputs.push(format!("{below}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    inputs.sort();
    inputs
}

/// Writes the report of a path, as it stands in a folder, to a file.
fn write(folder: &Folder, here: &Path, path: &str, name: &str, flags: &[&str]) -> Answer {
    let answer = run_in(
        here,
        &[&["report", path, "-f", "json"], flags].concat(),
        b"",
    );
    folder.file(name, &answer.stdout);
    answer
}

fn merge(folder: &Folder, args: &[&str]) -> Answer {
    let args = [&["report", "--merge"], args].concat();
    run_in(Path::new(folder.path()), &args, b"")
}

/// Joined as JSON, which fits the schema.
fn merged(folder: &Folder, names: &[&str]) -> Value {
    let answer = merge(folder, &[names, &["-f", "json"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    let schema = toolcost(&["schema", "report"]).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value = answer.json();
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
    value
}

#[test]
fn a_report_alone_stays_as_it_is() {
    let mut reported = 0;
    for path in inputs() {
        for flags in [
            &["--per-request"][..],
            &["--filter", "mcp__*", "--sort", "name"],
        ] {
            let folder = Folder::new();
            let report = write(&folder, root(), &path, "a.json", flags);
            if report.code != 0 {
                continue;
            }
            reported += 1;
            let again = merge(&folder, &["a.json", "-f", "json"]);
            assert_eq!(again.code, 0, "{path}: {}", again.whole());
            assert_eq!(again.stdout, report.stdout, "{path} {flags:?}");
        }
    }
    assert!(reported > 40, "{reported}");
}

/// The files of a half of an input, such that no session stands in both; `None` where that cannot be done.
fn half(here: &Path, path: &str) -> Option<BTreeSet<String>> {
    let answer = run_in(here, &["report", path, "-f", "json", "--per-request"], b"");
    let report: Value = serde_json::from_str(&answer.stdout).ok()?;
    // Files that share a session have one name.
    let mut groups: BTreeMap<String, String> = BTreeMap::new();
    for run in report["runs"].as_array().unwrap() {
        let mut by_session: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for row in run["by_request"].as_array().unwrap() {
            let files = by_session
                .entry(row["session"].as_u64().unwrap())
                .or_default();
            files.insert(row["path"].as_str().unwrap().to_owned());
        }
        for files in by_session.into_values() {
            let known: BTreeSet<String> = files
                .iter()
                .filter_map(|file| groups.get(file).cloned())
                .collect();
            let name = files.first().unwrap().clone();
            for group in groups.values_mut().filter(|group| known.contains(*group)) {
                group.clone_from(&name);
            }
            groups.extend(files.into_iter().map(|file| (file, name.clone())));
        }
    }
    let names: Vec<&String> = groups
        .values()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    if names.len() < 2 {
        return None;
    }
    let of_half = |group: &&String| names.iter().position(|name| name == group).unwrap() % 2 == 1;
    let own = groups.iter().filter(|(_, group)| of_half(group));
    Some(own.map(|(file, _)| file.clone()).collect())
}

/// Says of a path whether its file is wanted.
type Wanted<'w> = &'w dyn Fn(&str) -> bool;

/// Copies what is below a path, of the files those that are wanted.
fn copy(from: &Path, path: &str, to: &Path, wanted: Wanted<'_>) {
    let source = from.join(path);
    if source.is_dir() {
        for entry in std::fs::read_dir(&source).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            copy(from, &format!("{path}/{name}"), to, wanted);
        }
    } else if wanted(path) {
        let target = to.join(path);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(source, target).unwrap();
    }
}

/// A report without what the order of reports decides, or what no report knows.
fn plain(mut report: Value) -> Value {
    // Where a definition was found: beside the request in the whole, in the listing in a half.
    let from = |finding: &Value| {
        finding["code"]
            .as_str()
            .unwrap()
            .starts_with("definitions-from")
    };
    report["findings"]
        .as_array_mut()
        .unwrap()
        .retain(|finding| !from(finding));
    for run in report["runs"].as_array_mut().unwrap() {
        for mode in run["savings"]["modes"].as_array_mut().unwrap() {
            mode["usd_steady"].take();
        }
        for tool in run["tools"].as_array_mut().unwrap() {
            tool["definition_from"].take();
        }
        let Some(rows) = run["by_request"].as_array_mut() else {
            continue;
        };
        for row in rows.iter_mut() {
            row["session"].take();
        }
        rows.sort_by_key(|row| (row["path"].to_string(), row["place"].to_string()));
    }
    report
}

/// Takes a session's definitions from another? Apart, it would have none.
fn borrows(here: &Path, path: &str) -> bool {
    let report = run_in(here, &["report", path, "-f", "json"], b"").json();
    let runs = report["runs"].as_array().unwrap().iter();
    let mut tools = runs.flat_map(|run| run["tools"].as_array().unwrap());
    tools.any(|tool| matches!(tool["definition_from"].as_str(), Some("run" | "other-run")))
}

/// Reports both halves, joins them, and holds that against the report of all. Says whether there was anything to do.
fn holds(here: &Path, path: &str, more: &[&str]) -> bool {
    let Some(second) = half(here, path) else {
        return false;
    };
    if more.is_empty() && borrows(here, path) {
        return false;
    }
    for flags in [&[][..], &["--per-request"]] {
        let folder = Folder::new();
        let flags = [flags, more].concat();
        let whole = write(&folder, here, path, "all.json", &flags).json();
        // Settings of a folder belong to both, whatever else holds no request to the first.
        let in_first = |file: &str| !second.contains(file);
        let in_second = |file: &str| second.contains(file) || file.ends_with("toolcost.run.toml");
        let halves: [(&str, Wanted<'_>); 2] = [("a", &in_first), ("b", &in_second)];
        for (half, wanted) in halves {
            let below = Path::new(folder.path()).join(half);
            copy(here, path, &below, wanted);
            let answer = write(&folder, &below, path, &format!("{half}.json"), &flags);
            assert_eq!(answer.code, 0, "{}", answer.whole());
        }
        let ab = merged(&folder, &["a.json", "b.json"]);
        assert_eq!(ab, merged(&folder, &["b.json", "a.json"]), "{path}: order");
        let (ab, whole) = (plain(ab), plain(whole));
        for key in whole
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| *key != "runs")
        {
            assert_eq!(ab[key], whole[key], "{path}: {key}");
        }
        let runs = |report: &Value| report["runs"].as_array().unwrap().clone();
        for (ours, all) in runs(&ab).iter().zip(runs(&whole)) {
            for key in all.as_object().unwrap().keys() {
                assert_eq!(ours[key], all[key], "{path}: {}: {key}", all["run"]);
            }
        }
        assert_eq!(ab, whole, "{path}");
    }
    true
}

/// Captures of several sessions in one run: tools that come later, are discovered, called, and are held back; usage of
/// some answers; side requests; a broken line.
fn sessions(folder: &Folder) {
    for session in 0..5_u64 {
        let mut messages =
            vec![json!({"role": "user", "content": format!("question {session} ").repeat(40)})];
        for turn in 0..4_u64 {
            let mut tools = vec![
                json!({"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object"}}),
            ];
            tools.push(json!({"name": "ToolSearch", "description": "Finds tools.", "input_schema": {"type": "object"}}));
            for at in 0..3 {
                let name = format!("mcp__github__tool_{at}");
                tools.push(json!({"name": name, "description": "d ".repeat(30), "input_schema": {"type": "object"}, "defer_loading": true}));
            }
            if session % 2 == 1 {
                tools.push(json!({"name": "mcp__late__x", "description": "late", "input_schema": {"type": "object"}}));
            }
            let body = json!({"model": "claude-opus-5", "max_tokens": 9, "tools": tools, "messages": messages,
                "metadata": {"user_id": format!("user_1_account_2_session_{session}")}});
            let name = format!("logs/s{session}/log.jsonl");
            let path = Path::new(folder.path()).join(&name);
            let mut text = std::fs::read_to_string(&path).unwrap_or_default();
            let usage = json!({"input_tokens": 900 + 1000 * session + turn, "output_tokens": 3});
            let response = match session {
                0..=2 => {
                    json!({"id": format!("msg_{session}_{turn}"), "type": "message", "role": "assistant", "content": [], "usage": usage})
                }
                _ => Value::Null,
            };
            let line = json!({"request": {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "body": body},
                "response": {"status_code": 200, "body": response}});
            text.push_str(&format!("{line}\n"));
            folder.file(&name, text);
            let call = match turn {
                0 => {
                    json!({"type": "tool_use", "id": format!("c{turn}"), "name": "ToolSearch", "input": {"query": "select:mcp__github__tool_1"}})
                }
                _ => {
                    json!({"type": "tool_use", "id": format!("c{turn}"), "name": "Read", "input": {"p": session}})
                }
            };
            let result = match turn {
                0 => json!([{"type": "tool_reference", "tool_name": "mcp__github__tool_1"}]),
                _ => json!("text"),
            };
            messages.push(json!({"role": "assistant", "content": [call]}));
            messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("c{turn}"), "content": result}]}));
        }
    }
    folder.file("logs/s3/broken.json", "{\"messages\": [");
    let probe = json!({"model": "claude-haiku-4-5", "max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]});
    folder.file("logs/s4/probe.json", probe.to_string());
}

/// Transcripts of sessions that follow one another, with a compaction, names that are announced, and a tool call.
fn transcripts(folder: &Folder) {
    for session in 0..4_u64 {
        let id = format!("0c1d2e3f-0000-4000-8000-00000000000{session}");
        let says = |at: u64, content: Value| {
            json!({"type": "assistant", "message": {"id": format!("msg_{session}_{at}"), "model": "claude-opus-4-6", "role": "assistant",
                "content": content, "usage": {"input_tokens": 100 * session + at, "cache_read_input_tokens": 900, "output_tokens": 7}}})
        };
        let user = |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
        let name = format!("mcp__s{}__x", session % 2);
        let mut records = vec![
            json!({"type": "attachment", "attachment": {"type": "deferred_tools_delta", "addedNames": [name], "addedLines": [name], "removedNames": []}}),
            user(json!("question")),
            says(
                1,
                json!([{"type": "tool_use", "id": "t1", "name": "ToolSearch", "input": {"query": "x"}}]),
            ),
            user(
                json!([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "tool_reference", "tool_name": name}]}]),
            ),
            says(
                2,
                json!([{"type": "tool_use", "id": "t2", "name": name, "input": {}}]),
            ),
            user(json!([{"type": "tool_result", "tool_use_id": "t2", "content": "ok"}])),
            says(3, json!([{"type": "text", "text": "done"}])),
        ];
        if session == 2 {
            records.push(json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": 1000}}));
            records.push(user(json!("a summary")));
            records.push(says(
                4,
                json!([{"type": "tool_use", "id": "t3", "name": "Bash", "input": {}}]),
            ));
        }
        let lines = records.into_iter().enumerate().map(|(at, mut record)| {
            record["uuid"] = format!("u{session}-{at}").into();
            record["sessionId"] = id.as_str().into();
            record["timestamp"] = format!("2026-01-0{}T00:00:{at:02}Z", session + 1).into();
            if at > 0 {
                record["parentUuid"] = format!("u{session}-{}", at - 1).into();
            }
            record.to_string()
        });
        folder.file(
            &format!("told/run/{id}.jsonl"),
            lines.collect::<Vec<_>>().join("\n"),
        );
    }
}

#[test]
fn transcripts_add_up_to_the_whole() {
    let folder = Folder::new();
    transcripts(&folder);
    assert!(holds(Path::new(folder.path()), "told", &[]));
}

#[test]
fn halves_of_captures_add_up_to_the_whole() {
    // Runs lend one another definitions; apart, each is given the same listing.
    let listing = root().join("captures/vanilla/request-vanilla-1.json");
    let tools = ["--tools", listing.to_str().unwrap()];
    assert!(holds(root(), "captures", &tools));
    let held = inputs()
        .into_iter()
        .filter(|path| path != "captures" && holds(root(), path, &[]));
    let held: Vec<String> = held.collect();
    assert!(held.len() >= 2, "{held:?}");
}

#[test]
fn definitions_in_another_report_are_told() {
    let folder = Folder::new();
    for run in ["vanilla", "deferred"] {
        write(
            &folder,
            root(),
            &format!("captures/{run}"),
            &format!("{run}.json"),
            &[],
        );
    }
    let view = merged(&folder, &["deferred.json", "vanilla.json"]);
    let found = view["findings"].as_array().unwrap().iter();
    let found = found.filter(|f| f["code"] == "definition-in-other-report");
    assert_eq!(found.count(), 159);
    assert_eq!(run(&view, "deferred")["savings"]["at_least"], true);
}

#[test]
fn sessions_of_one_run_add_up_to_the_whole() {
    let folder = Folder::new();
    sessions(&folder);
    assert!(holds(Path::new(folder.path()), "logs", &[]));
    // As one run, whose files lie side by side.
    let one = Folder::new();
    for session in 0..5 {
        let from = Path::new(folder.path()).join(format!("logs/s{session}/log.jsonl"));
        one.file(
            &format!("logs/run/log-{session}.jsonl"),
            std::fs::read(from).unwrap(),
        );
    }
    assert!(holds(Path::new(one.path()), "logs", &[]));
}

/// A report of some sessions of one run.
fn part(folder: &Folder, name: &str, wanted: &[u64], flags: &[&str]) -> Value {
    let all = Folder::new();
    sessions(&all);
    let here = Folder::new();
    for session in wanted {
        let from = Path::new(all.path()).join(format!("logs/s{session}/log.jsonl"));
        here.file(
            &format!("logs/run/log-{session}.jsonl"),
            std::fs::read(from).unwrap(),
        );
    }
    write(folder, Path::new(here.path()), "logs", name, flags).json()
}

#[test]
fn the_order_and_the_grouping_of_reports_change_no_number() {
    let folder = Folder::new();
    for (name, wanted) in [
        ("a.json", &[0, 3][..]),
        ("b.json", &[1]),
        ("c.json", &[2, 4]),
        ("all.json", &[0, 1, 2, 3, 4]),
    ] {
        part(&folder, name, wanted, &["--per-request"]);
    }
    let joined = |names: &[&str], to: &str| {
        let value = merged(&folder, names);
        folder.file(to, value.to_string());
        value
    };
    let all = joined(&["a.json", "b.json", "c.json"], "abc.json");
    assert_eq!(all, merged(&folder, &["c.json", "a.json", "b.json"]));
    joined(&["a.json", "b.json"], "ab.json");
    joined(&["b.json", "c.json"], "bc.json");
    assert_eq!(
        plain(all.clone()),
        plain(merged(&folder, &["ab.json", "c.json"]))
    );
    assert_eq!(
        plain(all.clone()),
        plain(merged(&folder, &["a.json", "bc.json"]))
    );
    let whole: Value =
        serde_json::from_slice(&std::fs::read(Path::new(folder.path()).join("all.json")).unwrap())
            .unwrap();
    let row = run(&all, "run");
    assert_eq!(row["distribution"], run(&whole, "run")["distribution"]);
    assert_eq!(row["distribution"]["request"]["count"], 20);
    assert_eq!(row["total"], run(&whole, "run")["total"]);
    let sessions: BTreeSet<u64> = row["by_request"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["session"].as_u64().unwrap())
        .collect();
    assert_eq!(sessions, (1..=5).collect());
}

#[test]
fn one_report_on_standard_input_and_pipes_are_read() {
    let folder = Folder::new();
    let report = part(&folder, "a.json", &[0], &[]);
    let text = report.to_string();
    let answer = with_input(&["report", "--merge", "-", "-f", "json"], text.as_bytes());
    assert_eq!((answer.code, answer.json()), (0, report));
}

#[test]
fn a_joined_report_speaks_in_every_form() {
    let folder = Folder::new();
    part(&folder, "a.json", &[0, 3], &[]);
    part(&folder, "b.json", &[1, 2, 4], &[]);
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let answer = merge(&folder, &["a.json", "b.json", "-f", form]);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_suffix(form);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("merge", answer.whole()));
    }
    let shown = merge(
        &folder,
        &[
            "a.json",
            "b.json",
            "--filter",
            "mcp__github__*",
            "--sort",
            "name",
            "-f",
            "json",
        ],
    )
    .json();
    assert_eq!(run(&shown, "run")["tools"].as_array().unwrap().len(), 3);
    assert_eq!(run(&shown, "run")["tools_left_out"], 3);
}

#[test]
fn what_differs_is_told_or_refused() {
    let folder = Folder::new();
    part(&folder, "a.json", &[0], &[]);
    for (name, flags) in [
        ("chars.json", &["--counter", "chars"][..]),
        ("model.json", &["--model", "claude-opus-4-6"]),
        ("filtered.json", &["--filter", "Read"]),
        ("rows.json", &["--per-request"]),
        (
            "settings.json",
            &[
                "--profile",
                "legacy",
                "--context-window",
                "1m",
                "--env",
                "ENABLE_TOOL_SEARCH=auto",
            ],
        ),
    ] {
        part(&folder, name, &[1], flags);
    }
    let mut old = part(&folder, "old.json", &[2], &[]);
    old["data_version"] = "2020-01-01".into();
    folder.file("old.json", old.to_string());
    for name in ["chars.json", "model.json", "filtered.json"] {
        let answer = merge(&folder, &["a.json", name]);
        assert_eq!(
            (answer.code, answer.stdout.as_str()),
            (2, ""),
            "{name}: {}",
            answer.whole()
        );
        assert!(
            answer.stderr.contains(name) && answer.stderr.contains("report"),
            "{}",
            answer.stderr
        );
    }
    let told = |names: &[&str]| {
        let view = merged(&folder, names);
        let found = view["findings"].as_array().unwrap().iter();
        let found = found.filter(|f| f["run"] == "" || f["code"] == "requests-left-out");
        let found: Vec<String> = found
            .map(|f| {
                format!(
                    "{} {}",
                    f["code"].as_str().unwrap(),
                    f["subject"].as_str().unwrap()
                )
            })
            .collect();
        (found, view)
    };
    let (found, view) = told(&["a.json", "old.json"]);
    assert_eq!(found, ["reports-differ data_version"]);
    assert_eq!(view["data_version"], "2020-01-01");
    let (found, view) = told(&["a.json", "settings.json"]);
    assert_eq!(
        found,
        [
            "reports-differ context_window",
            "reports-differ env",
            "reports-differ profile"
        ]
    );
    assert_eq!(view["settings"]["profile"], "by capture, legacy");
    assert_eq!(view["settings"]["context_window"], Value::Null);
    let (found, view) = told(&["a.json", "rows.json"]);
    assert_eq!(found, ["requests-left-out a.json"]);
    assert!(run(&view, "run").get("by_request").is_none());
    let text = merge(&folder, &["a.json", "old.json"]);
    assert!(
        text.stdout.contains("data_version: the joined reports"),
        "{}",
        text.stdout
    );
}

#[test]
fn what_one_report_lacks_makes_the_sum_a_lower_bound() {
    let folder = Folder::new();
    let known = part(&folder, "known.json", &[0], &[]);
    let names = "<available-deferred-tools>\nmcp__github__tool_0\n</available-deferred-tools>";
    let body = json!({"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": names}],
        "tools": [{"name": "ToolSearch", "description": "Finds tools.", "input_schema": {"type": "object"}}]});
    let here = Folder::new();
    here.file("logs/run/zz.json", body.to_string());
    let lacking = write(&folder, Path::new(here.path()), "logs", "lacking.json", &[]).json();
    assert_eq!(
        tool(run(&lacking, "run"), "mcp__github__tool_0")["size"],
        Value::Null
    );
    let view = merged(&folder, &["known.json", "lacking.json"]);
    let both = run(&view, "run");
    assert_eq!(both["savings"]["per_run_total"]["at_least"], true);
    assert_eq!(
        run(&known, "run")["savings"]["per_run_total"]["at_least"],
        false
    );
    let found = view["findings"].as_array().unwrap().iter();
    let apart = found.filter(|f| f["code"] == "definition-in-other-report");
    assert_eq!(apart.count(), 1);
}

#[test]
fn flags_of_reading_have_no_meaning_for_reports() {
    let folder = Folder::new();
    part(&folder, "a.json", &[0], &[]);
    for flags in [
        "--counter chars",
        "--model claude-opus-5",
        "--context-window 1m",
        "--profile legacy",
        "--env A=b",
        "--provider anthropic",
        "--settings a.json",
        "--tools a.json",
        "--server x",
        "--as x",
        "--group-by /x",
        "--since 2026-11-30",
        "--until 2026-11-30",
        "--calibration a.json",
        "--config a.json",
        "--jobs 2",
        "--run x=a.json",
        "--per-request",
        "--strict --max-skipped 1",
    ] {
        let flags: Vec<&str> = flags.split(' ').collect();
        let answer = merge(&folder, &[&["a.json"], &flags[..]].concat());
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{flags:?}");
        let flag = flags.iter().rfind(|flag| flag.starts_with("--")).unwrap();
        assert!(answer.stderr.contains(flag), "{flags:?}: {}", answer.stderr);
        assert!(
            answer.stderr.contains("--merge"),
            "{flags:?}: {}",
            answer.stderr
        );
    }
    let strict = merge(&folder, &["a.json", "--strict", "--top", "3"]);
    assert_eq!(strict.code, 0, "{}", strict.whole());
}

/// A report in which one place is something else.
fn with(report: &Value, pointer: &str, value: Value) -> String {
    let mut report = report.clone();
    *report.pointer_mut(pointer).unwrap() = value;
    report.to_string()
}

fn without(report: &Value, pointer: &str) -> String {
    let mut report = report.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = report.pointer_mut(parent).unwrap();
    parent.as_object_mut().unwrap().remove(key).unwrap();
    report.to_string()
}

#[test]
fn what_is_no_report_is_told_with_its_place() {
    let folder = Folder::new();
    let report = part(&folder, "a.json", &[0], &[]);
    let text = report.to_string();
    let twice = text.replacen("\"skipped\":", "\"skipped\":[],\"skipped\":", 1);
    let inside = text.replacen("\"calls\":{", "\"calls\":{\"Read\":1,", 1);
    let huge = text.replacen(
        "\"not_captures\":0",
        "\"not_captures\":99999999999999999999999",
        1,
    );
    let mut double = report.clone();
    let runs = double["runs"].as_array_mut().unwrap();
    runs.push(runs[0].clone());
    let deep = format!(
        "{{\"schema\":\"toolcost.report/1\",\"runs\":{}",
        "[".repeat(100_000)
    );
    let place = "/runs/0/tools/0/size";
    let cases: Vec<(&str, String, i32, &str)> = vec![
        ("empty", String::new(), 3, "line 1, column 0"),
        (
            "cut",
            text[..text.len() / 2].to_owned(),
            3,
            "not valid JSON",
        ),
        ("glued", format!("{text}{text}"), 3, "not valid JSON"),
        ("deep", deep, 3, "not valid JSON"),
        ("list", "[]".to_owned(), 2, "no report"),
        (
            "capture",
            r#"{"model":"x","messages":[]}"#.to_owned(),
            2,
            "no report",
        ),
        (
            "schema-number",
            r#"{"schema":7}"#.to_owned(),
            2,
            "no report",
        ),
        (
            "other-schema",
            r#"{"schema":"toolcost.check/1"}"#.to_owned(),
            2,
            "/schema",
        ),
        (
            "later-schema",
            with(&report, "/schema", json!("toolcost.report/2")),
            2,
            "/schema",
        ),
        (
            "bare",
            r#"{"schema":"toolcost.report/1"}"#.to_owned(),
            3,
            "missing field `toolcost`",
        ),
        (
            "no-sums",
            without(&report, "/runs/0/sums"),
            3,
            "/runs/0: missing field `sums`",
        ),
        (
            "no-request",
            without(&report, "/runs/0/total/request"),
            3,
            "/runs/0/total: missing field `request`",
        ),
        (
            "text-number",
            with(&report, place, json!("secret")),
            3,
            place,
        ),
        ("negative", with(&report, place, json!(-1)), 3, place),
        ("fraction", with(&report, place, json!(1.5)), 3, place),
        ("large", with(&report, place, json!(1_u64 << 53)), 3, place),
        ("largest", with(&report, place, json!(u64::MAX)), 3, place),
        ("huge", huge, 3, "/not_captures"),
        (
            "residual",
            with(&report, "/runs/0/sums/parts/residual", json!(i64::MIN)),
            3,
            "/runs/0/sums/parts/residual",
        ),
        (
            "list-for-text",
            with(&report, "/runs/0/run", json!([])),
            3,
            "/runs/0/run",
        ),
        (
            "state",
            with(&report, "/runs/0/tools/0/state", json!("gone")),
            3,
            "/runs/0/tools/0/state",
        ),
        (
            "gate",
            with(&report, "/runs/0/gate/steps/0/outcome", json!("x")),
            3,
            "/runs/0/gate/steps/0/outcome",
        ),
        (
            "long-word",
            with(&report, "/runs/0/tools/0/kind", json!("x".repeat(1000))),
            3,
            "/runs/0/tools/0/kind",
        ),
        ("twice", twice, 3, "/skipped"),
        ("twice-inside", inside, 3, "/runs/0/sums/calls"),
        ("run-twice", double.to_string(), 3, "/runs/1/run"),
        (
            "requests",
            with(&report, "/runs/0/requests", json!(3)),
            3,
            "/runs/0/distribution/request/count",
        ),
        (
            "part-requests",
            with(&report, "/runs/0/sums/parts/requests", json!(3)),
            3,
            "/runs/0/sums/parts/requests",
        ),
        (
            "bucket",
            with(
                &report,
                "/runs/0/distribution/request/buckets/0/0",
                json!(1),
            ),
            3,
            "/runs/0/distribution/request",
        ),
        (
            "min",
            with(&report, "/runs/0/distribution/request/min", json!(1)),
            3,
            "/runs/0/distribution/request",
        ),
    ];
    let mut all = String::new();
    for (name, text, code, said) in cases {
        let file = format!("{name}.json");
        folder.file(&file, text);
        for args in [
            vec![file.as_str()],
            vec!["a.json", &file],
            vec![&file, "a.json"],
        ] {
            let answer = merge(&folder, &args);
            assert_eq!(answer.code, code, "{name}: {}", answer.whole());
            assert!(answer.stdout.is_empty(), "{name}");
            assert!(
                answer.stderr.contains(&file) && answer.stderr.contains(said),
                "{name}: {}",
                answer.stderr
            );
            assert!(!answer.stderr.contains("secret"), "{}", answer.stderr);
            if args.len() == 1 {
                all.push_str(&answer.stderr);
            }
        }
    }
    let mut unknown = report.clone();
    unknown["runs"][0]["sur/prise"] = 1.into();
    folder.file("unknown.json", unknown.to_string());
    folder.file("bytes.json", b"\xff\xfe{\0}\0");
    std::fs::create_dir(PathBuf::from(folder.path()).join("folder")).unwrap();
    for args in [
        &["unknown.json"][..],
        &["bytes.json"],
        &["folder"],
        &["missing.json"],
        &["a.json", "a.json"],
        &["a.json", "./a.json"],
        &["-", "-"],
    ] {
        let answer = merge(&folder, args);
        assert!(matches!(answer.code, 2 | 3), "{}", answer.whole());
        all.push_str(&format!("{} {}", answer.code, answer.stderr));
    }
    insta::assert_snapshot!("faults", all);
}

#[test]
fn large_numbers_add_up_without_a_panic() {
    let folder = Folder::new();
    let report = part(&folder, "a.json", &[0], &[]);
    let largest = json!((1_u64 << 53) - 1);
    let mut hostile = report.clone();
    for pointer in [
        "/not_captures",
        "/told_twice",
        "/listings",
        "/runs/0/sessions",
        "/runs/0/side_requests",
        "/runs/0/sums/calls/Read",
        "/runs/0/sums/parts/unrecorded",
        "/runs/0/sums/savings/held/tokens",
        "/runs/0/sums/savings/unknown_definitions",
        "/runs/0/tools/0/turns",
        "/runs/0/tools/0/size",
        "/runs/0/sums/parts/tools/known",
        "/runs/0/sums/parts/residual",
    ] {
        *hostile.pointer_mut(pointer).unwrap() = largest.clone();
    }
    let names: Vec<String> = (0..40).map(|at| format!("{at}.json")).collect();
    for (at, name) in names.iter().enumerate() {
        // A copy is refused; one blank more is another text.
        folder.file(name, format!("{hostile}{}", " ".repeat(at)));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let view = merged(&folder, &names);
    assert_eq!(view["not_captures"], 40 * ((1_u64 << 53) - 1));
    for form in ["text", "csv", "markdown", "ndjson"] {
        let answer = merge(&folder, &[&names[..], &["-f", form]].concat());
        assert_eq!(answer.code, 0, "{}", answer.whole());
    }
}
