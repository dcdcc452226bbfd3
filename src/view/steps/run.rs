//! The steps that look at the run: searches, the turns after them, compactions.

use super::{MOST, counted, step};
use crate::model::{Boundary, Outcome};
use crate::summary::RunSummary;
use crate::view::StepRow;
use std::collections::BTreeMap;

pub(super) fn searches(summary: &RunSummary) -> StepRow {
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

pub(super) fn next_turn(summary: &RunSummary) -> StepRow {
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

pub(super) fn compaction(summary: &RunSummary) -> StepRow {
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
