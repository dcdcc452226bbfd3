//! Cases worked by hand: `tests/cases/<case>/input.json` with the answers in `expected.md`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, tool};
use serde_json::Value;

fn case(name: &str) -> Value {
    let path = common::root()
        .join("tests/cases")
        .join(name)
        .join("input.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Reports a case that is a plain body.
fn body(name: &str) -> Value {
    report(&format!("tests/cases/{name}/input.json"), &[])["runs"][0].clone()
}

fn states(run: &Value, state: &str) -> Vec<String> {
    let tools = run["tools"].as_array().unwrap().iter();
    let mut names: Vec<String> = tools
        .filter(|t| t["state"] == state)
        .map(|t| t["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_wrapped_flag_defers_and_a_top_level_flag_wins() {
    let report = report("tests/cases/18-custom-wrapped-defer-flag/input.json", &[]);
    let run = &report["runs"][0];
    assert_eq!(states(run, "deferred"), ["mcp__a__one"]);
    assert_eq!(states(run, "loaded"), ["Read", "ToolSearch", "mcp__a__two"]);
    let findings = report["findings"].as_array().unwrap();
    let wrapped: Vec<&Value> = findings
        .iter()
        .filter(|f| f["code"] == "defer-flag-wrapped")
        .collect();
    assert_eq!(wrapped.len(), 1);
    assert_eq!(
        (&wrapped[0]["subject"], &wrapped[0]["pointer"]),
        (&"mcp__a__one".into(), &"/tools/2".into())
    );
}

#[test]
fn the_prelude_is_counted_once_and_tools_add_up() {
    let run = body("31-overhead-counted-once");
    let of = |name: &str, key: &str| tool(&run, name)[key].as_u64().unwrap();
    let wire: Vec<u64> = ["a", "b", "c"]
        .iter()
        .map(|t| of(&format!("mcp__s__{t}"), "wire_chars"))
        .collect();
    assert_eq!(wire, [113, 179, 88]);
    assert_eq!(wire.iter().sum::<u64>(), 380);
    let sizes: Vec<u64> = ["a", "b", "c"]
        .iter()
        .map(|t| of(&format!("mcp__s__{t}"), "size"))
        .collect();
    assert!(
        sizes[1] > sizes[0] && sizes[0] > sizes[2],
        "three values, b > a > c: {sizes:?}"
    );
    let tokens = &run["first"];
    assert_eq!(tokens["tools"].as_u64().unwrap(), sizes.iter().sum::<u64>());
    assert_eq!(
        tokens["prelude"], 497,
        "once for claude-opus-4-6, not three times"
    );
}

#[test]
fn removing_a_tool_changes_the_total_by_its_own_figure() {
    let whole = case("31-overhead-counted-once");
    let mut without = whole.clone();
    without["tools"]
        .as_array_mut()
        .unwrap()
        .retain(|tool| tool["name"] != "mcp__s__b");
    let folder = Folder::new();
    folder.file("whole.json", whole.to_string());
    folder.file("without.json", without.to_string());
    let report = report(folder.path(), &[]);
    let request = |run: &str| {
        common::run(&report, run)["first"]["request"]
            .as_u64()
            .unwrap()
    };
    let b = tool(common::run(&report, "whole"), "mcp__s__b")["size"]
        .as_u64()
        .unwrap();
    assert_eq!(request("whole") - request("without"), b);
}

#[test]
fn the_auto_threshold_is_measured_from_bodies() {
    let case = case("34-auto-threshold-from-bodies");
    let folder = Folder::new();
    for (at, request) in case["requests"].as_array().unwrap().iter().enumerate() {
        folder.file(
            &format!("request-{}-1.json", ["defers", "loads"][at]),
            request.to_string(),
        );
    }
    let window = case["context_window"].to_string();
    let env = format!(
        "ENABLE_TOOL_SEARCH={}",
        case["env"]["ENABLE_TOOL_SEARCH"].as_str().unwrap()
    );
    let report = report(folder.path(), &["--env", &env, "--context-window", &window]);
    let gate = |run: &str| common::run(&report, run)["gate"].clone();
    for (run, enabled) in [("defers", true), ("loads", false)] {
        let gate = gate(run);
        assert_eq!(gate["mode"], "tst-auto");
        assert_eq!(gate["enabled"], enabled, "{run}: {gate:#}");
        assert_eq!(gate["decided_by"], "threshold");
        let line = &gate["threshold"];
        assert_eq!(
            (&line["tokens"], &line["chars"]),
            (&2000.into(), &5000.into())
        );
        assert_eq!(line["method"], "tokens", "the rule that was used is named");
    }
    let measured = |run: &str| gate(run)["threshold"]["measured_chars"].as_u64().unwrap();
    assert!(measured("defers") > 5000 && measured("loads") < 5000);
    // Read and ToolSearch are core tools and never count towards the sum.
    let deferrable: u64 = common::run(&report, "defers")["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["server"].is_string())
        .map(|tool| tool["chars"].as_u64().unwrap())
        .sum();
    assert_eq!(measured("defers"), deferrable);
}

#[test]
fn a_reference_discovers_and_the_rest_stays_deferred_without_a_search_tool() {
    let run = body("14-deferred-but-no-search-tool");
    assert_eq!(states(&run, "discovered"), ["mcp__db__query"]);
    assert_eq!(states(&run, "deferred"), ["mcp__db__schema"]);
}

#[test]
fn a_placeholder_text_discovers_nothing() {
    let run = body("42-placeholder-instead-of-references");
    assert_eq!(states(&run, "discovered"), Vec::<String>::new());
    assert_eq!(states(&run, "loaded"), ["Read", "mcp__x__a"]);
}
