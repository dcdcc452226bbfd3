//! Real captures of others, where they are at hand. Absent, the tests say so and pass.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{report, shared};
use std::collections::BTreeSet;

#[test]
fn a_recorded_trace_is_read_whole() {
    if shared("corpus/claude-trace").is_none() {
        return;
    }
    let report = report(
        "../shared/corpus/claude-trace/test-traffic.jsonl",
        &["--per-request"],
    );
    assert_eq!(report["skipped"].as_array().unwrap().len(), 0);
    let run = &report["runs"][0];
    let rows = run["by_request"].as_array().unwrap();
    assert_eq!(rows.len(), 64);
    let main: Vec<_> = rows.iter().filter(|row| row["role"] == "main").collect();
    assert_eq!((main.len(), &run["sessions"]), (16, &2.into()));
    let turns =
        |session: &serde_json::Value| main.iter().filter(|row| row["session"] == *session).count();
    let sessions: BTreeSet<u64> = main
        .iter()
        .map(|row| row["session"].as_u64().unwrap())
        .collect();
    let turns: Vec<usize> = sessions
        .into_iter()
        .map(|session| turns(&session.into()))
        .collect();
    assert_eq!(turns, [13, 3]);
    assert_eq!(run["tools"].as_array().unwrap().len(), 17);
    assert!(
        run["tools"]
            .as_array()
            .unwrap()
            .iter()
            .all(|tool| tool["turns"] == 16)
    );
    let side: Vec<_> = rows.iter().filter(|row| row["role"] == "side").collect();
    let without_tools = side
        .iter()
        .filter(|row| row["tokens"]["tools"] == 0)
        .count();
    let compactions = side
        .iter()
        .filter(|row| row["side_kind"] == "compaction")
        .count();
    assert_eq!((side.len(), without_tools, compactions), (48, 47, 1));
    assert_eq!(rows[5]["tokens"]["recorded"], 15_036);
    for row in rows {
        let tokens = &row["tokens"];
        let parts = [
            "tools", "prelude", "deferral", "system", "messages", "frame", "residual",
        ];
        let sum: i64 = parts
            .iter()
            .map(|part| tokens[part].as_i64().unwrap_or(0))
            .sum();
        assert_eq!(sum, tokens["recorded"].as_i64().unwrap(), "{row:#}");
    }
}

#[test]
fn every_file_of_the_corpus_is_reported_skipped_or_no_capture() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let files = walkdir::WalkDir::new(corpus)
        .into_iter()
        .filter(|e| e.as_ref().unwrap().file_type().is_file())
        .count();
    let report = report("../shared/corpus", &[]);
    let mut told: BTreeSet<String> = BTreeSet::new();
    for run in report["runs"].as_array().unwrap() {
        told.extend(
            run["paths"]
                .as_array()
                .unwrap()
                .iter()
                .map(|path| path.as_str().unwrap().to_owned()),
        );
    }
    for skipped in report["skipped"].as_array().unwrap() {
        assert!(!skipped["reason"].as_str().unwrap().is_empty());
        // Nothing that could be read is: these are broken, or answers without their requests.
        let path = skipped["path"].as_str().unwrap();
        let unreadable = ["brokenfile.har", "/response-only/", "log/edge_cases.jsonl"];
        assert!(
            unreadable.iter().any(|part| path.contains(part)),
            "{skipped}"
        );
        told.insert(skipped["path"].as_str().unwrap().to_owned());
    }
    let passed = report["not_captures"].as_u64().unwrap() + report["listings"].as_u64().unwrap();
    assert_eq!(told.len() as u64 + passed, files as u64);
}

#[test]
fn listings_of_mcp_servers_define_what_is_announced() {
    if shared("corpus/mcp-tools").is_none() {
        return;
    }
    let folder = common::Folder::new();
    let reminder =
        "<available-deferred-tools>\\nmcp__alfresco__search_nodes\\n</available-deferred-tools>";
    let body = format!(
        r#"{{"model":"claude-sonnet-5","max_tokens":9,"messages":[{{"role":"user","content":"{reminder}"}}],"tools":[]}}"#
    );
    folder.file("request-r-1.json", body);
    let flags = [
        "--tools",
        "../shared/corpus/mcp-tools/docker/alfresco/tools.json",
        "--server",
        "alfresco",
    ];
    let known = report(folder.path(), &flags);
    let tool = common::tool(&known["runs"][0], "mcp__alfresco__search_nodes").clone();
    assert_eq!(
        (&tool["definition_from"], &tool["state"]),
        (&"listing".into(), &"announced".into())
    );
    assert_eq!(known["runs"][0]["savings"]["at_least"], false);
    let unknown = report(folder.path(), &[]);
    assert_eq!(unknown["runs"][0]["savings"]["at_least"], true);
}
