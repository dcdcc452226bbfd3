//! Findings and skipped inputs as rows.

use crate::model::{Finding, Level, Place, Skipped, Word};
use serde::{Deserialize, Serialize};

/// A finding as reports carry it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingRow {
    /// Stable name.
    #[serde(deserialize_with = "crate::model::word")]
    pub code: Word,
    /// How bad it is.
    pub level: Level,
    /// What was seen.
    pub message: String,
    /// The run it was seen in.
    pub run: String,
    /// The file.
    pub path: String,
    /// The line, where the file has lines.
    pub line: Option<u64>,
    /// Which element of the array that begins there, from 0.
    #[serde(skip)]
    pub element: Option<u64>,
    /// JSON pointer into the request body.
    pub pointer: String,
    /// What it is about.
    pub subject: String,
    /// What to do.
    pub help: String,
    /// In how many requests it was seen; the place is the first one's.
    pub times: u64,
}

impl FindingRow {
    /// The row of a finding that was seen so often.
    pub(super) fn new(run: &str, finding: &Finding, times: u64) -> Self {
        let line = match finding.origin.place {
            Place::Whole => None,
            Place::Line(line, _) | Place::Element(line, _) => Some(line),
        };
        Self {
            code: finding.code,
            level: finding.level,
            message: finding.message.clone(),
            run: run.to_owned(),
            path: finding.origin.path.to_string(),
            line,
            element: match finding.origin.place {
                Place::Element(_, index) => Some(index),
                _ => None,
            },
            pointer: finding.pointer.clone(),
            subject: finding.subject.clone(),
            help: finding.help.clone(),
            times,
        }
    }
}

/// An input that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedRow {
    /// The file.
    pub path: String,
    /// The place in it.
    pub place: String,
    /// Why, and what to do.
    pub reason: String,
}

impl From<&Skipped> for SkippedRow {
    fn from(skipped: &Skipped) -> Self {
        Self {
            path: skipped.path.to_string(),
            place: skipped.place.to_string(),
            reason: skipped.reason.clone(),
        }
    }
}
