//! The document of `report`: runs first, then each run's tools by cost, the decision in sentences, savings last.

mod decision;
mod tools;

use super::words::{plural, thousands};
use super::{Amount, Block, Bound, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::model::{Level, Source, State};
use crate::view::{RunRow, RunsView};

/// What of a view is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// Rows of each run's tools.
    pub top: Option<usize>,
}

/// Skipped inputs and findings shown before the rest is only counted.
const NOTES: usize = 8;

/// Builds the document.
pub fn runs(view: RunsView, shown: Shown) -> Report {
    let mut blocks = vec![Block::Title(title(&view)), Block::Text(legend(&view))];
    if !view.runs.is_empty() {
        blocks.push(Block::Table(runs_table(&view)));
        blocks.push(Block::Text(
            "As sent: all that is paid for tools, names and searches included. Share: of the request, without these."
                .to_owned(),
        ));
    }
    let top = shown
        .top
        .unwrap_or(if view.runs.len() > 1 { 5 } else { 20 });
    for run in view.runs.iter().filter(|run| run.first.is_some()) {
        blocks.push(Block::Heading(heading(run)));
        blocks.push(Block::Table(tools::table(run, top)));
        blocks.extend(decision::sentences(run).map(Block::Text));
    }
    notes(&view, &mut blocks);
    let next = next(&view);
    if !next.is_empty() {
        blocks.push(Block::Commands(next));
    }
    Report {
        blocks,
        payload: Payload::Runs(Box::new(view)),
    }
}

fn title(view: &RunsView) -> String {
    let sum = |of: fn(&RunRow) -> u64| view.runs.iter().map(of).sum::<u64>();
    let mut parts = vec![view.settings.paths.join(" ")];
    parts.push(plural(view.runs.len() as u64, "run", "runs"));
    let mut requests = plural(sum(|run| run.requests), "main request", "main requests");
    for (count, one, many) in [
        (
            sum(|run| run.subagent_requests),
            "of a subagent",
            "of subagents",
        ),
        (
            sum(|run| run.side_requests),
            "side request",
            "side requests",
        ),
    ] {
        if count > 0 {
            requests.push_str(&format!(", {}", plural(count, one, many)));
        }
    }
    parts.push(requests);
    parts.join(" · ")
}

fn legend(view: &RunsView) -> String {
    let recorded = view.runs.iter().any(|run| {
        run.first
            .as_ref()
            .is_some_and(|first| first.recorded.is_some())
            || run
                .tools
                .iter()
                .any(|tool| tool.source == Source::Recorded && tool.size.is_some())
    });
    let estimated = view.runs.iter().any(|run| {
        run.tools
            .iter()
            .any(|tool| tool.source == Source::Estimated)
            || run.total.source == Source::Estimated
    });
    let mut legend = String::from("Counts: ");
    if recorded {
        legend.push_str("plain numbers are recorded or documented");
    }
    if estimated {
        legend.push_str(if recorded { "; " } else { "" });
        legend.push_str(&format!(
            "~ is estimated by {} ({}), which may be tens of percent off",
            view.settings.counter, view.settings.about_counter
        ));
    }
    if !recorded && !estimated {
        legend.push_str("nothing was counted");
    }
    legend.push('.');
    legend
}

fn runs_table(view: &RunsView) -> Table {
    let column = |head, right| Column {
        head,
        right,
        cut: !right,
    };
    let columns = vec![
        column("Run", false),
        column("Requests", true),
        column("Loaded", true),
        column("Deferred", true),
        column("As sent", true),
        column("Share", true),
        column("Saved a request", true),
        column("", true),
    ];
    let rows = view.runs.iter().map(|run| {
        let count = |states: &[State]| {
            let of_first = run
                .tools
                .iter()
                .filter(|tool| !tool.later && states.contains(&tool.state));
            of_first.map(|tool| tool.tools).sum::<u64>()
        };
        let mut cells = vec![Cell::Text(run.run.clone()), Cell::Number(run.requests)];
        let Some(first) = &run.first else {
            cells.extend([
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Dash,
                Cell::Blank,
            ]);
            return cells;
        };
        let deferred = count(&[State::Deferred, State::Announced]);
        cells.push(Cell::Number(count(&[State::Loaded, State::Discovered])));
        cells.push(Cell::Number(deferred));
        cells.push(as_sent(run).cell());
        cells.push(match first.share {
            Some(share) if estimated(run) => Cell::EstimatedShare(share),
            share => Cell::Share(share),
        });
        if run.savings.at_least && run.savings.saved <= 0 {
            cells.extend([Cell::Text("?".to_owned()), Cell::Blank]);
        } else if run.savings.saved == 0 && deferred == 0 {
            cells.extend([Cell::Dash, Cell::Blank]);
        } else {
            cells.push(saved(run, run.savings.saved).cell());
            cells.push(Cell::Share(run.savings.saved_share));
        }
        cells
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Are the sizes of a run's tools estimated?
fn estimated(run: &RunRow) -> bool {
    run.tools
        .iter()
        .any(|tool| tool.source == Source::Estimated)
}

fn as_sent(run: &RunRow) -> Amount {
    let lacks = run
        .tools
        .iter()
        .any(|tool| tool.state == State::Loaded && !tool.later && tool.size.is_none());
    let first_lacks = run.first.as_ref().is_some_and(|first| {
        first
            .unknown_parts
            .iter()
            .any(|part| matches!(*part, "tools" | "prelude" | "deferral"))
    });
    let at_least = lacks || first_lacks || run.savings.at_most;
    let source = if estimated(run) {
        Source::Estimated
    } else {
        Source::Recorded
    };
    Amount::new(Some(run.savings.as_sent), source, at_least)
}

fn saved(run: &RunRow, tokens: i64) -> Amount {
    let bound = match (run.savings.at_least, run.savings.at_most) {
        (true, _) => Bound::AtLeast,
        (false, true) => Bound::AtMost,
        (false, false) => Bound::Whole,
    };
    Amount {
        tokens: Some(tokens),
        estimated: estimated(run),
        bound,
    }
}

fn heading(run: &RunRow) -> String {
    let mut parts = vec![format!("{}, first request", run.run)];
    parts.extend(run.models.first().cloned());
    if run.models.len() > 1 {
        parts.push(format!(
            "and {}",
            plural(run.models.len() as u64 - 1, "other model", "other models")
        ));
    }
    if let Some(window) = run
        .gate
        .as_ref()
        .and_then(|gate| gate.trace.threshold.as_ref())
        .map(|t| t.context_window)
    {
        parts.push(format!("window {}", thousands(window)));
    }
    parts.join(" · ")
}

fn notes(view: &RunsView, blocks: &mut Vec<Block>) {
    let mut notes: Vec<Note> = Vec::new();
    let loud: Vec<_> = view
        .findings
        .iter()
        .filter(|finding| finding.level != Level::Info)
        .collect();
    let shown: Vec<_> = if view.runs.len() > 1 {
        loud
    } else {
        view.findings.iter().collect()
    };
    let hidden = view.findings.len() - shown.len().min(NOTES);
    for finding in shown.iter().take(NOTES) {
        let tone = match finding.level {
            Level::Error => Tone::Bad,
            Level::Warn => Tone::Warn,
            Level::Info => Tone::Plain,
        };
        let often = if finding.times > 1 {
            format!(" (in {} requests)", thousands(finding.times))
        } else {
            String::new()
        };
        let text = format!(
            "{}, {}: {}{often}; {}.",
            finding.run, finding.subject, finding.message, finding.help
        );
        notes.push(Note {
            tone,
            label: finding.level.word().to_owned(),
            text,
        });
    }
    if hidden > 0 {
        let text = plural(
            hidden as u64,
            "more finding: see --format json",
            "more findings: see --format json",
        );
        notes.push(Note {
            tone: Tone::Plain,
            label: "info".to_owned(),
            text: format!("{text}."),
        });
    }
    for skipped in view.skipped.iter().take(NOTES) {
        let text = format!("{}, {}: {}.", skipped.path, skipped.place, skipped.reason);
        notes.push(Note {
            tone: Tone::Warn,
            label: "skipped".to_owned(),
            text,
        });
    }
    if view.skipped.len() > NOTES {
        let more = plural(
            (view.skipped.len() - NOTES) as u64,
            "more input",
            "more inputs",
        );
        notes.push(Note {
            tone: Tone::Warn,
            label: "skipped".to_owned(),
            text: format!("{more}: see --format json."),
        });
    }
    if view.not_captures > 0 {
        let text = plural(
            view.not_captures,
            "file that no format claims",
            "files that no format claims",
        );
        notes.push(Note {
            tone: Tone::Plain,
            label: "passed".to_owned(),
            text: format!("{text}."),
        });
    }
    if view.listings > 0 {
        let text = plural(view.listings, "tool listing", "tool listings");
        let text = format!("{text}: give it with --tools to define what is only announced.");
        notes.push(Note {
            tone: Tone::Plain,
            label: "passed".to_owned(),
            text,
        });
    }
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
}

/// What to type next, from what was seen.
fn next(view: &RunsView) -> Vec<String> {
    let paths = view.settings.paths.join(" ");
    let mut commands = Vec::new();
    if view
        .runs
        .iter()
        .any(|run| run.savings.unknown_definitions > 0)
    {
        commands.push(format!("toolcost report {paths} --tools listing.json"));
    }
    if view.runs.len() > 1
        && let Some(path) = view.runs.iter().find_map(|run| {
            (run.savings.saved != 0)
                .then(|| run.paths.first())
                .flatten()
        })
        && let Some((folder, _)) = path.rsplit_once('/')
    {
        let command = format!("toolcost report {folder}");
        if view
            .settings
            .paths
            .iter()
            .all(|path| path.trim_end_matches('/') != folder)
        {
            commands.push(command);
        }
    }
    if !view.runs.is_empty() {
        commands.push(format!(
            "toolcost report {paths} --per-request --format json"
        ));
    }
    commands
}
