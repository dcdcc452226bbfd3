//! The document of `explain`: the steps with their evidence, the answer, what would turn it, the verdicts.

use super::skipped::skipped;
use super::words::plural;
use super::{Block, Note, Payload, Report, Tone};
use crate::model::{Decision, Observed, Outcome};
use crate::view::{ExplainRow, ExplainView, WhatIfRow};
use std::collections::BTreeMap;

/// Builds the document; `names` are the tools to show.
pub fn explain(view: ExplainView, names: &[String]) -> Report {
    let mut blocks = Vec::new();
    for row in &view.requests {
        blocks.push(Block::Heading(heading(row)));
        blocks.push(steps(row));
        blocks.push(Block::Text(answer(row)));
        for line in [
            ifs("What if", &row.what_if),
            ifs("It would turn with", &row.flips),
        ] {
            blocks.extend(line.map(Block::Text));
        }
        if !row.tools.is_empty() {
            blocks.push(Block::Text(counts(row)));
            blocks.extend(tools(row, names));
        }
    }
    let notes = skipped(&view.skipped);
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
    let notes = row.steps.iter().map(|step| {
        let (outcome, tone) = match step.outcome {
            Outcome::Pass => ("pass", Tone::Plain),
            Outcome::Fail => ("fail", Tone::Bad),
            Outcome::Unknown => ("unknown", Tone::Warn),
        };
        let assumed = if step.assumed { ", assumed" } else { "" };
        let text = format!("{outcome}{assumed}. {}: {}.", step.input, step.evidence);
        Note {
            tone,
            label: format!("{} {}", step.n, step.name),
            text,
        }
    });
    Block::Notes(notes.collect())
}

fn effect(enabled: Option<bool>) -> &'static str {
    match enabled {
        Some(true) => "defer",
        Some(false) => "load everything",
        None => "unknown (where the client cannot say either, it loads everything)",
    }
}

fn answer(row: &ExplainRow) -> String {
    let gate = &row.gate.trace;
    let mut text = format!(
        "Answer: {}, decided by {}.",
        effect(gate.enabled),
        gate.decided_by
    );
    if !row.gate.signs.is_empty() {
        let shows = match gate.observed {
            Observed::On => "shows tool search on",
            Observed::Off => "shows tool search off",
            Observed::Unknown => "does not tell",
        };
        let signs = row.gate.signs.join(", ");
        text.push_str(&format!(" The wire {shows}: {signs}."));
    }
    let assumed: Vec<&str> = row
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

fn ifs(lead: &str, rows: &[WhatIfRow]) -> Option<String> {
    let said = rows.iter().map(|row| {
        let short = if row.enabled.is_none() {
            "unknown"
        } else {
            effect(row.enabled)
        };
        format!("{}={}: {short}, by {}", row.key, row.value, row.step)
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("{lead}: {}.", said.join("; ")))
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
    format!(
        "{}: {said}.",
        plural(row.tools.len() as u64, "tool", "tools")
    )
}

/// Tools shown where none was asked for by name.
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
    let mut blocks: Vec<Block> = shown
        .clone()
        .take(most)
        .map(|tool| {
            let verdict = &tool.verdict;
            let decision = word(verdict.decision);
            Block::Text(format!(
                "{}: {}. The rules: {decision}, by {}: {}.",
                tool.name,
                tool.state.word(),
                verdict.rule,
                verdict.evidence
            ))
        })
        .collect();
    if let more @ 1.. = shown.count().saturating_sub(most) {
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
