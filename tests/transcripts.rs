//! Session transcripts: calls, names, boundaries, subagents, and what is damaged in them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, run_in, shared, tool, toolcost};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const SESSION: &str = "0c1d2e3f-0000-4000-8000-00000000000a";

/// Records of one session, each going on from the one before.
#[derive(Default)]
struct Story(Vec<Value>);

impl Story {
    fn put(mut self, mut record: Value) -> Self {
        let own = record.as_object_mut().unwrap();
        let number = self.0.len();
        own.entry("uuid").or_insert(json!(format!("u{number}")));
        own.entry("sessionId").or_insert(json!(SESSION));
        let time = format!("2026-01-01T00:{:02}:{:02}Z", number / 60, number % 60);
        own.entry("timestamp").or_insert(json!(time));
        if number > 0 {
            let before = self.0[number - 1]["uuid"].clone();
            own.entry("parentUuid").or_insert(before);
        }
        self.0.push(record);
        self
    }

    fn user(self, content: Value) -> Self {
        self.put(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    fn says(self, id: &str, content: Value) -> Self {
        self.put(json!({"type": "assistant", "requestId": format!("req_{id}"), "message": {
            "id": format!("msg_{id}"), "model": "claude-opus-4-6", "role": "assistant", "content": content,
            "usage": {"input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 7}}}))
    }

    fn searches(self, id: &str, names: &[&str]) -> Self {
        let call = format!("tu_{id}");
        let references = names.iter();
        let references: Vec<Value> = references
            .map(|name| json!({"type": "tool_reference", "tool_name": name}))
            .collect();
        self.says(id, json!([{"type": "tool_use", "id": call, "name": "ToolSearch", "input": {"query": "x"}}]))
            .user(json!([{"type": "tool_result", "tool_use_id": call, "content": references}]))
    }

    fn calls(self, id: &str, name: &str) -> Self {
        let call = format!("tu_{id}");
        self.says(
            id,
            json!([{"type": "tool_use", "id": call, "name": name, "input": {}}]),
        )
        .user(json!([{"type": "tool_result", "tool_use_id": call, "content": "ok"}]))
    }

    fn attaches(self, attachment: Value) -> Self {
        self.put(json!({"type": "attachment", "attachment": attachment}))
    }

    fn announces(self, added: &[&str], removed: &[&str]) -> Self {
        self.attaches(
            json!({"type": "deferred_tools_delta", "addedNames": added, "addedLines": added, "removedNames": removed}),
        )
    }

    fn compacts(self, kept: Option<&[&str]>) -> Self {
        let mut metadata = json!({"trigger": "auto", "preTokens": 1000});
        if let Some(kept) = kept {
            metadata["preCompactDiscoveredTools"] = json!(kept);
        }
        self.put(
            json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata}),
        )
        .user(json!("a summary"))
    }

    fn text(&self) -> String {
        let lines = self.0.iter().map(Value::to_string);
        lines.collect::<Vec<_>>().join("\n")
    }

    fn report(&self) -> Value {
        reported(&self.text())
    }
}

fn reported(text: &str) -> Value {
    let folder = Folder::new();
    folder.file("s.jsonl", text);
    report(folder.path(), &["--per-request"])
}

fn names(run: &Value, state: &str) -> Vec<String> {
    let tools = run["tools"].as_array().unwrap().iter();
    let mut names: Vec<String> = tools
        .filter(|tool| tool["state"] == state)
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn deltas_are_replayed_and_what_is_loaded_now_is_not_gone() {
    let start =
        || Story::default().announces(&["mcp__a__one", "mcp__a__two", "mcp__b__three"], &[]);
    let after = |story: Story| {
        let report = story
            .user(json!("go"))
            .says("9", json!([{"type": "text", "text": "ok"}]))
            .report();
        report["runs"][0].clone()
    };
    assert_eq!(names(&after(start()), "announced").len(), 3);
    // A server that went away takes its names with it; one that comes back brings them.
    let gone = after(start().announces(&[], &["mcp__a__one", "mcp__a__two"]));
    assert_eq!(names(&gone, "announced"), ["mcp__b__three"]);
    assert_eq!(
        gone["transcripts"][0]["announced"],
        json!(["mcp__b__three"])
    );
    let back = start()
        .announces(&[], &["mcp__a__one", "mcp__a__two"])
        .attaches(json!({"type": "deferred_tools_delta", "addedNames": [], "removedNames": [], "readdedNames": ["mcp__a__one"]}));
    assert_eq!(
        names(&after(back), "announced"),
        ["mcp__a__one", "mcp__b__three"]
    );
    // The client does not tell a tool removed that it loads now; its definition says what it is.
    let loaded = start().attaches(
        json!({"type": "prompt_snapshot", "systemPrompt": ["You help."],
        "tools": [{"name": "mcp__a__one", "description": "One.", "schema": {"type": "object"}}]}),
    );
    let run = after(loaded);
    assert_eq!(names(&run, "loaded"), ["mcp__a__one"]);
    assert_eq!(names(&run, "announced"), ["mcp__a__two", "mcp__b__three"]);
    // A compaction makes an end of what was announced: the client announces anew.
    let anew = start().compacts(None).announces(&["mcp__b__three"], &[]);
    assert_eq!(names(&after(anew), "announced"), ["mcp__b__three"]);
}

#[test]
fn the_text_that_was_sent_for_names_is_what_they_cost() {
    let text = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nmcp__a__one\nmcp__a__two\n</system-reminder>";
    let delta = json!({"type": "deferred_tools_delta", "addedNames": ["mcp__a__one", "mcp__a__two"], "pendingMcpServers": ["slack", {"name": "jira"}]});
    let tokens = |rendered: bool| {
        let mut record = json!({"type": "attachment", "attachment": delta});
        if rendered {
            record["rendered"] = json!([{"content": text}]);
        }
        let story = Story::default()
            .put(record)
            .user(json!("go"))
            .says("1", json!([]));
        let run = story.report()["runs"][0].clone();
        assert_eq!(names(&run, "announced"), ["mcp__a__one", "mcp__a__two"]);
        assert_eq!(
            run["transcripts"][0]["pending_servers"],
            json!(["jira", "slack"])
        );
        let sections = run["first"]["sections"].as_array().unwrap().clone();
        let of_names = sections
            .into_iter()
            .find(|section| section["kind"] == "names");
        of_names.unwrap()["tokens"].as_u64().unwrap()
    };
    assert!(
        tokens(true) > tokens(false),
        "the words round the names are paid too"
    );
}

#[test]
fn a_snapshot_and_what_follows_it_are_one_set_however_often_it_is_taken() {
    let (one, two, three) = ("mcp__a__one", "mcp__a__two", "mcp__a__three");
    let story = Story::default()
        .announces(&[one, two, three], &[])
        .user(json!("go"))
        .searches("1", &[one, two])
        .compacts(Some(&[one, two]))
        .compacts(Some(&[one, two]))
        .searches("2", &[three])
        .says("3", json!([{"type": "text", "text": "ok"}]));
    let report = story.report();
    let run = &report["runs"][0];
    let told = &run["transcripts"][0];
    assert_eq!(told["discovered"]["now"], json!([one, three, two]));
    assert_eq!(told["discovered"]["ever"], told["discovered"]["now"]);
    assert_eq!(told["compactions"].as_array().unwrap().len(), 2);
    assert_eq!(
        tool(run, one)["discovered_at"],
        2,
        "by the search, not by the list"
    );
}

#[test]
fn a_discovery_that_no_list_kept_is_lost() {
    let one = "mcp__a__one";
    let story = |kept: Option<&[&str]>| {
        Story::default()
            .announces(&[one], &[])
            .user(json!("go"))
            .searches("1", &[one])
            .compacts(kept)
            .calls("2", one)
            .says("3", json!([{"type": "text", "text": "ok"}]))
    };
    let lost = |kept: Option<&[&str]>| {
        let folder = Folder::new();
        let file = folder.file("s.jsonl", story(kept).text());
        let rule = "called-after-compaction=error";
        toolcost(&["check", file.to_str().unwrap(), "--rule", rule]).code
    };
    assert_eq!((lost(None), lost(Some(&[])), lost(Some(&[one]))), (1, 1, 0));
    let told = story(None).report()["runs"][0]["transcripts"][0].clone();
    assert_eq!(
        told["compactions"][0]["kept"],
        Value::Null,
        "no list is not an empty one"
    );
    assert_eq!(told["discovered"], json!({"now": [], "ever": [one]}));
}

/// The same in captured bodies: the history is shorter, the reference and the definition are gone.
#[test]
fn a_body_after_a_compaction_shows_what_was_lost() {
    let search = |extra: Value| {
        let mut messages = vec![
            json!({"role": "user", "content": "go"}),
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ToolSearch", "input": {"query": "x"}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "tool_reference", "tool_name": "mcp__a__one"}]}, {"type": "text", "text": "Tool loaded."}]}),
        ];
        messages.extend(extra.as_array().unwrap().iter().cloned());
        messages
    };
    let tools = |with: bool| {
        let mut tools = vec![
            json!({"name": "ToolSearch", "description": "Finds.", "input_schema": {"type": "object", "properties": {"query": {}}}}),
            json!({"name": "mcp__a__two", "description": "Two.", "input_schema": {"type": "object"}, "defer_loading": true}),
        ];
        if with {
            tools.push(json!({"name": "mcp__a__one", "description": "One.", "input_schema": {"type": "object"}, "defer_loading": true}));
        }
        tools
    };
    let body = |messages: Vec<Value>, with: bool| {
        json!({"model": "claude-opus-4-6", "max_tokens": 9, "messages": messages, "tools": tools(with),
            "metadata": {"user_id": format!("user_a_account_b_session_{SESSION}")}})
        .to_string()
    };
    let summary = || json!({"role": "user", "content": "a summary"});
    let called = vec![
        summary(),
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": "b", "name": "mcp__a__one", "input": {}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "no"}]}),
    ];
    let code = |kept: bool| {
        let folder = Folder::new();
        let lines = [
            body(
                search(
                    json!([{"role": "assistant", "content": "ok"}, {"role": "user", "content": "on"}]),
                ),
                true,
            ),
            body(vec![summary()], kept),
            body(called.clone(), kept),
        ];
        let file = folder.file("log.jsonl", lines.join("\n"));
        let rule = "called-after-compaction=error";
        let answer = toolcost(&["check", file.to_str().unwrap(), "--rule", rule]);
        answer.code
    };
    assert_eq!((code(false), code(true)), (1, 0));
}

#[test]
fn blocks_of_one_message_are_one_call_and_the_largest_usage_counts() {
    let usage = |output: u64| json!({"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": output});
    let block = |block: Value, output: u64| json!({"type": "assistant", "message": {"id": "msg_1", "model": "claude-opus-4-6", "role": "assistant", "content": [block], "usage": usage(output)}});
    let story = Story::default()
        .user(json!("go"))
        .put(block(json!({"type": "thinking", "thinking": "hm"}), 1))
        .put(block(json!({"type": "tool_use", "id": "a", "name": "Read", "input": {}}), 1))
        // Results come while the message is still written.
        .user(json!([{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]))
        .put(block(json!({"type": "tool_use", "id": "b", "name": "Read", "input": {}}), 40))
        .user(json!([{"type": "tool_result", "tool_use_id": "b", "content": "ok"}]))
        .says("2", json!([{"type": "text", "text": "done"}]))
        .put(json!({"type": "assistant", "message": {"id": "x", "model": "<synthetic>", "role": "assistant", "content": [{"type": "text", "text": "API error"}]}}));
    let report = story.report();
    let told = &report["runs"][0]["transcripts"][0];
    assert_eq!(
        (&told["calls"], &told["tool_calls"], &told["synthetic"]),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(told["usage"]["output"], 47);
    assert_eq!(report["runs"][0]["total"]["recorded"], 1100);
}

#[test]
fn subagents_are_children_of_their_session_and_search_for_themselves() {
    let folder = Folder::new();
    let main = Story::default()
        .announces(&["mcp__a__one"], &[])
        .user(json!("go"))
        .searches("1", &["mcp__a__one"])
        .says("2", json!([]));
    folder.file("p/s.jsonl", main.text());
    let agent = |id: &str, calls: &[&str]| {
        let mut story = Story::default().put(json!({"type": "user", "agentId": id, "isSidechain": true, "message": {"role": "user", "content": "look"}}));
        for call in calls {
            story = story.put(json!({"type": "assistant", "agentId": id, "isSidechain": true, "message": {"id": format!("msg_{id}{call}"), "model": "claude-haiku-4-5",
                "role": "assistant", "content": [{"type": "text", "text": "x"}], "usage": {"input_tokens": 50, "output_tokens": 1}}}));
        }
        let mut text = String::new();
        for (at, mut record) in story.0.into_iter().enumerate() {
            record["uuid"] = json!(format!("{id}-{at}"));
            record.as_object_mut().unwrap().remove("parentUuid");
            text.push_str(&format!("{record}\n"));
        }
        text
    };
    folder.file("p/s/subagents/agent-a1.jsonl", agent("a1", &["1", "2"]));
    folder.file(
        "p/s/subagents/agent-acompact-b2.jsonl",
        agent("acompact-b2", &["1"]),
    );
    let report = report(&format!("{}/p", folder.path()), &["--per-request"]);
    assert_eq!(
        report["runs"].as_array().unwrap().len(),
        1,
        "a session and its subagents are one run"
    );
    let run = &report["runs"][0];
    assert_eq!(
        (
            &run["requests"],
            &run["subagent_requests"],
            &run["sessions"]
        ),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(run["side_kinds"], json!({"compaction": 1}));
    let sessions: BTreeSet<u64> = run["by_request"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["session"].as_u64().unwrap())
        .collect();
    assert_eq!(sessions.len(), 1, "all of one session");
}

#[test]
fn a_session_that_was_resumed_in_another_file_is_counted_once() {
    let folder = Folder::new();
    let old = Story::default()
        .user(json!("go"))
        .says("1", json!([{"type": "text", "text": "a"}]));
    folder.file("p/one.jsonl", old.text());
    let mut new = Story(old.0.clone());
    for record in &mut new.0 {
        record["sessionId"] = json!("0c1d2e3f-0000-4000-8000-00000000000b");
    }
    let new = new
        .user(json!("on"))
        .says("2", json!([{"type": "text", "text": "b"}]));
    folder.file("p/two.jsonl", new.text());
    let run = format!("r={}/p", folder.path());
    let report = toolcost(&["report", "--run", &run, "-f", "json"]).json();
    assert_eq!(report["told_twice"], 1);
    assert_eq!(report["runs"][0]["requests"], 2);
    assert_eq!(report["runs"][0]["total"]["recorded"], 2000);
}

#[test]
fn what_is_damaged_unknown_or_twice_is_told_and_nothing_stops() {
    let story = Story::default()
        .user(json!("go"))
        .put(json!({"type": "user", "message": "no message"}))
        .put(json!({"type": "from-the-future", "x": 1}))
        .attaches(json!({"type": "future-attachment"}))
        .put(json!({"type": "system", "subtype": "future-subtype"}))
        .says("1", json!([{"type": "future-block"}, {"type": "text", "text": "a"}]))
        .put(json!({"type": "user", "timestamp": "2020-01-01T00:00:00Z", "parentUuid": "nowhere", "message": {"role": "user", "content": "on"}}));
    let mut lines: Vec<String> = story.0.iter().map(Value::to_string).collect();
    lines.push(lines[0].clone());
    lines.push(r#"{"type":"user","uuid":"half","message":{"role":"us"#.to_owned());
    let report = reported(&lines.join("\n"));
    let told = &report["runs"][0]["transcripts"][0];
    assert_eq!(
        told["unknown"],
        json!({"attachment future-attachment": 1, "block future-block": 1, "from-the-future": 1, "system future-subtype": 1})
    );
    assert_eq!(
        (&told["twice"], &told["clock_back"], &told["parentless"]),
        (&json!(1), &json!(1), &json!(2)),
        "one goes on from a record that could not be read"
    );
    let skipped: Vec<&str> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["place"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["line 2", "line 9"]);
    let folder = Folder::new();
    let file = folder.file("s.jsonl", lines.join("\n"));
    let text = |flags: &[&str]| {
        let args = [&["report", file.to_str().unwrap()], flags].concat();
        toolcost(&args)
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(text(&[]).contains("4 records or blocks of types nobody has seen (-v names them)"));
    assert!(text(&["-v"]).contains("block future-block 1"));
    assert!(!text(&["-q"]).contains("nobody has seen") && text(&["-q"]).contains("line 9"));
}

#[test]
fn a_pretty_or_wrapped_or_packed_transcript_reads_alike() {
    let story = Story::default()
        .announces(&["mcp__a__one"], &[])
        .user(json!("go"))
        .searches("1", &["mcp__a__one"])
        .says("2", json!([]));
    let told = |text: &str| {
        let mut run = reported(text)["runs"][0].clone();
        for transcript in run["transcripts"].as_array_mut().unwrap() {
            transcript["path"] = json!("");
        }
        run["transcripts"].clone()
    };
    let plain = told(&story.text());
    let crlf = story.text().replace('\n', "\r\n");
    assert_eq!(told(&format!("\u{feff}{crlf}\r\n")), plain);
    assert_eq!(told(&Value::Array(story.0.clone()).to_string()), plain);
}

#[test]
fn without_a_path_the_projects_own_transcripts_are_read() {
    let folder = Folder::new();
    folder.file("work/app/x.txt", "");
    let here = Path::new(folder.path())
        .join("work/app")
        .canonicalize()
        .unwrap();
    let none = run_in(&here, &["report"], b"");
    assert_eq!(none.code, 2);
    assert!(
        none.stderr.contains("no transcripts of this project"),
        "{}",
        none.stderr
    );
    let name: String = here
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let story = Story::default().user(json!("go")).says("1", json!([]));
    folder.file(
        &format!("work/app/client-folder/projects/{name}/{SESSION}.jsonl"),
        story.text(),
    );
    let answer = run_in(&here, &["report", "-f", "json"], b"");
    assert_eq!(answer.code, 0, "{}", answer.whole());
    let report = answer.json();
    assert_eq!(
        (&report["runs"][0]["run"], &report["runs"][0]["requests"]),
        (&json!("app"), &json!(1))
    );
    let path = report["runs"][0]["paths"][0].as_str().unwrap();
    assert!(path.starts_with("$CLAUDE_CONFIG_DIR/projects/"), "{path}");
}

/// Recorded transcripts: every call once, and nothing lost, by a count of its own.
#[test]
fn recorded_transcripts_are_read_whole() {
    let Some(folder) = shared("corpus/transcripts") else {
        return;
    };
    let report = report("../shared/corpus/transcripts", &["--per-request"]);
    let mut told: BTreeMap<String, Value> = BTreeMap::new();
    for run in report["runs"].as_array().unwrap() {
        for row in run["transcripts"].as_array().unwrap() {
            told.insert(row["path"].as_str().unwrap().to_owned(), row.clone());
        }
    }
    let mut files = 0;
    for entry in walkdir::WalkDir::new(&folder) {
        let entry = entry.unwrap();
        if entry
            .path()
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        files += 1;
        let below = entry
            .path()
            .strip_prefix(&folder)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let row = &told[&format!("../shared/corpus/transcripts/{below}")];
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let (mut ids, mut seen, mut records) = (BTreeMap::new(), BTreeSet::new(), 0);
        for line in text.lines() {
            let Ok(Value::Object(record)) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if !record.contains_key("type") || record.get("message").is_some_and(Value::is_string) {
                continue;
            }
            if record
                .get("uuid")
                .is_some_and(|_| !seen.insert(line.to_owned()))
            {
                continue;
            }
            records += 1;
            if let Some(id) = record
                .get("message")
                .and_then(|message| message["id"].as_str())
            {
                let usage = record["message"]["usage"].clone();
                let prompt = [
                    "input_tokens",
                    "cache_read_input_tokens",
                    "cache_creation_input_tokens",
                ];
                let prompt: u64 = prompt
                    .iter()
                    .map(|key| usage[key].as_u64().unwrap_or(0))
                    .sum();
                let output = usage["output_tokens"].as_u64().unwrap_or(0);
                let known = ids.entry(id.to_owned()).or_insert((prompt, output));
                *known = (known.0.max(prompt), known.1.max(output));
            }
        }
        let calls = row["calls"].as_u64().unwrap() + row["other_calls"].as_u64().unwrap();
        assert_eq!(calls, ids.len() as u64, "{below}");
        assert_eq!(
            row["usage"]["prompt"],
            json!(ids.values().map(|u| u.0).sum::<u64>()),
            "{below}"
        );
        assert_eq!(
            row["usage"]["output"],
            json!(ids.values().map(|u| u.1).sum::<u64>()),
            "{below}"
        );
        let by_type = row["records"].as_object().unwrap().iter();
        let by_type = by_type
            .filter(|(kind, _)| !kind.contains(' '))
            .map(|(_, n)| n.as_u64().unwrap());
        assert_eq!(by_type.sum::<u64>(), records, "{below}");
        let unknown = match below.as_str() {
            "log/edge_cases.jsonl" => json!({"block without a type": 1}),
            _ => json!({}),
        };
        assert_eq!(row["unknown"], unknown, "{below}");
    }
    assert_eq!(files, told.len());
    let sides: Vec<&Value> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["side_kinds"])
        .collect();
    assert!(
        sides.contains(&&json!({"compaction": 1})),
        "the agent that writes a summary: {sides:?}"
    );
    let subagents: u64 = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["subagent_requests"].as_u64().unwrap())
        .sum();
    assert!(subagents > 100, "{subagents}");
}

#[test]
fn a_prompt_that_is_written_anew_takes_back_what_followed_it() {
    let (one, two) = ("mcp__a__one", "mcp__a__two");
    let start = || {
        Story::default()
            .announces(&[one, two], &[])
            .user(json!("go"))
            .says("1", json!([{"type": "text", "text": "ok"}]))
    };
    let long = "word ".repeat(3000);
    let dead = start()
        .user(json!(long))
        .searches("2", &[one])
        .says("3", json!([{"type": "text", "text": "dead end"}]));
    let before = start().0.last().unwrap()["uuid"].clone();
    let anew = dead
        .put(json!({"type": "user", "parentUuid": before, "message": {"role": "user", "content": "short"}}))
        .searches("4", &[two])
        .says("5", json!([{"type": "text", "text": "done"}]));
    let plain = start()
        .user(json!("short"))
        .searches("4", &[two])
        .says("5", json!([{"type": "text", "text": "done"}]));
    let last = |story: &Story| {
        let report = story.report();
        let rows = report["runs"][0]["by_request"].as_array().unwrap().clone();
        rows.last().unwrap()["tokens"]["messages"].clone()
    };
    assert_eq!(last(&anew), last(&plain), "the branch was not sent");
    let told = anew.report()["runs"][0]["transcripts"][0].clone();
    assert_eq!(told["rewinds"], 1);
    assert_eq!(
        told["discovered"],
        json!({"now": [two], "ever": [one, two]})
    );
    assert_eq!(told["calls"], 5, "it was paid all the same");
    // Results of calls that ran side by side hang where their calls do: that is no other branch.
    let calls = json!({"type": "assistant", "message": {"id": "m", "model": "claude-opus-4-6", "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "Read", "input": {}}, {"type": "tool_use", "id": "b", "name": "Read", "input": {}}], "usage": {"input_tokens": 10}}});
    let result = |id: &str, parent: &Value| json!({"type": "user", "parentUuid": parent, "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]}});
    let both = Story::default().user(json!("go")).put(calls);
    let parent = both.0.last().unwrap()["uuid"].clone();
    let both = both
        .put(result("a", &parent))
        .put(result("b", &parent))
        .says("9", json!([]));
    assert_eq!(both.report()["runs"][0]["transcripts"][0]["rewinds"], 0);
}

#[test]
fn sections_of_a_turn_hold_what_was_announced_before_it() {
    let story = Story::default()
        .announces(&["mcp__a__one", "mcp__a__two"], &[])
        .user(json!("go"))
        .says("1", json!([{"type": "text", "text": "ok"}]))
        .user(json!("on"))
        .says("2", json!([{"type": "text", "text": "ok"}]));
    let report = story.report();
    let run = &report["runs"][0];
    let names = |tokens: &Value| -> u64 {
        let sections = tokens["sections"].as_array().unwrap().iter();
        let own = sections.filter(|section| section["kind"] == "names");
        own.map(|section| section["tokens"].as_u64().unwrap()).sum()
    };
    let rows = run["by_request"].as_array().unwrap();
    assert!(names(&rows[0]["tokens"]) > 0);
    assert_eq!(names(&rows[0]["tokens"]), names(&rows[1]["tokens"]));
    assert_eq!(names(&run["total"]), 2 * names(&rows[0]["tokens"]));
}

#[test]
fn a_server_that_came_is_not_waited_for() {
    let waits = json!({"type": "deferred_tools_delta", "addedNames": ["mcp__a__one"], "pendingMcpServers": ["gh"]});
    let came = json!({"type": "deferred_tools_delta", "addedNames": ["mcp__gh__issue"], "removedNames": []});
    let pending = |story: Story| {
        let folder = Folder::new();
        let story = story.user(json!("go")).says("1", json!([]));
        let file = folder.file("s.jsonl", story.text());
        let answer = toolcost(&[
            "search",
            file.to_str().unwrap(),
            "nothing like this",
            "-f",
            "json",
        ])
        .json();
        answer["pending_servers"].clone()
    };
    assert_eq!(
        pending(Story::default().attaches(waits.clone())),
        json!(["gh"])
    );
    assert_eq!(
        pending(Story::default().attaches(waits).attaches(came)),
        json!([])
    );
}

#[test]
fn a_tool_that_a_list_kept_may_be_found_again() {
    let one = "mcp__a__one";
    let kept = Story::default()
        .announces(&[one], &[])
        .user(json!("go"))
        .searches("1", &[one])
        .compacts(Some(&[one]));
    let silent = |story: Story| {
        let report = story.says("9", json!([])).report();
        let findings = report["findings"].as_array().unwrap().clone();
        let own = findings
            .iter()
            .find(|own| own["code"] == "discovered-without-reference");
        own.map_or(0, |own| own["times"].as_u64().unwrap_or(1))
    };
    let again = Story(kept.0.clone()).searches("2", &[one]);
    assert_eq!(
        silent(Story(kept.0)),
        1,
        "the list alone puts no definition into the conversation"
    );
    // The call that searches again is sent the list alone, too; the one after it is not.
    assert_eq!(silent(again), 1);
}

#[test]
fn what_a_search_brought_as_text_is_paid_once() {
    let text = "<functions>\n<function>{\"name\": \"mcp__a__one\", \"description\": \"Does a thing.\", \"parameters\": {\"type\": \"object\"}}</function>\n</functions>";
    let call = json!([{"type": "tool_use", "id": "t", "name": "ToolSearch", "input": {"query": "select:mcp__a__one"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": text}]);
    let told = Story::default()
        .user(json!("go"))
        .says("1", call.clone())
        .user(result.clone())
        .says("2", json!([]))
        .report();
    let bodies = [
        json!({"role": "user", "content": "go"}),
        json!({"role": "assistant", "content": call}),
        json!({"role": "user", "content": result}),
    ];
    let folder = Folder::new();
    folder.file(
        "a.json",
        json!({"model": "claude-opus-4-6", "max_tokens": 9000, "messages": bodies}).to_string(),
    );
    let body = report(folder.path(), &["--per-request"]);
    let sections = |tokens: &Value| -> BTreeMap<String, u64> {
        let all = tokens["sections"].as_array().unwrap().iter();
        all.map(|own| {
            (
                own["kind"].as_str().unwrap().to_owned(),
                own["tokens"].as_u64().unwrap(),
            )
        })
        .collect()
    };
    let of_told = sections(&told["runs"][0]["by_request"][1]["tokens"]);
    assert_eq!(
        of_told,
        sections(&body["runs"][0]["by_request"][0]["tokens"])
    );
    assert_eq!(tool(&told["runs"][0], "mcp__a__one")["kind"], "prompted");
}

#[test]
fn a_captured_call_that_a_transcript_tells_of_is_counted_once() {
    let folder = Folder::new();
    let story = Story::default()
        .user(json!("go"))
        .says("longerthananystub", json!([{"type": "text", "text": "ok"}]));
    folder.file("r/s.jsonl", story.text());
    let body = json!({"model": "claude-opus-4-6", "max_tokens": 9000, "messages": [{"role": "user", "content": "go"}], "system": "You help.",
        "metadata": {"user_id": format!("user_a_account_b_session_{SESSION}")}, "tools": [{"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}}]});
    let usage = json!({"input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 7});
    let record = json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body, "timestamp": 1_767_225_600.0},
        "response": {"body": {"id": "msg_longerthananystub", "type": "message", "usage": usage}}});
    folder.file("r/log.jsonl", record.to_string());
    let report = report(folder.path(), &[]);
    let run = &report["runs"][0];
    assert_eq!(
        (&run["requests"], &report["told_twice"], &run["sessions"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(tool(run, "Read")["state"], "loaded", "the body says more");
}

#[test]
fn what_to_type_next_can_be_typed() {
    let folder = Folder::new();
    folder.file("work/app/x.txt", "");
    let here = Path::new(folder.path())
        .join("work/app")
        .canonicalize()
        .unwrap();
    let name: String = here
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let story = Story::default()
        .announces(&["mcp__a__one", "mcp__a__two"], &[])
        .user(json!("go"))
        .says("1", json!([]));
    folder.file(
        &format!("work/app/client-folder/projects/{name}/{SESSION}.jsonl"),
        story.text(),
    );
    let answer = run_in(&here, &["report"], b"");
    let commands: Vec<&str> = answer
        .stdout
        .lines()
        .filter_map(|line| {
            line.trim_start_matches("Next:")
                .trim()
                .strip_prefix("toolcost ")
        })
        .collect();
    assert!(!commands.is_empty(), "{}", answer.whole());
    for command in commands
        .iter()
        .filter(|command| !command.contains("listing.json"))
    {
        let args: Vec<&str> = command.split(' ').collect();
        assert_eq!(run_in(&here, &args, b"").code, 0, "{command}");
    }
}

#[test]
fn records_without_an_id_are_records_too() {
    for id in [Value::Null, json!(""), json!(0)] {
        let mut story = Story::default()
            .user(json!("go"))
            .says("1", json!([]))
            .user(json!("on"))
            .says("2", json!([]));
        for record in &mut story.0 {
            record["uuid"] = id.clone();
        }
        let told = story.report()["runs"][0]["transcripts"][0].clone();
        assert_eq!(
            (&told["calls"], &told["twice"]),
            (&json!(2), &json!(0)),
            "{id}"
        );
    }
    // A call is told by the id of its message, else by that of its request.
    let block = |id: Value| json!({"type": "assistant", "requestId": "req_1", "message": {"id": id, "model": "claude-opus-4-6", "role": "assistant", "content": [], "usage": {"input_tokens": 50, "output_tokens": 1}}});
    let story = Story::default()
        .user(json!("go"))
        .put(block(Value::Null))
        .put(block(json!("")));
    assert_eq!(story.report()["runs"][0]["transcripts"][0]["calls"], 1);
}

#[test]
fn the_place_in_its_file_orders_a_transcript_without_times() {
    let one = "mcp__a__one";
    let mut story = Story::default()
        .announces(&[one], &[])
        .user(json!("go"))
        .says("1", json!([]))
        .user(json!("on"))
        .searches("2", &[one])
        .says("3", json!([]))
        .compacts(Some(&[one]))
        .says("4", json!([]))
        .user(json!("on"))
        .says("5", json!([]));
    for record in &mut story.0 {
        record.as_object_mut().unwrap().remove("timestamp");
    }
    let folder = Folder::new();
    folder.file(&format!("{SESSION}.jsonl"), story.text());
    let report = report(folder.path(), &["--per-request"]);
    let rows = report["runs"][0]["by_request"].as_array().unwrap().clone();
    let lines: Vec<u64> = rows
        .iter()
        .map(|row| {
            row["place"]
                .as_str()
                .unwrap()
                .trim_start_matches("line ")
                .parse()
                .unwrap()
        })
        .collect();
    assert!(lines.is_sorted(), "{lines:?}");
    assert_eq!(tool(&report["runs"][0], one)["discovered_at"], 3);
}

#[test]
fn what_was_called_before_a_compaction_was_not_called_after_it() {
    let one = "mcp__a__one";
    let before = || {
        Story::default()
            .announces(&[one], &[])
            .user(json!("go"))
            .searches("1", &[one])
            .calls("2", one)
            .compacts(None)
    };
    let lost = |story: Story| {
        let folder = Folder::new();
        let file = folder.file("s.jsonl", story.text());
        toolcost(&[
            "check",
            file.to_str().unwrap(),
            "--rule",
            "called-after-compaction=error",
        ])
        .code
    };
    assert_eq!(lost(before().says("3", json!([]))), 0);
    assert_eq!(
        lost(
            before()
                .says("3", json!([]))
                .user(json!("on"))
                .says("4", json!([]))
        ),
        0
    );
    assert_eq!(lost(before().calls("3", one).says("4", json!([]))), 1);
}

#[test]
fn a_tool_that_was_taken_away_is_not_discovered_any_more() {
    let one = "mcp__a__one";
    let start = || {
        Story::default()
            .announces(&[one], &[])
            .user(json!("go"))
            .searches("1", &[one])
            .says("2", json!([]))
    };
    let now = |story: Story| {
        let report = story.report();
        let run = report["runs"][0].clone();
        run["transcripts"][0]["discovered"]["now"].clone()
    };
    assert_eq!(now(start()), json!([one]));
    let gone = || start().user(json!("on")).announces(&[], &[one]);
    assert_eq!(now(gone().says("3", json!([]))), json!([]));
    let again = gone()
        .announces(&[one], &[])
        .searches("3", &[one])
        .says("4", json!([]));
    assert_eq!(now(again), json!([one]));
}

#[test]
fn the_agent_that_compacts_searches_for_itself() {
    let one = "mcp__a__one";
    let mut story = Story::default()
        .announces(&[one], &[])
        .user(json!("go"))
        .says("1", json!([]));
    let mut side = Story::default()
        .user(json!("look"))
        .searches("s", &[one])
        .says("t", json!([]));
    for (at, record) in side.0.iter_mut().enumerate() {
        record["agentId"] = json!("acompact-1");
        record["isSidechain"] = json!(true);
        record["uuid"] = json!(format!("side-{at}"));
        record.as_object_mut().unwrap().remove("parentUuid");
    }
    let main = story.0.last().unwrap()["uuid"].clone();
    story.0.extend(side.0);
    let story = story.put(json!({"type": "user", "parentUuid": main, "message": {"role": "user", "content": "on"}})).says("2", json!([]));
    let report = story.report();
    assert_eq!(
        tool(&report["runs"][0], one)["discovered_at"],
        Value::Null,
        "{report:#}"
    );
}

#[test]
fn names_that_only_the_sent_text_tells_are_read_from_it() {
    let text = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nmcp__a__one\nmcp__a__two\n</system-reminder>";
    let record = json!({"type": "attachment", "attachment": {"type": "deferred_tools_delta"}, "rendered": [{"content": text}]});
    let story = Story::default()
        .put(record)
        .user(json!("go"))
        .says("1", json!([]));
    assert_eq!(
        names(&story.report()["runs"][0], "announced"),
        ["mcp__a__one", "mcp__a__two"]
    );
}

#[test]
fn what_is_odd_about_a_kept_list_is_no_fault_of_a_record() {
    let report = Story::default()
        .attaches(json!({"type": "prompt_snapshot", "systemPrompt": ["You help."],
            "tools": [{"name": "mcp__a__one"}, {"name": "Bash", "description": "d", "schema": {"type": "object"}, "defer_loading": "yes"}]}))
        .user(json!("go"))
        .says("1", json!([]))
        .report();
    let findings = report["findings"].to_string() + &report["runs"][0]["findings"].to_string();
    for odd in ["tool-name-only", "tool-without-schema", "defer-flag"] {
        assert!(!findings.contains(odd), "{findings}");
    }
    assert_eq!(report["runs"][0]["requests"], 1, "{report:#}");
}
