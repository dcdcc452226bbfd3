//! Packs the vocabulary for the program: `cargo run --example pack_vocabulary [FOLDER]`, by default `data/claude`.
//!
//! Reads the text files there and writes the `.bin` files beside them, which the program embeds.

mod pack;

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1);
    let folder = folder.map_or_else(|| PathBuf::from("data/claude"), PathBuf::from);
    for (name, bytes) in pack::all(|file| fs::read_to_string(folder.join(file)))? {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
