//! The shipped captures tell seed 003's story: many tools, few in the prompt, most of their tokens saved.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{report, run, tool, toolcost};
use serde_json::Value;
use std::collections::BTreeMap;

fn captures() -> Value {
    report("captures", &["--per-request"])
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn vanilla_sends_about_90_000_tokens_of_definitions() {
    let captures = captures();
    let tools = number(&run(&captures, "vanilla")["first"]["tools"]);
    assert!((70_000.0..=110_000.0).contains(&tools), "{tools}");
    // The client's own rule of thumb, which the story is told in, reads higher.
    let by_rule = report("captures", &["--counter", "chars"]);
    let tools = number(&run(&by_rule, "vanilla")["first"]["tools"]);
    assert!((80_000.0..=110_000.0).contains(&tools), "{tools}");
    let servers: BTreeMap<String, u64> = run(&captures, "vanilla")["by_server"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["server"].as_str().unwrap().to_owned(),
                row["tools"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(servers.values().sum::<u64>(), 147);
    assert_eq!(
        (servers["github"], servers["slack"], servers["jira"]),
        (58, 47, 42)
    );
    assert_eq!(
        run(&captures, "vanilla")["tools"].as_array().unwrap().len(),
        172
    );
}

#[test]
fn deferred_keeps_at_most_a_fifth_of_that_in_the_prompt() {
    let captures = captures();
    let vanilla = number(&run(&captures, "vanilla")["first"]["tools"]);
    let rows = run(&captures, "deferred")["by_request"].as_array().unwrap();
    let main: Vec<&Value> = rows.iter().filter(|row| row["role"] == "main").collect();
    assert_eq!(main.len(), 6);
    for row in main {
        assert!(number(&row["tokens"]["tools"]) <= vanilla / 5.0);
    }
    assert!(number(&run(&captures, "deferred")["savings"]["as_sent"]) <= vanilla / 5.0);
}

#[test]
fn more_than_80_percent_is_saved_and_searches_cost_a_little_of_it() {
    let captures = captures();
    let savings = &run(&captures, "deferred")["savings"];
    assert!(number(&savings["saved_share"]) > 0.80);
    let total = &savings["per_run_total"];
    assert!(
        number(&total["saved"]) < 6.0 * number(&savings["saved"]),
        "later turns pay for what was discovered"
    );
    assert!(number(&total["saved"]) > 5.0 * number(&savings["saved"]));
    assert_eq!(savings["search_turns"], 2);
}

#[test]
fn two_tools_are_discovered_and_stay_through_a_compaction() {
    let captures = captures();
    let deferred = run(&captures, "deferred");
    let found = |name: &str| tool(deferred, name)["discovered_at"].as_u64();
    assert_eq!(found("mcp__github__create_issue"), Some(2));
    assert_eq!(found("mcp__slack__post_message"), Some(4));
    assert_eq!(tool(deferred, "mcp__github__create_issue")["turns"], 5);
    assert_eq!(tool(deferred, "mcp__slack__post_message")["turns"], 3);
    assert_eq!(
        (&deferred["sessions"], &deferred["side_kinds"]["compaction"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn no_number_of_the_shipped_captures_lacks_a_part() {
    let text = toolcost(&["report", "captures"]);
    assert!(
        !text.stdout.contains('≥') && !text.stdout.contains('?'),
        "{}",
        text.stdout
    );
    for run in captures()["runs"].as_array().unwrap() {
        assert_eq!(run["savings"]["at_least"], false);
        assert_eq!(run["total"]["at_least"], false);
        for row in run["by_request"].as_array().unwrap() {
            assert_eq!(
                row["tokens"]["unknown_parts"],
                serde_json::json!([]),
                "{row:#}"
            );
        }
    }
}

#[test]
fn the_gate_says_on_where_the_wire_shows_it_on() {
    let captures = captures();
    for (name, observed, enabled, mode) in [
        ("vanilla", "off", false, "standard"),
        ("deferred", "on", true, "tst"),
        ("plugin", "on", true, "tst"),
    ] {
        let gate = &run(&captures, name)["gate"];
        assert_eq!(
            (&gate["observed"], &gate["enabled"], &gate["mode"]),
            (&observed.into(), &enabled.into(), &mode.into())
        );
    }
}

#[test]
fn the_plugin_shortens_three_descriptions_and_leaves_the_rest_as_it_was() {
    let captures = captures();
    let (vanilla, plugin) = (run(&captures, "vanilla"), run(&captures, "plugin"));
    for name in ["Agent", "Bash", "Read"] {
        assert!(
            number(&tool(plugin, name)["size"]) < number(&tool(vanilla, name)["size"]),
            "{name}"
        );
    }
    assert_eq!(tool(plugin, "ListAgents")["state"], "announced");
    let sizes = |run: &Value| -> BTreeMap<String, (Value, Value)> {
        let tools = run["tools"].as_array().unwrap().iter();
        tools
            .map(|t| {
                (
                    t["name"].as_str().unwrap().to_owned(),
                    (t["bytes"].clone(), t["size"].clone()),
                )
            })
            .collect()
    };
    let theirs = sizes(plugin);
    let same = sizes(vanilla)
        .into_iter()
        .filter(|(name, _)| !["Agent", "Bash", "Read"].contains(&name.as_str()));
    for (name, size) in same {
        assert_eq!(theirs[&name], size, "{name}");
    }
}

#[test]
fn the_shipped_captures_are_what_their_program_writes() {
    let folder = common::Folder::new();
    let out = std::path::Path::new(folder.path()).join("captures");
    let status = std::process::Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--example", "captures", "--"])
        .arg(&out)
        .current_dir(common::root())
        .status()
        .unwrap();
    assert!(status.success());
    let mut compared = 0;
    for entry in walkdir::WalkDir::new(&out) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let shipped = common::root()
                .join("captures")
                .join(entry.path().strip_prefix(&out).unwrap());
            assert!(
                std::fs::read(&shipped).unwrap() == std::fs::read(entry.path()).unwrap(),
                "{}",
                shipped.display()
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 18);
}
