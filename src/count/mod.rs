//! Counters: text and definitions in, tokens out. One file and two lines each.

#[cfg(feature = "claude")]
mod auto;
#[cfg(feature = "tiktoken")]
mod bpe;
mod calibrated;
mod chars;
#[cfg(feature = "claude")]
pub mod claude;
#[cfg(any(feature = "claude", feature = "tiktoken"))]
#[cfg_attr(
    not(feature = "claude"),
    allow(
        dead_code,
        reason = "only Claude's counter asks for escapes and evidence"
    )
)]
mod line;
mod tools_only;

use crate::data::Models;
use crate::model::Measure;
use std::sync::Arc;

pub use calibrated::Calibrated;
pub use tools_only::ToolsOnly;

/// Every counter, best first.
pub const COUNTERS: &[&dyn Counter] = &[
    #[cfg(feature = "claude")]
    &auto::Auto::SHIPPED,
    #[cfg(feature = "claude")]
    &claude::Claude::SHIPPED,
    &chars::Chars,
    #[cfg(feature = "tiktoken")]
    &bpe::Bpe::O200K,
    #[cfg(feature = "tiktoken")]
    &bpe::Bpe::CL100K,
    #[cfg(feature = "tiktoken")]
    &bpe::Bpe::P50K,
];

/// A counter users can ask for.
pub trait Counter: Measure {
    /// What it does and how wrong it may be, in a sentence.
    fn about(&self) -> &'static str;
    /// Why it has no number, where it has none.
    fn why_unknown(&self) -> &'static str;
    /// The same with these models, where models make a difference to it.
    fn with_models(&self, _models: &Arc<Models>) -> Option<Box<dyn Measure>> {
        None
    }
    /// How wrong its estimates may be, in a few words.
    fn about_estimates(&self) -> &'static str {
        self.about()
    }
}

/// The counter of that name; `auto` is the best one there is.
pub fn counter(name: &str) -> Option<&'static dyn Counter> {
    match name {
        "auto" => COUNTERS.first().copied(),
        _ => COUNTERS
            .iter()
            .find(|counter| counter.counter() == name)
            .copied(),
    }
}
