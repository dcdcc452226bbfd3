//! Does tool search engage? Every step with its input, whether that was given or assumed, and the evidence.
//!
//! Two layers, in the client's order: the optimistic one decides whether the search tool is offered at all, the
//! definitive one whether this request uses it. What was not given is assumed to be the default, and the answer
//! is unknown only where that assumption could flip it against what the wire shows. Where a step says no, or
//! the client cannot say, it loads everything.

mod api;
mod doubt;
#[cfg(test)]
mod doubt_tests;
mod models;
mod providers;
mod steps;
#[cfg(test)]
mod tests;

pub(super) use providers::of as provider_of;
pub use providers::proxied;

use super::mode::{Mode, kill_switch, mode};
use super::threshold::{Measured, threshold};
use crate::data::Profile;
use crate::model::{Api, GateTrace, Layer, Observed, Outcome, RunSettings, Step};

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
    /// The rules of the client.
    pub profile: &'a Profile,
    /// The run's settings.
    pub settings: &'a RunSettings,
    /// The API the request is written for.
    pub api: Api,
    /// The cloud provider, as the request shows it.
    pub wire_provider: Option<&'a str>,
    /// The host of the captured URL is first-party.
    pub url_first_party: Option<bool>,
    /// The model's id.
    pub model: Option<&'a str>,
    /// The client's window.
    pub window: Window,
    /// A search tool is in the list.
    pub search_tool: bool,
    /// Tools that the rules defer; `None` = not captured.
    pub deferrable: Option<u64>,
    /// Tools of which the rules cannot say whether they defer them.
    pub unknown_verdicts: u64,
    /// MCP servers that were still connecting, where that is known.
    pub pending_servers: Option<u64>,
    /// The size of the tools to defer.
    pub measured: Measured,
    /// What the wire shows.
    pub observed: Observed,
}

/// Walks the gate.
pub fn gate(input: &GateInput<'_>) -> GateTrace {
    if input.api != Api::Messages {
        return api::gate(input);
    }
    let profile = input.profile;
    let reading = mode(input.settings, profile);
    let auto = matches!(reading.mode, Some(Mode::TstAuto { .. }));
    let percent = match reading.mode {
        Some(Mode::TstAuto { percent }) => percent,
        _ => profile.constants.default_percent,
    };
    let line = match input.window {
        Window::Known(window) | Window::Assumed(window) => {
            Some(threshold(percent, window, profile, input.measured))
        }
        Window::Missing => None,
    };
    let mut trace = vec![client(profile), kill_switch(input.settings), reading.step()];
    trace.push(providers::provider(input, reading.explicit));
    trace.push(providers::proxy(input, reading.explicit));
    trace.push(models::model(input));
    trace.push(steps::search_tool(input));
    trace.push(steps::pool(input));
    if auto {
        trace.push(steps::threshold_step(input, line.as_ref()));
    }
    doubt::doubt(&mut trace, input.observed, reading.explicit, profile);

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
    let reason = reason.map(|step| format!("{}: {}", step.input, step.evidence));
    let off = failing.is_some_and(|step| matches!(step.name, "client" | "kill-switch"));
    let mode = if off {
        Some(Mode::Standard)
    } else {
        reading.mode
    };
    GateTrace {
        profile: profile.id.clone(),
        observed: input.observed,
        mode: mode.map(Mode::word),
        enabled,
        reason: reason.unwrap_or_default(),
        steps: trace,
        decided_by,
        threshold: line,
    }
}

/// Has this client tool search at all?
fn client(profile: &Profile) -> Step {
    let input = match profile.id.as_str() {
        "current" | "legacy" => format!("profile {}", profile.id),
        version => format!("client {version}"),
    };
    let evidence = match profile.beyond {
        true => format!(
            "newer than every source; read as the newest ({})",
            profile.tool_search.source
        ),
        false => profile.tool_search.source.clone(),
    };
    let step = step(
        "client",
        &input,
        profile.beyond,
        profile.tool_search.rule,
        &evidence,
    );
    Step {
        layer: Layer::Optimistic,
        ..step
    }
}

/// A definitive step that is passed or failed.
fn step(name: &'static str, input: &str, assumed: bool, pass: bool, evidence: &str) -> Step {
    Step {
        name,
        layer: Layer::Definitive,
        input: input.to_owned(),
        assumed,
        undocumented: false,
        outcome: if pass { Outcome::Pass } else { Outcome::Fail },
        evidence: evidence.to_owned(),
    }
}

/// A definitive step that is left open.
fn open(name: &'static str, input: &str, evidence: &str) -> Step {
    Step {
        outcome: Outcome::Unknown,
        ..step(name, input, false, true, evidence)
    }
}
