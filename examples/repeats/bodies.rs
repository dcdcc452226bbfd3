//! Request bodies, wherever they lie in a file.

use serde_json::Value;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Hands out the request bodies of a file or folder in the order of the paths; answers the records that are no JSON.
pub(crate) fn each(path: &Path, sink: &mut dyn FnMut(&Value)) -> anyhow::Result<u64> {
    let mut unread = 0;
    for entry in WalkDir::new(path).sort_by_file_name() {
        let entry = entry?;
        let kind = entry.path().extension().and_then(|e| e.to_str());
        match kind {
            _ if !entry.file_type().is_file() => {}
            Some("yaml" | "yml") => {
                let text = fs::read_to_string(entry.path())?;
                match serde_saphyr::from_str::<Value>(&text) {
                    Ok(value) => find(&value, sink),
                    Err(_) => unread += 1,
                }
            }
            Some("json" | "jsonl" | "har" | "lhar" | "ndjson" | "log") => {
                unread += in_json(&fs::read(entry.path())?, sink);
            }
            _ => {}
        }
    }
    Ok(unread)
}

/// One value, or one on each line.
fn in_json(bytes: &[u8], sink: &mut dyn FnMut(&Value)) -> u64 {
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        find(&value, sink);
        return 0;
    }
    let mut unread = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Value>(line) {
            Ok(value) => find(&value, sink),
            Err(_) => unread += 1,
        }
    }
    unread
}

/// An object with a list of messages is a body; what lies inside of it is not looked through.
fn find(value: &Value, sink: &mut dyn FnMut(&Value)) {
    match value {
        Value::Object(map) if map.get("messages").is_some_and(Value::is_array) => sink(value),
        Value::Object(map) => map.values().for_each(|value| find(value, sink)),
        Value::Array(values) => values.iter().for_each(|value| find(value, sink)),
        // Cassettes and HAR files hold bodies as text.
        Value::String(text) if text.trim_start().starts_with('{') && text.contains("messages") => {
            if let Ok(value) = serde_json::from_str::<Value>(text) {
                find(&value, sink);
            }
        }
        _ => {}
    }
}
