//! MB/s of reading captures that lie in memory: `cargo bench --bench scan`.
//!
//! `new` reads one request of each session, so that little but the tool list repeats; `session` reads whole sessions,
//! nearly all of whose bytes were seen in the request before.
#![allow(missing_docs, reason = "criterion's macros write public items")]

mod definitions;
mod sessions;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sessions::{Capture, captures};
use std::hint::black_box;
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{Context, Reader};
use toolcost::model::Ids;

/// Keeps the last line of each capture.
fn last_lines(captures: Vec<Capture>) -> Vec<Capture> {
    let last = |mut capture: Capture| {
        let lines = capture.bytes.trim_ascii_end();
        let start = lines.iter().rposition(|byte| *byte == b'\n');
        capture.bytes.drain(..start.map_or(0, |at| at + 1));
        capture
    };
    captures.into_iter().map(last).collect()
}

fn scan(criterion: &mut Criterion) {
    let Ok(data) = Data::embedded() else { return };
    let mut group = criterion.benchmark_group("scan");
    for (shape, captures) in [("new", last_lines(captures(12))), ("session", captures(4))] {
        let bytes: usize = captures.iter().map(|capture| capture.bytes.len()).sum();
        group.throughput(Throughput::Bytes(bytes as u64));
        for name in ["chars", "claude"] {
            // Without the feature there is no such counter.
            let Some(measure) = counter(name) else {
                continue;
            };
            group.bench_function(format!("{shape}/{name}"), |bench| {
                bench.iter(|| {
                    let mut reader = Reader::new(Context {
                        data: &data,
                        ids: Ids::None,
                        memo: true,
                        watch: None,
                        measure,
                        model: None,
                        format: None,
                        group_by: None,
                        server: None,
                        description_cap: None,
                        answers: false,
                        keep_texts: false,
                        listing_model: None,
                    });
                    for capture in &captures {
                        black_box(reader.read_bytes(&capture.bytes, &capture.file));
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, scan);
criterion_main!(benches);
