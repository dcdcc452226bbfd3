//! The document of `report`: runs first, then each run's tools by cost, the decision in sentences, savings last.

mod costs;
mod counters;
mod decision;
mod legend;
mod notes;
mod overview;
mod sections;
mod tools;

pub use sections::{Shown, runs};
