//! What a capture holds beside tools never reaches an output: no header, id, text, URL, folder or setting.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in};
use serde_json::{Value, json};
use std::path::Path;

const CANARY: &str = "CANARY-7f3a";

/// A place for the canary; each is told apart, so that a leak names its source.
fn at(place: &str) -> String {
    format!("{CANARY}-{place}")
}

fn body(turn: usize) -> Value {
    let mut messages = vec![
        json!({"role": "user", "content": [
            {"type": "text", "text": format!("<system-reminder>\nThe following deferred tools are now available via ToolSearch ({}):\nmcp__db__query\n</system-reminder>", at("lead"))},
            {"type": "text", "text": at("user-text"), "cache_control": {"type": at("cache")}},
            {"type": "image", "source": {"type": "base64", "data": at("image")}},
        ]}),
        json!({"role": "assistant", "id": at("message-id"), "content": [
            {"type": "thinking", "thinking": at("thinking"), "signature": at("signature")},
            {"type": "text", "text": at("assistant-text")},
            {"type": "tool_use", "id": at("call-id"), "name": "ToolSearch", "input": {"query": at("query")}},
        ]}),
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": at("call-id"), "content": [
                {"type": "tool_reference", "tool_name": "mcp__db__query"}, {"type": "text", "text": at("result")}]},
        ]}),
    ];
    messages.truncate(if turn == 0 { 1 } else { 3 });
    json!({
        "model": "claude-sonnet-5", "max_tokens": 1000, at("unknown-key"): at("unknown-value"),
        "metadata": {"user_id": json!({"device_id": at("device"), "account_uuid": at("account"), "session_id": at("session")}).to_string()},
        "system": [
            {"type": "text", "text": format!("x-anthropic-billing-header: cc_version=2.1.240.{}; cc_entrypoint={}; cch={};", at("build"), at("entry"), at("cch"))},
            {"type": "text", "text": format!("Working directory: /home/{}", at("cwd"))},
        ],
        "messages": messages,
        "thread": {"type": "create", "previous_message_id": at("thread")},
        "tools": [
            {"name": "ToolSearch", "description": at("description"), "input_schema": {"type": "object", "properties": {at("property"): {"type": "string"}}, "title": at("title")}},
            {"name": "mcp__db__query", "description": "Queries.", "input_schema": {"type": "object"}, "defer_loading": true, "_meta": {"x": at("meta")}, "cache_control": {"type": at("tool-cache")}},
            {"name": "Flag", "description": "F.", "input_schema": {"type": "object"}, "defer_loading": at("flag")},
        ],
    })
}

fn record(turn: usize) -> Value {
    json!({
        "request": {"timestamp": turn, "method": at("method"), "url": format!("https://{}.example/v1/messages?key={}", at("host"), at("url")),
            "headers": {"authorization": at("bearer"), "x-api-key": at("api-key"), "user-agent": format!("claude-cli/2.1.240 ({})", at("agent")),
                "x-claude-code-request-class": at("class"), at("header-name"): "x"},
            "body": body(turn)},
        "response": {"status_code": 200, "headers": {"request-id": at("request-id")}, "body": {"id": at("response-id"),
            "content": [{"type": "text", "text": at("answer")}], "usage": {"input_tokens": 900, "output_tokens": 5, "service_tier": at("tier")}}},
        "logged_at": at("logged"), at("record-key"): 1,
    })
}

#[test]
fn nothing_but_names_of_files_tools_and_servers_leaves_a_capture() {
    let folder = Folder::new();
    let broken = format!("{{\"messages\": [\"{}\", oops]}}", at("broken"));
    let refused = json!({"request": {"body": {"error": at("refused")}}}).to_string();
    let stranger = json!({"kind": at("stranger")}).to_string();
    let lines = [
        record(0).to_string(),
        record(1).to_string(),
        broken,
        refused,
        stranger,
    ]
    .join("\n");
    folder.file("captures/run/trace.jsonl", lines);
    let counts = json!({"schema": "toolcost.counts/1", "note": at("note"), "method": at("counts-method"), "parts": []});
    folder.file("captures/counted/report-counted.json", counts.to_string());
    folder.file(
        "captures/run/toolcost.run.toml",
        format!(
            "provider = \"anthropic\"\nbase_url = \"https://{}:{}@{}.example/{}\"\n[env]\nENABLE_TOOL_SEARCH = \"{}\"\nSECRET = \"{}\"\n",
            at("user"), at("password"), at("base-host"), at("base-path"), at("switch"), at("env"),
        ),
    );
    let here = Path::new(folder.path());
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        for call in [
            "report captures",
            "report captures --per-request",
            "report captures --strict",
            "timeline captures",
            "timeline captures --cache prefix --prefill 100",
            "report captures --env ENABLE_TOOL_SEARCH=CANARY-7f3a-flag",
            "explain captures mcp__db__query",
            "explain captures mcp__db__query --env ENABLE_TOOL_SEARCH=CANARY-7f3a-flag",
            "explain captures mcp__db__query --what-if base_url=https://CANARY-7f3a-url.example",
        ] {
            let args: Vec<&str> = call.split(' ').chain(["-f", format]).collect();
            let answer = run_in(here, &args, b"");
            let whole = answer.whole();
            assert!(
                answer.stdout.contains("db") || (format == "csv" && !call.starts_with("report")),
                "{whole}"
            );
            if let Some(leak) = whole.find(CANARY) {
                let end = (leak + 40).min(whole.len());
                panic!("{call} -f {format}: {}", &whole[leak..end]);
            }
        }
        rows_are_clean(here, format);
        let call = [
            "forecast",
            "captures/run",
            "--backtest",
            "--idealised",
            "-f",
            format,
        ];
        let answer = run_in(here, &call, b"");
        assert_eq!(answer.code, 0, "{}", answer.whole());
        assert!(!answer.whole().contains(CANARY), "{}", answer.whole());
    }
}

/// Rows hold hashes of sessions; `--raw-ids` asks for the ids, and for nothing else.
fn rows_are_clean(here: &Path, format: &str) {
    if !matches!(format, "ndjson" | "csv") {
        return;
    }
    for table in ["requests", "request_tools", "definitions"] {
        let call = ["facts", "captures", "-v", "--table", table, "-f", format];
        let whole = run_in(here, &call, b"").whole();
        assert!(whole.contains("run") && !whole.contains(CANARY), "{whole}");
        let raw = run_in(here, &[&call[..], &["--raw-ids"]].concat(), b"").whole();
        assert!(!raw.replace(&at("session"), "").contains(CANARY), "{raw}");
    }
    #[cfg(feature = "parquet")]
    for table in ["requests", "request_tools", "definitions"] {
        let call = ["facts", "captures", "--table", table, "-o", "rows.parquet"];
        assert_eq!(run_in(here, &call, b"").code, 0);
        let bytes = std::fs::read(here.join("rows.parquet")).unwrap();
        std::fs::remove_file(here.join("rows.parquet")).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(CANARY));
    }
}

#[test]
fn a_settings_file_that_fails_does_not_show_what_it_holds() {
    for text in [
        format!("env = \"{}\"", at("env")),
        format!("provider = \"{}\"", at("provider")),
        format!("client_version = \"{}\"", at("version")),
        format!("base_url = [\"{}\"]", at("url")),
        format!("[env]\nENABLE_TOOL_SEARCH = [\"{}\"]", at("switch")),
        format!("x = \"{}", at("unclosed")),
    ] {
        let folder = Folder::new();
        folder.file("c/a.json", r#"{"messages":[]}"#);
        folder.file("c/toolcost.run.toml", &text);
        let answer = run_in(Path::new(folder.path()), &["report", "c"], b"");
        assert_eq!(answer.code, 2, "{}", answer.whole());
        assert!(!answer.whole().contains(CANARY), "{}", answer.whole());
    }
}

/// Session transcripts hold more of a person than any capture: names of folders and branches, all texts, all ids.
#[test]
fn nothing_but_names_of_tools_and_servers_leaves_a_transcript() {
    let around = |mut record: Value| {
        let own = record.as_object_mut().unwrap();
        for key in ["cwd", "gitBranch", "slug", "userType", "promptId"] {
            own.insert(key.to_owned(), json!(at(key)));
        }
        own.insert("sessionId".to_owned(), json!(at("session")));
        let number = own.len()
            + own
                .values()
                .map(|value| value.to_string().len())
                .sum::<usize>();
        own.insert("uuid".to_owned(), json!(format!("{}-{number}", at("uuid"))));
        record.to_string()
    };
    let lines = [
        json!({"type": "summary", "summary": at("summary"), "leafUuid": at("leaf")}),
        json!({"type": "user", "message": {"role": "user", "content": at("user-text")}, "todos": [at("todo")]}),
        json!({"type": "attachment", "attachment": {"type": "deferred_tools_delta", "addedNames": ["mcp__db__query"], "addedLines": [at("line")]}, "rendered": [{"content": at("rendered")}]}),
        json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "systemPrompt": [at("system")], "cliPrefix": at("prefix"),
            "tools": [{"name": "ToolSearch", "description": at("description"), "schema": {"type": "object", "title": at("title")}}]}}),
        json!({"type": "attachment", "attachment": {"type": "deferred_tools_record", "entries": [{"name": "mcp__db__query", "description": at("entry"), "input_schema": {"type": "object"}, "defer_loading": true}], "toolInputCopies": {at("copy"): at("copy")}}}),
        json!({"type": "assistant", "requestId": at("request"), "agentId": "", "message": {"id": at("message"), "model": "claude-opus-4-6", "role": "assistant",
            "content": [{"type": "text", "text": at("answer")}, {"type": "tool_use", "id": at("call"), "name": "ToolSearch", "input": {"query": at("query")}}],
            "usage": {"input_tokens": 900, "output_tokens": 5, "service_tier": at("tier")}}}),
        json!({"type": "user", "toolUseResult": at("use-result"), "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": at("call"), "is_error": true, "content": at("result")}]}}),
        json!({"type": "progress", "data": {"command": at("command")}}),
        json!({"type": "system", "subtype": "compact_boundary", "content": at("boundary"), "compactMetadata": {"trigger": at("trigger"), "preTokens": 5, "preCompactDiscoveredTools": ["mcp__db__query"]}}),
        json!({"type": "user", "message": at("no-message")}),
    ]
    .map(around)
    .join("\n");
    let folder = Folder::new();
    folder.file(
        "captures/run/one.jsonl",
        format!("{lines}\n{{\"type\": \"user\", \"half\": \"{}", at("half")),
    );
    let here = Path::new(folder.path());
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        rows_are_clean(here, format);
        for call in [
            "report captures -v",
            "report captures --per-request",
            "explain captures",
            "timeline captures -v",
            "search captures query --all",
            "forecast captures --backtest --idealised",
            "check captures --rule default",
            "advise captures",
        ] {
            let args: Vec<&str> = call.split(' ').chain(["-f", format]).collect();
            let whole = run_in(here, &args, b"").whole();
            if let Some(leak) = whole.find(CANARY) {
                let end = (leak + 40).min(whole.len());
                panic!("{call} -f {format}: {}", &whole[leak..end]);
            }
        }
    }
}
