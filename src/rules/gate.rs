//! Does tool search engage? Every step with its input, whether that was given or assumed, and the evidence.
//!
//! Steps come in the client's order. What was not given is assumed to be the default, and the answer is unknown
//! only where that assumption could flip it against what the wire shows.

mod steps;
#[cfg(test)]
mod tests;

use super::mode::{Mode, kill_switch, mode};
use super::threshold::{Measured, threshold};
use crate::data::Profile;
use crate::model::{GateTrace, Observed, Outcome, RunSettings, Step};

/// The client's context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Given by a flag.
    Known(u64),
    /// Taken from the table of models.
    Assumed(u64),
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
    pub window: Window,
    /// A search tool is in the list.
    pub search_tool: bool,
    /// Tools that the rules defer.
    pub deferrable: u64,
    /// Tools of which the rules cannot say whether they defer them.
    pub unknown_verdicts: u64,
    /// The size of the tools to defer.
    pub measured: Measured,
    /// What the wire shows.
    pub observed: Observed,
}

/// Walks the gate.
pub fn gate(input: &GateInput<'_>) -> GateTrace {
    let reading = mode(input.settings, input.profile.default_percent);
    let auto = matches!(reading.mode, Some(Mode::TstAuto { .. }));
    let percent = match reading.mode {
        Some(Mode::TstAuto { percent }) => percent,
        _ => input.profile.default_percent,
    };
    let line = match input.window {
        Window::Known(window) | Window::Assumed(window) => {
            Some(threshold(percent, window, input.profile, input.measured))
        }
        Window::Missing => None,
    };
    let mut trace = vec![kill_switch(input.settings), reading.step()];
    trace.push(steps::proxy(input, reading.explicit));
    trace.push(steps::model(input));
    trace.push(steps::search_tool(input));
    trace.push(steps::pool(input));
    if auto {
        trace.push(steps::threshold_step(input, line.as_ref()));
    }
    steps::doubt(&mut trace, input.observed, reading.explicit);

    // What certainly fails decides, whatever an earlier step left open.
    let failing = trace.iter().find(|step| step.outcome == Outcome::Fail);
    let open = trace.iter().find(|step| step.outcome == Outcome::Unknown);
    let last = if auto { "threshold" } else { "mode" };
    let decided_by = failing.or(open).map_or(last, |step| step.name);
    let enabled = match (failing, open) {
        (Some(_), _) => Some(false),
        (None, Some(_)) => None,
        (None, None) => Some(true),
    };
    let reason = trace.iter().find(|step| step.name == decided_by);
    let reason = reason
        .map(|step| format!("{}: {}", step.input, step.evidence))
        .unwrap_or_default();
    let killed = trace[0].outcome == Outcome::Fail;
    let mode = if killed {
        Some(Mode::Standard)
    } else {
        reading.mode
    };
    GateTrace {
        profile: input.profile.id.clone(),
        observed: input.observed,
        mode: mode.map(Mode::word),
        enabled,
        reason,
        steps: trace,
        decided_by,
        threshold: line,
    }
}

/// A step that is passed or failed.
fn step(name: &'static str, input: &str, assumed: bool, pass: bool, evidence: &str) -> Step {
    let outcome = if pass { Outcome::Pass } else { Outcome::Fail };
    Step {
        name,
        input: input.to_owned(),
        assumed,
        outcome,
        evidence: evidence.to_owned(),
    }
}
