//! From bytes in memory to added-up runs, with everything between: `cargo bench --bench report`.
#![allow(missing_docs, reason = "criterion's macros write public items")]

mod definitions;
mod sessions;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sessions::{Capture, captures};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::CaptureFile;
use toolcost::model::{Ids, Measure, RunSettings};
use toolcost::pipeline::{self, Outcome, TimeWindow, Work};

fn run(
    data: &Data,
    measure: &dyn Measure,
    captures: &[Capture],
    files: &[CaptureFile],
    jobs: usize,
) -> Outcome {
    let work = Work {
        description_cap: None,
        data,
        ids: Ids::None,
        memo: true,
        watch: None,
        measure,
        profile: None,
        files,
        tools: &[],
        settings: &BTreeMap::new(),
        default_settings: Arc::new(RunSettings::default()),
        model: None,
        context_window: None,
        format: None,
        group_by: None,
        window: TimeWindow::default(),
        server: None,
        jobs,
        by_request: false,
        by_turn: false,
        lint: false,
        keep_texts: false,
        listing_model: None,
        listings_as_requests: false,
    };
    pipeline::run_from(&work, &|reader, file| {
        let held = captures
            .iter()
            .find(|held| held.file.shown == file.shown)
            .map_or(&[][..], |held| &held.bytes);
        reader.read_bytes(held, file)
    })
}

fn report(criterion: &mut Criterion) {
    let (Ok(data), Some(measure)) = (Data::embedded(), counter("chars")) else {
        return;
    };
    let captures = captures(8);
    let files: Vec<CaptureFile> = captures.iter().map(|held| held.file.clone()).collect();
    let bytes: usize = captures.iter().map(|held| held.bytes.len()).sum();
    let mut group = criterion.benchmark_group("report");
    group.throughput(Throughput::Bytes(bytes as u64));
    for jobs in [1, 2] {
        group.bench_function(format!("jobs-{jobs}"), |bench| {
            bench.iter(|| black_box(run(&data, measure, &captures, &files, jobs)));
        });
    }
    group.finish();
}

criterion_group!(benches, report);
criterion_main!(benches);
