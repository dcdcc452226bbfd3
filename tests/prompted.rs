//! Tools whose definitions stand as text in the prompt: told as tools, and counted once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in};
use serde_json::{Value, json};
use std::path::Path;

const MODEL: &str = "claude-sonnet-5";

/// A definition as such prompts write it.
fn function(name: &str, words: usize) -> String {
    let definition = json!({
        "description": format!("Does what {name} does. {}", "It takes care. ".repeat(words)),
        "name": name,
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    });
    format!("<function>{definition}</function>\n")
}

fn block(functions: &[String]) -> String {
    format!("<functions>\n{}</functions>\n", functions.concat())
}

fn system(functions: &[String]) -> String {
    format!(
        "In this environment you have tools.\n{}\nYou help.",
        block(functions)
    )
}

fn written(folder: &Folder, bodies: &[Value]) {
    for (at, body) in bodies.iter().enumerate() {
        folder.file(&format!("request-r-{at}.json"), body.to_string());
    }
}

fn run_of(bodies: &[Value]) -> Value {
    let folder = Folder::new();
    written(&folder, bodies);
    let flags = ["report", ".", "-f", "json", "--per-request"];
    let answer = run_in(Path::new(folder.path()), &flags, b"");
    assert_eq!(answer.code, 0, "{}", answer.whole());
    let report = answer.json();
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/toolcost.report-1.json")).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    report["runs"][0].clone()
}

fn count(text: &str) -> u64 {
    let folder = Folder::new();
    folder.file("a.txt", text);
    let flags = ["count", "a.txt", "--model", MODEL, "-f", "json"];
    let answer = run_in(Path::new(folder.path()), &flags, b"");
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()[0]["tokens"].as_u64().unwrap()
}

fn tool<'r>(run: &'r Value, name: &str) -> Option<&'r Value> {
    let mut tools = run["tools"].as_array().unwrap().iter();
    tools.find(|tool| tool["name"] == name)
}

fn prompted(run: &Value) -> Vec<&str> {
    let tools = run["tools"].as_array().unwrap().iter();
    let mut names: Vec<&str> = tools
        .filter(|tool| tool["kind"] == "prompted")
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn section(tokens: &Value, kind: &str, what: &Value) -> u64 {
    let rows = tokens["sections"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["kind"] == kind && &row["what"] == what);
    rows.map(|row| row["tokens"].as_u64().unwrap()).sum()
}

fn asks(id: &str, name: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": {"query": "select:X"}}]})
}

fn answers(id: &str, content: impl Into<Value>) -> Value {
    json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": content.into()}]})
}

fn body(system: impl Into<Value>, more: Vec<Value>) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "hi"})];
    messages.extend(more);
    json!({"model": MODEL, "max_tokens": 100, "system": system.into(), "messages": messages})
}

#[test]
fn a_definition_in_the_system_prompt_is_a_tool_and_counts_as_its_text() {
    let functions = [
        function("Read", 30),
        function("ToolSearch", 3),
        function("mcp__github__get", 9),
    ];
    for system in [
        json!(system(&functions)),
        json!([{"type": "text", "text": "You help."}, {"type": "text", "text": block(&functions)}]),
    ] {
        let run = run_of(&[body(system, vec![])]);
        assert_eq!(prompted(&run), ["Read", "ToolSearch", "mcp__github__get"]);
        for (text, name) in functions
            .iter()
            .zip(["Read", "ToolSearch", "mcp__github__get"])
        {
            let row = tool(&run, name).unwrap();
            assert_eq!(row["size"], json!(count(text)), "{name}");
            assert_eq!(row["in_prompt"], row["size"]);
            assert_eq!(row["state"], "loaded");
            assert_eq!(row["parts"], Value::Null);
        }
        let first = &run["first"];
        assert_eq!(
            (&first["tools"], &first["prelude"], &first["deferral"]),
            (&json!(0), &json!(0), &json!(0))
        );
        let sizes: u64 = functions.iter().map(|text| count(text)).sum();
        assert_eq!(section(first, "other", &json!("prompted-tools")), sizes);
        assert_eq!(tool(&run, "mcp__github__get").unwrap()["server"], "github");
        assert_eq!(run["by_server"][0]["server"], "github");
        assert_eq!(
            tool(&run, "mcp__github__get").unwrap()["verdict"]["decision"],
            "defer"
        );
        assert_eq!(
            run["gate"]["observed"], "on",
            "a search tool is a search tool"
        );
        assert_eq!(run["savings"]["as_sent"], json!(sizes));
    }
}

#[test]
fn no_part_changes_when_definitions_are_recognised() {
    let search = answers("t1", block(&[function("CronCreate", 20)]));
    let known = body(
        system(&[function("Read", 30)]),
        vec![asks("t1", "ToolSearch"), search],
    );
    // The same words, which nobody recognises: the block begins no line, the call is of another tool of as many tokens.
    let mut unknown = known.clone();
    let text = known["system"].as_str().unwrap();
    let at_line = count(text);
    let quoted = text.replace("\n<functions>", " <functions>");
    unknown["system"] = json!(quoted);
    let (known, other) = (run_of(&[known]), run_of(&[unknown]));
    assert_eq!(prompted(&known), ["CronCreate", "Read"]);
    assert_eq!(prompted(&other), ["CronCreate"]);
    assert_eq!(known["first"]["system"], json!(at_line));
    assert_eq!(other["first"]["system"], json!(count(&quoted)));
    for part in ["tools", "prelude", "deferral", "messages", "frame"] {
        assert_eq!(known["first"][part], other["first"][part], "{part}");
    }
    // A file that was read costs as much as a search that brought the same.
    let read = |name: &str| {
        let result = answers("t1", block(&[function("CronCreate", 20)]));
        let run = run_of(&[body("You help.", vec![asks("t1", name), result])]);
        (
            run["first"]["messages"].as_u64().unwrap(),
            prompted(&run).len(),
        )
    };
    let call = |name: &str| count(&format!("x {name} y"));
    let ((searched, one), (plain, none)) = (read("ToolSearch"), read("ReadFile"));
    assert_eq!((one, none), (1, 0));
    assert_eq!(searched + call("ReadFile"), plain + call("ToolSearch"));
}

#[test]
fn what_a_search_brings_as_text_is_discovered_and_counted_once() {
    let names = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nCronCreate\nCronDelete\n</system-reminder>\n";
    let asked = json!({"role": "user", "content": [{"type": "text", "text": names}, {"type": "text", "text": "hi"}]});
    let system = system(&[function("ToolSearch", 5)]);
    let cron = function("CronCreate", 20);
    let text = block(std::slice::from_ref(&cron));
    let before = json!({"model": MODEL, "system": system, "messages": [asked]});
    let with = |content: Value, times: usize| {
        let mut body = before.clone();
        let messages = body["messages"].as_array_mut().unwrap();
        for at in 0..times {
            messages.push(asks(&format!("t{at}"), "ToolSearch"));
            messages.push(answers(&format!("t{at}"), content.clone()));
        }
        body
    };
    for content in [json!(text), json!([{"type": "text", "text": text}])] {
        let run = run_of(&[before.clone(), with(content.clone(), 1)]);
        let row = tool(&run, "CronCreate").unwrap();
        assert_eq!(
            (&row["kind"], &row["state"]),
            (&json!("builtin"), &json!("announced")),
            "in the first request"
        );
        assert_eq!(
            (&row["size"], &row["definition_from"]),
            (&json!(count(&cron)), &json!("session"))
        );
        assert_eq!(row["discovered_at"], 2);
        let later = &run["by_request"][1]["tokens"];
        assert_eq!(later["tools"], 0);
        assert_eq!(section(later, "discovered", &Value::Null), count(&cron));

        let alone = run_of(&[with(content.clone(), 1)]);
        let row = tool(&alone, "CronCreate").unwrap();
        assert_eq!(
            (&row["kind"], &row["state"]),
            (&json!("prompted"), &json!("discovered"))
        );
        assert_eq!(row["size"], json!(count(&cron)));
        // The definition is no part of what the search cost; a second copy is.
        let calls = |run: &Value| run["savings"]["overhead"]["calls"].as_u64().unwrap();
        let twice = run_of(&[with(content, 2)]);
        let (searches, again) = (calls(&alone), calls(&twice));
        assert_eq!(again, 2 * searches + count(&cron));
        assert_eq!(prompted(&twice), ["CronCreate", "ToolSearch"]);
    }
}

#[test]
fn who_only_speaks_of_definitions_defines_nothing() {
    let text = block(&[function("Nothing", 2)]);
    let user = json!({"role": "user", "content": text});
    let assistant = json!({"role": "assistant", "content": text});
    let file = [asks("t1", "Read"), answers("t1", text.as_str())];
    let stray = answers("t9", text.as_str());
    let mut bodies = vec![
        body("s", vec![assistant, user]),
        body("s", file.to_vec()),
        body("s", vec![asks("t1", "ToolSearch"), stray]),
        body(format!("Tools look like {text}"), vec![]),
        body(function("Nothing", 2), vec![]),
        body(
            "<functions>\n<function>{\"name\": 5}</function><function>[]</function><function>{\"name\": \"\"}</function>\n</functions>",
            vec![],
        ),
    ];
    bodies[0]["messages"][0]["content"] = json!([{"type": "text", "text": text}]);
    for body in bodies {
        let run = run_of(std::slice::from_ref(&body));
        assert_eq!(run["tools"], json!([]), "{body}");
    }
}

#[test]
fn a_message_of_the_system_defines_and_chat_completions_are_searched_too() {
    let say = json!({"role": "system", "content": block(&[function("Late", 2)])});
    let run = run_of(&[body("s", vec![say])]);
    assert_eq!(tool(&run, "Late").unwrap()["state"], "loaded");
    let chat = json!({"model": "gpt-5", "messages": [
        {"role": "system", "content": system(&[function("ToolSearch", 2)])},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "ToolSearch", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": block(&[function("Found", 2)])},
    ]});
    let run = run_of(&[chat]);
    assert_eq!(prompted(&run), ["Found", "ToolSearch"]);
    assert_eq!(tool(&run, "Found").unwrap()["state"], "discovered");
}

#[test]
fn a_tool_of_the_list_stays_what_it_is() {
    let listed = json!({"name": "Read", "description": "d", "input_schema": {"type": "object"}});
    let flagged = json!({"name": "Cron", "description": "d", "input_schema": {"type": "object"}, "defer_loading": true});
    let with = |tag: &str| {
        let text =
            system(&[function("Read", 3), function("More", 3)]).replace("\n<functions>", tag);
        let found = answers("t1", block(&[function("Cron", 2)]));
        let mut body = body(text, vec![asks("t1", "ToolSearch"), found]);
        body["tools"] = json!([listed, flagged]);
        run_of(&[body])
    };
    let (known, other) = (with("\n<functions>"), with(" <functions>"));
    assert_eq!(prompted(&known), ["More"]);
    assert_eq!(tool(&known, "Read"), tool(&other, "Read"));
    assert_eq!(tool(&known, "Cron").unwrap()["state"], "deferred");
    for part in ["tools", "prelude", "deferral", "messages", "frame"] {
        assert_eq!(known["first"][part], other["first"][part], "{part}");
    }
}

#[test]
fn a_request_with_nothing_but_prompted_tools_is_a_turn() {
    let mut asked = body(system(&[function("Read", 3)]), vec![]);
    asked["max_tokens"] = json!(256);
    assert_eq!(run_of(&[asked.clone()])["requests"], 1);
    // The same without definitions is what clients ask of a small model beside the conversation.
    asked["system"] = json!("You help.");
    let folder = Folder::new();
    written(&folder, &[asked]);
    let answer = run_in(
        Path::new(folder.path()),
        &["report", ".", "-f", "json"],
        b"",
    );
    let side = &answer.json()["runs"][0]["side_requests"];
    assert_eq!(side, &json!(1));
}

#[test]
fn forms_that_writers_use_are_read() {
    // `<` escaped in the body's JSON, the schema under its other key, JSON over several lines, Windows' ends of lines.
    let pretty = "<functions>\r\n<function>\r\n{\r\n  \"name\": \"Pretty\",\r\n  \"input_schema\": {\"type\": \"object\"}\r\n}\r\n</function>\r\n</functions>";
    let folder = Folder::new();
    let text = body(pretty, vec![]).to_string().replace('<', "\\u003c");
    folder.file("a.json", text);
    let answer = run_in(
        Path::new(folder.path()),
        &["report", ".", "-f", "json"],
        b"",
    );
    let run = answer.json()["runs"][0].clone();
    assert_eq!(prompted(&run), ["Pretty"]);
    let from = pretty.find("<function>").unwrap();
    let to = pretty.find("</functions>").unwrap();
    assert_eq!(
        tool(&run, "Pretty").unwrap()["size"],
        json!(count(&pretty[from..to]))
    );
    let shown = run_in(Path::new(folder.path()), &["report", "."], b"").stdout;
    assert!(shown.contains("1 tool is prompted"), "{shown}");
}

#[test]
fn hostile_names_and_texts_do_no_harm() {
    let name = "x\u{1b}[31m\n=cmd|\u{202e}</function>";
    let run = body(system(&[function(name, 1), function("Read", 1)]), vec![]);
    let folder = Folder::new();
    written(&folder, &[run]);
    for format in ["text", "csv", "markdown"] {
        let answer = run_in(
            Path::new(folder.path()),
            &["report", ".", "-f", format],
            b"",
        );
        assert_eq!(answer.code, 0, "{}", answer.whole());
        assert!(
            !answer.stdout.contains('\u{1b}') && !answer.stdout.contains('\u{202e}'),
            "{format}"
        );
        assert!(answer.stdout.contains("Read"), "{format}");
    }
    let openings = format!("<functions>\n{}", "<function>{\"name\":\"".repeat(100_000));
    let search = answers("t1", openings.as_str());
    let start = std::time::Instant::now();
    let run = run_of(&[body(openings, vec![asks("t1", "ToolSearch"), search])]);
    assert_eq!(run["tools"], json!([]));
    assert!(start.elapsed().as_secs() < 60);
    let many: String = (0..100_001)
        .map(|at| format!("<function>{{\"name\":\"t{at}\"}}</function>\n"))
        .collect();
    let folder = Folder::new();
    written(
        &folder,
        &[body(format!("<functions>\n{many}</functions>"), vec![])],
    );
    let answer = run_in(Path::new(folder.path()), &["report", "."], b"");
    assert!(
        answer.whole().contains("more than 100000 tools"),
        "{}",
        answer.whole()
    );
}
