//! What was read once is not read again: tool lists, definitions, messages and names by content.
//!
//! Keys are 128-bit hashes with a seed of this process, so that no capture can be made to collide on purpose.
//! Capacities bound the memory; a full table starts anew, which costs time and changes no result.

use super::message::MessageFacts;
use crate::model::{Definition, Prefix, ToolEntry, ToolList};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one(0x746f_6f6c_u64))
}

/// A hash of content.
pub(super) fn hash(bytes: &[u8]) -> u128 {
    xxh3_128_with_seed(bytes, seed())
}

/// A short hash of an id.
pub(super) fn id_hash(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, seed())
}

/// Two hashes as one; order matters.
pub(super) fn chain(a: u128, b: u128) -> u128 {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&a.to_le_bytes());
    bytes[16..].copy_from_slice(&b.to_le_bytes());
    hash(&bytes)
}

/// Which prefix continues which: every prefix with the one that is a message shorter.
#[derive(Debug, Default)]
pub struct PrefixTable(HashMap<Prefix, Prefix>);

impl PrefixTable {
    /// The prefix after one more message.
    pub(super) fn extend(&mut self, prefix: Prefix, message: u128) -> Prefix {
        let next = Prefix(chain(prefix.0, message));
        self.0.insert(next, prefix);
        next
    }

    /// Takes over what another table knows.
    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The prefix that is one message shorter.
    pub fn parent(&self, prefix: Prefix) -> Option<Prefix> {
        self.0.get(&prefix).copied()
    }
}

/// One table with a capacity.
pub(super) struct Table<V> {
    map: HashMap<u128, V>,
    capacity: usize,
}

impl<V: Clone> Table<V> {
    fn new(capacity: usize) -> Self {
        Self {
            map: HashMap::new(),
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
    pub(super) entries: Table<(ToolEntry, Vec<(&'static str, String)>)>,
    pub(super) definitions: Table<Arc<Definition>>,
    pub(super) messages: Table<Arc<MessageFacts>>,
    pub(super) systems: Table<Arc<super::system::SystemFacts>>,
    names: HashSet<Arc<str>>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            lists: Table::new(1 << 12),
            entries: Table::new(1 << 15),
            definitions: Table::new(1 << 15),
            messages: Table::new(1 << 15),
            systems: Table::new(1 << 10),
            names: HashSet::new(),
        }
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
