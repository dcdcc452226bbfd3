//! Hashes of content, with a seed of this process: no collision can be worked out beforehand. What is shown to
//! be joined elsewhere is hashed without a seed, by a hash that nobody can make collide.

use crate::model::StableId;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use twox_hash::{XxHash3_64, XxHash3_128};

/// Bytes of what the hashes are made with.
const SECRET: usize = 192;

/// What the hashes of this process are made with. A seed would be spread to as many bytes, for each hash anew.
fn secret() -> &'static [u8; SECRET] {
    static SECRETS: OnceLock<[u8; SECRET]> = OnceLock::new();
    SECRETS.get_or_init(|| {
        let random = RandomState::new();
        let mut secret = [0; SECRET];
        for (at, part) in (0_u64..).zip(secret.chunks_mut(8)) {
            part.copy_from_slice(&random.hash_one(at).to_le_bytes());
        }
        secret
    })
}

fn seed() -> u64 {
    let (first, _) = secret().split_at(8);
    first.try_into().map_or(0, u64::from_le_bytes)
}

/// A hash of content.
pub(super) fn content(bytes: &[u8]) -> u128 {
    // Only a shorter secret would be refused.
    let hash = XxHash3_128::oneshot_with_secret(secret(), bytes);
    hash.unwrap_or_else(|_| XxHash3_128::oneshot_with_seed(seed(), bytes))
}

/// A short hash of an id.
pub(super) fn id(bytes: &[u8]) -> u64 {
    let hash = XxHash3_64::oneshot_with_secret(secret(), bytes);
    hash.unwrap_or_else(|_| XxHash3_64::oneshot_with_seed(seed(), bytes))
}

/// Digits of a session's hash: enough to tell sessions apart, too few to look an id up by.
const SESSION_DIGITS: usize = 16;

/// Digits of a definition's hash.
const DEFINITION_DIGITS: usize = 32;

/// An id of a session as it may be shown on any machine.
pub(super) fn session(id: &str) -> String {
    let mut digits = blake3::hash(id.as_bytes()).to_hex().to_string();
    digits.truncate(SESSION_DIGITS);
    digits
}

/// The id of a definition on any machine: of its name, and of what the body has.
pub(super) fn definition(name: &str, body: [u8; 32]) -> StableId {
    let mut hasher = blake3::Hasher::new();
    part(&mut hasher, Some(name));
    hasher.update(&body);
    let mut shown = hasher.finalize().to_hex().to_string();
    shown.truncate(DEFINITION_DIGITS);
    StableId {
        body,
        shown: shown.into_boxed_str(),
    }
}

/// The hash of a description and a schema in its compact form.
pub(super) fn body(description: Option<&str>, schema: Option<&str>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    part(&mut hasher, description);
    part(&mut hasher, schema);
    *hasher.finalize().as_bytes()
}

/// A text with its length, so that no two of them can be taken for others; one that is not there is no empty one.
fn part(hasher: &mut blake3::Hasher, text: Option<&str>) {
    let length = text.map_or(u64::MAX, |text| text.len() as u64);
    hasher.update(&length.to_le_bytes());
    hasher.update(text.unwrap_or_default().as_bytes());
}

/// Two hashes as one; order matters.
pub(super) fn chain(a: u128, b: u128) -> u128 {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&a.to_le_bytes());
    bytes[16..].copy_from_slice(&b.to_le_bytes());
    content(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These stand in rows that somebody keeps: they do not change.
    #[test]
    fn shown_ids_stay() {
        assert_eq!(session("abc"), "6437b3ac38465133");
        let id = definition("Read", body(Some("Reads."), Some("{}")));
        assert_eq!(&*id.shown, "64933a895b90b8985982ce8314e0351b");
        let other = definition("Read", body(Some("Reads.{}"), None));
        assert_ne!(id.shown, other.shown);
        let absent = definition("Read", body(None, None));
        assert_ne!(absent.shown, definition("Read", body(Some(""), None)).shown);
    }
}
