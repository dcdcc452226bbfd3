//! Hashes of content, with a seed of this process: no capture can be made to collide on purpose.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one(0x746f_6f6c_u64))
}

/// A hash of content.
pub(super) fn content(bytes: &[u8]) -> u128 {
    xxh3_128_with_seed(bytes, seed())
}

/// A short hash of an id.
pub(super) fn id(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, seed())
}

/// Two hashes as one; order matters.
pub(super) fn chain(a: u128, b: u128) -> u128 {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&a.to_le_bytes());
    bytes[16..].copy_from_slice(&b.to_le_bytes());
    content(&bytes)
}
