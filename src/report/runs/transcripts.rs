//! What transcripts tell beside the requests they show: calls, compactions, what was discovered and kept.

use crate::report::words::{plural, thousands};
use crate::report::{Note, Tone};
use crate::view::{CompactionRow, RunRow, TranscriptRow};
use std::collections::BTreeSet;

/// Transcripts of a run that are told one by one; of more only the sums.
const APART: usize = 3;

/// Sentences on the transcripts of a run; none where it has none.
pub(super) fn sentences(run: &RunRow) -> Option<String> {
    let rows = &run.transcripts;
    if rows.is_empty() {
        return None;
    }
    let sum = |of: fn(&TranscriptRow) -> u64| rows.iter().map(of).sum::<u64>();
    let mut said = vec![calls(rows.len() as u64, &sum)];
    let compactions: Vec<&CompactionRow> = rows.iter().flat_map(|row| &row.compactions).collect();
    said.extend(compacted(&compactions));
    for row in rows
        .iter()
        .filter(|row| !row.discovered.ever.is_empty())
        .take(APART)
    {
        said.push(discovered(row, rows.len() > 1));
    }
    let pending: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| &row.pending_servers)
        .map(String::as_str)
        .collect();
    if !pending.is_empty() {
        let pending: Vec<&str> = pending.into_iter().collect();
        said.push(format!("Still connecting: {}.", pending.join(", ")));
    }
    Some(said.join(" "))
}

fn calls(transcripts: u64, sum: &dyn Fn(fn(&TranscriptRow) -> u64) -> u64) -> String {
    let calls = sum(|row| row.calls + row.other_calls);
    let mut said = plural(transcripts, "transcript", "transcripts");
    if calls == 0 {
        return format!("{said}: no call of the API in it.");
    }
    let without = sum(|row| row.without_usage);
    said.push_str(&format!(": {} of the API", plural(calls, "call", "calls")));
    if without < calls {
        let at_least = if without > 0 { "at least " } else { "" };
        said.push_str(&format!(
            " with {at_least}{} of the prompt ({} read from the cache, {} written) and {} of answers",
            plural(sum(|row| row.usage.map_or(0, |own| own.prompt)), "token", "tokens"),
            thousands(sum(|row| row.usage.map_or(0, |own| own.cache_read))),
            thousands(sum(|row| row.usage.map_or(0, |own| own.cache_write))),
            thousands(sum(|row| row.usage.map_or(0, |own| own.output))),
        ));
    }
    if let calls @ 1.. = sum(|row| row.tool_calls) {
        said.push_str(&format!(", {}", plural(calls, "tool call", "tool calls")));
    }
    if without > 0 {
        said.push_str(&format!("; of {} no usage is recorded", thousands(without)));
    }
    said.push('.');
    said
}

fn compacted(compactions: &[&CompactionRow]) -> Option<String> {
    let first = compactions.first()?;
    let at = |row: &CompactionRow| match row.before {
        Some(tokens) => format!(" at {} tokens", thousands(tokens)),
        None => String::new(),
    };
    let number = compactions.len() as u64;
    let lists = compactions.iter().filter(|own| own.kept.is_some()).count() as u64;
    if number == 1 {
        let kept = match &first.kept {
            None => "it kept no list of discovered tools".to_owned(),
            Some(names) => {
                let tools = plural(names.len() as u64, "discovered tool", "discovered tools");
                format!("it kept a list of {tools}")
            }
        };
        let trigger = first.trigger;
        return Some(format!("1 compaction ({trigger}){}; {kept}.", at(first)));
    }
    let by = |trigger: &str| {
        let own = compactions.iter().filter(|own| own.trigger == trigger);
        own.count() as u64
    };
    let by = ["auto", "manual", "unknown"].map(|trigger| (trigger, by(trigger)));
    let by: Vec<String> = by
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(trigger, n)| format!("{n} {trigger}"))
        .collect();
    let kept = match lists {
        0 => "none kept a list of discovered tools".to_owned(),
        n if n == number => "each kept a list of discovered tools".to_owned(),
        n => format!("{} of them kept a list of discovered tools", thousands(n)),
    };
    Some(format!(
        "{number} compactions ({}), the first{}; {kept}.",
        by.join(", "),
        at(first)
    ))
}

fn discovered(row: &TranscriptRow, named: bool) -> String {
    let (now, ever) = (
        row.discovered.now.len() as u64,
        row.discovered.ever.len() as u64,
    );
    let place = match named {
        true => format!("{}: ", row.path),
        false => String::new(),
    };
    let tools = |n| plural(n, "deferred tool was", "deferred tools were");
    match (now, ever) {
        (now, ever) if now == ever => format!("{place}{} discovered.", tools(ever)),
        (0, ever) => format!(
            "{place}{} discovered, and none is at the end: a compaction or a server took them away.",
            tools(ever)
        ),
        (now, ever) => format!(
            "{place}{} discovered; at the end {} (the last list and what was found after it).",
            tools(ever),
            match now {
                1 => "1 is".to_owned(),
                n => format!("{} are", thousands(n)),
            }
        ),
    }
}

/// What of a transcript is odd.
pub(super) fn notes(run: &RunRow, verbose: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    let note = |tone: Tone, label: &str, text: String| Note {
        tone,
        label: label.to_owned(),
        text,
    };
    for row in &run.transcripts {
        let odd = [
            (
                row.twice,
                "record stands twice in it",
                "records stand twice in it",
            ),
            (row.clock_back, "time runs back", "times run back"),
            (
                row.parentless,
                "record goes on from one that is not in it",
                "records go on from ones that are not in it",
            ),
            (
                row.synthetic,
                "message in it is the client's own",
                "messages in it are the client's own",
            ),
        ];
        let odd: Vec<String> = odd
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, one, many)| plural(n, one, many))
            .collect();
        if !odd.is_empty() {
            notes.push(note(
                Tone::Plain,
                "info",
                format!("{}: {}.", row.path, odd.join(", ")),
            ));
        }
        let unknown: u64 = row.unknown.values().sum();
        if unknown > 0 {
            let text = match verbose {
                true => {
                    let names = row.unknown.iter();
                    let names: Vec<String> = names.map(|(name, n)| format!("{name} {n}")).collect();
                    format!("of types nobody has seen: {}", names.join(", "))
                }
                false => {
                    let text = plural(unknown, "record or block", "records or blocks");
                    format!("{text} of types nobody has seen (-v names them)")
                }
            };
            notes.push(note(Tone::Plain, "info", format!("{}: {text}.", row.path)));
        }
        if verbose {
            let records = row.records.iter();
            let records: Vec<String> = records.map(|(name, n)| format!("{name} {n}")).collect();
            let text = format!("{}: {}.", row.path, records.join(", "));
            notes.push(note(Tone::Plain, "records", text));
        }
    }
    notes
}
