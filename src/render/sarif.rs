//! SARIF 2.1.0, for code scanning.

use super::{Renderer, Style, escape};
use crate::model::Level;
use crate::report::{Annotation, Payload, Report};
use serde_json::{Value, json};
use std::io::{self, Write};

pub(super) struct Sarif;

impl Renderer for Sarif {
    fn id(&self) -> &'static str {
        "sarif"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let Payload::Check(document) = &report.payload else {
            return Err(io::Error::other("only checks are written as SARIF"));
        };
        let rules: Vec<Value> = document
            .rules
            .iter()
            .map(|rule| {
                json!({
                    "id": rule.code,
                    "shortDescription": {"text": rule.what},
                    "help": {"text": rule.help},
                    "defaultConfiguration": {"level": level(rule.level)},
                })
            })
            .collect();
        let results: Vec<Value> = document.annotations.iter().map(result).collect();
        let unread = document.view.skipped.is_empty() || document.view.tolerated;
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "toolcost",
                    "version": document.view.toolcost,
                    "rules": rules,
                }},
                "invocations": [{"executionSuccessful": unread}],
                "results": results,
            }],
        });
        escape::json(&serde_json::to_string_pretty(&log)?, out)?;
        writeln!(out)
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warn => "warning",
        Level::Info => "note",
    }
}

fn result(one: &Annotation) -> Value {
    let mut result = json!({
        "ruleId": one.code,
        "level": level(one.level),
        "message": {"text": one.message},
        // The same finding has the same name in the next run.
        "partialFingerprints": {"toolcost/1": one.key},
    });
    if let Some(path) = &one.path {
        let mut place = json!({"artifactLocation": {"uri": uri(path)}});
        if let Some(line) = one.line {
            place["region"] = json!({"startLine": line});
        }
        result["locations"] = json!([{"physicalLocation": place}]);
    }
    result
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
