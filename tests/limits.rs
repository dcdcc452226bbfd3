//! Limits and whole files that are not what they seem: each told with path and place, and nothing beside it lost.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, read, run_in};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;

fn body() -> Value {
    json!({"model": "claude-sonnet-5", "max_tokens": 999, "messages": [{"role": "user", "content": "hello world"}],
        "tools": [{"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}}]})
}

fn answer_of(id: &str) -> Value {
    json!({"type": "response_chunk", "request_id": id, "status_code": 200, "chunk_index": 0,
        "content": json!({"type": "message", "usage": {"input_tokens": 900, "output_tokens": 5}}).to_string()})
}

fn request_of(id: &str, second: u64) -> Value {
    json!({"type": "request", "id": id, "timestamp": format!("2026-01-01T00:00:0{second}Z"), "method": "POST",
        "url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body()})
}

fn reasons(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let skipped = report["skipped"].as_array().unwrap().iter();
    skipped
        .map(|s| format!("{}: {}", text(&s["place"]), text(&s["reason"])))
        .collect()
}

fn requests(report: &Value) -> u64 {
    let runs = report["runs"].as_array().unwrap().iter();
    runs.map(|run| run["requests"].as_u64().unwrap()).sum()
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn what_lies_too_deep_is_told_and_not_lost() {
    let good = body().to_string();
    let wrapped = |times: usize, text: &str| {
        let wrap = |text: String, _| serde_json::to_string(&text).unwrap();
        (0..times).fold(text.to_owned(), wrap)
    };
    let nested = |times: usize| {
        let inside = json!({"custom_id": "a", "params": body()});
        let wrap = |inside: Value, _| json!({"requests": [inside]});
        (0..times).fold(inside, wrap).to_string()
    };
    let told = "JSON in a string in a string, more than 4 times; unwrap it first";
    let in_body = |times| format!("{{\"body\":{}}}", wrapped(times, &good));
    for (record, found, reason) in [
        (wrapped(4, &good), 2, None),
        (wrapped(5, &good), 1, Some(told)),
        (in_body(4), 2, None),
        (in_body(5), 1, Some(told)),
        (nested(8), 2, None),
        (
            nested(9),
            1,
            Some("a container inside 8 others; its records are not read"),
        ),
    ] {
        let report = read("a.jsonl", format!("{good}\n{record}\n"));
        assert_eq!(requests(&report), found, "{reason:?}");
        let reasons = reasons(&report);
        match reason {
            None => assert_eq!(reasons, [""; 0]),
            Some(reason) => {
                assert!(reasons.len() == 1, "{reasons:?}");
                assert!(reasons[0].starts_with("line 2") && reasons[0].ends_with(reason));
            }
        }
    }
    // A container by its flag only: its list is not where the format says.
    let folder = Folder::new();
    folder.file("a.jsonl", "{\"log\":{\"entries\":5}}\n");
    let at = Path::new(folder.path());
    let answer = run_in(at, &["report", "a.jsonl", "--as", "har"], b"");
    assert_eq!(answer.code, 3);
    assert!(answer.whole().contains("no array of records there"));
}

#[test]
fn too_much_of_a_kind_is_told_and_the_rest_is_read() {
    let good = body().to_string();
    let ones = vec!["1"; 100_001].join(",");
    let names: String = (0..100_001).map(|n| format!("t{n}\\n")).collect();
    for (record, reason) in [
        (format!("{{\"messages\":[],\"tools\":[{ones}]}}"), "tools"),
        (format!("{{\"messages\":[{ones}]}}"), "messages"),
        (
            format!("{{\"input\":[{{\"type\":\"additional_tools\",\"tools\":[{ones}]}}]}}"),
            "tools",
        ),
        (
            format!(
                "{{\"messages\":[{{\"role\":\"user\",\"content\":\"<available-deferred-tools>\\n{names}</available-deferred-tools>\"}}]}}"
            ),
            "announced names",
        ),
    ] {
        let report = read("a.jsonl", format!("{record}\n{good}\n"));
        assert_eq!(requests(&report), 1, "{reason}");
        let told = format!("line 1: more than 100000 {reason} in one record; it is not read");
        assert_eq!(reasons(&report), [told]);
    }
    let folder = Folder::new();
    folder.file("a.json", &good);
    folder.file("tools.json", format!("{{\"tools\":[{ones}]}}"));
    let at = Path::new(folder.path());
    let answer = run_in(at, &["report", "a.json", "--tools", "tools.json"], b"");
    assert!(answer.whole().contains("more than 100000 tools"));
}

#[test]
fn a_packed_file_that_unfolds_to_one_long_line_is_told() {
    // What is behind the magic bytes is no JSON, is cut, or goes on with nothing.
    let good = body().to_string();
    let blanks = format!("{good}\n{}", " ".repeat(8 << 20));
    assert_eq!(requests(&read("a.json.gz", gzip(blanks.as_bytes()))), 1);
    for (bytes, reason) in [
        (gzip(b"# notes"), "not JSON: it begins with neither { nor ["),
        (gzip(b""), "the file is empty"),
        (
            gzip(&vec![0; 1 << 20]),
            "not JSON: it begins with neither { nor [",
        ),
        (
            b"\x28\xb5\x2f\xfd{\"messages\":[]}".to_vec(),
            "begins as zstd data and cannot be unpacked",
        ),
        (
            b"\x78\x9c\xff\xff\xff\xff".to_vec(),
            "begins as zlib data and cannot be unpacked",
        ),
    ] {
        let reasons = reasons(&read("a.gz", bytes));
        assert!(
            reasons.len() == 1 && reasons[0].contains(reason),
            "{reasons:?}"
        );
    }
    let cut = gzip(lines(&vec![body(); 500]).as_bytes());
    let report = read("a.gz", &cut[..cut.len() - 9]);
    assert!(requests(&report) > 400);
    assert!(
        reasons(&report)
            .iter()
            .any(|r| r.contains("the packed data is cut off"))
    );
}

#[test]
fn text_in_another_encoding_is_told_by_its_name() {
    let text = body().to_string();
    let wide = |bytes: fn(u16) -> [u8; 2], mark: Option<u16>| -> Vec<u8> {
        mark.into_iter()
            .chain(text.encode_utf16())
            .flat_map(bytes)
            .collect()
    };
    for bytes in [
        wide(u16::to_le_bytes, Some(0xfeff)),
        wide(u16::to_be_bytes, Some(0xfeff)),
        wide(u16::to_le_bytes, None),
        wide(u16::to_be_bytes, None),
    ] {
        assert_eq!(
            reasons(&read("a.json", bytes)),
            ["whole file: UTF-16 text; save it as UTF-8"]
        );
    }
    // eyJ is how base64 of a JSON object begins.
    let file = read("a.json", "eyJtZXNzYWdlcyI6W119");
    assert_eq!(
        reasons(&file),
        ["whole file: not JSON: it begins with neither { nor ["]
    );
    let record = read(
        "a.jsonl",
        format!("{}\n{}", json!({"body": "eyJtZXNzYWdlcyI6W119"}), body()),
    );
    assert_eq!((requests(&record), reasons(&record).len()), (1, 1));
    assert!(reasons(&record)[0].contains("the body is a string that holds no JSON"));
}

#[test]
fn two_formats_in_one_file_are_both_read() {
    let all = lines(&[
        body(),
        json!({"request": {"url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body()}, "response": {"body": {"usage": {"input_tokens": 5}}}}),
        json!({"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "response": {}, "request": {"method": "POST",
            "url": "https://api.anthropic.com/v1/messages", "httpVersion": "HTTP/2", "postData": {"text": body().to_string()}}}]}}),
        request_of("x", 1),
        answer_of("x"),
    ]);
    let report = read("a.jsonl", all);
    assert_eq!((requests(&report), reasons(&report)), (4, vec![]));
}

#[test]
fn requests_and_answers_meet_in_any_order_and_once() {
    let (a, b) = (request_of("a", 1), request_of("b", 2));
    let mut totals = Vec::new();
    for order in [
        [a.clone(), answer_of("a"), b.clone(), answer_of("b")],
        [answer_of("b"), answer_of("a"), b.clone(), a.clone()],
        [b.clone(), a.clone(), answer_of("a"), answer_of("b")],
    ] {
        let report = read("a.jsonl", lines(&order));
        assert_eq!((requests(&report), reasons(&report)), (2, vec![]));
        totals.push(report["runs"][0]["total"].clone());
    }
    assert_eq!(totals[0]["recorded"], 1800);
    assert!(totals.iter().all(|total| *total == totals[0]));
    // The same request twice, one answer: it is given to one of them.
    let report = read("a.jsonl", lines(&[a.clone(), a.clone(), answer_of("a")]));
    let rows = report["runs"][0]["by_request"].as_array().unwrap().iter();
    let recorded: Vec<Option<u64>> = rows.map(|row| row["tokens"]["recorded"].as_u64()).collect();
    assert_eq!(recorded, [Some(900), None]);
    let report = read("a.jsonl", lines(&[a, answer_of("elsewhere")]));
    assert_eq!(
        reasons(&report),
        ["line 2: an answer whose request is not here"]
    );
}

#[test]
fn a_pointer_that_leads_nowhere_is_told_with_its_format() {
    let folder = Folder::new();
    folder.file("a.jsonl", format!("{}\n", json!({"other": 1})));
    let read = |format: &str| {
        run_in(
            Path::new(folder.path()),
            &["report", "a.jsonl", "--as", format],
            b"",
        )
    };
    for (format, reason) in [
        (
            "claude-trace",
            "/request/body: nothing there, format claude-trace",
        ),
        ("har", "/log/entries: no array of records there, format har"),
    ] {
        let answer = read(format);
        assert_eq!(answer.code, 3, "{}", answer.whole());
        assert!(answer.whole().contains(reason), "{}", answer.whole());
    }
}
