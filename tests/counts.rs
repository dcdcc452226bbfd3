//! The recorded counts of seed 001, from two counts files; every number is a test.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, run, tool};
use serde_json::Value;

fn seed() -> Value {
    report("fixtures/seed-001", &[])
}

#[test]
fn the_vanilla_run_is_10_226_of_18_253_tokens() {
    let seed = seed();
    let first = &run(&seed, "vanilla")["first"];
    assert_eq!(
        (&first["tools"], &first["deferral"], &first["request"]),
        (&10_133.into(), &93.into(), &18_253.into())
    );
    assert_eq!(
        first["tools"].as_u64().unwrap() + first["deferral"].as_u64().unwrap(),
        10_226
    );
    assert_eq!((first["share"].as_f64().unwrap() * 100.0).round(), 56.0);
}

#[test]
fn the_snippet_run_is_9_394_of_19_906_tokens() {
    let seed = seed();
    let first = &run(&seed, "snippet")["first"];
    assert_eq!(
        (&first["tools"], &first["deferral"], &first["request"]),
        (&9_301.into(), &93.into(), &19_906.into())
    );
    assert_eq!(
        first["tools"].as_u64().unwrap() + first["deferral"].as_u64().unwrap(),
        9_394
    );
    assert_eq!((first["share"].as_f64().unwrap() * 100.0).round(), 47.0);
}

#[test]
fn each_tool_has_its_recorded_number() {
    let seed = seed();
    for (name, vanilla, snippet) in [
        ("Agent", 1602, 986),
        ("Bash", 1177, 958),
        ("Read", 712, 590),
        ("other seven", 6237, 6237),
    ] {
        assert_eq!(tool(run(&seed, "vanilla"), name)["size"], vanilla, "{name}");
        assert_eq!(tool(run(&seed, "snippet"), name)["size"], snippet, "{name}");
        assert_eq!(tool(run(&seed, "vanilla"), name)["source"], "recorded");
    }
    assert_eq!(tool(run(&seed, "vanilla"), "ListAgents")["size"], 405);
    assert_eq!(
        tool(run(&seed, "snippet"), "mcp__dotclaude-jev__second_opinion")["size"],
        530
    );
}

#[test]
fn both_runs_load_eleven_tools() {
    let seed = seed();
    for name in ["vanilla", "snippet"] {
        let tools = run(&seed, name)["tools"].as_array().unwrap();
        let loaded: u64 = tools
            .iter()
            .filter(|t| t["state"] == "loaded")
            .map(|t| t["tools"].as_u64().unwrap())
            .sum();
        assert_eq!(loaded, 11, "{name}");
    }
}

#[test]
fn a_tool_that_was_not_in_the_request_has_no_number() {
    let seed = seed();
    let deferred = tool(run(&seed, "snippet"), "ListAgents");
    assert_eq!(
        (&deferred["state"], &deferred["size"]),
        (&"announced".into(), &Value::Null)
    );
}

#[test]
fn what_was_not_counted_is_unknown_and_falls_into_the_residual() {
    let seed = seed();
    let first = &run(&seed, "vanilla")["first"];
    for part in ["prelude", "system", "messages", "frame"] {
        assert_eq!(first[part], Value::Null, "{part}");
    }
    assert_eq!(first["residual"], 18_253 - 10_226);
}

#[test]
fn the_loaded_mcp_tool_is_a_finding_that_names_possible_explanations() {
    let seed = seed();
    let findings = seed["findings"].as_array().unwrap();
    let about = findings
        .iter()
        .find(|f| f["code"] == "loaded-against-rules")
        .unwrap();
    assert_eq!(about["subject"], "mcp__dotclaude-jev__second_opinion");
    assert!(about["message"].as_str().unwrap().contains("alwaysLoad"));
}

#[test]
fn counts_beside_a_request_replace_estimates_and_keep_the_sum() {
    let folder = Folder::new();
    let body = r#"{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":"x"}],"tools":[
        {"name":"Read","description":"Reads.","input_schema":{"type":"object"}},
        {"name":"Bash","description":"Runs.","input_schema":{"type":"object"}}]}"#;
    folder.file("request-r-1.json", body.replace('\n', " "));
    let counts = |method: &str, tokens: u64| {
        format!(
            r#"{{"schema":"toolcost.counts/1","request":"request-r-1.json","method":"{method}","total":900,
            "model":"claude-sonnet-5","parts":[{{"kind":"tool","name":"Read","tokens":{tokens}}}]}}"#
        )
    };
    folder.file("report-r.json", counts("differences", 71));
    let differences = report(folder.path(), &[]);
    let r = run(&differences, "r");
    assert_eq!(
        (&tool(r, "Read")["size"], &tool(r, "Read")["source"]),
        (&71.into(), &"recorded".into())
    );
    assert_eq!(tool(r, "Bash")["source"], "reconstructed");
    assert_eq!(r["first"]["recorded"], 900);
    // One by one, each number holds the prelude of 354 once.
    folder.file("report-r.json", counts("one-by-one", 425));
    assert_eq!(
        tool(run(&report(folder.path(), &[]), "r"), "Read")["size"],
        71
    );
}

#[test]
fn a_residual_that_nothing_explains_names_likely_causes() {
    let body = serde_json::json!({"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hello"}],
        "tools": [{"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}}]});
    let with = |input: u64| {
        let folder = Folder::new();
        let record = serde_json::json!({"request": {"body": body}, "response": {"body": {"usage": {"input_tokens": input, "output_tokens": 1}}}});
        folder.file("a.jsonl", record.to_string());
        let report = report(folder.path(), &[]);
        let codes = report["findings"].as_array().unwrap().iter();
        let found = codes.filter(|finding| finding["code"] == "residual");
        (
            report["runs"][0]["first"]["residual"].as_i64().unwrap(),
            found
                .map(|f| f["message"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>(),
        )
    };
    let (left, _) = with(10_000);
    let exact = u64::try_from(10_000 - left).unwrap();
    assert_eq!(with(exact), (0, Vec::new()));
    assert_eq!(with(exact + 30).1, Vec::<String>::new());
    assert!(with(exact + 31).1[0].contains("31 tokens more were recorded"));
    assert!(with(exact - 183).1[0].ends_with("likely an older tool-use prompt"));
    assert!(with(exact - 100).1[0].contains("100 tokens fewer were recorded"));
}
