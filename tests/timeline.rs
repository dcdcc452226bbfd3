//! `timeline`: turns, discoveries, compactions; where a prefix breaks under either rule, and the cache against it.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, shared, toolcost};
use serde_json::{Value, json};

fn view(path: &str, flags: &[&str]) -> Value {
    let answer = toolcost(&[&["timeline", path, "-f", "json"], flags].concat());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    let view = answer.json();
    let schema = jsonschema::validator_for(&toolcost(&["schema", "timeline"]).json()).unwrap();
    let faults: Vec<String> = schema.iter_errors(&view).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{path}: {faults:#?}");
    for turn in sessions(&view).iter().flat_map(turns) {
        let prefix = &turn["prefix"];
        let sum = ["kept", "reread", "new"].map(|part| prefix[part]["tokens"].as_u64());
        if let [Some(kept), Some(reread), Some(new)] = sum {
            let whole = turn["prompt"]["tokens"].as_u64();
            assert_eq!(Some(kept + reread + new), whole, "{turn:#}");
        }
    }
    view
}

fn sessions(view: &Value) -> &Vec<Value> {
    view["sessions"].as_array().unwrap()
}

fn turns(session: &Value) -> &Vec<Value> {
    session["turns"].as_array().unwrap()
}

const PREFIX: &[&str] = &["--cache", "prefix"];

/// Bodies of one conversation, as lines of a file.
fn lines(bodies: &[Value]) -> (Folder, String) {
    let folder = Folder::new();
    let text: Vec<String> = bodies.iter().map(ToString::to_string).collect();
    let path = folder.file("talk.jsonl", text.join("\n"));
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("Does what {name} does."), "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}})
}

fn deferred(name: &str) -> Value {
    let mut tool = tool(name);
    tool["defer_loading"] = json!(true);
    tool
}

/// A conversation of so many messages with these tools.
fn body(tools: &[Value], messages: usize) -> Value {
    let messages: Vec<Value> = (0..messages)
        .map(|at| {
            let role = if at % 2 == 0 { "user" } else { "assistant" };
            json!({"role": role, "content": format!("Message number {at} of the talk.")})
        })
        .collect();
    json!({"model": "claude-opus-4-6", "max_tokens": 1000, "system": "You help with files.", "tools": tools, "messages": messages})
}

/// What names the session of a body.
fn session_id() -> Value {
    json!({"user_id": "user_a_account__session_0c1d2e3f-0000-4000-8000-00000000000a"})
}

/// The second turn of two.
fn second(bodies: &[Value; 2], flags: &[&str]) -> Value {
    let (_folder, path) = lines(bodies);
    let view = view(&path, flags);
    assert_eq!(sessions(&view).len(), 1, "{view:#}");
    turns(&view["sessions"][0])[1].clone()
}

#[test]
fn the_shipped_capture_shows_discoveries_a_compaction_and_stable_prefixes() {
    let view = view("captures/deferred", &[]);
    let session = &view["sessions"][0];
    let states: Vec<&str> = turns(session)
        .iter()
        .map(|turn| turn["prefix"]["state"].as_str().unwrap())
        .collect();
    assert_eq!(
        states,
        ["first", "stable", "stable", "stable", "broken", "stable"]
    );
    let found: Vec<(u64, &str, &str)> = turns(session)
        .iter()
        .flat_map(|turn| {
            let own = turn["discoveries"].as_array().unwrap().iter();
            own.map(|own| {
                (
                    turn["turn"].as_u64().unwrap(),
                    own["name"].as_str().unwrap(),
                    own["how"].as_str().unwrap(),
                )
            })
        })
        .collect();
    assert_eq!(
        found,
        [
            (2, "mcp__github__create_issue", "search"),
            (4, "mcp__slack__post_message", "search")
        ]
    );
    let first = &turns(session)[0];
    assert_eq!(
        first["announcements"][0]["names"].as_array().unwrap().len(),
        161
    );
    let compaction = &session["compactions"][0];
    assert_eq!(
        (&compaction["kind"], &compaction["before_turn"]),
        (&json!("request"), &json!(5))
    );
    // After it tools and system are what they were.
    let after = &turns(session)[4]["prefix"];
    assert_eq!(
        (
            &after["level"],
            &after["kept_messages"],
            &after["reread"]["tokens"]
        ),
        (&json!("messages"), &json!(0), &json!(0))
    );
    assert_eq!(session["totals"]["reread"]["tokens"], 0);
    assert_eq!(session["totals"]["read"], Value::Null);
}

#[test]
fn a_discovered_definition_breaks_a_plain_prefix_and_not_anthropics() {
    // In name order it stands before the others.
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "ToolSearch", "input": {"query": "x"}}]});
    let answer = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "tool_reference", "tool_name": "mcp__db__query"}]}]});
    let before = body(&[tool("Bash"), tool("ToolSearch"), tool("zip")], 1);
    let mut after = body(
        &[
            tool("Bash"),
            tool("ToolSearch"),
            deferred("mcp__db__query"),
            tool("zip"),
        ],
        1,
    );
    after["messages"]
        .as_array_mut()
        .unwrap()
        .extend([call, answer]);
    let bodies = [before, after];
    let own = second(&bodies, &[]);
    assert_eq!(own["prefix"]["state"], "stable", "{own:#}");
    assert_eq!(own["tools"]["discovered"], 1);
    let plain = second(&bodies, PREFIX);
    let prefix = &plain["prefix"];
    assert_eq!(
        (
            &prefix["level"],
            &prefix["tool"]["name"],
            &prefix["tool"]["change"]
        ),
        (&json!("tools"), &json!("mcp__db__query"), &json!("added"))
    );
    assert_eq!(
        (&prefix["tool"]["index"], &prefix["kept_tools"]),
        (&json!(2), &json!(2))
    );
    assert!(prefix["reread"]["tokens"].as_u64() > Some(0), "{prefix:#}");
}

#[test]
fn a_loaded_tool_in_the_middle_is_named_with_what_it_reads_again() {
    let old = [tool("alpha"), tool("beta"), tool("gamma")];
    let new = [tool("alpha"), tool("beacon"), tool("beta"), tool("gamma")];
    let bodies = [body(&old, 1), body(&new, 3)];
    for flags in [&[][..], PREFIX] {
        let turn = second(&bodies, flags);
        let prefix = &turn["prefix"];
        let bytes = tool("alpha").to_string().len();
        assert_eq!(
            prefix["tool"],
            json!({"name": "beacon", "change": "added", "index": 1, "of": 4, "byte_offset": bytes})
        );
        assert_eq!(
            (&prefix["state"], &prefix["level"]),
            (&json!("broken"), &json!("tools"))
        );
        // beta, gamma, the system prompt and the first message, which nobody changed.
        let (kept, again) = (&prefix["kept"]["tokens"], &prefix["reread"]["tokens"]);
        let new = prefix["new"]["tokens"].as_u64().unwrap();
        assert!(
            again.as_u64() > Some(100) && kept.as_u64() > Some(400),
            "{prefix:#}"
        );
        assert!(new > 60 && new < again.as_u64().unwrap(), "{prefix:#}");
    }
}

#[test]
fn tools_that_change_places_are_told_once() {
    let case = common::root().join("tests/cases/38-tool-order-flip/input.json");
    let case: Value = serde_json::from_str(&std::fs::read_to_string(case).unwrap()).unwrap();
    let (_folder, path) = lines(case["requests"].as_array().unwrap());
    for flags in [&[][..], PREFIX] {
        let view = view(&path, flags);
        let [_, flipped, same] = &turns(&view["sessions"][0])[..] else {
            panic!("{view:#}")
        };
        let prefix = &flipped["prefix"];
        assert_eq!(
            (
                &prefix["tool"]["name"],
                &prefix["tool"]["change"],
                &prefix["tool"]["index"],
                &prefix["kept_tools"]
            ),
            (&json!("mcp__b__two"), &json!("moved"), &json!(1), &json!(1))
        );
        // Read and the tool prompt are kept, the two others are read again.
        let parts = &flipped["parts"];
        let part = |name: &str| parts[name].as_u64().unwrap();
        let kept = prefix["kept"]["tokens"].as_u64().unwrap();
        assert!(kept > part("prelude") && kept < part("prelude") + part("tools"));
        assert_eq!(same["prefix"]["state"], "stable");
    }
}

#[test]
fn every_level_breaks_what_follows_it() {
    let tools = [tool("alpha"), tool("beta")];
    // A changed message is no continuation: the id says that it is one session.
    let named = |messages| {
        let mut body = body(&tools, messages);
        body["metadata"] = session_id();
        body
    };
    let before = named(3);
    let changed = |key: &str, value: Value| {
        let mut after = named(5);
        after[key] = value;
        [before.clone(), after]
    };
    let mut other = tool("beta");
    other["description"] = json!("Other.");
    let mut messages = named(5)["messages"].clone();
    messages[2]["content"] = json!("Other.");
    let cases = [
        ("model", "model", json!("claude-opus-4-5")),
        ("removed", "tools", json!([tool("beta")])),
        ("removed", "tools", json!([tool("alpha")])),
        ("changed", "tools", json!([tool("alpha"), other])),
        ("system", "system", json!("You help.")),
        ("tool-choice", "tool_choice", json!({"type": "any"})),
        ("messages", "messages", messages),
    ];
    let mut kept_before = 0;
    for (what, key, value) in cases {
        let prefix = &second(&changed(key, value), &[])["prefix"];
        assert_eq!(prefix["state"], "broken", "{what}");
        assert_eq!(prefix["level"], key.replace('_', "-"), "{prefix:#}");
        if key == "tools" {
            assert_eq!(prefix["tool"]["change"], what, "{prefix:#}");
        }
        let kept = prefix["kept"]["tokens"].as_u64().unwrap();
        match key {
            "model" => assert_eq!(kept, 0),
            "tools" => {}
            _ => {
                assert!(kept >= kept_before, "{what}: deeper levels keep more");
                kept_before = kept;
            }
        }
    }
    // A plain prefix knows no tool_choice.
    let bodies = changed("tool_choice", json!({"type": "any"}));
    assert_eq!(second(&bodies, PREFIX)["prefix"]["state"], "stable");
}

#[test]
fn only_whole_blocks_are_kept_and_the_rest_takes_its_time() {
    let tools = [tool("alpha")];
    let bodies = [body(&tools, 3), body(&tools, 5)];
    let loose = second(&bodies, PREFIX);
    let flags = ["--cache", "prefix", "--block", "64", "--prefill", "100"];
    let turn = second(&bodies, &flags);
    let tokens = |turn: &Value, part: &str| turn["prefix"][part]["tokens"].as_u64().unwrap();
    let (all, kept) = (tokens(&loose, "kept"), tokens(&turn, "kept"));
    assert_eq!((kept % 64, kept), (0, all - all % 64));
    assert_eq!(tokens(&turn, "reread"), all % 64);
    let rest = turn["prompt"]["tokens"].as_u64().unwrap() - kept;
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let seconds = rest as f64 / 100.0;
    assert_eq!(turn["prefix"]["prefill_seconds"], json!(seconds));
}

/// A record with recorded usage, at a second of the day.
fn record(second: u64, body: &Value, usage: &Value) -> Value {
    json!({"request": {"timestamp": 1_750_000_000 + second, "method": "POST", "url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body},
        "response": {"status_code": 200, "headers": {}, "body": {"content": [], "usage": usage}}, "logged_at": "x"})
}

fn usage(input: u64, written: u64, read: u64) -> Value {
    json!({"input_tokens": input, "cache_creation_input_tokens": written, "cache_read_input_tokens": read, "output_tokens": 5})
}

/// The cache of each turn of a talk: seconds and usage of its turns.
fn cached(course: &[(u64, Value)], flags: &[&str]) -> Vec<Value> {
    let tools = [tool("alpha")];
    let records = course.iter().zip(0..);
    let records: Vec<Value> = records
        .map(|((second, usage), at)| record(*second, &body(&tools, 2 * at + 1), usage))
        .collect();
    let (_folder, path) = lines(&records);
    let view = view(&path, flags);
    assert_eq!(sessions(&view).len(), 1, "{view:#}");
    let all = turns(&view["sessions"][0]).iter();
    all.map(|turn| turn["cache"].clone()).collect()
}

#[test]
fn a_stable_turn_reads_what_the_turn_before_left() {
    let rows = cached(
        &[
            (0, usage(4, 500, 0)),
            (60, usage(4, 20, 500)),
            // Somebody else wrote what follows: within the equal prefix.
            (120, usage(4, 20, 522)),
            (1000, usage(4, 560, 0)),
            (1010, usage(4, 20, 100)),
            (1020, usage(4, 20, 900)),
        ],
        &[],
    );
    let agrees: Vec<&Value> = rows.iter().map(|row| &row["agrees"]).collect();
    let (yes, no, unknown) = (json!(true), json!(false), Value::Null);
    assert_eq!(agrees, [&unknown, &yes, &yes, &no, &no, &no], "{rows:#?}");
    assert_eq!(
        (&rows[1]["expected"], &rows[1]["read"]),
        (&json!(500), &json!(500))
    );
    let causes: Vec<&Value> = rows[3..].iter().map(|row| &row["cause"]).collect();
    assert_eq!(causes, ["expired", "unknown", "unknown"]);
    assert!(
        rows[3]["why"].as_str().unwrap().contains("14 minutes"),
        "{}",
        rows[3]
    );
}

#[test]
fn entries_for_an_hour_outlive_five_minutes() {
    let hour = json!({"input_tokens": 4, "cache_creation_input_tokens": 500, "cache_read_input_tokens": 0, "output_tokens": 5,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 500}});
    for (gap, cause) in [(600, "unknown"), (4000, "expired")] {
        let rows = cached(&[(0, hour.clone()), (gap, usage(4, 520, 0))], &[]);
        assert_eq!(rows[1]["cause"], cause, "{rows:#?}");
    }
}

#[test]
fn a_cache_that_nobody_tells_of_is_unknown_and_not_empty() {
    let plain = json!({"input_tokens": 500, "output_tokens": 5});
    let rows = cached(
        &[
            (0, plain.clone()),
            (9, plain.clone()),
            (20, usage(4, 9, 500)),
        ],
        &[],
    );
    for row in &rows[..2] {
        assert_eq!((&row["read"], &row["agrees"]), (&Value::Null, &Value::Null));
        assert_eq!(row["why"], "the usage says nothing of a cache");
    }
    assert_eq!(
        (&rows[2]["left"], &rows[2]["agrees"]),
        (&Value::Null, &Value::Null)
    );
    let tools = [tool("alpha")];
    let (_folder, path) = lines(&[record(0, &body(&tools, 1), &plain)]);
    let text = toolcost(&["timeline", &path]).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Cache unknown: the recorded usage says nothing of one."),
        "{text}"
    );
    assert!(text.contains("One turn: there is none before it"), "{text}");
    let view = view(&path, &[]);
    let turn = &view["sessions"][0]["turns"][0];
    assert_eq!(
        (
            &turn["usage"]["read"],
            &turn["usage"]["written"],
            &turn["usage"]["uncached"]
        ),
        (&Value::Null, &Value::Null, &json!(500))
    );
    assert_eq!(turn["cache"]["why"], "the usage says nothing of a cache");
    assert_eq!(turn["prefix"]["state"], "first");
}

#[test]
fn a_plain_prefix_expects_what_is_equal() {
    let openai = |input: u64, cached: u64| json!({"prompt_tokens": input, "prompt_tokens_details": {"cached_tokens": cached}, "completion_tokens": 5});
    let course = [
        (0, openai(530, 0)),
        (5, openai(560, 512)),
        (9, openai(580, 0)),
        (12, openai(600, 576)),
    ];
    let flags = ["--cache", "prefix", "--block", "64"];
    let rows = cached(&course, &flags);
    let agrees: Vec<&Value> = rows.iter().map(|row| &row["agrees"]).collect();
    assert_eq!(
        agrees,
        [&Value::Null, &json!(true), &json!(false), &json!(true)],
        "{rows:#?}"
    );
    assert_eq!(rows[1]["expected"], 512);
    // Nothing is told of writing: by the other rule nobody can tell.
    assert!(
        cached(&course, &[])
            .iter()
            .all(|row| row["agrees"].is_null())
    );
}

#[test]
fn a_first_turn_may_read_what_another_session_wrote() {
    let tools = [tool("alpha")];
    let other = |text: &str| {
        let mut body = body(&tools, 1);
        body["messages"][0]["content"] = json!(text);
        body
    };
    for (read, agrees) in [(540, json!(true)), (900, Value::Null)] {
        let records = [
            record(0, &other("One."), &usage(4, 560, 0)),
            record(9, &other("Two."), &usage(4, 20, read)),
        ];
        let (_folder, path) = lines(&records);
        let view = view(&path, &[]);
        let cache = &sessions(&view)[1]["turns"][0]["cache"];
        assert_eq!(
            (&cache["agrees"], &cache["other_session"]),
            (&agrees, &json!(1)),
            "{cache:#}"
        );
        assert!(cache["bound"].as_u64() >= Some(540) && cache["bound"].as_u64() < Some(700));
    }
}

#[test]
fn a_recorded_session_reads_what_it_wrote_turn_by_turn() {
    let Some(folder) = shared("corpus/claude-trace") else {
        return;
    };
    let view = view(folder.to_str().unwrap(), &[]);
    let mut followed = 0;
    for session in sessions(&view) {
        let mut left = None;
        for turn in turns(session) {
            let number = |key: &str| turn["usage"][key].as_u64().unwrap();
            if let Some(left) = left {
                assert_eq!(number("read"), left, "{turn:#}");
                assert_eq!(turn["prefix"]["state"], "stable");
                assert_eq!(turn["cache"]["expected"], left);
                assert_eq!(turn["cache"]["agrees"], true);
                followed += 1;
            }
            left = Some(number("read") + number("written"));
        }
        assert_eq!(session["totals"]["disagree"], 0);
    }
    assert_eq!(followed, 14);
    // The second session begins with the first one's tools and system prompt, and reads no more than these.
    let first = &sessions(&view)[1]["turns"][0]["cache"];
    assert_eq!(
        (&first["read"], &first["agrees"]),
        (&json!(13515), &json!(true))
    );
    assert!(first["bound"].as_u64() < Some(13_900), "{first:#}");
}

#[test]
fn what_a_request_does_not_show_is_unknown() {
    let tools = [tool("alpha")];
    let mut next = body(&tools, 3);
    next["thread"] = json!({"type": "continue", "previous_message_id": "m"});
    for key in ["tools", "system"] {
        next.as_object_mut().unwrap().remove(key);
    }
    let mut first = body(&tools, 1);
    first["metadata"] = session_id();
    next["metadata"] = session_id();
    let turn = second(&[first, next], &[]);
    assert_eq!(turn["tools"]["loaded"], Value::Null, "{turn:#}");
    assert_eq!(turn["prefix"]["state"], "unknown");
    assert_eq!(turn["prefix"]["kept"]["tokens"], Value::Null);
    assert!(
        turn["prefix"]["reason"]
            .as_str()
            .unwrap()
            .contains("does not show its tools")
    );
}

#[test]
fn a_transcript_shows_its_boundaries_and_what_was_left_in_the_cache() {
    let session = "0c1d2e3f-0000-4000-8000-00000000000a";
    let said = |n: u64, usage: Value| {
        json!({"type": "assistant", "uuid": format!("a{n}"), "parentUuid": format!("u{n}"), "sessionId": session, "timestamp": format!("2026-01-01T00:00:{n:02}Z"), "requestId": format!("req_{n}"),
        "message": {"id": format!("msg_{n}"), "model": "claude-opus-4-6", "role": "assistant", "content": [{"type": "text", "text": "ok"}], "usage": usage}})
    };
    let asked = |n: u64, parent: Option<String>| json!({"type": "user", "uuid": format!("u{n}"), "parentUuid": parent, "sessionId": session, "timestamp": format!("2026-01-01T00:00:{n:02}Z"), "message": {"role": "user", "content": "go"}});
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": "a2", "sessionId": session, "timestamp": "2026-01-01T00:00:05Z", "compactMetadata": {"trigger": "auto", "preTokens": 1000, "preCompactDiscoveredTools": ["mcp__db__query"]}});
    let records = [
        asked(1, None),
        said(1, usage(4, 500, 0)),
        asked(2, Some("a1".to_owned())),
        said(2, usage(4, 20, 500)),
        boundary,
        asked(7, Some("b".to_owned())),
        said(7, usage(4, 300, 0)),
    ];
    let (_folder, path) = lines(&records);
    let view = view(&path, &[]);
    let session = &view["sessions"][0];
    let compaction = &session["compactions"][0];
    assert_eq!(
        (
            &compaction["kind"],
            &compaction["trigger"],
            &compaction["before_turn"],
            &compaction["kept"]
        ),
        (
            &json!("boundary"),
            &json!("auto"),
            &json!(3),
            &json!(["mcp__db__query"])
        ),
        "{session:#}"
    );
    assert_eq!(turns(session)[1]["prefix"]["state"], "unknown");
    assert_eq!(
        (
            &session["totals"]["as_left"],
            &session["totals"]["with_left"]
        ),
        (&json!(1), &json!(2))
    );
    assert_eq!(session["totals"]["reread"]["tokens"], Value::Null);
}

#[test]
fn a_transcript_with_its_definitions_is_followed_like_bodies() {
    let common = |uuid: &str, parent: &str| json!({"uuid": uuid, "parentUuid": parent, "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z"});
    let record = |uuid: &str, parent: &str, own: Value| {
        let mut record = common(uuid, parent);
        let own = own.as_object().unwrap().clone();
        record.as_object_mut().unwrap().extend(own);
        record
    };
    let said = |n: u64, usage: Value| json!({"type": "assistant", "message": {"id": format!("msg_{n}"), "model": "claude-opus-4-6", "role": "assistant", "content": [{"type": "text", "text": "ok"}], "usage": usage}});
    let asked = json!({"type": "user", "message": {"role": "user", "content": "go"}});
    let tools = ["ToolSearch", "Bash"].map(
        |name| json!({"name": name, "description": "d", "schema": {"type": "object", "properties": {}}}),
    );
    let kept = json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "systemPrompt": ["You help."], "cliPrefix": "x", "tools": tools}});
    let records = [
        record("s", "", kept),
        record("u1", "s", asked.clone()),
        record("a1", "u1", said(1, usage(4, 500, 0))),
        record("u2", "a1", asked),
        record("a2", "u2", said(2, usage(4, 20, 500))),
    ];
    let (_folder, path) = lines(&records);
    let turn = turns(&view(&path, &[])["sessions"][0])[1].clone();
    assert_eq!(
        (&turn["prefix"]["state"], &turn["cache"]["agrees"]),
        (&json!("stable"), &json!(true)),
        "{turn:#}"
    );
    assert_eq!(turn["tools"]["loaded"], 2);
}

#[test]
fn long_sessions_are_cut_in_text_and_whole_in_json() {
    let tools = [tool("alpha")];
    let bodies: Vec<Value> = (0..45).map(|at| body(&tools, 2 * at + 1)).collect();
    let (_folder, path) = lines(&bodies);
    assert_eq!(turns(&view(&path, &[])["sessions"][0]).len(), 45);
    let text = toolcost(&["timeline", &path]).stdout;
    assert!(text.contains("5 more turns: see --top"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let few = toolcost(&["timeline", &path, "--top", "2"]).stdout;
    assert!(few.contains("43 more turns"), "{few}");
}

#[test]
fn names_of_strangers_are_escaped() {
    let odd = "mcp__a__\u{1b}[31mred";
    let bodies = [
        body(&[tool("alpha")], 1),
        body(&[tool("alpha"), tool(odd)], 3),
    ];
    let (_folder, path) = lines(&bodies);
    for form in ["text", "json", "ndjson", "csv", "markdown"] {
        let out = toolcost(&["timeline", &path, "-f", form]).stdout;
        assert!(!out.contains('\u{1b}'), "{form}: {out}");
    }
}

#[test]
fn a_wrong_call_says_what_to_do() {
    let path = "captures/deferred";
    for (flags, expected) in [
        (&["--block", "0"][..], "give --cache prefix too"),
        (&["--block", "16"], "give --cache prefix too"),
        (&["--prefill", "100"], "give --cache prefix too"),
        (
            &["--cache", "prefix", "--block", "0"],
            "a whole number of tokens",
        ),
        (
            &["--cache", "prefix", "--block", "1.5"],
            "a whole number of tokens",
        ),
        (&["--cache", "prefix", "--prefill", "0"], "a number above 0"),
        (&["--cache", "prefix", "--prefill", "x"], "a number above 0"),
        (
            &["--cache", "prefix", "--prefill", "nan"],
            "a number above 0",
        ),
        (
            &["--cache", "prefix", "--prefill", "1e99"],
            "a number above 0",
        ),
        (&["--cache", "lru"], "possible values"),
        (&["--top", "0"], "1 or more"),
        (&["--counter", "chars,claude"], "one counter"),
        (&["-f", "sarif"], "write one of"),
    ] {
        let answer = toolcost(&[&["timeline", path], flags].concat());
        assert_eq!(answer.code, 2, "{flags:?}: {}", answer.whole());
        assert!(
            answer.stderr.contains(expected),
            "{flags:?}: {}",
            answer.stderr
        );
    }
    for (path, code) in [("no-such", 2), ("README.md", 3)] {
        assert_eq!(toolcost(&["timeline", path]).code, code, "{path}");
    }
}
