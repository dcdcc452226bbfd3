//! `report`: flags → work → view → document → output.

use super::args::{self, Reading};
use super::exit::{self, ExitCode};
use super::merge::merged;
use super::output::Outputs;
use super::work::{Gathered, gather};
use crate::config::transcript_folder;
use crate::count::{Counter, counter};
use crate::ingest::{Input, is_stdin};
use crate::pipeline::Outcome;
use crate::report::{self, Shown};
use crate::view::{self, Rows, RunsView, SortKey, ViewOptions};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

pub(super) fn run(options: &args::Report, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    if options.merge {
        outputs.spare(options.paths.iter().map(PathBuf::as_path))?;
        let view = merged(&options.paths, &rows(&options.rows)?)?;
        let shown = shown(options);
        let code = code(&view, options.strict, None, options.paths.len());
        return exit::ended(outputs.write(&report::runs(view, shown), out), code);
    }
    let max_skipped = options
        .max_skipped
        .as_deref()
        .map(Allowance::parse)
        .transpose()?;
    let inputs = inputs(options)?;
    outputs.spare(inputs.iter().map(|input| input.path.as_path()))?;
    let (reading, others) = several(&options.reading)?;
    let Gathered {
        data,
        outcome,
        settings,
        files,
    } = gather(&inputs, &reading, options.per_request)?;
    let by_request = options.per_request;
    let rows = rows(&options.rows)?;
    if !others.is_empty() && inputs.iter().any(|input| is_stdin(&input.path)) {
        return Err(exit::usage(
            "standard input can be read once only; give a file to several counters",
        ));
    }
    let others = others
        .into_iter()
        .map(|counter| {
            let reading = Reading {
                counter: Some(counter.counter().to_owned()),
                ..reading.clone()
            };
            Ok((counter.counter(), gather(&inputs, &reading, false)?.outcome))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let first = counter(&settings.counter).map(|counter| (counter.counter(), &outcome));
    let mut by_counter: Vec<(&'static str, &Outcome)> = Vec::new();
    if !others.is_empty() {
        by_counter.extend(first);
        by_counter.extend(others.iter().map(|(name, outcome)| (*name, outcome)));
    }
    let view = view::runs(
        &outcome,
        ViewOptions {
            data: &data,
            settings,
            by_request,
            by_counter: &by_counter,
            rows: &rows,
        },
    );
    let code = code(&view, options.strict, max_skipped, files);
    let written = outputs.write(&report::runs(view, shown(options)), out);
    // The process ends now, and the system takes its memory back at once.
    std::mem::forget(outcome);
    exit::ended(written, code)
}

/// What of the view is shown.
fn shown(options: &args::Report) -> Shown {
    Shown {
        top: options.rows.top,
        chosen: !options.rows.filter.is_empty() || options.rows.sort.is_some(),
        verbose: options.output.verbose,
    }
}

/// The flags for the first counter, and the other counters that are named with it.
fn several(reading: &Reading) -> anyhow::Result<(Reading, Vec<&'static dyn Counter>)> {
    let names = reading
        .counter
        .as_deref()
        .filter(|names| names.contains(','));
    let Some(names) = names else {
        return Ok((reading.clone(), Vec::new()));
    };
    let mut counters = super::count::counters(names)?;
    let first = counters.remove(0);
    let reading = Reading {
        counter: Some(first.counter().to_owned()),
        ..reading.clone()
    };
    Ok((reading, counters))
}

/// Which rows are shown, settled.
fn rows(options: &args::Rows) -> anyhow::Result<Rows> {
    if options.filter.iter().any(|glob| glob.trim().is_empty()) {
        return Err(exit::usage("--filter: write a name, as in mcp__github__*"));
    }
    let sort = options.sort.map(|key| match key {
        args::Sort::Cost => SortKey::Cost,
        args::Sort::Size => SortKey::Size,
        args::Sort::Name => SortKey::Name,
        args::Sort::Server => SortKey::Server,
        args::Sort::State => SortKey::State,
        args::Sort::Calls => SortKey::Calls,
        args::Sort::Turns => SortKey::Turns,
    });
    Ok(Rows {
        filter: options.filter.clone(),
        sort,
    })
}

/// PATHs and named runs as inputs.
fn inputs(options: &args::Report) -> anyhow::Result<Vec<Input>> {
    let mut inputs: Vec<Input> = options
        .paths
        .iter()
        .map(|path| Input::unnamed(path))
        .collect();
    for named in &options.run {
        let (name, path) = named
            .split_once('=')
            .filter(|(name, path)| !name.is_empty() && !path.is_empty())
            .ok_or_else(|| exit::usage("--run: write NAME=PATH"))?;
        inputs.push(Input {
            run: Some(name.to_owned()),
            path: PathBuf::from(path),
            alias: None,
        });
    }
    if inputs.is_empty() {
        inputs.push(transcripts_here()?);
    }
    Ok(inputs)
}

/// The transcripts that the client keeps of the project in this folder, as one run.
fn transcripts_here() -> anyhow::Result<Input> {
    const NO_PATH: &str =
        "no PATH given; give a file or folder of captures, or - for standard input";
    let here = std::env::current_dir().map_err(|_| exit::usage(NO_PATH))?;
    let folder = transcript_folder(&here).ok_or_else(|| exit::usage(NO_PATH))?;
    if !folder.path.is_dir() {
        return Err(exit::usage(format!(
            "{NO_PATH}; there are no transcripts of this project in {}",
            folder.projects
        )));
    }
    let name = here
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    Ok(Input {
        run: Some(name.unwrap_or_else(|| "transcripts".to_owned())),
        path: folder.path,
        alias: Some(folder.shown),
    })
}

/// 3 where nothing could be read, or under `--strict` where more files than allowed hold something unread.
fn code(view: &RunsView, strict: bool, allowed: Option<Allowance>, files: usize) -> ExitCode {
    let skipped: BTreeSet<&str> = view
        .skipped
        .iter()
        .map(|skipped| skipped.path.as_str())
        .collect();
    let uncounted = view
        .runs
        .iter()
        .any(|run| run.total_unknown_definitions > 0);
    let too_many = allowed
        .unwrap_or(Allowance::Inputs(0))
        .exceeded(skipped.len(), files);
    if view.runs.is_empty() || (strict && (too_many || uncounted)) {
        ExitCode::Unread
    } else {
        ExitCode::Good
    }
}

/// How many inputs may be skipped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Allowance {
    Inputs(usize),
    Percent(usize),
}

impl Allowance {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let bad = || exit::usage("--max-skipped: write a whole number, or a percentage such as 5%");
        match text.strip_suffix('%') {
            Some(percent) => {
                let percent: usize = percent.trim().parse().map_err(|_| bad())?;
                if percent > 100 {
                    Err(bad())
                } else {
                    Ok(Self::Percent(percent))
                }
            }
            None => text.trim().parse().map(Self::Inputs).map_err(|_| bad()),
        }
    }

    pub(super) fn exceeded(self, skipped: usize, files: usize) -> bool {
        match self {
            Self::Inputs(most) => skipped > most,
            Self::Percent(percent) => skipped.saturating_mul(100) > files.saturating_mul(percent),
        }
    }
}
