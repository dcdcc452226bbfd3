//! Findings, skipped inputs and files that were passed over, the loudest first.

use super::transcripts;
use crate::model::Level;
use crate::report::skipped::{SHOWN, skipped};
use crate::report::words::{plural, thousands};
use crate::report::{Block, Note, Tone};
use crate::view::{FindingRow, RunsView};

/// The notes; none where there is nothing to tell.
pub(super) fn notes(view: &RunsView, verbose: bool) -> Option<Block> {
    let mut notes = findings(view, verbose);
    let of_runs = view.runs.iter();
    notes.extend(of_runs.flat_map(|run| transcripts::notes(run, verbose)));
    notes.extend(skipped(&view.skipped, verbose));
    if view.listings_unused {
        let tools = plural(
            view.settings.listed_tools,
            "tool of --tools is",
            "tools of --tools are",
        );
        let text = format!(
            "none of the {tools} asked for by name: with --server NAME they become mcp__NAME__tool."
        );
        notes.push(note(Tone::Warn, "warn", text));
    }
    let left_out = view.outside_window.outside + view.outside_window.without_time;
    if left_out > 0 {
        let text = plural(
            left_out,
            "request outside of --since and --until",
            "requests outside of --since and --until",
        );
        let without = match view.outside_window.without_time {
            0 => String::new(),
            n => format!(" ({} without a time)", thousands(n)),
        };
        notes.push(note(Tone::Plain, "ignored", format!("{text}{without}.")));
    }
    if view.told_twice > 0 {
        let text = match view.told_twice {
            1 => "1 call stands twice in the captures: it is counted once.".to_owned(),
            n => format!(
                "{} calls stand twice in the captures: each is counted once.",
                thousands(n)
            ),
        };
        notes.push(note(Tone::Plain, "info", text));
    }
    if view.not_captures > 0 {
        let text = plural(
            view.not_captures,
            "file that no format claims",
            "files that no format claims",
        );
        notes.push(note(Tone::Plain, "ignored", format!("{text}.")));
    }
    if view.other_records > 0 {
        let text = plural(
            view.other_records,
            "record that holds no request",
            "records that hold no request",
        );
        notes.push(note(Tone::Plain, "ignored", format!("{text}.")));
    }
    if view.listings > 0 {
        let text = plural(view.listings, "tool listing", "tool listings");
        let text = format!("{text}: with --tools it defines what is only announced.");
        notes.push(note(Tone::Plain, "ignored", text));
    }
    (!notes.is_empty()).then_some(Block::Notes(notes))
}

fn note(tone: Tone, label: &str, text: String) -> Note {
    Note {
        tone,
        label: label.to_owned(),
        text,
    }
}

/// Findings that say the same of several tools are one note. Of many runs the quiet ones are only counted.
fn findings(view: &RunsView, verbose: bool) -> Vec<Note> {
    let mut groups: Vec<Vec<&FindingRow>> = Vec::new();
    for finding in &view.findings {
        let alike = |group: &&mut Vec<&FindingRow>| {
            let first = group[0];
            (&first.run, first.code, &first.message)
                == (&finding.run, finding.code, &finding.message)
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    let many = view.runs.len() > 1 && !verbose;
    let most = if verbose { usize::MAX } else { SHOWN };
    let (shown, hidden): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .partition(|group| !many || group[0].level != Level::Info);
    let mut notes: Vec<Note> = shown
        .iter()
        .take(most)
        .map(|group| finding_note(group))
        .collect();
    let more = hidden.len() + shown.len().saturating_sub(most);
    if more > 0 {
        let text = plural(
            more as u64,
            "more finding: see --format json",
            "more findings: see --format json",
        );
        notes.push(note(Tone::Plain, "info", format!("{text}.")));
    }
    notes
}

fn finding_note(group: &[&FindingRow]) -> Note {
    let first = group[0];
    let tone = match first.level {
        Level::Error => Tone::Bad,
        Level::Warn => Tone::Warn,
        Level::Info => Tone::Plain,
    };
    let times = group.iter().map(|finding| finding.times).max().unwrap_or(1);
    let often = if times > 1 {
        format!(" (in {} requests)", thousands(times))
    } else {
        String::new()
    };
    let subject = if first.subject.is_empty() {
        &first.pointer
    } else {
        &first.subject
    };
    let others = match group.len() {
        1 => String::new(),
        n => format!(" and {}", plural(n as u64 - 1, "other", "others")),
    };
    // What is of the reports that were joined is of no run.
    let run = match first.run.as_str() {
        "" => String::new(),
        run => format!("{run}, "),
    };
    let text = format!(
        "{run}{subject}{others}: {}{often}; {}.",
        first.message, first.help
    );
    note(tone, first.level.word(), text)
}
