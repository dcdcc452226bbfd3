//! The first request of a session under each mode: what stands in its prompt when everything is loaded, and when
//! tools are deferred. What was observed is taken as it was; the other mode is projected from it.

use super::observed::{Averages, Session};
use super::{Basis, Input, inputs};
use crate::audit::ToolAudit;
use crate::data::{Assumed, Assumptions};
use crate::model::{Count, Decision, Observed, State, Sum};
use crate::summary::{Placed, RunSummary};
use crate::view::projection;
use std::collections::BTreeSet;

/// The first request under both modes, and what comes with deferring.
pub(super) struct Start {
    /// Was tool search on?
    pub(super) observed: Observed,
    /// The prompt with everything loaded.
    pub(super) standard: Result<u64, String>,
    /// The prompt with tools deferred.
    pub(super) deferring: Result<u64, String>,
    /// Of the first, what is paid for tools.
    pub(super) standard_tools: Option<u64>,
    /// Of the second.
    pub(super) deferring_tools: Option<u64>,
    /// Definitions that are held back, or would be.
    pub(super) held: Sum,
    /// Names and block.
    pub(super) names_and_block: Option<u64>,
    /// The request shows its tools.
    pub(super) pool_is_known: bool,
    /// Deferrable tools.
    pub(super) deferrable: BTreeSet<String>,
    /// Those that a session called or discovered.
    pub(super) used: BTreeSet<String>,
    pub(super) discoveries: Input<u64>,
    pub(super) definition: Input<u64>,
    pub(super) search_tool: Input<u64>,
    pub(super) block: Input<u64>,
}

/// Is it deferred here, or would it be?
pub(super) fn deferrable(tool: &ToolAudit, observed: Observed) -> bool {
    let own = tool.state != State::Placeholder && !tool.kind.is_search(&tool.name);
    own && match observed {
        Observed::On => tool.state != State::Loaded,
        _ => tool.state != State::Loaded || tool.verdict.decision == Decision::Defer,
    }
}

fn signed(number: u64) -> i128 {
    i128::from(number)
}

fn whole(sum: Sum, lacks: &str) -> Result<i128, String> {
    match sum.missing {
        0 => Ok(signed(sum.tokens.0)),
        _ => Err(lacks.to_owned()),
    }
}

const NO_PROMPT: &str = "parts of the first request are not known, and no usage was recorded";
const NO_DEFINITIONS: &str = "definitions are not known: give them with --tools, or add a capture with ENABLE_TOOL_SEARCH=false";

/// Reads it off the first request and the sessions.
pub(super) fn start(
    summary: &RunSummary,
    first: &Placed,
    sessions: &[Session<'_>],
    averages: &Averages,
    by: &Assumptions,
) -> Start {
    let observed = first.audit.gate.as_ref();
    let observed = observed.map_or(Observed::Unknown, |gate| gate.observed);
    let on = observed == Observed::On;
    let parts = &first.audit.parts;
    let seen = match parts.all_recorded() || parts.known().missing == 0 {
        true => Ok(signed(parts.request().0)),
        false => Err(NO_PROMPT.to_owned()),
    };
    let savings = &first.savings;
    let off = projection(first);
    let note = "its definition in the captures or in --tools";
    let seen_or = |seen: Sum, known: Count| if on { seen.count() } else { known };
    let known = seen_or(savings.tool_search, off.search);
    let (search, search_tool) = settled(known, note, &by.search_tool);
    let known = seen_or(savings.block, off.block);
    let (block, block_input) = settled(
        known,
        "what the API adds for this model",
        &by.deferral_block,
    );
    let standard = seen.clone().and_then(|seen| {
        if observed == Observed::Off {
            return Ok(seen);
        }
        let held = whole(savings.held, NO_DEFINITIONS)?;
        let added = whole(savings.overhead(), "the overhead of deferring is not known")?;
        Ok(seen + held - added)
    });
    let held = savings
        .held
        .merge(if on { Sum::default() } else { off.put_off });
    let added = match off.tools {
        0 => 0,
        _ => signed(search) + signed(block) + signed(off.names.tokens.unwrap_or_default().0),
    };
    let deferring = match on {
        true => seen,
        false => standard
            .clone()
            .and_then(|standard| Ok(standard - whole(held, NO_DEFINITIONS)? + added)),
    };
    let all = savings.all_loaded();
    let standard_tools = (all.missing == 0).then_some(all.tokens.0);
    let deferring_tools = match on {
        true => Some(savings.as_sent()).filter(|sum| sum.missing == 0),
        false => None,
    };
    let projected_tools = || {
        let kept = savings.prelude.merge(off.kept);
        let sum = (kept.missing == 0).then_some(signed(kept.tokens.0) + added)?;
        u64::try_from(sum).ok()
    };
    let names = if on { savings.names } else { off.names.into() };
    let tools = first.audit.tools.iter();
    let deferrable: BTreeSet<String> = tools
        .filter(|tool| deferrable(tool, observed))
        .map(|tool| tool.name.to_string())
        .collect();
    let used = used(summary, sessions, &deferrable);
    let unsigned = |number: i128| {
        u64::try_from(number).map_err(|_| "more is held back than the prompt has".to_owned())
    };
    Start {
        observed,
        standard: standard.and_then(unsigned),
        deferring: deferring.and_then(unsigned),
        standard_tools,
        deferring_tools: match on {
            true => deferring_tools.map(|sum| sum.tokens.0),
            false => projected_tools(),
        },
        names_and_block: (names.missing == 0).then(|| match deferrable.is_empty() {
            true => 0,
            false => names.tokens.0.saturating_add(block),
        }),
        held,
        discoveries: discoveries(on, summary, sessions, averages, &used),
        definition: definition(first, averages, observed, &used),
        search_tool,
        pool_is_known: first.audit.pool_is_known,
        block: block_input,
        deferrable,
        used,
    }
}

/// A size that is known, else an assumption.
fn settled(known: Count, note: &str, by: &Assumed) -> (u64, Input<u64>) {
    let (value, basis, note) = match known.tokens {
        Some(tokens) => (tokens.0, Basis::Counted, note),
        None => (by.value, Basis::Assumed, by.source.as_str()),
    };
    (value, Input::new(Some(value), basis, note))
}

/// Deferrable tools that were called or discovered in the run.
fn used(
    summary: &RunSummary,
    sessions: &[Session<'_>],
    deferrable: &BTreeSet<String>,
) -> BTreeSet<String> {
    let called = summary.called.iter().map(ToString::to_string);
    let steps = sessions.iter().flat_map(|session| &session.steps);
    let found = steps.flat_map(|step| &step.turn.found);
    let found = found.map(|found| found.name.to_string());
    called
        .chain(found)
        .filter(|name| deferrable.contains(name))
        .collect()
}

/// Searches that found something; without tool search the deferrable tools that were called, a search each.
fn discoveries(
    on: bool,
    summary: &RunSummary,
    sessions: &[Session<'_>],
    averages: &Averages,
    used: &BTreeSet<String>,
) -> Input<u64> {
    let seen = inputs::recorded(averages.discoveries, "session", "sessions");
    if let Some(seen) = seen.filter(|_| on) {
        return seen;
    }
    let of = sessions.len() as u64;
    // Each session searches for itself.
    let each = sessions.iter().map(|session| {
        let calls = summary.calls_in(session.number);
        let called = calls
            .iter()
            .filter(|(name, n)| **n > 0 && used.contains(**name));
        called.count() as u64
    });
    let mean = (each.sum::<u64>() + of / 2).checked_div(of);
    let (note, basis) = match mean {
        Some(_) => ("deferrable tools that were called", Basis::Recorded),
        None => ("no session shows any", Basis::Assumed),
    };
    Input::new(Some(mean.unwrap_or(0)), basis, note)
}

/// Definitions that a search brings: those it brought, else those of tools in use, else any deferrable one.
fn definition(
    first: &Placed,
    averages: &Averages,
    observed: Observed,
    used: &BTreeSet<String>,
) -> Input<u64> {
    if let Some(seen) = inputs::recorded(averages.definition, "discovery", "discoveries") {
        return seen;
    }
    let mean = |wanted: &dyn Fn(&ToolAudit) -> bool| {
        let tools = first.audit.tools.iter();
        let tools = tools.filter(|tool| deferrable(tool, observed) && wanted(tool));
        let sizes: Option<Vec<u64>> = tools.map(|tool| tool.size.tokens.map(|t| t.0)).collect();
        let sizes = sizes?;
        let of = sizes.len() as u64;
        let all = sizes.into_iter().fold(of / 2, u64::saturating_add);
        all.checked_div(of)
    };
    if let Some(value) = mean(&|tool| used.contains(&*tool.name)) {
        return Input::new(
            Some(value),
            Basis::Counted,
            "mean of those that were called",
        );
    }
    let all = mean(&|_| true);
    let note = match all {
        Some(_) => "mean of all that can be deferred",
        None => "no deferrable tool of known size",
    };
    Input::new(all, Basis::Counted, note)
}
