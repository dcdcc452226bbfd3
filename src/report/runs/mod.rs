//! The document of `report`: runs first, then each run's tools by cost, the decision in sentences, savings last.

mod costs;
mod counters;
mod decision;
mod legend;
mod notes;
mod overview;
mod sections;
mod sizes;
mod tools;
mod transcripts;

pub(super) use legend::reconstructed;
pub(super) use sections::quoted;
pub use sections::{Shown, runs};
