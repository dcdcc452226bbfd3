//! A request from the mode to the compaction, in thirteen steps (seed 003): what each looked at, how it came out, and
//! what shows it.

use super::StepRow;
use crate::audit::Audit;
use crate::model::{
    Boundary, Decision, GateTrace, Observed, Outcome, SectionKind, State, Step, Sum,
};
use crate::summary::RunSummary;
use std::collections::BTreeMap;

/// The steps of a run's first main request; the last three look at the run.
pub fn request_steps(summary: &RunSummary) -> Vec<StepRow> {
    let Some(first) = &summary.first else {
        return Vec::new();
    };
    let audit = &first.audit;
    let gate = audit.gate.as_ref();
    let steps = [
        gate_step(gate, "mode", "the gate did not come to the mode"),
        gate_step(gate, "model", "the gate did not come to the model"),
        gate_step(
            gate,
            "search-tool",
            "the gate did not come to the search tool",
        ),
        gate_step(gate, "threshold", "asked in the mode tst-auto only"),
        deferred_set(audit),
        history(audit),
        filter(audit),
        serialize(audit),
        announce(audit),
        send(audit),
        searches(summary),
        next_turn(summary),
        compaction(summary),
    ];
    let names = [
        "mode",
        "model",
        "search-tool",
        "threshold",
        "deferred-set",
        "scan-history",
        "filter-tools",
        "serialize",
        "announce",
        "send",
        "search",
        "next-turn",
        "compaction",
    ];
    steps
        .into_iter()
        .zip(names)
        .zip(1..)
        .map(|((step, name), n)| StepRow { n, name, ..step })
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
    let outcome = if any { Outcome::Pass } else { Outcome::Fail };
    step(
        outcome,
        counted(tools.count(), "tool", "tools"),
        said.join(", "),
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
            let shown = audit.announcements.iter().take(MOST).cloned();
            let shown: Vec<String> = shown.collect();
            let more = match audit.announcements.len().saturating_sub(MOST) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            let shown = shown.join("; ");
            format!("{tokens} tokens of the messages: {shown}{more}")
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

fn searches(summary: &RunSummary) -> StepRow {
    let searches = summary.savings.searches;
    let outcome = if searches > 0 {
        Outcome::Pass
    } else {
        Outcome::Unknown
    };
    step(
        outcome,
        counted(
            summary.requests,
            "main request of the run",
            "main requests of the run",
        ),
        match searches {
            0 => "none answers a search".to_owned(),
            1 => "1 of them answers a search, and nothing else".to_owned(),
            n => format!("{n} of them answer a search, and nothing else"),
        },
    )
}

fn next_turn(summary: &RunSummary) -> StepRow {
    let found: Vec<(u64, &str)> = summary
        .tools
        .iter()
        .filter_map(|((name, _), totals)| Some((totals.discovered_at?, &**name)))
        .collect();
    let mut turns: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for (turn, name) in &found {
        turns.entry(*turn).or_default().push(name);
    }
    let said: Vec<String> = turns
        .iter()
        .take(MOST)
        .map(|(turn, names)| match names[..] {
            [one] => format!("{one} from turn {turn} on"),
            [one, ..] => format!(
                "{one} and {} from turn {turn} on",
                counted(names.len() - 1, "other", "others")
            ),
            [] => String::new(),
        })
        .collect();
    let outcome = if found.is_empty() {
        Outcome::Unknown
    } else {
        Outcome::Pass
    };
    step(
        outcome,
        counted(
            found.len(),
            "tool discovered in the run",
            "tools discovered in the run",
        ),
        match said.is_empty() {
            true => "nothing was discovered".to_owned(),
            false => said.join(", "),
        },
    )
}

/// Turns that are named.
const MOST: usize = 5;

fn compaction(summary: &RunSummary) -> StepRow {
    let boundaries: Vec<&Boundary> = summary
        .transcripts
        .iter()
        .flat_map(|transcript| &transcript.boundaries)
        .collect();
    if !boundaries.is_empty() {
        return told_compaction(&boundaries);
    }
    let compactions = summary.sides.get("compaction").copied().unwrap_or(0);
    let kept = summary
        .findings
        .keys()
        .any(|(code, _)| *code == "discovered-without-reference");
    let evidence = match (compactions, kept) {
        (0, _) => "no request asks for a summary".to_owned(),
        (_, true) => "discovered tools are still sent after it, though their references are gone: the snapshot kept them".to_owned(),
        (_, false) => "no discovered tool is sent after it without a reference".to_owned(),
    };
    let outcome = match (compactions, kept) {
        (0, _) | (_, false) => Outcome::Unknown,
        (_, true) => Outcome::Pass,
    };
    step(
        outcome,
        counted(
            compactions,
            "request for a summary in the run",
            "requests for a summary in the run",
        ),
        evidence,
    )
}

/// Compactions of transcripts, with what each kept.
fn told_compaction(boundaries: &[&Boundary]) -> StepRow {
    let said = boundaries.iter().take(MOST).map(|boundary| {
        let kept = match &boundary.snapshot {
            None => "no list of discovered tools".to_owned(),
            Some(names) => counted(names.len(), "discovered tool", "discovered tools"),
        };
        format!(
            "{} ({}) kept {kept}",
            boundary.place,
            boundary.trigger.word()
        )
    });
    let kept = boundaries.iter().all(|own| own.snapshot.is_some());
    step(
        if kept { Outcome::Pass } else { Outcome::Fail },
        counted(boundaries.len(), "compaction", "compactions"),
        said.collect::<Vec<_>>().join(", "),
    )
}
