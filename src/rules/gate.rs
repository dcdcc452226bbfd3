//! Does tool search engage? Every step with its input, whether that was given or assumed, and the evidence.
//!
//! Steps come in the client's order; the first that fails decides. What was not given is assumed to be the
//! default, and the answer is unknown only where that assumption could flip it against what the wire shows.

mod steps;
#[cfg(test)]
mod tests;

use super::mode::{Mode, mode};
use super::threshold::{Measured, threshold};
use crate::data::Profile;
use crate::model::{GateTrace, Observed, Outcome, RunSettings, Step};
use steps::{doubt_assumptions, model, pool, proxy, search_tool, threshold_step};

/// A value with whether somebody gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given<T> {
    /// Given by a flag or a file, or read from the capture.
    Known(T),
    /// Taken from a table or a default.
    Assumed(T),
    /// Not to be had.
    Missing,
}

/// What the gate looks at.
#[derive(Debug, Clone)]
pub struct GateInput<'a> {
    /// Constants.
    pub profile: &'a Profile,
    /// The run's settings.
    pub settings: &'a RunSettings,
    /// The host of the captured URL is first-party.
    pub url_first_party: Option<bool>,
    /// The model's id.
    pub model: Option<&'a str>,
    /// The client's window.
    pub window: Given<u64>,
    /// A search tool is in the list.
    pub search_tool: bool,
    /// Tools that the rules defer.
    pub deferrable: u64,
    /// Their size.
    pub measured: Measured,
    /// The size lacks definitions that nobody knows.
    pub measured_at_least: bool,
    /// What the wire shows.
    pub observed: Observed,
}

/// Walks the gate.
pub fn gate(input: &GateInput<'_>) -> GateTrace {
    let reading = mode(input.settings, input.profile.default_percent);
    let percent = match reading.mode {
        Some(Mode::TstAuto { percent }) => percent,
        _ => input.profile.default_percent,
    };
    let line = match input.window {
        Given::Known(window) | Given::Assumed(window) => {
            Some(threshold(percent, window, input.profile, input.measured))
        }
        Given::Missing => None,
    };
    let mut steps = vec![Step {
        name: "mode",
        input: reading.input,
        assumed: reading.assumed,
        outcome: match reading.mode {
            None => Outcome::Unknown,
            Some(Mode::Standard) => Outcome::Fail,
            Some(_) => Outcome::Pass,
        },
        evidence: reading.evidence,
    }];
    steps.push(proxy(input, reading.explicit));
    steps.push(model(input));
    steps.push(search_tool(input));
    steps.push(pool(input));
    if matches!(reading.mode, Some(Mode::TstAuto { .. })) {
        steps.push(threshold_step(input, line.as_ref()));
    }
    doubt_assumptions(&mut steps, input.observed);
    let deciding = steps.iter().find(|step| step.outcome != Outcome::Pass);
    let enabled = match deciding.map(|step| step.outcome) {
        None => Some(true),
        Some(Outcome::Fail) => Some(false),
        _ => None,
    };
    let last = if matches!(reading.mode, Some(Mode::TstAuto { .. })) {
        "threshold"
    } else {
        "mode"
    };
    let decided_by = deciding.map_or(last, |step| step.name);
    let reason = steps
        .iter()
        .find(|step| step.name == decided_by)
        .map(|step| format!("{}: {}", step.input, step.evidence));
    GateTrace {
        profile: input.profile.id.clone(),
        observed: input.observed,
        mode: reading.mode.map(Mode::word),
        enabled,
        reason: reason.unwrap_or_default(),
        steps,
        decided_by,
        threshold: line,
    }
}
