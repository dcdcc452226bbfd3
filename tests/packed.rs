//! The packed vocabulary is what its texts pack to.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../examples/pack_vocabulary/pack/mod.rs"]
mod pack;

use std::path::Path;

#[test]
fn packing_again_gives_the_committed_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/claude");
    let packed = pack::all(|file| std::fs::read_to_string(folder.join(file))).unwrap();
    assert_eq!(packed.len(), 4);
    for (name, bytes) in packed {
        assert!(
            bytes == std::fs::read(folder.join(name)).unwrap(),
            "{name}: run cargo run --example pack_vocabulary"
        );
    }
}

#[test]
fn no_piece_is_longer_than_the_tiler_looks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/claude");
    for list in ["v3.txt", "v47.txt"] {
        let text = std::fs::read_to_string(folder.join(list)).unwrap();
        // The notation is never shorter than the piece.
        assert!(text.lines().all(|line| line.len() < 1000));
    }
}
