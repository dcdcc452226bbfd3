//! The protocol of deferral over turns, by the seeds' own examples: a round trip, servers that come late, what the
//! client strips, hints and repairs. Each is named after its mechanism.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, toolcost};
use serde_json::{Value, json};

const SESSION: &str = "user_a_account_b_session_0c1d2e3f-0000-4000-8000-0000000000cc";

fn tool(name: &str, defer: bool) -> Value {
    let mut tool = json!({"name": name, "description": format!("Does what {name} says."), "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}}});
    if defer {
        tool["defer_loading"] = true.into();
    }
    tool
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn search(id: &str, query: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "ToolSearch", "input": {"query": query}}]})
}

fn body(model: &str, tools: &[Value], messages: &[Value]) -> Value {
    json!({"model": model, "max_tokens": 32000, "metadata": {"user_id": SESSION}, "tools": tools, "messages": messages,
        "system": [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.87.abc; cc_entrypoint=cli;"}, {"type": "text", "text": "You help."}]})
}

fn reported(bodies: &[Value]) -> (Value, Folder) {
    let folder = Folder::new();
    let lines: Vec<String> = bodies.iter().map(Value::to_string).collect();
    folder.file("log.jsonl", lines.join("\n"));
    let path = format!("{}/log.jsonl", folder.path());
    (report(&path, &["--per-request"]), folder)
}

/// The evidence of a step of the last request told by `explain`.
fn evidence(folder: &Folder, step: &str) -> String {
    let path = format!("{}/log.jsonl", folder.path());
    let view = toolcost(&["explain", &path, "-f", "json"]).json();
    let steps = view["requests"][0]["steps"].as_array().unwrap().iter();
    let found = steps
        .filter(|own| own["name"] == step)
        .map(|own| own["evidence"].as_str().unwrap().to_owned());
    found.into_iter().next_back().unwrap()
}

/// 25 tools of the client, ToolSearch, and 147 of servers (seed 003).
fn pool(sent: &[&str]) -> Vec<Value> {
    let mut tools: Vec<Value> = (0..25)
        .map(|n| tool(&format!("Builtin{n}"), false))
        .collect();
    tools.push(tool("ToolSearch", false));
    tools.extend(sent.iter().map(|name| tool(name, true)));
    tools
}

fn servers() -> Vec<String> {
    let github = (0..57).map(|n| format!("mcp__github__tool_{n}"));
    let others = (0..47).map(|n| format!("mcp__slack__tool_{n}"));
    let jira = (0..42).map(|n| format!("mcp__jira__tool_{n}"));
    std::iter::once("mcp__github__create_issue".to_owned())
        .chain(github)
        .chain(others)
        .chain(jira)
        .collect()
}

#[test]
fn a_round_trip_of_two_turns_loads_one_tool() {
    let servers = servers();
    assert_eq!(servers.len(), 147);
    let announced = format!(
        "<available-deferred-tools>\n{}\n</available-deferred-tools>",
        servers.join("\n")
    );
    let (announced, question) = (
        user(announced.into()),
        user("Create a GitHub issue for this bug.".into()),
    );
    let name = "mcp__github__create_issue";
    let first = body(
        "claude-sonnet-4-5",
        &pool(&[]),
        &[announced.clone(), question.clone()],
    );
    let found = user(
        json!([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "tool_reference", "tool_name": name}]}, {"type": "text", "text": "Tool loaded."}]),
    );
    let second = body(
        "claude-sonnet-4-5",
        &pool(&[name]),
        &[
            announced,
            question,
            search("t1", &format!("select:{name}")),
            found,
        ],
    );
    let (report, _folder) = reported(&[first.clone(), second.clone()]);
    let run = &report["runs"][0];
    let in_prompt = |bodies: &[Value]| {
        let (report, _folder) = reported(bodies);
        let tools = report["runs"][0]["tools"].as_array().unwrap().clone();
        let of = |states: &[&str]| {
            tools
                .iter()
                .filter(|tool| states.contains(&tool["state"].as_str().unwrap()))
                .count()
        };
        (
            of(&["loaded", "discovered"]),
            of(&["announced", "deferred"]),
        )
    };
    assert_eq!(
        in_prompt(&[first]),
        (26, 147),
        "the first turn shows 26 tools and names 147"
    );
    assert_eq!(in_prompt(&[second]), (27, 146), "the second shows 27");
    let issue = common::tool(run, name);
    assert_eq!(
        (&issue["discovered_at"], &issue["turns"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        run["savings"]["search_turns"], 1,
        "one turn for one discovery"
    );
}

#[test]
fn a_search_that_finds_nothing_names_the_servers_that_are_still_connecting() {
    let nothing = "No matching deferred tools found. Some MCP servers are still connecting: github, slack. Their tools will become available shortly \u{2014} try searching again.";
    let result = user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": nothing}]));
    let messages = [user("go".into()), search("t1", "github issue"), result];
    let (report, folder) = reported(&[body(
        "claude-opus-4-6",
        &[tool("Read", false), tool("ToolSearch", false)],
        &messages,
    )]);
    let gate = &report["runs"][0]["gate"];
    let steps = gate["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["name"] == "pool").unwrap();
    assert_eq!(step["outcome"], "pass", "{step}");
    assert!(
        step["evidence"]
            .as_str()
            .unwrap()
            .contains("still connecting"),
        "{step}"
    );
    let path = format!("{}/log.jsonl", folder.path());
    let answer = toolcost(&["search", &path, "github create issue", "-f", "json"]).json();
    assert_eq!(answer["results"], json!([]));
    assert_eq!(answer["pending_servers"], json!(["github", "slack"]));
    // What was found is no reason to wait.
    let found = toolcost(&["search", &path, "Read", "-f", "json"]).json();
    assert_eq!(found["pending_servers"], json!([]));
}

#[test]
fn without_servers_to_wait_for_and_nothing_to_defer_the_search_tool_goes() {
    let (report, _folder) = reported(&[body(
        "claude-opus-4-6",
        &[tool("Read", false)],
        &[user("go".into())],
    )]);
    let gate = &report["runs"][0]["gate"];
    assert_eq!(
        (&gate["enabled"], &gate["decided_by"]),
        (&json!(false), &json!("pool")),
        "{gate:#}"
    );
}

/// First path: the model changed to one that knows no references. Second path: the server of a tool is gone.
#[test]
fn stripped_references_are_told_by_their_reason() {
    for (text, words, model) in [
        (
            "[Tool references removed - tool search not enabled]",
            "as tool search is off",
            "claude-haiku-4-5",
        ),
        (
            "[Tool references removed - tools no longer available]",
            "as the tools are gone",
            "claude-opus-4-6",
        ),
    ] {
        let result = user(
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": text}]}]),
        );
        let messages = [
            user("go".into()),
            search("t1", "select:mcp__a__one"),
            result,
        ];
        let (report, folder) = reported(&[body(
            model,
            &[tool("Read", false), tool("ToolSearch", false)],
            &messages,
        )]);
        let said = evidence(&folder, "scan-history");
        assert!(
            said.contains("1 result stripped of its references") && said.contains(words),
            "{said}"
        );
        let discovered = report["runs"][0]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|tool| tool["state"] == "discovered")
            .count();
        assert_eq!(discovered, 0, "nothing is discovered by what was stripped");
    }
}

#[test]
fn a_call_before_discovery_is_told_with_the_hint_it_got() {
    let hint = "InputValidationError: expected object, received string\n\nThis tool's schema was not sent to the API \u{2014} it was not in the discovered-tool set derived from message history.";
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "mcp__a__one", "input": {}}]});
    let result = user(
        json!([{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": hint}]),
    );
    let names = user("<available-deferred-tools>\nmcp__a__one\n</available-deferred-tools>".into());
    let messages = [names, user("go".into()), call, result];
    let (_, folder) = reported(&[body(
        "claude-opus-4-6",
        &[tool("ToolSearch", false)],
        &messages,
    )]);
    let said = evidence(&folder, "scan-history");
    assert!(
        said.contains("1 error that says the schema was not sent"),
        "{said}"
    );
}

#[test]
fn a_reminder_adds_takes_back_and_waits_in_one_breath() {
    let first = "<system-reminder>\nThe following deferred tools are now available via ToolSearch. Their schemas are NOT loaded \u{2014} calling them directly will fail. Use ToolSearch with query \"select:<name>\" to load tool schemas before calling them:\nmcp__a__one\nmcp__b__two\n\nThe following MCP servers are still connecting \u{2014} their tools (typically named mcp__<server>__*) are not yet available but will appear shortly:\nslack\njira\nIf the request might be served by one of these servers, call ToolSearch.\n</system-reminder>";
    let second = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nmcp__c__three\n\n1 deferred tool(s) are available again (MCP server reconnected \u{2014} names announced earlier in this conversation): mcp__d__four. Load via ToolSearch as before.\n\nThe following deferred tools are no longer available (their MCP server disconnected). Do not search for them \u{2014} ToolSearch will return no match:\nmcp__a__one\n\nThis is ambient context.\n</system-reminder>";
    let reply = json!({"role": "assistant", "content": "ok"});
    let tools = [tool("ToolSearch", false)];
    let text =
        |text: &str| user(json!([{"type": "text", "text": text}, {"type": "text", "text": "go"}]));
    let announced = |messages: &[Value]| {
        let (report, folder) = reported(&[body("claude-opus-4-6", &tools, messages)]);
        let tools = report["runs"][0]["tools"].as_array().unwrap().iter();
        let names = tools
            .filter(|tool| tool["state"] == "announced")
            .map(|tool| tool["name"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        (names, evidence(&folder, "announce"))
    };
    let (names, said) = announced(&[text(first)]);
    assert_eq!(names, ["mcp__a__one", "mcp__b__two"]);
    assert!(
        said.contains("reminder: 2 names") && said.contains("2 servers still connecting"),
        "{said}"
    );
    let (names, said) = announced(&[text(first), reply, text(second)]);
    assert_eq!(names, ["mcp__b__two", "mcp__c__three", "mcp__d__four"]);
    assert!(said.contains("1 name taken back"), "{said}");
    // The same words as somebody's text announce nothing.
    let quoted = second.replace("system-reminder", "quote");
    assert_eq!(announced(&[user(quoted.into())]).0, Vec::<String>::new());
}

#[test]
fn a_clock_that_runs_back_does_not_turn_a_conversation_round() {
    let reply = json!({"role": "assistant", "content": "ok"});
    let tools = [tool("Read", false)];
    let turn = |messages: &[Value], time: &str| json!({"timestamp": time, "body": body("claude-opus-4-6", &tools, messages), "response": {"usage": {"input_tokens": 100, "output_tokens": 1}}});
    let one = turn(&[user("a".into())], "2026-01-01T00:00:10Z");
    let two = turn(
        &[user("a".into()), reply.clone(), user("b".into())],
        "2026-01-01T00:00:05Z",
    );
    let three = turn(
        &[
            user("a".into()),
            reply.clone(),
            user("b".into()),
            reply,
            user("c".into()),
        ],
        "2026-01-01T00:00:20Z",
    );
    let (report, _folder) = reported(&[three, one, two]);
    let rows = report["runs"][0]["by_request"].as_array().unwrap().clone();
    let order: Vec<(&Value, &Value)> = rows
        .iter()
        .map(|row| (&row["place"], &row["turn"]))
        .collect();
    assert_eq!(
        json!(order),
        json!([["line 2", 1], ["line 3", 2], ["line 1", 3]])
    );
    let codes: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"clock-runs-back"), "{codes:?}");
    assert_eq!(report["runs"][0]["sessions"], 1);
}

#[test]
fn a_session_is_named_by_a_header_too_and_its_agents_apart() {
    let record = |session: &str, agent: Option<&str>, text: &str| {
        let mut body = body(
            "claude-opus-4-6",
            &[tool("Read", false)],
            &[user(text.into())],
        );
        body.as_object_mut().unwrap().remove("metadata");
        let mut headers = json!({"x-claude-code-session-id": session});
        if let Some(agent) = agent {
            headers["x-claude-code-agent-id"] = json!(agent);
        }
        json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": headers, "body": body}, "response": null})
    };
    let (report, _folder) = reported(&[
        record("s1", None, "a"),
        record("s1", None, "quite another text"),
        record("s2", None, "a"),
        record("s1", Some("a1"), "look"),
    ]);
    let run = &report["runs"][0];
    assert_eq!(
        (
            &run["sessions"],
            &run["requests"],
            &run["subagent_requests"]
        ),
        (&json!(2), &json!(3), &json!(1))
    );
    let (redacted, _folder) = reported(&[
        record("***", None, "a"),
        record("***", None, "quite another text"),
    ]);
    assert_eq!(
        redacted["runs"][0]["sessions"], 2,
        "stars are nobody's session"
    );
}

#[test]
fn a_thread_whose_start_is_missing_says_so() {
    let mut goes_on = body("claude-opus-4-6", &[], &[user("on".into())]);
    goes_on.as_object_mut().unwrap().remove("tools");
    goes_on["thread"] = json!({"type": "continue", "previous_message_id": "m"});
    let told = |bodies: &[Value]| {
        let (report, _folder) = reported(bodies);
        let findings = report["findings"].as_array().unwrap().clone();
        let found = findings
            .iter()
            .find(|own| own["code"] == "thread-continues")
            .unwrap()["message"]
            .clone();
        found.as_str().unwrap().to_owned()
    };
    assert!(told(&[goes_on.clone()]).contains("is not here"));
    let start = body(
        "claude-opus-4-6",
        &[tool("Read", false)],
        &[user("go".into())],
    );
    assert!(told(&[start, goes_on]).contains("are in earlier requests"));
}
