//! A request from the mode to the compaction, in thirteen steps (seed 003): what each looked at, how it came out, and
//! what shows it.

mod run;

use super::StepRow;
use crate::audit::Audit;
use crate::model::{Decision, GateTrace, Observed, Outcome, SectionKind, State, Step, Sum};
use crate::summary::RunSummary;
use run::{compaction, next_turn, searches};
use std::collections::BTreeMap;

/// Turns, boundaries and announcements that are named.
const MOST: usize = 5;

/// The steps of a run's first main request; the last three look at the run.
pub fn request_steps(summary: &RunSummary) -> Vec<StepRow> {
    let Some(first) = &summary.first else {
        return Vec::new();
    };
    let audit = &first.audit;
    let gate = audit.gate.as_ref();
    let of_gate = |name, without| (name, gate_step(gate, name, without));
    let steps = [
        of_gate("mode", "the gate did not come to the mode"),
        of_gate("model", "the gate did not come to the model"),
        of_gate("search-tool", "the gate did not come to the search tool"),
        of_gate("threshold", "asked in the mode tst-auto only"),
        ("deferred-set", deferred_set(audit)),
        ("scan-history", history(audit)),
        ("filter-tools", filter(audit)),
        ("serialize", serialize(audit)),
        ("announce", announce(audit)),
        ("send", send(audit)),
        ("search", searches(summary)),
        ("next-turn", next_turn(summary)),
        ("compaction", compaction(summary)),
    ];
    let numbered = steps.into_iter().zip(1..);
    numbered
        .map(|((name, step), n)| StepRow { n, name, ..step })
        .collect()
}

fn step(outcome: Outcome, input: String, evidence: String) -> StepRow {
    StepRow {
        n: 0,
        name: "",
        input,
        assumed: false,
        undocumented: false,
        outcome,
        evidence,
    }
}

/// A step of the gate, as the gate tells it.
fn gate_step(gate: Option<&GateTrace>, name: &str, without: &str) -> StepRow {
    let own = gate.and_then(|gate| gate.steps.iter().find(|step| step.name == name));
    match own {
        Some(Step {
            input,
            assumed,
            undocumented,
            outcome,
            evidence,
            ..
        }) => StepRow {
            assumed: *assumed,
            undocumented: *undocumented,
            ..step(*outcome, input.clone(), evidence.clone())
        },
        None => {
            let foreign = gate.and_then(|gate| gate.steps.iter().find(|step| step.name == "api"));
            let why = foreign.map_or(
                without,
                |_| "the request is of another API: the client's gate does not apply",
            );
            step(Outcome::Unknown, "not asked".to_owned(), why.to_owned())
        }
    }
}

/// A number with its noun.
fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

fn observed(audit: &Audit) -> Observed {
    let gate = audit.gate.as_ref();
    gate.map_or(Observed::Unknown, |gate| gate.observed)
}

/// Pass where a thing was seen, fail where the wire shows tool search off, else unknown.
fn seen(audit: &Audit, there: bool) -> Outcome {
    match (there, observed(audit)) {
        (true, _) => Outcome::Pass,
        (false, Observed::Off) => Outcome::Fail,
        (false, _) => Outcome::Unknown,
    }
}

fn states(audit: &Audit, state: State) -> usize {
    let tools = audit.tools.iter();
    tools.filter(|tool| tool.state == state).count()
}

fn deferred_set(audit: &Audit) -> StepRow {
    let mut rules: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let tools = audit.tools.iter().filter(|t| t.state != State::Placeholder);
    for tool in tools.clone() {
        let decision = match tool.verdict.decision {
            Decision::Load => "load",
            Decision::Defer => "defer",
            Decision::Unknown => "unknown",
        };
        *rules.entry((decision, tool.verdict.rule)).or_default() += 1;
    }
    let any = rules.keys().any(|(decision, _)| *decision == "defer");
    let said: Vec<String> = rules
        .iter()
        .map(|((decision, rule), n)| format!("{n} {decision} by {rule}"))
        .collect();
    let outcome = match (any, audit.pool_is_known) {
        (true, _) => Outcome::Pass,
        (false, true) => Outcome::Fail,
        (false, false) => Outcome::Unknown,
    };
    step(
        outcome,
        counted(tools.count(), "tool", "tools"),
        match said.is_empty() {
            true => "no tool is known".to_owned(),
            false => said.join(", "),
        },
    )
}

fn history(audit: &Audit) -> StepRow {
    let found = audit.tools.iter().filter_map(|tool| {
        let (how, turn) = tool.discovered?;
        Some((tool, how, turn))
    });
    let mut ways: BTreeMap<(&str, u64), u64> = BTreeMap::new();
    let mut number = 0;
    for (_, how, turn) in found {
        number += 1;
        *ways.entry((how, turn)).or_default() += 1;
    }
    let said: Vec<String> = ways
        .iter()
        .map(|((how, turn), n)| format!("{n} by {how} in turn {turn}"))
        .collect();
    let mut evidence = match number {
        0 => "no reference in the messages of this request".to_owned(),
        _ => said.join(", "),
    };
    if !audit.repairs.is_empty() {
        evidence.push_str("; ");
        evidence.push_str(&audit.repairs.join(", "));
    }
    step(
        seen(audit, number > 0),
        counted(number, "discovered tool", "discovered tools"),
        evidence,
    )
}

fn filter(audit: &Audit) -> StepRow {
    let (loaded, discovered) = (
        states(audit, State::Loaded),
        states(audit, State::Discovered),
    );
    let (flagged, announced) = (
        states(audit, State::Deferred),
        states(audit, State::Announced),
    );
    if !audit.pool_is_known {
        let evidence = format!("the capture keeps no tool list; {announced} named only");
        return step(
            Outcome::Unknown,
            "tools sent: not known".to_owned(),
            evidence,
        );
    }
    step(
        seen(audit, flagged + announced > 0),
        counted(loaded + discovered + flagged, "tool sent", "tools sent"),
        format!(
            "{loaded} loaded, {discovered} discovered, {flagged} sent with their flag; {announced} left out and named only"
        ),
    )
}

fn serialize(audit: &Audit) -> StepRow {
    let flagged = audit.tools.iter().filter(|tool| {
        let deferred = matches!(tool.state, State::Deferred | State::Discovered);
        deferred && tool.index.is_some()
    });
    let flagged = flagged.count();
    let placeholder = states(audit, State::Placeholder);
    let evidence = match (flagged, placeholder) {
        (0, 0) => "no definition carries defer_loading".to_owned(),
        (1, 0) => "1 definition carries defer_loading: true".to_owned(),
        (n, 0) => format!("{n} definitions carry defer_loading: true"),
        (n, _) => format!(
            "{} and the client's placeholder carry defer_loading: true",
            counted(n, "definition", "definitions")
        ),
    };
    step(
        seen(audit, flagged + placeholder > 0),
        "defer_loading".to_owned(),
        evidence,
    )
}

fn announce(audit: &Audit) -> StepRow {
    let names = states(audit, State::Announced);
    let sections = audit.parts.sections.iter();
    let tokens: u64 = sections
        .filter(|(key, _)| key.kind == SectionKind::Names)
        .map(|(_, sum)| sum.tokens.tokens.0)
        .sum();
    let evidence = match tokens {
        0 => "no list of names in the messages".to_owned(),
        tokens => {
            let shown = audit.announcements.join("; ");
            format!("{tokens} tokens of the messages: {shown}")
        }
    };
    step(
        seen(audit, tokens > 0),
        counted(
            names,
            "name without a definition",
            "names without a definition",
        ),
        evidence,
    )
}

fn send(audit: &Audit) -> StepRow {
    if !audit.pool_is_known {
        let input = "loaded definitions: not known".to_owned();
        let evidence = "the capture keeps no tool list, so nobody knows what the model is shown";
        return step(Outcome::Unknown, input, evidence.to_owned());
    }
    let tools = audit.parts.tools.count();
    let block = audit.block.tokens.map_or(0, |tokens| tokens.0);
    let size = tools
        .tokens
        .map_or_else(|| "an unknown number of".to_owned(), |t| t.0.to_string());
    let bound = if tools.at_least { "at least " } else { "" };
    let texts = audit.tools.iter().filter(|tool| tool.kind.is_prompted());
    let texts: Sum = texts.map(|tool| tool.in_prompt).collect();
    let texts = match texts.tokens.0 {
        0 => String::new(),
        tokens => format!("; {tokens} tokens of others stand as text in system and messages"),
    };
    step(
        Outcome::Pass,
        counted(
            states(audit, State::Loaded),
            "loaded definition",
            "loaded definitions",
        ),
        format!(
            "the model is shown {bound}{size} tokens of definitions, and {block} of the API's deferral block{texts}"
        ),
    )
}
