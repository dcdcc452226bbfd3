//! Each shipped format: the same request in its wrapping gives the same tools and usage as the bare body.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in, toolcost};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

fn body() -> Value {
    json!({"model": "claude-sonnet-5", "max_tokens": 1000, "system": "You help.",
        "metadata": {"user_id": json!({"session_id": "s-1"}).to_string()},
        "tools": [
            {"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}},
            {"name": "mcp__db__query", "description": "Runs one query.", "input_schema": {"type": "object"}, "defer_loading": true}],
        "messages": [{"role": "user", "content": "How many rows?"}]})
}

fn usage() -> Value {
    json!({"input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 5})
}

fn answer() -> Value {
    json!({"id": "m", "type": "message", "role": "assistant", "content": [], "usage": usage()})
}

fn stream() -> String {
    let start = json!({"type": "message_start", "message": {"usage": usage()}});
    let end = json!({"type": "message_delta", "usage": {"output_tokens": 5}});
    format!("event: message_start\ndata: {start}\n\nevent: message_delta\ndata: {end}\n\n")
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

/// Names and bytes.
type Files = Vec<(&'static str, Vec<u8>)>;

/// Formats with the files that hold the one request: name and bytes.
fn wrappings() -> Vec<(&'static str, Files)> {
    let (body, answer) = (body(), answer());
    let text = body.to_string();
    let one = |name: &'static str, text: String| vec![(name, text.into_bytes())];
    let headers = json!({"User-Agent": ["claude-cli/2.1.240"]});
    let otlp = |record: Value| {
        let event = json!({"resourceLogs": [{"scopeLogs": [{"logRecords": [{"timeUnixNano": "1", "attributes": [attribute("event.name", "claude_code.tool_result")]}, record]}]}]});
        one("log.jsonl", lines(&[event]))
    };
    vec![
        ("messages", vec![
            ("0a1b2c3d-0000-4000-8000-000000000001.request.json", text.clone().into_bytes()),
            ("req_011.response.json", answer.to_string().into_bytes()),
        ]),
        ("claude-trace", one("a.jsonl", lines(&[json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body}, "response": {"body_raw": stream()}})]))),
        ("body", one("a.jsonl", lines(&[json!({"body": text, "response": answer})]))),
        ("intercept", one("0001.json", json!({"session": {"pid": 1}, "request": body, "response": answer}).to_string())),
        ("claude-tap", one("a.jsonl", lines(&[
            json!({"timestamp": "2026-01-01T00:00:00Z", "request_id": "r", "turn": 1, "request": {"method": "GET", "path": "/v1/models", "body": null}, "upstream_base_url": "https://api.anthropic.com"}),
            json!({"timestamp": "2026-01-01T00:00:01Z", "request_id": "r", "turn": 2, "request": {"method": "POST", "path": "/v1/messages", "headers": {}, "body": body},
                "response": {"status": 200, "sse_events": [{"event": "message_start", "data": {"type": "message_start", "message": {"usage": usage()}}}]}, "upstream_base_url": "https://api.anthropic.com"}),
        ]))),
        ("claude-tap-compact", one("a.json", json!({"__claude_tap_compact_trace__": {"version": 1}, "blobs": {}, "records": [
            {"turn": 1, "request": {"method": "POST", "path": "/v1/messages", "body": body}, "response": {"body": answer}}]}).to_string())),
        ("ccs-proxy", one("a.jsonl", lines(&[json!({"seq": 1, "schema_version": 1, "session_id": "s", "started_at": "2026-01-01T00:00:00Z",
            "request": {"method": "POST", "path": "/v1/messages", "headers": {}, "body": body}, "response": {"raw_sse_text": stream()}})]))),
        ("cc-viewer", vec![("a.jsonl", {
            let record = |in_progress: bool| {
                let mut record = json!({"timestamp": "2026-01-01T00:00:00Z", "url": "https://api.anthropic.com/v1/messages", "method": "POST", "headers": {},
                    "body": body, "isStream": true, "requestId": "r", "inProgress": in_progress, "_conversationId": "c", "_deltaFormat": 1, "_isCheckpoint": true});
                if !in_progress {
                    record["response"] = json!({"status": 200, "body": answer});
                }
                serde_json::to_string_pretty(&record).unwrap()
            };
            format!("{}\n---\n{}\n---\n", record(true), record(false)).into_bytes()
        })]),
        ("llm-interceptor", one("raw.jsonl", lines(&[
            json!({"type": "request", "id": "x", "timestamp": "2026-01-01T00:00:00Z", "method": "POST", "url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body}),
            json!({"type": "request", "id": "y", "timestamp": "2026-01-01T00:00:01Z", "method": "GET", "url": "https://api.anthropic.com/v1/models", "headers": {}, "body": null}),
            json!({"type": "response_chunk", "request_id": "y", "status_code": 200, "chunk_index": 0, "content": "{}"}),
            json!({"type": "response_chunk", "request_id": "x", "status_code": 200, "chunk_index": 0, "content": stream()}),
            json!({"type": "response_meta", "request_id": "x", "total_latency_ms": 5}),
        ]))),
        ("req-resp-lines", one("a.jsonl", lines(&[
            json!({"dir": "req", "ts": 1, "method": "POST", "url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": text, "body_len": 5}),
            json!({"dir": "resp", "status": 200, "body": stream()}),
        ]))),
        ("lhar-entry", one("a.lhar", lines(&[
            json!({"type": "session", "trace_id": "t"}),
            json!({"type": "entry", "trace_id": "t", "timestamp": "2026-01-01T00:00:00Z", "gen_ai": {"usage": usage()}, "raw": {"request_body": body, "response_body": null}}),
        ]))),
        ("lhar", one("a.lhar.json", json!({"lhar": {"version": "0.1.0", "entries": [
            {"type": "entry", "trace_id": "t", "gen_ai": {"usage": {}}, "raw": {"request_body": body, "response_body": stream()}}]}}).to_string())),
        ("har-entry", one("a.har", json!({"log": {"version": "1.2", "entries": [
            {"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "GET", "url": "https://example.com/", "httpVersion": "HTTP/2"}, "response": {"content": {"text": "<html>"}}},
            {"startedDateTime": "2026-01-01T00:00:01Z", "request": {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "httpVersion": "HTTP/2", "postData": {"text": text}},
                "response": {"content": {"encoding": "base64", "text": base64(stream().as_bytes())}}}]}}).to_string())),
        ("har", vec![("a.zhar", {
            let har = json!({"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "postData": {"text": text}},
                "response": {"content": {"text": stream()}}}]}}).to_string();
            let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            zlib.write_all(har.as_bytes()).unwrap();
            zlib.finish().unwrap()
        })]),
        ("vcr", one("a.yaml", format!("interactions:\n- request:\n    body: '{}'\n    headers:\n      User-Agent: {}\n    uri: https://api.anthropic.com/v1/messages\n    method: POST\n  response:\n    body:\n      string: '{}'\n    status:\n      code: 200\n- request:\n    body: null\n    uri: https://example.com/\n  response:\n    body:\n      string: ''\nversion: 1\n",
            text.replace('\'', "''"), headers["User-Agent"], answer.to_string().replace('\'', "''")))),
        ("vcr-cassette", one("a.yaml", format!("interactions:\n- request:\n    parsed_body: {text}\n    uri: https://api.anthropic.com/v1/messages\n  response:\n    body:\n      string: !!binary |\n        {}\n", base64(&gzip(&answer.to_string()))))),
        ("langfuse-generation", one("trace.json", json!({"trace": {}, "observations": [
            {"type": "SPAN", "traceId": "t", "startTime": "2026-01-01T00:00:00Z", "input": null},
            {"type": "GENERATION", "traceId": "t", "startTime": "2026-01-01T00:00:01Z", "model": "claude-sonnet-5", "input": text,
                "usageDetails": {"input": 900, "input_cache_read": 100, "output": 5, "total": 1005}}]}).to_string())),
        ("langfuse", one("trace.json", json!({"trace": {}, "observations": [
            {"type": "GENERATION", "traceId": "t", "startTime": "2026-01-01T00:00:01Z", "model": "claude-sonnet-5", "input": {"messages": body["messages"], "system": body["system"], "tools": body["tools"]},
                "usageDetails": {"input": 900, "input_cache_read": 100, "output": 5}}]}).to_string())),
        ("litellm", one("spend.jsonl", lines(&[json!({"request_id": "r", "model": "claude-sonnet-5", "startTime": "2026-01-01 00:00:00.123+00:00",
            "messages": "{}", "response": answer.to_string(), "proxy_server_request": json!({"body": body}).to_string(), "metadata": "{}"})]))),
        ("batch-request", vec![
            ("requests.jsonl", lines(&[json!({"custom_id": "a", "params": body})]).into_bytes()),
            ("results.jsonl", lines(&[json!({"custom_id": "a", "result": {"type": "succeeded", "message": answer}})]).into_bytes()),
        ]),
        ("batches", vec![
            ("batch.json", json!({"requests": [{"custom_id": "a", "params": body}]}).to_string().into_bytes()),
            ("results.jsonl", lines(&[json!({"custom_id": "a", "result": {"type": "succeeded", "message": answer}})]).into_bytes()),
        ]),
        ("bedrock-log", vec![("a.json.gz", {
            let mut inner = body.clone();
            inner.as_object_mut().unwrap().remove("model");
            let record = json!({"schemaType": "ModelInvocationLog", "timestamp": "2026-01-01T00:00:00Z", "modelId": "claude-sonnet-5", "input": {"inputBodyJson": inner, "inputTokenCount": 900},
                "output": {"outputBodyJson": [{"type": "message_start", "message": {"usage": usage()}}, {"type": "message_delta", "usage": {"output_tokens": 5}}]}});
            gzip(&lines(&[record]))
        })]),
        ("ccproxy", vec![("a.json.zst", zstd::encode_all(json!({"claude_version": "1.0.113", "headers": {}, "url": "http://127.0.0.1/v1/messages", "cached_at": "2025-09-15 13:13:47.547076+00:00", "body_json": body}).to_string().as_bytes(), 1).unwrap())]),
        ("ccproxy-sample", one("a.json", json!({"endpoint": "/claude/v1/messages", "name": "n", "model": "m", "request": {"payload": body}, "response": {"events": [stream()]}}).to_string())),
        ("otlp-request", otlp(json!({"timeUnixNano": "1767225600000000000", "attributes": [attribute("event.name", "claude_code.api_request_body"), attribute("body", &text)]}))),
        ("transcript", one("s.jsonl", transcript(&body))),
        ("otlp-request-named", otlp(json!({"timeUnixNano": "1767225600000000000", "body": {"stringValue": "claude_code.api_request_body"}, "attributes": [attribute("body", &text)]}))),
    ]
}

/// A newer transcript: it keeps the prompt, and the definitions that were sent.
fn transcript(body: &Value) -> String {
    let tools = body["tools"].as_array().unwrap().iter();
    let (deferred, loaded): (Vec<&Value>, Vec<&Value>) =
        tools.partition(|tool| tool["defer_loading"] == true);
    let loaded: Vec<Value> = loaded
        .into_iter()
        .map(|tool| json!({"name": tool["name"], "description": tool["description"], "schema": tool["input_schema"]}))
        .collect();
    let session = "0c1d2e3f-0000-4000-8000-000000000007";
    lines(&[
        json!({"type": "user", "uuid": "1", "sessionId": session, "timestamp": "2026-01-01T00:00:00Z", "message": body["messages"][0]}),
        json!({"type": "attachment", "uuid": "2", "parentUuid": "1", "sessionId": session, "attachment": {"type": "prompt_snapshot", "systemPrompt": ["You help."]}}),
        json!({"type": "attachment", "uuid": "3", "parentUuid": "2", "sessionId": session, "attachment": {"type": "prompt_snapshot", "systemPrompt": ["You help."], "tools": loaded}}),
        json!({"type": "attachment", "uuid": "4", "parentUuid": "3", "sessionId": session, "attachment": {"type": "deferred_tools_record", "entries": deferred, "toolInputCopies": {}}}),
        json!({"type": "assistant", "uuid": "5", "parentUuid": "4", "sessionId": session, "timestamp": "2026-01-01T00:00:01Z",
            "message": {"id": "msg_1", "model": body["model"], "role": "assistant", "content": [{"type": "text", "text": "hm"}], "usage": usage()}}),
        json!({"type": "assistant", "uuid": "6", "parentUuid": "5", "sessionId": session, "timestamp": "2026-01-01T00:00:02Z",
            "message": {"id": "msg_1", "model": body["model"], "role": "assistant", "content": [{"type": "text", "text": "yes"}], "usage": usage()}}),
    ])
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// `cargo run --example mutate` begins with these files.
#[test]
fn wrappings_are_left_as_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrappings");
    for (format, files) in wrappings() {
        std::fs::create_dir_all(folder.join(format)).unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.join(format).join(name), bytes).unwrap();
        }
    }
}

/// What must not depend on the wrapping: name, state and characters of each tool.
fn tools(run: &Value) -> Vec<(String, String, u64)> {
    let mut tools: Vec<(String, String, u64)> = run["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let text = |key: &str| tool[key].as_str().unwrap().to_owned();
            (text("name"), text("state"), tool["chars"].as_u64().unwrap())
        })
        .collect();
    tools.sort();
    tools
}

/// Formats whose captures hold no usage of the request.
const WITHOUT_USAGE: [&str; 3] = ["ccproxy", "otlp-request", "otlp-request-named"];

#[test]
fn every_wrapping_gives_the_tools_and_the_usage_of_the_body() {
    let folder = Folder::new();
    folder.file("bare/a.json", body().to_string());
    let bare = run_in(
        Path::new(folder.path()),
        &["report", "bare", "-f", "json"],
        b"",
    )
    .json();
    let expected = tools(&bare["runs"][0]);
    assert_eq!(expected.len(), 2);
    for (format, files) in wrappings() {
        for (name, bytes) in files {
            folder.file(&format!("{format}/{name}"), &bytes);
        }
        // Two files of one exchange are one run.
        let run = format!("r={format}");
        let args = ["report", "--run", &run, "-f", "json", "--strict"];
        let answer = run_in(Path::new(folder.path()), &args, b"");
        assert_eq!(answer.code, 0, "{format}: {}", answer.whole());
        let report = answer.json();
        assert_eq!(report["skipped"], json!([]), "{format}");
        let run = &report["runs"][0];
        assert_eq!(run["requests"], 1, "{format}: {report:#}");
        assert_eq!(tools(run), expected, "{format}");
        let recorded = match WITHOUT_USAGE.contains(&format) {
            true => Value::Null,
            false => json!(1000),
        };
        assert_eq!(run["first"]["recorded"], recorded, "{format}");
    }
}

#[test]
fn every_row_of_the_table_has_a_wrapping() {
    let listed = toolcost(&["list", "formats", "-f", "json"]).json();
    let mut covered: BTreeSet<&str> = wrappings().iter().map(|(format, _)| *format).collect();
    // Rows that only pass something on, and those that other tests hold.
    covered.extend([
        "toolcost.counts",
        "summary",
        "responses",
        "responses-answer",
        "answer",
        "llm-interceptor-answer",
        "llm-interceptor-meta",
        "req-resp-answer",
        "lhar-session",
        "langfuse-observation",
        "batch-result",
        "otlp",
        "otlp-scopes",
        "otlp-records",
        "otlp-record",
        "raw-tools",
        "tools-list",
        "tools",
        "tool",
    ]);
    let names: BTreeSet<&str> = listed
        .as_array()
        .unwrap_or_else(|| listed["rows"].as_array().unwrap())
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, covered);
}

#[test]
fn raw_body_files_are_one_run_in_the_order_of_their_conversation() {
    let folder = Folder::new();
    let turn = |turn: usize, previous: Option<&str>| {
        let mut body = body();
        let mut messages = vec![json!({"role": "user", "content": "a"})];
        for n in 1..turn {
            messages.push(json!({"role": "assistant", "content": [{"type": "text", "text": format!("answer {n}")}]}));
            messages.push(json!({"role": "user", "content": format!("question {n}")}));
        }
        body["messages"] = json!(messages);
        let previous = previous.map_or_else(String::new, |id| format!(" cc_prev_req={id};"));
        body["system"] = json!([{"type": "text", "text": format!("x-anthropic-billing-header: cc_version=2.1.269.d5c; cc_entrypoint=cli;{previous}")}, {"type": "text", "text": "You help."}]);
        body.to_string()
    };
    let used = |input: u64| {
        json!({"type": "message", "usage": {"input_tokens": input, "output_tokens": 1}}).to_string()
    };
    // Names by chance: the last turn sorts first.
    folder.file(
        "on/ffffffff-0000-4000-8000-000000000000.request.json",
        turn(1, None),
    );
    folder.file(
        "on/bbbbbbbb-0000-4000-8000-000000000000.request.json",
        turn(2, Some("req_1")),
    );
    folder.file(
        "on/00000000-0000-4000-8000-000000000000.request.json",
        turn(3, Some("req_2")),
    );
    folder.file("on/req_1.response.json", used(1001));
    folder.file("on/req_2.response.json", used(1002));
    folder.file("on/req_3.response.json", used(1003));
    for args in [["report", "on"], ["report", "."]] {
        let args: Vec<&str> = args
            .iter()
            .copied()
            .chain(["-f", "json", "--per-request"])
            .collect();
        let report = run_in(Path::new(folder.path()), &args, b"").json();
        assert_eq!(report["skipped"], json!([]));
        assert_eq!(report["runs"].as_array().unwrap().len(), 1);
        assert_eq!(report["runs"][0]["run"], "on");
        let rows = report["runs"][0]["by_request"].as_array().unwrap();
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row["turn"].as_u64().unwrap(),
                    row["tokens"]["recorded"].as_u64(),
                )
            })
            .collect();
        assert_eq!(told, [(1, Some(1001)), (2, Some(1002)), (3, Some(1003))]);
    }
}

#[test]
fn what_a_format_lacks_is_told_with_its_cure() {
    let folder = Folder::new();
    let cut = format!("{}[TRUNCATED 99 bytes]", &body().to_string()[..100]);
    let cases = [
        (
            "a.lhar",
            json!({"type": "entry", "gen_ai": {}, "raw": {"request_body": null}}),
            "CONTEXT_LENS_PRIVACY=full",
        ),
        (
            "b.jsonl",
            json!({"request_id": "r", "proxy_server_request": "{}", "metadata": "{}"}),
            "store_prompts_in_spend_logs",
        ),
        (
            "c.jsonl",
            json!({"schemaType": "ModelInvocationLog", "input": {"inputBodyS3Path": "s3://secret"}}),
            "inputBodyS3Path",
        ),
        (
            "d.jsonl",
            json!({"attributes": [attribute("event.name", "claude_code.api_request_body"), attribute("body", &cut)]}),
            "OTEL_LOG_RAW_API_BODIES=file",
        ),
        (
            "e.jsonl",
            json!({"attributes": [attribute("event.name", "claude_code.api_request_body"), attribute("body_ref", "/secret")]}),
            "body_ref",
        ),
        (
            "f.json",
            json!({"type": "message", "usage": {"input_tokens": 5}}),
            "an answer whose request is not here",
        ),
        (
            "g.har",
            json!({"log": {"entries": [{"startedDateTime": "x", "request": {"method": "GET", "url": "https://secret"}, "response": {}}]}}),
            "1 records of other traffic",
        ),
    ];
    for (name, record, cure) in cases {
        folder.file(name, record.to_string());
        let answer = run_in(Path::new(folder.path()), &["report", name], b"");
        assert_eq!(answer.code, 3, "{name}: {}", answer.whole());
        assert!(answer.whole().contains(cure), "{name}: {}", answer.whole());
        assert!(
            !answer.whole().contains("secret"),
            "{name}: {}",
            answer.whole()
        );
    }
}

#[test]
fn packed_files_that_lie_are_told_and_what_was_whole_counts() {
    let folder = Folder::new();
    let text = lines(&vec![body(); 2000]);
    let whole = gzip(&text);
    folder.file("cut.jsonl.gz", &whole[..whole.len() / 2]);
    folder.file(
        "damaged.jsonl.gz",
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03not deflate at all",
    );
    folder.file("twice.gz", gzip_bytes(&whole));
    let read = |name: &str| {
        run_in(
            Path::new(folder.path()),
            &["report", name, "-f", "json"],
            b"",
        )
    };
    let cut = read("cut.jsonl.gz").json();
    assert!(cut["runs"][0]["requests"].as_u64().unwrap() > 0);
    assert!(
        cut["skipped"]
            .to_string()
            .contains("the packed data is cut off"),
        "{}",
        cut["skipped"]
    );
    assert!(
        read("damaged.jsonl.gz")
            .whole()
            .contains("cannot be unpacked")
    );
    assert!(read("twice.gz").whole().contains("packed twice"));
}

fn gzip_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}
