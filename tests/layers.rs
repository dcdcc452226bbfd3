//! Every path inside the crate leads to a layer that the importing one may see (docs/ARCHITECTURE.md).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each top module may name of the others.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut may: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    may.insert("model", vec![]);
    may.insert("data", vec!["model"]);
    for one in ["ingest", "count", "rules", "search", "session"] {
        may.insert(one, vec!["model", "data"]);
    }
    let below = [
        "model", "data", "ingest", "count", "rules", "search", "session",
    ];
    let row = ["audit", "savings", "summary", "lint", "pipeline"];
    for (at, one) in row.iter().enumerate() {
        may.insert(one, below.iter().chain(&row[..at]).copied().collect());
    }
    // Views see no capture: `ingest` is left out.
    may.insert(
        "view",
        ["model", "data", "count", "rules", "search", "session"]
            .iter()
            .chain(&row)
            .copied()
            .collect(),
    );
    may.insert(
        "report",
        vec![
            "model", "data", "count", "rules", "savings", "summary", "lint", "view",
        ],
    );
    may.insert("render", vec!["model", "report"]);
    may.insert("config", vec!["model", "data"]);
    may.insert(
        "cli",
        below
            .iter()
            .chain(&row)
            .chain(&["view", "report", "render", "config"])
            .copied()
            .collect(),
    );
    may
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The module path of a file: `src/a/b.rs` → a, b; `src/a/mod.rs` → a.
fn module(file: &Path, root: &Path) -> Vec<String> {
    let below = file.strip_prefix(root).unwrap().with_extension("");
    let mut parts: Vec<String> = below
        .components()
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Code without comments and strings: enough for looking at paths.
fn code(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Modules that a text reaches: `crate::x`, and `super::` chains that leave the top module.
fn reached(text: &str, module: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let word = |text: &str| {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (at, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && c.is_alphabetic() => {
                        found.push(word(&list[at..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            found.push(word(rest));
        }
    }
    for (at, _) in text.match_indices("super::") {
        if text[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &text[at..];
        let mut ups = 0;
        while let Some(more) = rest.strip_prefix("super::") {
            rest = more;
            ups += 1;
        }
        // Inside `mod tests { … }` one step up stays in the file; counting it as leaving is stricter, not laxer.
        if ups > module.len() || (ups == module.len() && !module.is_empty()) {
            found.push(word(rest));
        }
    }
    found
}

#[test]
fn layers_import_downwards_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let allowed = allowed();
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40);
    let mut wrong = Vec::new();
    for file in files {
        let module = module(&file, &root);
        let Some(top) = module
            .first()
            .filter(|top| !matches!(top.as_str(), "lib" | "main"))
        else {
            continue;
        };
        let may = allowed
            .get(top.as_str())
            .unwrap_or_else(|| panic!("{top} is in no layer: add it to tests/layers.rs"));
        let text = code(&fs::read_to_string(&file).unwrap());
        for reached in reached(&text, &module) {
            let known = allowed.contains_key(reached.as_str());
            if known && reached != *top && !may.contains(&reached.as_str()) {
                wrong.push(format!("{} names crate::{reached}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_the_pipeline_starts_threads_and_only_the_command_line_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let text = code(&fs::read_to_string(&file).unwrap());
        let shown = file
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let inside = |folder: &str| shown.starts_with(folder);
        assert!(
            !text.contains("thread::") || shown == "pipeline/map.rs" || inside("cli/"),
            "{shown} starts threads"
        );
        assert!(
            !(text.contains("io::stdout") || text.contains("io::stderr")) || inside("cli/"),
            "{shown} prints"
        );
        let files = text.contains("fs::read") || text.contains("File::open");
        assert!(
            !files || inside("ingest/") || inside("config/") || inside("cli/"),
            "{shown} reads files"
        );
        assert!(
            !text.contains(".unwrap()")
                || text.contains("#[cfg(test)]")
                || shown.ends_with("tests.rs"),
            "{shown} unwraps"
        );
    }
}

#[test]
fn a_path_that_breaks_the_layers_is_seen() {
    let module = ["model".to_owned(), "count".to_owned()];
    assert_eq!(
        reached("use crate::{data::{A, B}, view, cli::run};", &module),
        ["data", "view", "cli"]
    );
    assert_eq!(
        reached("fn f() { crate::ingest::read() }", &module),
        ["ingest"]
    );
    assert_eq!(
        reached("use super::super::pipeline::run;", &module),
        ["pipeline"]
    );
    assert!(reached("use super::Tokens;", &module).is_empty());
}
