//! The document of `explain`: the steps with their evidence, the answer, what would turn it, the verdicts.

use super::skipped::skipped;
use super::words::plural;
use super::{Block, Note, Payload, Report, Tone};
use crate::model::{Decision, Observed, Outcome};
use crate::view::{ExplainRow, ExplainTool, ExplainView, TurningPoint, WhatIfRow};
use std::collections::BTreeMap;

/// Builds the document; `names` are the tools to show.
pub fn explain(view: ExplainView, names: &[String]) -> Report {
    let mut blocks = Vec::new();
    for row in &view.requests {
        blocks.push(Block::Heading(heading(row)));
        blocks.push(steps(row));
        blocks.push(Block::Text(answer(row)));
        blocks.extend(ifs("What if", &row.what_if));
        // Of an answer that is not known nothing can turn.
        if row.gate.trace.enabled.is_some() {
            blocks.extend(ifs("It would turn with", &row.flips));
        }
        blocks.extend(row.turning_point.as_ref().and_then(turning_point));
        // Without a capture there is no request to walk through.
        if row.path.is_some() {
            blocks.push(Block::Text("The request, step by step:".to_owned()));
            blocks.push(request_steps(row));
        }
        if !row.tools.is_empty() {
            blocks.push(Block::Text(counts(row)));
            blocks.extend(tools(row, names));
        }
    }
    let notes = skipped(&view.skipped, false);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Explain(Box::new(view)),
    }
}

fn heading(row: &ExplainRow) -> String {
    let place = row
        .path
        .iter()
        .chain(&row.place)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    let profile = format!("profile {}", row.gate.trace.profile);
    match &row.run {
        Some(run) => format!("{run} · {place} · {profile}"),
        None => format!("the gate · {profile}"),
    }
}

/// One note a step: how it came out, what it looked at, and why.
fn steps(row: &ExplainRow) -> Block {
    let notes = row.gate.trace.steps.iter().zip(1_u64..).map(|(step, n)| {
        let (outcome, tone) = match step.outcome {
            Outcome::Pass => ("pass", Tone::Plain),
            Outcome::Fail => ("fail", Tone::Bad),
            Outcome::Unknown => ("unknown", Tone::Warn),
        };
        let assumed = if step.assumed { ", assumed" } else { "" };
        let text = format!("{outcome}{assumed}. {}: {}.", step.input, step.evidence);
        Note {
            tone,
            label: format!("{n} {}", step.name),
            text,
        }
    });
    Block::Notes(notes.collect())
}

/// The request from the mode to the compaction.
fn request_steps(row: &ExplainRow) -> Block {
    let notes = row.steps.iter().map(|step| {
        let (outcome, tone) = match step.outcome {
            Outcome::Pass => ("yes", Tone::Plain),
            Outcome::Fail => ("no", Tone::Warn),
            Outcome::Unknown => ("not seen", Tone::Plain),
        };
        Note {
            tone,
            label: format!("{} {}", step.n, step.name),
            text: format!("{outcome}. {}: {}.", step.input, step.evidence),
        }
    });
    Block::Notes(notes.collect())
}

fn effect(enabled: Option<bool>) -> &'static str {
    match enabled {
        Some(true) => "defer",
        Some(false) => "load everything",
        None => "unknown",
    }
}

fn answer(row: &ExplainRow) -> String {
    let gate = &row.gate.trace;
    let by = match gate.enabled {
        Some(true) if gate.decided_by != "threshold" => ": nothing stands against it".to_owned(),
        _ => format!(", decided by {}", gate.decided_by),
    };
    let mut text = format!("Answer: {}{by}.", effect(gate.enabled));
    if !row.gate.signs.is_empty() {
        let shows = match gate.observed {
            Observed::On => "shows tool search on",
            Observed::Off => "shows tool search off",
            Observed::Unknown => "does not tell",
        };
        let signs = row.gate.signs.join(", ");
        text.push_str(&format!(" The wire {shows}: {signs}."));
        if matches!(
            (gate.enabled, gate.observed),
            (Some(true), Observed::Off) | (Some(false), Observed::On)
        ) {
            text.push_str(" The two contradict each other: check the settings that were given.");
        }
    }
    let assumed: Vec<&str> = row
        .gate
        .trace
        .steps
        .iter()
        .filter(|step| step.assumed)
        .map(|step| step.name)
        .collect();
    if !assumed.is_empty() {
        text.push_str(&format!(" Assumed: {}.", assumed.join(", ")));
    }
    text
}

fn ifs(lead: &str, rows: &[WhatIfRow]) -> Option<Block> {
    let said = rows.iter().map(|row| {
        let short = if row.enabled.is_none() {
            "unknown"
        } else {
            effect(row.enabled)
        };
        // What keeps an answer open is worth its reason, and so are the numbers that were compared.
        let why = match row.enabled {
            Some(_) if row.step != "threshold" => String::new(),
            _ => format!(". {}", row.reason),
        };
        Note {
            tone: Tone::Plain,
            label: lead.to_owned(),
            text: format!("{}={}: {short}, by {}{why}.", row.key, row.value, row.step),
        }
    });
    let said: Vec<Note> = said.collect();
    (!said.is_empty()).then_some(Block::Notes(said))
}

/// Between which percentages the auto threshold turns.
fn turning_point(point: &TurningPoint) -> Option<Block> {
    let said = match (point.defers_up_to, point.loads_from) {
        (Some(up_to), Some(from)) => {
            format!("auto:{up_to} or less defers, auto:{from} or more loads everything")
        }
        (Some(up_to), None) if point.at_least => {
            format!("auto:{up_to} or less defers, what more does is not known")
        }
        (Some(_), None) => "each of auto:1 to auto:99 defers".to_owned(),
        (None, Some(from)) if from > 1 => {
            format!("auto:{from} or more loads everything, what less does is not known")
        }
        (None, Some(_)) => "even auto:1 loads everything".to_owned(),
        // A sentence that says nothing known is left out; the JSON has what was measured.
        (None, None) => return None,
    };
    let least = if point.at_least { "at least " } else { "" };
    let text = format!(
        "{said}: {least}{} {} to defer, a window of {} tokens.",
        point.measured, point.unit, point.context_window
    );
    Some(Block::Notes(vec![Note {
        tone: Tone::Plain,
        label: "Threshold".to_owned(),
        text,
    }]))
}

/// What the wire shows of a tool, and what the settings would have of it.
fn state(tool: &ExplainTool) -> String {
    match tool.denied {
        true => format!("{}, and denied by the settings", tool.state.word()),
        false => tool.state.word().to_owned(),
    }
}

fn counts(row: &ExplainRow) -> String {
    let mut by_rule: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for tool in &row.tools {
        let decision = word(tool.verdict.decision);
        *by_rule.entry((decision, tool.verdict.rule)).or_default() += 1;
    }
    let said = by_rule
        .iter()
        .map(|((decision, rule), n)| format!("{n} {decision} by {rule}"));
    let said = said.collect::<Vec<_>>().join(", ");
    let denied = row.tools.iter().filter(|tool| tool.denied).count() as u64;
    let denied = match denied {
        0 => String::new(),
        1 => " The settings deny 1 of them: the client takes it away before it sends.".to_owned(),
        n => format!(" The settings deny {n} of them: the client takes them away before it sends."),
    };
    format!(
        "{}: {said}.{denied}",
        plural(row.tools.len() as u64, "tool", "tools")
    )
}

/// Sentences on tools where none was asked for by name.
const SHOWN: usize = 12;

/// A sentence for each tool asked for by name, else for those that stand against the rules.
fn tools(row: &ExplainRow, names: &[String]) -> Vec<Block> {
    let (asked, most) = match names {
        [] => (false, SHOWN),
        _ => (true, usize::MAX),
    };
    let shown = row.tools.iter().filter(|tool| match asked {
        false => !tool.agrees,
        true => names.contains(&tool.name),
    });
    // Tools that share state and verdict share a sentence, unless each was asked for.
    let mut groups: Vec<Vec<&ExplainTool>> = Vec::new();
    for tool in shown {
        let alike = |group: &&mut Vec<&ExplainTool>| {
            let first = group[0];
            !asked
                && (first.state, first.verdict.rule, &first.verdict.evidence)
                    == (tool.state, tool.verdict.rule, &tool.verdict.evidence)
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(tool),
            None => groups.push(vec![tool]),
        }
    }
    let mut blocks: Vec<Block> = groups
        .iter()
        .take(most)
        .map(|group| {
            let verdict = &group[0].verdict;
            let decision = word(verdict.decision);
            let others = match group.len() {
                1 => String::new(),
                n => format!(" and {}", plural(n as u64 - 1, "other", "others")),
            };
            Block::Text(format!(
                "{}{others}: {}. The rules: {decision}, by {}: {}.",
                group[0].name,
                state(group[0]),
                verdict.rule,
                verdict.evidence
            ))
        })
        .collect();
    let more: usize = groups.iter().skip(most).map(Vec::len).sum();
    if more > 0 {
        let more = plural(more as u64, "other stands", "others stand");
        blocks.push(Block::Text(format!(
            "{more} against the rules too: see --format json."
        )));
    }
    blocks
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Load => "load",
        Decision::Defer => "defer",
        Decision::Unknown => "unknown",
    }
}
