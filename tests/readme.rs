//! What the README shows of the shipped captures is what the program prints.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{root, toolcost};

#[test]
fn the_report_in_the_readme_is_the_report() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = text.split("```text\n").nth(1).unwrap();
    let shown = shown.split("```").next().unwrap();
    let printed = toolcost(&["report", "captures/"]).stdout;
    let printed: Vec<&str> = printed.lines().collect();
    let mut lines = 0;
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(printed.contains(&line), "the README shows: {line}");
        lines += 1;
    }
    assert!(lines > 20, "{lines}");
}

#[test]
fn the_number_of_rules_is_the_number_of_rules() {
    let rules = toolcost(&["list", "lints", "-f", "json"]).json();
    let number = rules.as_array().unwrap().len();
    for file in ["README.md", "CHANGELOG.md"] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(
            text.contains(&format!("{number} rules")),
            "{file}: {number} rules"
        );
    }
}
