//! Writes the synthetic captures: `cargo run --example captures [FOLDER]`, by default `captures`.
//!
//! Three sessions of a coding agent with the same tools: `vanilla` without tool search,
//! `deferred` with it, `plugin` with it and a plugin that trims further. Seeded by names and free
//! of clock and chance, so that every run on every platform writes the same bytes.

mod catalog;
mod check;
mod json;
mod mcp;
mod message;
mod prose;
mod rng;
mod runs;
mod schema;
mod story;
mod system;
mod texts;
mod tool;

use std::env;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::args_os().nth(1);
    let out = out.map_or_else(|| PathBuf::from("captures"), PathBuf::from);
    let catalog = catalog::Catalog::new()?;
    check::check(&catalog)?;
    for run in runs::all(&catalog)? {
        run.write(&out)?;
    }
    Ok(())
}
