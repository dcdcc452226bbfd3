//! A file that implements one of the traits is listed in its registry, and stays a file of one idea.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::Path;

/// Files of a folder that hold `impl <trait> for`, beside `mod.rs`.
fn implementors(folder: &str, trait_: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let needle = format!("impl {trait_} for ");
        if let (Some(at), true) = (text.find(&needle), stem != "mod") {
            let type_: String = text[at + needle.len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .collect();
            found.push((stem, type_));
        }
    }
    found
}

#[test]
fn every_rule_counter_and_renderer_is_in_its_registry() {
    for (folder, trait_, least) in [
        ("rules/defer", "Rule", 6),
        ("count", "Counter", 1),
        ("render", "Renderer", 2),
        ("render/rows", "RowFormat", 2),
        ("view/facts", "FactsTable", 3),
    ] {
        let registry = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(folder)
            .join("mod.rs");
        let registry = fs::read_to_string(registry).unwrap();
        let found = implementors(folder, trait_);
        assert!(found.len() >= least, "{folder} has lost its {trait_}s");
        for (file, type_) in found {
            assert!(
                registry.contains(&format!("mod {file};")),
                "{folder}/{file}.rs is no module"
            );
            assert!(
                registry.contains(&format!("&{file}::{type_}")),
                "{folder}/{file}.rs is not registered"
            );
        }
    }
}

#[test]
fn names_in_registries_are_unique_and_kebab() {
    let rules = toolcost::rules::RULES.iter().map(|rule| rule.id());
    let counters = toolcost::count::COUNTERS
        .iter()
        .map(|c| toolcost::model::Measure::counter(*c));
    let renderers = toolcost::render::RENDERERS
        .iter()
        .map(|renderer| renderer.id());
    for names in [
        rules.collect::<Vec<_>>(),
        counters.collect(),
        renderers.collect(),
    ] {
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len(), "{names:?}");
        assert!(names.iter().all(|name| {
            name.bytes()
                .all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit())
        }));
    }
}

#[test]
fn the_checklist_keeps_its_strict_order() {
    let order: Vec<&str> = toolcost::rules::RULES
        .iter()
        .map(|rule| rule.id())
        .collect();
    assert_eq!(
        order,
        [
            "always-load",
            "mcp",
            "tool-search",
            "communication",
            "should-defer",
            "default"
        ]
    );
}

#[test]
fn files_stay_short() {
    fn walk(folder: &Path, long: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, long);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let lines = fs::read_to_string(&path).unwrap().lines().count();
                if lines > 400 {
                    long.push(format!("{}: {lines} lines", path.display()));
                }
            }
        }
    }
    let mut long = Vec::new();
    for folder in ["src", "examples"] {
        walk(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut long,
        );
    }
    assert!(long.is_empty(), "more than one idea in each? {long:#?}");
}
