//! Other APIs than Messages: no client's rule decides, the request itself says what is deferred.

use super::{GateInput, open, step};
use crate::model::{GateTrace, Observed};

/// The gate of a request that carries its decision: one step, read from the wire.
pub(super) fn gate(input: &GateInput<'_>) -> GateTrace {
    let name = "api";
    let api = format!("{} request", input.api.word());
    let step = match input.observed {
        Observed::On => step(
            name,
            &api,
            false,
            true,
            "it asks for a tool search, or defers tools itself",
        ),
        Observed::Off => step(name, &api, false, false, "it defers no tool"),
        Observed::Unknown => open(
            name,
            &api,
            "Claude Code's gate does not apply, and no tool is deferred or searched for",
        ),
    };
    GateTrace {
        profile: input.profile.id.clone(),
        observed: input.observed,
        mode: None,
        enabled: match input.observed {
            Observed::On => Some(true),
            Observed::Off => Some(false),
            Observed::Unknown => None,
        },
        reason: format!("{}: {}", step.input, step.evidence),
        steps: vec![step],
        decided_by: name,
        threshold: None,
    }
}
