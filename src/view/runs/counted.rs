//! What the counts of a report equal, model by model.

use crate::data::{Constant, Letter, Model, Models, is_claude};
use crate::pipeline::Outcome;
use serde::Serialize;
use std::collections::BTreeSet;

/// How well the counts for a model are known.
#[derive(Debug, Clone, Serialize)]
pub struct CountedModel {
    /// The model, as the captures name it.
    pub model: String,
    /// Its vocabulary: verified against recordings, assumed from the generation, or none of Claude's.
    pub vocabulary: Known,
    /// Its tool-use prompt: verified, documented only, or unknown.
    pub prelude: Known,
    /// The day on which counts were compared with recordings of the model.
    pub checked: Option<String>,
    /// What of its requests rests on thin evidence (class C).
    pub thin: Vec<&'static str>,
}

/// How a thing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
pub(super) fn models(outcome: &Outcome, given: Option<&str>, table: &Models) -> Vec<CountedModel> {
    let of_runs = outcome.runs.values().flat_map(|run| &run.models);
    let named: BTreeSet<&str> = match given {
        Some(model) => BTreeSet::from([model]),
        None => of_runs.map(|model| &**model).collect(),
    };
    named
        .into_iter()
        .map(|model| counted(model, table))
        .collect()
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
