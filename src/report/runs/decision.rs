//! The decision in sentences: was tool search on, by what setting, what would flip it.

use crate::model::{Observed, Outcome, Threshold};
use crate::report::words::{percent, thousands};
use crate::report::{Amount, Bound};
use crate::view::{GateRow, ModeRow, RunRow};

/// The paragraph about tool search; none where there is nothing it could do.
pub(super) fn decision(run: &RunRow) -> Option<String> {
    let gate = run.gate.as_ref()?;
    let signs = gate.signs.join(", ");
    if gate.trace.observed == Observed::Unknown && gate.trace.decided_by == "pool" {
        return Some(format!(
            "Whether tool search was on cannot be seen: {signs}."
        ));
    }
    let seen = match gate.trace.observed {
        Observed::On => format!("Tool search was on: {signs}."),
        Observed::Off => format!("Tool search was off: {signs}."),
        Observed::Unknown => format!("Whether tool search was on cannot be seen: {signs}."),
    };
    let said = [
        Some(seen),
        rules(gate),
        differs(run),
        auto(gate),
        projected(run),
    ];
    Some(said.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// What the rules say of it, and which step decides.
fn rules(gate: &GateRow) -> Option<String> {
    let step = |name: &str| gate.trace.steps.iter().find(|step| step.name == name);
    let switch = step("mode")
        .map(|step| step.input.as_str())
        .unwrap_or_default();
    let by_switch = matches!(gate.trace.decided_by, "mode" | "kill-switch");
    let decided = step(gate.trace.decided_by)?;
    let why = format!("{}: {}", decided.input, decided.evidence);
    Some(match (gate.trace.enabled, gate.trace.observed) {
        (Some(true), Observed::Off) => format!("By the rules it would be on ({switch})."),
        (_, _) if gate.trace.decided_by == "api" => return None,
        (Some(true), _) => format!("Mode {} ({switch}).", gate.trace.mode.unwrap_or("unknown")),
        (Some(false), Observed::On) => format!("By the rules it would be off: {why}."),
        (Some(false), _) if by_switch => format!("Mode standard ({}).", decided.input),
        (Some(false), _) => format!("By the rules: {why}."),
        (None, Observed::Off) if decided.assumed && decided.outcome == Outcome::Unknown => {
            "Probably ENABLE_TOOL_SEARCH=false was set, or a proxy was used; say which, with --env or in toolcost.run.toml."
                .to_owned()
        }
        (None, _) => format!("The rules cannot say: {why}."),
    })
}

fn differs(run: &RunRow) -> Option<String> {
    run.gates_differ
        .then(|| "Later requests of the run decide otherwise (see --per-request).".to_owned())
}

/// What the threshold would do, where that is known.
fn auto(gate: &GateRow) -> Option<String> {
    let line = gate.trace.threshold.as_ref()?;
    let reached = line.reached()?;
    let (measured, limit) = match line.method {
        "tokens" => (line.measured_tokens?.0, line.tokens.0),
        _ => (line.measured_chars?.0, line.chars.0),
    };
    if measured == 0 {
        return None;
    }
    let would = if reached {
        "be deferred"
    } else {
        "all be loaded"
    };
    let set = gate.trace.mode == Some("tst-auto");
    let lead = if set {
        "Under auto they"
    } else {
        "With ENABLE_TOOL_SEARCH=auto they would"
    };
    let does = match (set, reached) {
        (true, true) => "are deferred",
        (true, false) => "are all loaded",
        (false, _) => would,
    };
    Some(format!(
        "{lead} {does}: {}{} {} {} {}{}.",
        if line.at_least { "at least " } else { "" },
        thousands(measured),
        line.method,
        if reached { "reach" } else { "stay below" },
        thousands(limit),
        basis(line),
    ))
}

fn basis(line: &Threshold) -> String {
    let window = format!("{} % of {}", line.percent, thousands(line.context_window));
    match line.method {
        "tokens" => format!(" ({window})"),
        _ => format!(
            " ({window} = {} tokens, at 2.5 characters each)",
            thousands(line.tokens.0)
        ),
    }
}

/// Of a run with tool search off: what turning it on would save.
fn projected(run: &RunRow) -> Option<String> {
    let tst = run
        .savings
        .modes
        .iter()
        .find(|mode: &&ModeRow| mode.mode == "tst" && mode.projected)?;
    let (as_sent, saved) = (tst.as_sent?, tst.saved?);
    if saved <= 0 || run.savings.all_loaded.0 == 0 {
        return None;
    }
    let estimated = |tokens: u64| {
        let tokens = i64::try_from(tokens).ok();
        Amount {
            tokens,
            estimated: true,
            bound: Bound::Whole,
        }
    };
    let share = crate::savings::share(saved, run.savings.all_loaded)
        .map_or_else(String::new, |share| format!(", {} less", percent(share)));
    Some(format!(
        "With tool search on it would pay {} for tools instead of {}{share} (projected).",
        estimated(as_sent.0),
        estimated(run.savings.all_loaded.0),
    ))
}
