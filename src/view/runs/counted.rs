//! What the counts of a report equal, model by model.

use super::Settings;
use crate::data::{Constant, Data, Letter, Model, Models, is_claude};
use crate::model::Word;
use crate::pipeline::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How well the counts for a model are known.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountedModel {
    /// The model, as the captures name it.
    pub model: String,
    /// Its vocabulary: verified against recordings, assumed from the generation, or none of Claude's.
    pub vocabulary: Known,
    /// Its tool-use prompt: verified, documented only, or unknown.
    pub prelude: Known,
    /// The day on which counts were compared with recordings of the model.
    pub checked: Option<String>,
    /// How wrong the size of one tool may be by the counter in use, where that was measured.
    pub error: Option<CountedError>,
    /// What of its requests rests on thin evidence (class C).
    #[serde(deserialize_with = "crate::model::words")]
    pub thin: Vec<Word>,
}

/// The error of one tool's size, relative.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountedError {
    /// The counter.
    pub counter: String,
    /// Half of the tools lie within.
    pub median: f64,
    /// Nineteen of twenty lie within.
    pub p95: f64,
    /// What it was measured on.
    pub source: String,
}

/// How a thing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// By recordings.
    Verified,
    /// By the documentation alone.
    Documented,
    /// By its likeness to others.
    Assumed,
    /// Not at all.
    Unknown,
}

/// The models of all main requests, or the one that was given.
pub(in crate::view) fn models(
    outcome: &Outcome,
    settings: &Settings,
    data: &Data,
) -> Vec<CountedModel> {
    let given = settings.model.as_deref();
    let of_runs = outcome.runs.values().flat_map(|run| &run.models);
    let named: BTreeSet<&str> = match given {
        Some(model) => BTreeSet::from([model]),
        None => of_runs.map(|model| &**model).collect(),
    };
    named
        .into_iter()
        .map(|model| {
            let known = counted(model, &data.models);
            CountedModel {
                error: error(model, settings, data),
                // What a slope was applied to equals no count of the API's.
                vocabulary: match known.vocabulary {
                    Known::Verified if corrects(settings, model) => Known::Assumed,
                    vocabulary => vocabulary,
                },
                ..known
            }
        })
        .collect()
}

fn corrects(settings: &Settings, id: &str) -> bool {
    let calibrated = settings.calibrated.as_ref();
    calibrated.is_some_and(|by| by.corrects(id))
}

fn error(id: &str, settings: &Settings, data: &Data) -> Option<CountedError> {
    if corrects(settings, id) {
        return None;
    }
    let counter = match settings.counter.as_str() {
        "auto" if is_claude(id) => "claude",
        "auto" => "chars",
        counter => counter,
    };
    let family = data.models.family_of_id(id)?;
    let band = data.bands.get(counter, &family.id)?;
    Some(CountedError {
        counter: band.counter.clone(),
        median: band.median,
        p95: band.p95,
        source: band.source.clone(),
    })
}

fn counted(id: &str, table: &Models) -> CountedModel {
    let row = table.get(id);
    let vocabulary = match row.map(|row| row.family_evidence) {
        Some(Letter::A | Letter::B) => Known::Verified,
        Some(Letter::C) => Known::Assumed,
        None if is_claude(id) => Known::Assumed,
        None => Known::Unknown,
    };
    let prelude = match row.map(|row| (row.prelude_auto, row.prelude_evidence)) {
        Some((Some(_), Some(Letter::A | Letter::B))) => Known::Verified,
        Some((Some(_), None)) => Known::Documented,
        Some((Some(_), Some(Letter::C))) => Known::Assumed,
        _ => Known::Unknown,
    };
    CountedModel {
        model: id.to_owned(),
        vocabulary,
        prelude,
        checked: row.and_then(|row| row.checked.clone()),
        error: None,
        thin: row.map_or_else(Vec::new, |row| thin(row, table)),
    }
}

/// The constants of class C that requests of clients meet, in words.
fn thin(row: &Model, table: &Models) -> Vec<&'static str> {
    let Some(family) = table.family(row) else {
        return Vec::new();
    };
    let weak = |constant: Option<Constant>| constant.is_some_and(|c| c.evidence == Letter::C);
    let rounds = family.round.is_none_or(|round| round.evidence == Letter::C);
    [
        (rounds, "tool rounds"),
        (weak(family.system_further), "system blocks after the first"),
        (
            row.non_ascii_evidence == Letter::C,
            "definitions that are not ASCII",
        ),
        (weak(family.frame_same), "messages of one role in a row"),
    ]
    .into_iter()
    .filter_map(|(thin, what)| thin.then_some(what))
    .collect()
}
