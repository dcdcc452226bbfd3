//! How wrong counters may be, as measured.

use serde::Deserialize;

/// Error bands by counter and tokenizer family.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// The rows.
    pub band: Vec<Band>,
}

/// The error of one tool's size, relative to the truth.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The counter.
    pub counter: String,
    /// The tokenizer family of the models it was measured on.
    pub family: String,
    /// Half of the tools lie within this.
    pub median: f64,
    /// Nineteen of twenty lie within this.
    pub p95: f64,
    /// What it was measured on.
    pub source: String,
}

impl Bands {
    /// The band of a counter for a family, where it was measured.
    pub fn get(&self, counter: &str, family: &str) -> Option<&Band> {
        self.band
            .iter()
            .find(|band| band.counter == counter && band.family == family)
    }
}
