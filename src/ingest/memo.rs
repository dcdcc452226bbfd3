//! What was read once is not read again: tool lists, definitions, messages and names by content.
//!
//! Keys are 128-bit hashes of the content.
//! Capacities bound the memory; a full table starts anew, which costs time and changes no result.

use super::message::MessageFacts;
use super::scan::Hashed;
use crate::model::{Count, Definition, ToolEntry, ToolList, Wire};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// One table with a capacity.
pub(super) struct Table<V> {
    map: HashMap<u128, V, BuildHasherDefault<Hashed>>,
    capacity: usize,
}

impl<V: Clone> Table<V> {
    fn new(capacity: usize) -> Self {
        Self {
            map: HashMap::default(),
            capacity,
        }
    }

    /// The value for a key, made when it is not there.
    pub(super) fn get(&self, key: u128) -> Option<V> {
        self.map.get(&key).cloned()
    }

    pub(super) fn put(&mut self, key: u128, value: V) {
        if self.map.len() >= self.capacity {
            self.map.clear();
        }
        self.map.insert(key, value);
    }
}

/// All tables of one reader.
pub(super) struct Memo {
    pub(super) lists: Table<Arc<ToolList>>,
    pub(super) entries: Table<(Vec<ToolEntry>, super::tools::Oddities)>,
    pub(super) definitions: Table<Arc<Definition>>,
    pub(super) messages: Table<Arc<MessageFacts>>,
    /// The messages of the conversation before, in their order, by key.
    pub(super) conversation: Vec<(u128, Arc<MessageFacts>)>,
    /// Tokens of texts of messages: a message whose cache marker moved is new, and its texts are not.
    pub(super) counts: Table<Count>,
    pub(super) systems: Table<Arc<super::system::SystemFacts>>,
    names: HashSet<Arc<str>>,
    /// What the request before showed of its wire.
    wire: Arc<Wire>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            lists: Table::new(1 << 12),
            entries: Table::new(1 << 15),
            definitions: Table::new(1 << 15),
            messages: Table::new(1 << 15),
            conversation: Vec::new(),
            counts: Table::new(1 << 15),
            systems: Table::new(1 << 10),
            names: HashSet::new(),
            wire: Arc::default(),
        }
    }

    /// Forgets messages, which are many.
    pub(super) fn forget_messages(&mut self) {
        self.messages = Table::new(self.messages.capacity);
        self.counts = Table::new(self.counts.capacity);
        self.conversation = Vec::new();
    }

    /// One allocation for requests in a row that are alike.
    pub(super) fn wire(&mut self, wire: Wire) -> Arc<Wire> {
        if *self.wire != wire {
            self.wire = Arc::new(wire);
        }
        Arc::clone(&self.wire)
    }

    /// One allocation for each distinct name.
    pub(super) fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        if self.names.len() >= 1 << 16 {
            self.names.clear();
        }
        let name: Arc<str> = Arc::from(name);
        self.names.insert(Arc::clone(&name));
        name
    }
}
