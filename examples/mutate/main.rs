//! Mutates every fixture, shipped capture and wrapping, and checks that each outcome is clean.
//!
//! `cargo run --release --example mutate -- seeds fuzz/corpus` writes the seeds of the fuzz targets instead.

mod seeds;
mod sources;

use std::path::Path;

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sources = sources::sources()?;
    match args.first().map(String::as_str) {
        Some("seeds") => {
            let folder = args.get(1).map_or("fuzz/corpus", String::as_str);
            let written = seeds::write(Path::new(folder), &sources)
                .map_err(|error| format!("{folder}: {error}"))?;
            print(&format!("{written} seeds in {folder}"));
            Ok(())
        }
        _ => Err("write seeds".to_owned()),
    }
}

#[allow(clippy::print_stdout, reason = "a program for developers")]
fn print(line: &str) {
    println!("{line}");
}
