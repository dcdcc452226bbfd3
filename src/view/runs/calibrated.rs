//! What a calibration changed of a report's numbers.

use crate::data::{Calibration, is_claude, model_key};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A file of `calibrate`, and what of it bears on the numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibrations {
    /// The file as it was given.
    pub file: String,
    /// Models it knows.
    pub models: Vec<String>,
    /// Counters whose numbers were corrected.
    pub corrected: Vec<Corrected>,
    /// Where in these a model stands, by the id that its spellings share.
    #[serde(skip)]
    places: BTreeMap<String, usize>,
}

/// A counter whose numbers for a model were corrected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corrected {
    /// The model.
    pub model: String,
    /// The counter.
    pub counter: String,
    /// What its numbers were multiplied by.
    pub slope: f64,
    /// Half of the requests lie within this of the recorded size.
    pub median: Option<f64>,
    /// Nineteen of twenty lie within.
    pub p95: Option<f64>,
}

impl Calibrations {
    /// The same after it was read, with what finds a model in it.
    pub(super) fn indexed(self) -> Self {
        let places = places(&self.corrected);
        Self { places, ..self }
    }

    /// Of a file, for the counter in use.
    pub fn of(file: String, calibration: &Calibration, counter: &str) -> Self {
        let corrected = calibration.model.iter().filter_map(|model| {
            let counter = match counter {
                "auto" if is_claude(&model.id) => "claude",
                "auto" => "chars",
                name => name,
            };
            let slope = model.slope(counter)?;
            let fit = model.counter.iter().find(|fit| fit.counter == counter)?;
            Some(Corrected {
                model: model.id.clone(),
                counter: counter.to_owned(),
                slope,
                median: fit.median,
                p95: fit.p95,
            })
        });
        let corrected: Vec<Corrected> = corrected.collect();
        Self {
            file,
            models: calibration.model.iter().map(|m| m.id.clone()).collect(),
            places: places(&corrected),
            corrected,
        }
    }

    /// What was corrected of the numbers for this model.
    pub fn correction(&self, model: &str) -> Option<&Corrected> {
        self.corrected.get(*self.places.get(&model_key(model))?)
    }

    /// Were numbers for this model corrected?
    pub fn corrects(&self, model: &str) -> bool {
        self.correction(model).is_some()
    }
}

/// Where each model stands.
fn places(corrected: &[Corrected]) -> BTreeMap<String, usize> {
    let places = corrected.iter().zip(0..);
    places
        .map(|(corrected, at)| (model_key(&corrected.model), at))
        .collect()
}
