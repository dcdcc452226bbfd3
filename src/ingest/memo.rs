//! What was read once is not read again: tool lists, definitions, messages and names by content.
//!
//! Keys are 128-bit hashes of the content.
//! Capacities bound the memory; what was not met for long is forgotten, which costs time and changes no result.

use super::expected::Expected;
use super::message::MessageFacts;
use super::scan::Hashed;
use crate::model::{Count, Definition, ToolEntry, ToolList, Wire};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

type Map<V> = HashMap<u128, V, BuildHasherDefault<Hashed>>;

/// One table with a capacity, in two generations: when the younger is full, it takes the place of the older. What is
/// met again moves to the younger.
pub(super) struct Table<V> {
    young: Map<V>,
    old: Map<V>,
    /// Of each generation. A hash map is full at seven eighths of a power of two.
    capacity: usize,
}

impl<V: Clone> Table<V> {
    fn new(capacity: usize) -> Self {
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
            capacity,
        }
    }

    /// The value for a key.
    pub(super) fn get(&mut self, key: u128) -> Option<V> {
        if let Some(value) = self.young.get(&key) {
            return Some(value.clone());
        }
        let value = self.old.remove(&key)?;
        self.put(key, value.clone());
        Some(value)
    }

    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    pub(super) fn put(&mut self, key: u128, value: V) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

/// Messages that take some megabytes.
const MANY: usize = 7 << 9;

/// All tables of one reader.
pub(super) struct Memo {
    pub(super) lists: Table<Arc<ToolList>>,
    pub(super) entries: Table<(Vec<ToolEntry>, super::tools::Oddities)>,
    pub(super) definitions: Table<Arc<Definition>>,
    pub(super) messages: Table<Arc<MessageFacts>>,
    /// The messages of conversations in their order, by key.
    pub(super) conversations: Expected<(u128, Arc<MessageFacts>)>,
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
            lists: Table::new(7 << 8),
            entries: Table::new(7 << 11),
            definitions: Table::new(7 << 11),
            messages: Table::new(7 << 9),
            conversations: Expected::default(),
            counts: Table::new(7 << 10),
            systems: Table::new(7 << 6),
            names: HashSet::new(),
            wire: Arc::default(),
        }
    }

    /// Forgets messages, where they are so many that their room is worth the time.
    pub(super) fn forget_messages(&mut self) {
        if self.messages.len() < MANY {
            return;
        }
        self.messages = Table::new(self.messages.capacity);
        self.counts = Table::new(self.counts.capacity);
        self.conversations = Expected::default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_met_again_stays_and_the_rest_goes() {
        let mut table = Table::new(4);
        table.put(0, 0);
        for key in 1..100 {
            table.put(key, key);
            assert_eq!(table.get(0), Some(0), "{key}");
            assert_eq!(table.get(key), Some(key));
            assert!(table.young.len() <= 4 && table.old.len() <= 4);
        }
        assert_eq!(table.get(50), None);
        assert_eq!(table.get(98), Some(98));
    }
}
