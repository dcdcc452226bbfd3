//! The decision in sentences: was tool search on, by what setting, what would flip it, what it cost and saved.

use super::overview;
use crate::model::{Observed, Outcome, Signed, Source, Tokens};
use crate::report::words::{percent, plural, thousands};
use crate::report::{Amount, Bound};
use crate::view::{GateRow, RunRow};

/// Paragraphs, in order.
pub(super) fn sentences(run: &RunRow) -> impl Iterator<Item = String> + use<> {
    let mut paragraphs = Vec::new();
    if let Some(gate) = run.gate.as_ref().filter(|gate| nothing_to_defer(gate)) {
        let signs = gate.signs.join(", ");
        paragraphs.push(format!(
            "Whether tool search was on cannot be seen: {signs}."
        ));
    } else if let Some(gate) = &run.gate {
        paragraphs.push(
            [observed(gate), mode(gate), auto(run, gate)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" "),
        );
    }
    paragraphs.extend(request(run));
    let costs = [later(run), overhead(run), total(run), searches(run)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    if !costs.is_empty() {
        paragraphs.push(costs);
    }
    paragraphs.into_iter()
}

/// Neither the wire nor the pool has anything to do with tool search.
fn nothing_to_defer(gate: &GateRow) -> bool {
    gate.trace.observed == Observed::Unknown && gate.trace.decided_by == "pool"
}

/// Tools that the first request does not have.
fn later(run: &RunRow) -> Option<String> {
    let later: Vec<&str> = run
        .tools
        .iter()
        .filter(|tool| tool.later)
        .map(|tool| tool.name.as_str())
        .collect();
    let named = later.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    match later.len() {
        0 => None,
        n @ 1..=3 => Some(format!(
            "{} in later requests only: {named}.",
            plural(n as u64, "tool is", "tools are")
        )),
        n => Some(format!(
            "{} in later requests only: {named} and {} more.",
            plural(n as u64, "tool is", "tools are"),
            n - 3
        )),
    }
}

/// The request by part: what was recorded equals the parts and the residual.
fn request(run: &RunRow) -> Option<String> {
    let first = run.first.as_ref()?;
    let rough = overview::estimated(run) || first.source == Source::Estimated;
    let parts = [
        ("tools", first.tools, rough),
        ("prelude", first.prelude, false),
        ("deferral block", first.deferral, false),
        ("system", first.system, rough),
        ("messages", first.messages, rough),
        ("frame", first.frame, false),
    ];
    let mut said: Vec<String> = Vec::new();
    for (name, tokens, estimated) in parts {
        let lacks = first
            .unknown_parts
            .iter()
            .any(|part| name.starts_with(part));
        let bound = if lacks { Bound::AtLeast } else { Bound::Whole };
        let tokens = tokens.map(|tokens| i64::try_from(tokens.0).unwrap_or(i64::MAX));
        if tokens != Some(0) {
            said.push(format!(
                "{} {name}",
                Amount {
                    tokens,
                    estimated,
                    bound
                }
            ));
        }
    }
    let mut text = match first.recorded {
        Some(recorded) => format!("The request: {} tokens recorded", thousands(recorded.0)),
        None => {
            let bound = if first.at_least {
                Bound::AtLeast
            } else {
                Bound::Whole
            };
            let tokens = i64::try_from(first.request.0).ok();
            format!(
                "The request: {} tokens",
                Amount {
                    tokens,
                    estimated: rough,
                    bound
                }
            )
        }
    };
    if let Some(share) = first.window_share {
        text.push_str(&format!(", {} of the window", percent(share)));
    }
    if !said.is_empty() {
        text.push_str(&format!("; {}", said.join(" + ")));
    }
    if let Some(residual) = first.residual {
        let sign = if residual < 0 { "−" } else { "+" };
        text.push_str(&format!(
            " {sign} {} not accounted for",
            thousands(residual.unsigned_abs())
        ));
    }
    text.push('.');
    Some(text)
}

fn observed(gate: &GateRow) -> Option<String> {
    let signs = gate.signs.join(", ");
    Some(match gate.trace.observed {
        Observed::On => format!("Tool search was on: {signs}."),
        Observed::Off => format!("Tool search was off: {signs}."),
        Observed::Unknown => format!("Whether tool search was on cannot be seen: {signs}."),
    })
}

fn mode(gate: &GateRow) -> Option<String> {
    let step = gate.trace.steps.iter().find(|step| step.name == "mode")?;
    let verdict = match (gate.trace.enabled, gate.trace.observed) {
        (Some(true), Observed::On) | (Some(false), Observed::Off) => String::new(),
        (Some(true), _) => " By the rules it would be on.".to_owned(),
        (Some(false), _) => {
            let step = gate
                .trace
                .steps
                .iter()
                .find(|step| step.outcome == Outcome::Fail);
            format!(
                " By the rules it would be off: {}.",
                step.map_or("", |step| &step.evidence)
            )
        }
        (None, Observed::Unknown) => String::new(),
        (None, _) => {
            " The wire contradicts that: say what was set, with --env or toolcost.run.toml."
                .to_owned()
        }
    };
    Some(match gate.trace.mode {
        Some(mode) => format!("Mode {mode} ({}).{verdict}", step.input),
        None => format!("The mode is not known ({}).{verdict}", step.input),
    })
}

fn auto(run: &RunRow, gate: &GateRow) -> Option<String> {
    let line = gate.trace.threshold.as_ref()?;
    let (measured, limit) = match line.method {
        "tokens" => (line.measured_tokens?.0, line.tokens.0),
        _ => (line.measured_chars?.0, line.chars.0),
    };
    if measured == 0 {
        return None;
    }
    let margin = Signed::difference(Tokens(measured), Tokens(limit)).0;
    let lead = if gate.trace.mode == Some("tst-auto") {
        "The threshold is"
    } else {
        "Under auto the threshold would be"
    };
    let unknown = run.savings.unknown_definitions > 0;
    let (answer, distance) = match (margin >= 0, unknown) {
        (true, _) => ("they defer", "above"),
        (false, false) => ("they load", "below"),
        (false, true) => ("it cannot be said", "below, with definitions missing"),
    };
    Some(format!(
        "{lead} {} % of {} = {} tokens, or {} characters; the deferrable definitions have {} {}, {} {distance}: {answer}.",
        line.percent,
        thousands(line.context_window),
        thousands(line.tokens.0),
        thousands(line.chars.0),
        thousands(measured),
        line.method,
        thousands(margin.unsigned_abs()),
    ))
}

fn overhead(run: &RunRow) -> Option<String> {
    let overhead = &run.savings.overhead;
    let parts = [
        overhead.tool_search,
        overhead.block,
        overhead.names,
        overhead.discovered,
        overhead.calls,
    ];
    let known = parts
        .into_iter()
        .flatten()
        .fold(Tokens(0), std::ops::Add::add);
    if known.0 == 0 {
        return None;
    }
    let estimated = overview::estimated(run);
    let bound = if parts.iter().any(Option::is_none) {
        Bound::AtLeast
    } else {
        Bound::Whole
    };
    let amount = Amount {
        tokens: i64::try_from(known.0).ok(),
        estimated,
        bound,
    };
    let discovered = run
        .tools
        .iter()
        .filter(|tool| tool.discovered_at.is_some())
        .count() as u64;
    let found = match discovered {
        0 => "no tool was discovered".to_owned(),
        n => format!(
            "{} discovered later in the run",
            plural(n, "tool was", "tools were")
        ),
    };
    Some(format!(
        "Deferring costs {amount} tokens in the first request (search tool, block, names); {found}."
    ))
}

fn total(run: &RunRow) -> Option<String> {
    let total = &run.savings.per_run_total;
    if total.at_least && total.saved <= 0 {
        return Some("What deferral saved is not known: definitions are missing.".to_owned());
    }
    if total.saved == 0 {
        return None;
    }
    let amount = overview::saved(run, total.saved);
    let requests = plural(total.requests, "request", "requests");
    let share = total.saved_share.map_or_else(String::new, |share| {
        format!(", {} of what all tools would cost", percent(share))
    });
    if total.saved < 0 {
        return Some(format!(
            "Over {requests} deferral cost more than it saved: {amount} tokens{share}."
        ));
    }
    Some(format!("Saved {amount} tokens over {requests}{share}."))
}

fn searches(run: &RunRow) -> Option<String> {
    let turns = run.savings.search_turns;
    if turns == 0 {
        return None;
    }
    let read = match run.savings.search_turns_reread {
        Some(tokens) => format!("which read {} prompt tokens again", thousands(tokens.0)),
        None => "whose prompts were read again (no usage recorded)".to_owned(),
    };
    Some(format!(
        "{} only to answer a search, {read}.",
        plural(turns, "request exists", "requests exist")
    ))
}
