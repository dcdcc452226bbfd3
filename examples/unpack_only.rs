//! The least that reading can cost: files read, and unpacked where they are packed, into one buffer, and nothing else.
//!
//! `cargo run --release --example unpack_only -- PATH…` prints the number of bytes. The decoders are those that
//! toolcost uses, so what `scripts/bench-peers packed` adds on top is toolcost's own.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use walkdir::WalkDir;

/// Reads to the end, again and again over the same bytes.
fn drain(mut read: impl Read, buffer: &mut [u8]) -> io::Result<u64> {
    let mut total = 0;
    loop {
        match read.read(buffer)? {
            0 => return Ok(total),
            n => total += n as u64,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let mut buffer = vec![0; 1 << 20];
    let mut total = 0;
    for path in std::env::args_os().skip(1) {
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry?;
            if !entry.file_type().is_file() {
                continue;
            }
            let file = File::open(entry.path())?;
            let packed = entry.path().extension().and_then(|e| e.to_str());
            total += match packed {
                Some("gz") => drain(
                    MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file)),
                    &mut buffer,
                )?,
                Some("zst") => {
                    let mut decoder = zstd::stream::read::Decoder::new(file)?;
                    decoder.window_log_max(27)?;
                    drain(decoder, &mut buffer)?
                }
                _ => drain(file, &mut buffer)?,
            };
        }
    }
    println!("{total}");
    Ok(())
}
