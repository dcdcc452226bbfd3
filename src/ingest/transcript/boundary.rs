//! Where a compaction took the place of the conversation so far.

use super::super::memo::Memo;
use super::super::scan::{self, Pairs, Raw, Type};
use crate::model::{Boundary, Place, Tokens, Trigger};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads a boundary in both spellings: that of transcripts, and that of the SDK's stream.
pub(super) fn read(record: &Pairs<'_>, place: Place, memo: &mut Memo) -> Boundary {
    let metadata = ["compactMetadata", "compact_metadata"];
    let metadata = metadata.iter().find_map(|key| {
        let found = record.get(key);
        found.filter(|raw| raw.type_of() == Type::Object)
    });
    let metadata = metadata.map(scan::pairs).unwrap_or_default();
    let either = |keys: [&str; 2]| keys.iter().find_map(|key| metadata.get(key));
    let tokens = |keys| either(keys).and_then(Raw::whole).map(Tokens);
    let snapshot = either(["preCompactDiscoveredTools", "pre_compact_discovered_tools"]);
    let snapshot = snapshot.filter(|raw| raw.type_of() == Type::Array);
    let trigger = metadata.get("trigger").and_then(Raw::string);
    Boundary {
        place,
        trigger: match trigger.as_deref() {
            Some("auto") => Trigger::Auto,
            Some("manual") => Trigger::Manual,
            _ => Trigger::Unknown,
        },
        before: tokens(["preTokens", "pre_tokens"]),
        after: tokens(["postTokens", "post_tokens"]),
        snapshot: snapshot.map(|list| {
            let names = scan::elements(list).into_iter().filter_map(Raw::string);
            let names = names.filter(|name| !name.is_empty());
            let names: BTreeSet<Arc<str>> = names.map(|name| memo.name(&name)).collect();
            names.into_iter().collect()
        }),
        references: Vec::new(),
        calls: Vec::new(),
    }
}
