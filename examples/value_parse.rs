//! What the obvious program costs: every file parsed into `serde_json::Value`, then tool bytes and references added up.
//!
//! `cargo run --release --example value_parse -- PATH…` prints one line of JSON. `scripts/bench-peers norepeat`
//! compares it with toolcost on requests that repeat nothing of one another.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use anyhow::Context;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use walkdir::WalkDir;

/// Counts what is written to it, so that no copy of a definition is made to learn its length.
#[derive(Default)]
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// References in content blocks, and in the blocks that results hold.
fn references(content: &Value) -> u64 {
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    blocks
        .iter()
        .map(|block| {
            let is_one = block.get("type").and_then(Value::as_str) == Some("tool_reference");
            u64::from(is_one) + block.get("content").map_or(0, references)
        })
        .sum()
}

/// What all requests together hold.
#[derive(Default)]
struct Sums {
    tools: BTreeMap<String, u64>,
    references: u64,
    requests: u64,
}

impl Sums {
    fn add(&mut self, record: &Value) -> anyhow::Result<()> {
        // A bare body, or the envelope that claude-trace writes.
        let body = record.pointer("/request/body").unwrap_or(record);
        self.requests += 1;
        let list = |key| body.get(key).and_then(Value::as_array);
        for tool in list("tools").into_iter().flatten() {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            let mut length = Length::default();
            serde_json::to_writer(&mut length, tool)?;
            match self.tools.get_mut(name) {
                Some(sum) => *sum += length.0,
                None => _ = self.tools.insert(name.to_owned(), length.0),
            }
        }
        for message in list("messages").into_iter().flatten() {
            self.references += message.get("content").map_or(0, references);
        }
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let mut sums = Sums::default();
    let mut bytes = Vec::new();
    for path in std::env::args_os().skip(1) {
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry?;
            if !entry.file_type().is_file() {
                continue;
            }
            bytes.clear();
            File::open(entry.path())?.read_to_end(&mut bytes)?;
            for record in serde_json::Deserializer::from_slice(&bytes).into_iter() {
                let record: Value = record.with_context(|| entry.path().display().to_string())?;
                sums.add(&record)?;
            }
        }
    }
    let Sums {
        tools,
        references,
        requests,
    } = sums;
    println!(
        "{}",
        json!({"requests": requests, "references": references, "tools": tools})
    );
    Ok(())
}
