//! Bytes as capture files: framing, every format, packing, YAML; then audit, summary, view, text and JSON.
//!
//! The first two bytes choose how the rest is handed over (`fuzz/README.md` has the table).
#![no_main]

#[path = "../../examples/mutate/check.rs"]
mod check;

use check::{Flags, InMemory};
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use std::sync::LazyLock;
use toolcost::data::Data;

static DATA: LazyLock<Data> = LazyLock::new(|| Data::embedded().expect("the tables are tested"));

const NAMES: [&str; 8] = [
    "a.json",
    "req_1.request.json",
    "req_1.response.json",
    "request-run-1.jsonl",
    "a.yaml",
    "a.har",
    "notes.md",
    "a",
];

/// What is packed at random is seldom packed at all, so packing is done here.
fn packed(how: u8, bytes: &[u8]) -> Vec<u8> {
    let level = flate2::Compression::fast();
    match how {
        1 => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level);
            gzip.write_all(bytes).expect("memory takes everything");
            gzip.finish().expect("memory takes everything")
        }
        2 => {
            let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level);
            zlib.write_all(bytes).expect("memory takes everything");
            zlib.finish().expect("memory takes everything")
        }
        3 => zstd::encode_all(bytes, 1).expect("memory takes everything"),
        _ => bytes.to_vec(),
    }
}

fuzz_target!(|input: &[u8]| {
    let [how, format, bytes @ ..] = input else {
        return;
    };
    let formats = &DATA.formats.format;
    let format = formats.get(usize::from(*format).wrapping_sub(1));
    let flags = Flags {
        format: format.map(|row| row.name.as_str()),
        jobs: 1,
        by_request: true,
        memo: true,
        watch: None,
        by_turn: true,
        ..Flags::default()
    };
    // 0x1e parts files, so that what belongs together may lie apart.
    let parts = bytes.split(|byte| *byte == 0x1e).take(4);
    let first = usize::from(how >> 2) & 7;
    let files: Vec<InMemory> = parts
        .enumerate()
        .map(|(at, part)| InMemory {
            name: format!("{at}/{}", NAMES[(first + at) % NAMES.len()]),
            run: if how & 0x40 == 0 {
                "r".to_owned()
            } else {
                format!("r{at}")
            },
            explicit: how & 0x20 == 0,
            bytes: packed(how & 3, part),
        })
        .collect();
    let read = check::read(&DATA, &files, &[], &flags);
    check::clean(&read).expect("clean");
    check::render(&DATA, &read.outcome, true);
});
