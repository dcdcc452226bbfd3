//! Recorded counts of texts, and whether the rebuilt tokenizers give the same.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{root, shared};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use toolcost::count::claude::{Family, content_tokens};
use toolcost::model::Text;

/// The text of a row as the inside of a JSON string, whether it is given as such or by code points.
fn literal(row: &Value) -> String {
    if let Some(text) = row["text"].as_str() {
        let quoted = serde_json::to_string(text).unwrap();
        return quoted[1..quoted.len() - 1].to_owned();
    }
    let mut literal = String::new();
    for point in row["codepoints"].as_array().unwrap() {
        let point = u32::try_from(point.as_u64().unwrap()).unwrap();
        match char::from_u32(point) {
            Some(c) => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| write!(literal, "\\u{unit:04x}").unwrap()),
            None => write!(literal, "\\u{point:04x}").unwrap(),
        }
    }
    literal
}

fn check(path: &Path, least: usize) {
    let rows = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let literal = literal(&row);
        for family in Family::ALL {
            let count = content_tokens(family, Text::Literal(&literal));
            if Some(count) != row[family.name()].as_u64() {
                let shown: String = literal.chars().take(80).collect();
                wrong.push(format!(
                    "{} {}: {count}, not {}: {shown}",
                    row["cat"],
                    family.name(),
                    row[family.name()]
                ));
            }
            if let Some(text) = row["text"].as_str() {
                assert_eq!(content_tokens(family, Text::Plain(text)), count);
            }
        }
        checked += 1;
    }
    assert!(checked >= least, "only {checked} rows");
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn all_recorded_texts_count_as_recorded() {
    if let Some(folder) = shared("claude-tokenizer/vectors") {
        check(&folder.join("open.jsonl"), 8_000);
        check(&folder.join("lone_surrogates.jsonl"), 200);
    }
}

/// Where the shipped sample lies.
const SAMPLE: &str = "fixtures/vectors.jsonl";

/// The sample: of each category at most six rows with short texts, evenly spaced; its shortest row if none is short.
fn sample(rows: &[&str]) -> String {
    let mut by_category: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
    for row in rows {
        let value: Value = serde_json::from_str(row).unwrap();
        let category = value["cat"].as_str().unwrap().to_owned();
        let length = literal(&value).len();
        by_category.entry(category).or_default().push((length, row));
    }
    let mut sample = String::new();
    for mut rows in by_category.into_values() {
        let shortest = rows.iter().map(|(length, _)| *length).min().unwrap();
        rows.retain(|(length, _)| *length <= shortest.max(300));
        for (_, row) in rows.iter().step_by(rows.len().div_ceil(6)) {
            sample.push_str(row);
            sample.push('\n');
        }
    }
    sample
}

#[test]
fn the_shipped_sample_counts_as_recorded() {
    check(&root().join(SAMPLE), 300);
}

/// `TOOLCOST_WRITE_SAMPLE=1 cargo test --test vectors` writes it anew.
#[test]
fn the_shipped_sample_follows_its_rule() {
    let Some(folder) = shared("claude-tokenizer/vectors") else {
        return;
    };
    let texts = ["open.jsonl", "lone_surrogates.jsonl"]
        .map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    let rows: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let path = root().join(SAMPLE);
    let sample = sample(&rows);
    assert!(sample.len() < 150_000);
    if std::env::var_os("TOOLCOST_WRITE_SAMPLE").is_some() {
        std::fs::write(&path, &sample).unwrap();
    }
    assert!(sample == std::fs::read_to_string(&path).unwrap());
}
