//! The document of `explain`: the steps with their evidence, the answer, what would turn it, the verdicts.

use super::words::plural;
use super::{Block, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::model::{Decision, Outcome};
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
            let table = tools(row, names);
            if !table.rows.is_empty() {
                blocks.push(Block::Table(table));
            }
        }
    }
    Report {
        blocks,
        payload: Payload::Explain(Box::new(view)),
    }
}

fn column(head: &'static str) -> Column {
    Column {
        head,
        right: false,
        cut: false,
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

fn word(enabled: Option<bool>) -> &'static str {
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
        word(gate.enabled),
        gate.decided_by
    );
    if !row.gate.signs.is_empty() {
        text.push_str(&format!(
            " The wire shows tool search {}: {}.",
            gate.observed.word(),
            row.gate.signs.join(", ")
        ));
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
            word(row.enabled)
        };
        format!("{}={}: {short}, by {}", row.key, row.value, row.step)
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("{lead}: {}.", said.join("; ")))
}

fn counts(row: &ExplainRow) -> String {
    let mut by_rule: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for tool in &row.tools {
        let decision = match tool.verdict.decision {
            Decision::Load => "load",
            Decision::Defer => "defer",
            Decision::Unknown => "unknown",
        };
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

/// The tools asked for by name, else those that stand against the rules.
fn tools(row: &ExplainRow, names: &[String]) -> Table {
    let columns = ["Tool", "State", "Verdict", "Rule", "Evidence"]
        .map(column)
        .to_vec();
    let shown = row.tools.iter().filter(|tool| match names {
        [] => !tool.agrees,
        names => names.contains(&tool.name),
    });
    let rows = shown.map(|tool| {
        let decision = match tool.verdict.decision {
            Decision::Load => "load",
            Decision::Defer => "defer",
            Decision::Unknown => "unknown",
        };
        let texts = [
            &tool.name,
            tool.state.word(),
            decision,
            tool.verdict.rule,
            &tool.verdict.evidence,
        ];
        texts
            .into_iter()
            .map(|text| Cell::Text(text.to_owned()))
            .collect()
    });
    Table {
        columns,
        rows: rows.collect(),
        wrap: true,
    }
}
