//! The gate as a report holds it, in one level: serde can flatten what it writes, but what it reads into a flattened
//! part it neither holds against unknown keys nor can say where it is.

use super::GateRow;
use crate::model::{GateTrace, Observed, Step, Threshold, Word};
use serde::Deserialize;

/// [`GateRow`], flat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GateRead {
    profile: String,
    observed: Observed,
    #[serde(deserialize_with = "crate::model::word_or_null")]
    mode: Option<Word>,
    enabled: Option<bool>,
    reason: String,
    steps: Vec<Step>,
    #[serde(deserialize_with = "crate::model::word")]
    decided_by: Word,
    threshold: Option<Threshold>,
    signs: Vec<String>,
}

impl From<GateRead> for GateRow {
    fn from(read: GateRead) -> Self {
        let GateRead {
            profile,
            observed,
            mode,
            enabled,
            reason,
            steps,
            decided_by,
            threshold,
            signs,
        } = read;
        Self {
            trace: GateTrace {
                profile,
                observed,
                mode,
                enabled,
                reason,
                steps,
                decided_by,
                threshold,
            },
            signs,
        }
    }
}
