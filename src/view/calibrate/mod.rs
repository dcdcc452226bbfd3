//! The view behind `calibrate`: what recorded sizes say of models and counters.

mod fit;
mod found;
mod reading;
mod seen;

use super::SkippedRow;
use crate::data::{CALIBRATION, Calibration, DATA_VERSION, Data, NonAscii};
use crate::pipeline::Outcome;
use found::model;
use seen::{Observed, Seen, by_model, models};
use serde::Serialize;
use std::collections::BTreeMap;

/// The captures read once: by one counter, and perhaps as if every model were of one family.
pub struct Pass {
    /// The counter.
    pub counter: &'static str,
    /// Family and escaping, where they are tried out.
    pub tried: Option<(&'static str, NonAscii)>,
    /// What came of it, with rows by request.
    pub outcome: Outcome,
}

/// The counter whose constants are tried out.
pub const CLAUDE: &str = "claude";

/// What can be tried out: family and escaping.
pub const TRIALS: [(&str, NonAscii); 6] = [
    ("v3", NonAscii::Escaped),
    ("v3", NonAscii::Raw),
    ("v47", NonAscii::Escaped),
    ("v47", NonAscii::Raw),
    ("v48", NonAscii::Escaped),
    ("v48", NonAscii::Raw),
];

/// `toolcost.calibration/1`, and what could not be read.
#[derive(Debug, Clone, Serialize)]
pub struct CalibrationView {
    /// What was found.
    #[serde(flatten)]
    pub calibration: Calibration,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// PATHs as given, for the hint what to type next.
    #[serde(skip)]
    pub paths: Vec<String>,
}

/// The models that requests of an outcome name.
pub fn named_models(outcome: &Outcome) -> Vec<String> {
    models(outcome)
}

/// Builds the view. Empty where no request has a recorded size.
pub fn calibrate(passes: &[Pass], data: &Data, paths: Vec<String>) -> CalibrationView {
    let read: Vec<Read> = passes.iter().map(Read::of).collect();
    let ids = read
        .iter()
        .find(|read| read.tried.is_none())
        .map(|read| read.by_model.keys());
    let found = ids
        .into_iter()
        .flatten()
        .filter_map(|id| model(id, &read, data));
    let skipped = passes.first().into_iter().flat_map(|pass| {
        let skipped = &pass.outcome.skipped;
        skipped.iter().map(SkippedRow::from)
    });
    CalibrationView {
        calibration: Calibration {
            schema: CALIBRATION.to_owned(),
            toolcost: env!("CARGO_PKG_VERSION").to_owned(),
            data_version: DATA_VERSION.to_owned(),
            model: found.collect(),
        },
        skipped: skipped.collect(),
        paths,
    }
}

/// A pass by model.
struct Read {
    counter: &'static str,
    tried: Option<(&'static str, NonAscii)>,
    by_model: BTreeMap<String, Observed>,
}

impl Read {
    fn of(pass: &Pass) -> Self {
        Self {
            counter: pass.counter,
            tried: pass.tried,
            by_model: by_model(&pass.outcome),
        }
    }

    /// The different requests of a model with a recorded size.
    fn seen(&self, id: &str) -> &[Seen] {
        self.by_model.get(id).map_or(&[], |observed| &observed.seen)
    }
}
