//! Counters: text and definitions in, tokens out. One file and two lines each.

#[cfg(feature = "claude")]
mod auto;
mod chars;
#[cfg(feature = "claude")]
pub mod claude;
#[cfg(feature = "claude")]
mod line;

use crate::model::Measure;

/// Every counter, best first.
pub const COUNTERS: &[&dyn Counter] = &[
    #[cfg(feature = "claude")]
    &auto::Auto,
    #[cfg(feature = "claude")]
    &claude::Claude,
    &chars::Chars,
];

/// A counter users can ask for.
pub trait Counter: Measure {
    /// What it does and how wrong it may be, in a sentence.
    fn about(&self) -> &'static str;
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
