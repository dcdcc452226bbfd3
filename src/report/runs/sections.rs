//! The order of the document, its first lines, and what to type next.

use super::{costs, counters, decision, legend, notes, overview, sizes, tools, transcripts};
use crate::report::words::{plural, thousands};
use crate::report::{Block, Payload, Report};
use crate::view::{RunRow, RunsView};

/// What of a view is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// Rows of each run's tools.
    pub top: Option<usize>,
    /// Tools were chosen or put in order by flag.
    pub chosen: bool,
    /// Details that few ask for.
    pub verbose: bool,
}

/// Builds the document.
pub fn runs(view: RunsView, shown: Shown) -> Report {
    let mut blocks = vec![
        Block::Title(title(&view)),
        Block::Text(legend::legend(&view)),
    ];
    if !view.runs.is_empty() {
        blocks.push(Block::Table(overview::table(&view)));
        blocks.push(Block::Text(
            "As sent, Share and Saved are of the first request. As sent: all that is paid for tools, names and \
             searches included. Share: tools, prelude and deferral block of the request, without these."
                .to_owned(),
        ));
    }
    let top = shown
        .top
        .unwrap_or(if view.runs.len() > 1 { 5 } else { 20 });
    for run in &view.runs {
        let told = transcripts::sentences(run).map(Block::Text);
        if run.first.is_none() {
            if let Some(told) = told {
                blocks.extend([Block::Heading(run.run.clone()), told]);
            }
            continue;
        }
        blocks.push(Block::Heading(heading(run)));
        blocks.extend(told);
        if shows_no_tools(run) {
            let said = [costs::request(run), sizes::sizes(run)];
            blocks.extend(said.into_iter().flatten().map(Block::Text));
            continue;
        }
        blocks.push(Block::Table(tools::table(run, top, shown)));
        blocks.extend(counters::table(run, top).map(Block::Table));
        let said = [
            decision::decision(run),
            costs::request(run),
            sizes::sizes(run),
            costs::savings(run),
        ];
        blocks.extend(said.into_iter().flatten().map(Block::Text));
    }
    blocks.extend(notes::notes(&view, shown.verbose));
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

/// A transcript that keeps no definitions shows tools by their names at most.
fn shows_no_tools(run: &RunRow) -> bool {
    let unknown = |first: &crate::view::TokensRow| first.unknown_parts.contains(&"tools");
    let nothing = run.tools.is_empty() && run.first.as_ref().is_some_and(unknown);
    nothing && !run.transcripts.is_empty()
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

/// What to type next, from what was seen. A name that cannot be typed as it is shown gives no command.
fn next(view: &RunsView) -> Vec<String> {
    let paths = view.settings.paths.iter().filter(|_| !view.settings.here);
    let typed: Option<Vec<String>> = paths.map(|path| quoted(path)).collect();
    let Some(paths) = typed.map(|paths| paths.join(" ")) else {
        return Vec::new();
    };
    // What nobody typed is not to be typed.
    let report = match (view.settings.here, view.settings.merged) {
        (true, _) => "toolcost report".to_owned(),
        (_, true) => format!("toolcost report --merge {paths}"),
        (_, false) => format!("toolcost report {paths}"),
    };
    let mut commands = Vec::new();
    if !view.settings.merged
        && view
            .runs
            .iter()
            .any(|run| run.savings.unknown_definitions > 0)
    {
        commands.push(format!("{report} --tools listing.json"));
    }
    if view
        .runs
        .iter()
        .any(|run| run.by_server.iter().any(|server| server.tools > 1))
    {
        commands.push(format!("{report} --top 50"));
    }
    if !view.runs.is_empty() && !view.settings.merged {
        commands.push(format!("{report} --per-request --format json"));
    }
    commands
}

/// A path as a shell takes it; in quotes where it holds more than plain characters.
pub(in crate::report) fn quoted(path: &str) -> Option<String> {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '=' | ':' | ',');
    if path.chars().all(plain) && !path.is_empty() {
        return Some(path.to_owned());
    }
    // Single quotes mean the same to sh and PowerShell, but for the quote itself and for what is not shown as it is.
    let odd = path.contains('\'')
        || path
            .chars()
            .any(|c| c.is_control() || !(c.is_ascii() || c.is_alphanumeric()));
    (!odd).then(|| format!("'{path}'"))
}
