//! How much of the traffic repeats itself: the share of bytes in tools, system and messages that stood in an earlier request.
//!
//! ```text
//! cargo run --release --example repeats -- captures
//! cargo run --release --example repeats -- --count claude-opus-5 captures
//! ```
//!
//! Any JSON, JSON lines or YAML that holds request bodies will do, however deep they lie and also inside strings. Bytes
//! are those of compact JSON. `--count` also counts the tokens of what was new, and says how fast that went.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "its output is its purpose"
)]

mod bodies;
mod share;

use anyhow::{Context, bail};
use share::Share;
use std::path::{Path, PathBuf};
use std::time::Instant;
use toolcost::count::counter;
use toolcost::model::Text;

/// Texts kept for the counter: more would only take longer.
const MOST_COUNTED: usize = 32 << 20;

/// Counts texts one after another, on one thread.
fn count(model: &str, texts: &[String]) -> anyhow::Result<()> {
    let claude = counter("claude").context("built without the feature `claude`")?;
    let scope = claude.scope(Some(model));
    // The vocabulary is loaded by the first count; that is not the rate.
    claude.text(scope, Text::Plain("a"));
    let bytes: usize = texts.iter().map(String::len).sum();
    let start = Instant::now();
    for text in texts {
        std::hint::black_box(claude.text(scope, Text::Plain(text)));
    }
    let seconds = start.elapsed().as_secs_f64();
    #[allow(clippy::cast_precision_loss, reason = "megabytes of text")]
    let rate = bytes as f64 / 1e6 / seconds.max(1e-9);
    println!("counted\t{bytes} bytes\t{seconds:.3} s\t{rate:.1} MB/s\t{model}");
    Ok(())
}

fn measure(path: &Path, texts: Option<&mut Vec<String>>) -> anyhow::Result<Share> {
    let mut share = Share::new(texts.is_some().then_some(MOST_COUNTED));
    let unread = bodies::each(path, &mut |body| share.add(body))?;
    if unread > 0 {
        eprintln!("{}: {unread} records are no JSON", path.display());
    }
    if let Some(texts) = texts {
        texts.append(&mut share.texts);
    }
    Ok(share)
}

fn main() -> anyhow::Result<()> {
    let mut model = None;
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--count" => model = Some(args.next().context("--count takes a model")?),
            _ => paths.push(arg.into()),
        }
    }
    if paths.is_empty() {
        bail!("usage: repeats [--count MODEL] PATH…");
    }
    let mut texts = Vec::new();
    println!("path\trequests\tbytes\tseen whole\tseen in parts too\tnew bytes");
    for path in paths {
        let share = measure(&path, model.is_some().then_some(&mut texts))?;
        println!("{}\t{share}", path.display());
    }
    model.map_or(Ok(()), |model| count(&model, &texts))
}
