//! Attachments: what the client sent beside messages, by their types.

use super::super::scan::{self, Pairs, Raw, Type};
use super::{Kept, Names};

/// Attachments that are never sent as they stand.
const SILENT: [&str; 2] = ["prompt_snapshot", "deferred_tools_record"];

/// What is kept of an attachment.
pub(super) fn read(record: &Pairs<'_>, attachment: &Pairs<'_>, kind: &str) -> Vec<Kept> {
    let whole = || record.get("attachment").map_or("", Raw::text);
    let mut kept: Vec<Kept> = Vec::new();
    if kind == "prompt_snapshot" {
        kept.push(Kept::Prompt(Box::from(whole())));
    }
    if kind == "deferred_tools_record" {
        kept.push(Kept::Deferred(Box::from(whole())));
    }
    let mut texts = rendered(record);
    if kind == "deferred_tools_delta" {
        let names = Names {
            added: names(attachment, &["addedNames", "readdedNames"]),
            removed: names(attachment, &["removedNames"]),
            pending: names(attachment, &["pendingMcpServers"]),
        };
        let tells = [&names.added, &names.removed, &names.pending];
        // The names belong to the first text; others are texts like any, and where none is told the text tells them.
        if texts.is_empty() || tells.iter().any(|names| !names.is_empty()) {
            let first = (!texts.is_empty()).then(|| texts.remove(0));
            kept.push(Kept::Names(first, names));
        }
    } else if texts.is_empty() && !SILENT.contains(&kind) {
        // What was sent for it is not there, if anything was.
        kept.push(Kept::Uncounted);
    }
    kept.extend(texts.into_iter().map(Kept::Message));
    kept
}

/// The texts that were sent, as messages of the user.
fn rendered(record: &Pairs<'_>) -> Vec<Box<str>> {
    let rendered = record.get("rendered").map(scan::elements);
    let texts = rendered.into_iter().flatten().filter_map(|entry| {
        let content = scan::pairs(entry).get("content")?;
        let sent = matches!(content.type_of(), Type::String | Type::Array);
        sent.then(|| {
            let message = format!(r#"{{"role":"user","content":{}}}"#, content.text());
            message.into_boxed_str()
        })
    });
    texts.collect()
}

/// Names under any of the keys: strings, or objects with a name.
fn names(attachment: &Pairs<'_>, keys: &[&str]) -> Vec<String> {
    let lists = keys.iter().filter_map(|key| attachment.get(key));
    let entries = lists.flat_map(scan::elements);
    let named = entries.filter_map(|entry| match entry.type_of() {
        Type::Object => Some(scan::pairs(entry).get("name")?.string()?.into_owned()),
        _ => Some(entry.string()?.into_owned()),
    });
    named.filter(|name| !name.is_empty()).collect()
}
