//! Writes docs/ACCURACY.md: what the counters say against what the API said.
//!
//! `cargo run --release --example accuracy -- ../shared` needs the recorded requests, which are not part of the project.

mod counters;
mod requests;

use std::path::Path;

/// The median and the 95th percentile of absolute values, and the worst.
#[derive(Debug, Default)]
pub(crate) struct Spread {
    values: Vec<f64>,
}

impl Spread {
    pub(crate) fn add(&mut self, value: f64) {
        self.values.push(value);
    }

    /// The value below which this share of the others lies.
    pub(crate) fn at(&self, share: f64) -> f64 {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a short list"
        )]
        let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
        sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn absolute(&self) -> Self {
        Self {
            values: self.values.iter().map(|value| value.abs()).collect(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn zeros(&self) -> usize {
        self.values.iter().filter(|value| **value == 0.0).count()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shared = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "../shared".to_owned());
    let shared = Path::new(&shared);
    let oracle = std::fs::read_to_string(shared.join("claude-tokenizer/oracle/open.jsonl"))?;
    let mut page = String::from(
        "# Accuracy\n\nWritten by `scripts/accuracy` (`cargo run --release --example accuracy`); the numbers are measured, not typed.\n\
         Ground truth: prompt tokens that the API recorded (`usage`), or `count_tokens`, for requests of public, openly licensed test suites\n\
         and sets of MCP tools (Opus 5, with tools minus without). Everything here is an unofficial reconstruction, not affiliated with Anthropic.\n",
    );
    page.push_str(&requests::page(&oracle)?);
    page.push_str(&requests::session(
        &shared.join("corpus/claude-trace/test-traffic.jsonl"),
    )?);
    page.push_str(&counters::page(&oracle)?);
    std::fs::write("docs/ACCURACY.md", page)?;
    Ok(())
}
