//! MB/s on definitions of tools that were never counted before: `cargo bench --bench tokenizer`.
#![allow(missing_docs, reason = "criterion's macros write public items")]

mod definitions;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use definitions::Definitions;
use std::hint::black_box;
use toolcost::count::claude::{Family, content_tokens};
use toolcost::count::counter;
use toolcost::model::{RawTool, Text, ToolSizes};

/// Bytes of definitions in one round; each round has definitions of its own.
const ROUND: usize = 200_000;

fn texts(criterion: &mut Criterion) {
    for (script, foreign) in [("ascii", 0), ("one-in-eight-foreign", 1), ("foreign", 8)] {
        let mut group = criterion.benchmark_group(script);
        group.throughput(Throughput::Bytes(ROUND as u64));
        let mut definitions = Definitions::new(foreign);
        for family in Family::ALL {
            group.bench_function(family.name(), |bench| {
                bench.iter_batched(
                    || definitions.text(ROUND),
                    |text| black_box(content_tokens(family, Text::Plain(&text))),
                    BatchSize::SmallInput,
                );
            });
        }
        if let Some(bpe) = counter("o200k") {
            group.bench_function("o200k", |bench| {
                bench.iter_batched(
                    || definitions.text(ROUND),
                    |text| black_box(bpe.text(0, Text::Plain(&text))),
                    BatchSize::SmallInput,
                );
            });
        }
        group.finish();
    }
}

fn tools(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tool");
    let mut definitions = Definitions::new(0);
    let schema = definitions.text(ROUND);
    group.throughput(Throughput::Bytes(schema.len() as u64));
    let claude = counter("claude");
    for model in ["claude-haiku-4-5", "claude-opus-5"] {
        let Some(claude) = claude else { continue };
        group.bench_function(model, |bench| {
            bench.iter_batched(
                || {
                    format!(
                        "[{}]",
                        definitions
                            .text(ROUND)
                            .replace("}\n", "},\n")
                            .trim_end_matches(",\n")
                    )
                },
                |schema| {
                    let tool = RawTool {
                        name: Text::Plain("tool"),
                        description: None,
                        schema: Some(&schema),
                        sizes: ToolSizes::default(),
                    };
                    black_box(claude.tool(claude.scope(Some(model)), &tool))
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, texts, tools);
criterion_main!(benches);
