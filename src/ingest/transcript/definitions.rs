//! What newer transcripts keep of the prompt itself: the system prompt and the definitions that were sent.

use super::super::scan::{self, Raw, Type};
use super::super::system::{self, SystemFacts};
use super::super::tools;
use super::conversation::Tools;
use crate::model::{Shape, ToolEntry, ToolList};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The last of each that the transcript holds.
#[derive(Debug, Default, Clone)]
pub(super) struct Definitions {
    system: Option<Arc<SystemFacts>>,
    /// The list that is sent with each call.
    sent: Option<Arc<ToolList>>,
    /// Definitions of deferred tools that were sent later.
    deferred: BTreeMap<Arc<str>, ToolEntry>,
    list: Option<Arc<ToolList>>,
}

impl Definitions {
    /// Reads a `prompt_snapshot`; of two rows the second carries the tools.
    pub(super) fn prompt(&mut self, text: &str, scope: u32, with: &mut Tools<'_>) {
        let Ok(raw) = Raw::parse(text) else { return };
        let snapshot = scan::pairs(raw);
        let prompt = snapshot.get("systemPrompt").map(|raw| match raw.type_of() {
            Type::String => vec![raw],
            _ => scan::elements(raw),
        });
        let prefix = snapshot.get("cliPrefix");
        let texts = prefix.into_iter().chain(prompt.into_iter().flatten());
        // A plain text is a block of its own; a block stands as it was sent.
        let blocks = texts.filter_map(|raw| match raw.type_of() {
            Type::String => Some(format!(r#"{{"type":"text","text":{}}}"#, raw.text())),
            Type::Object => Some(raw.text().to_owned()),
            _ => None,
        });
        let blocks: Vec<String> = blocks.collect();
        if !blocks.is_empty() {
            let joined = format!("[{}]", blocks.join(","));
            if let Ok(raw) = Raw::parse(&joined) {
                self.system = Some(system::read(Some(raw), scope, with.context, with.memo));
            }
        }
        let tools = snapshot.get("tools");
        if let Some(tools) = tools.filter(|raw| raw.type_of() == Type::Array) {
            self.sent = Some(tools::read_list(
                Some(tools),
                scope,
                with.context,
                with.memo,
            ));
            self.list = None;
        }
    }

    /// Reads a `deferred_tools_record`.
    pub(super) fn deferred(&mut self, text: &str, scope: u32, with: &mut Tools<'_>) {
        let Ok(raw) = Raw::parse(text) else { return };
        let entries = scan::pairs(raw).get("entries").map(scan::elements);
        for entry in entries.into_iter().flatten() {
            let (read, _) = tools::read_entries(entry, scope, with.context, with.memo);
            let named = read.into_iter();
            self.deferred
                .extend(named.map(|entry| (Arc::clone(&entry.name), entry)));
        }
        self.list = None;
    }

    /// The list as far as it is known; its shape says whether it is whole.
    pub(super) fn tools(&mut self) -> Arc<ToolList> {
        if let Some(list) = &self.list {
            return Arc::clone(list);
        }
        let list = match (&self.sent, self.deferred.is_empty()) {
            (Some(sent), true) => Arc::clone(sent),
            (sent, _) => {
                let mut list = sent.as_deref().cloned().unwrap_or_else(|| ToolList {
                    shape: Shape::Absent,
                    ..ToolList::default()
                });
                let known = list.tools.len();
                let names = list.tools.iter().map(|tool| Arc::clone(&tool.name));
                let names: BTreeSet<Arc<str>> = names.collect();
                let later = self.deferred.values();
                let later = later.filter(|entry| !names.contains(&entry.name));
                let placed = later.cloned().enumerate();
                let placed = placed.map(|(at, entry)| ToolEntry {
                    index: known + at,
                    ..entry
                });
                list.tools.extend(placed);
                Arc::new(list)
            }
        };
        self.list = Some(Arc::clone(&list));
        list
    }

    pub(super) fn system(&self) -> Option<Arc<SystemFacts>> {
        self.system.clone()
    }
}
