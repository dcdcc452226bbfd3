//! What commands that read captures share: flags → files, settings, the pipeline's outcome.

use super::args::Reading;
use super::exit;
use super::progress::Progress;
use super::settled::{Settled, profile, settle};
use crate::config;
use crate::count::ToolsOnly;
use crate::data::{Data, Profile};
use crate::ingest::{
    CaptureFile, Input, RUN_SETTINGS, Unreachable, discover, is_stdin, may_group_by, shown,
};
use crate::model::{Given, Ids, Measure, RunSettings};
use crate::pipeline::{self, Outcome, TimeWindow, Work};
use crate::view::{Calibrations, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// What was read, and with what.
pub(super) struct Gathered {
    pub(super) data: Data,
    pub(super) outcome: Outcome,
    pub(super) settings: Settings,
    pub(super) files: usize,
}

/// `--since` and `--until`.
fn time_window(reading: &Reading) -> anyhow::Result<TimeWindow> {
    let moment = |flag: &str, text: &str, whole_day: bool| {
        let day = || {
            let day = text.parse::<jiff::civil::Date>().ok()?;
            let day = if whole_day { day.tomorrow().ok()? } else { day };
            format!("{day}T00:00:00Z").parse::<jiff::Timestamp>().ok()
        };
        let moment = text.parse::<jiff::Timestamp>().ok().or_else(day);
        moment.map(jiff::Timestamp::as_millisecond).ok_or_else(|| {
            exit::usage(format!(
                "{flag}: write a day (2026-11-30) or a moment (2026-11-30T08:00:00Z)"
            ))
        })
    };
    let since = reading
        .since
        .as_deref()
        .map(|text| moment("--since", text, false))
        .transpose()?;
    let until = reading
        .until
        .as_deref()
        .map(|text| moment("--until", text, true))
        .transpose()?;
    if since
        .zip(until)
        .is_some_and(|(since, until)| since >= until)
    {
        return Err(exit::usage(
            "--until lies before --since: no moment is between them",
        ));
    }
    Ok(TimeWindow { since, until })
}

/// The cap on descriptions of listed tools, by profile and environment.
fn description_cap(
    data: &Data,
    asked: Option<&Profile>,
    given: &RunSettings,
) -> anyhow::Result<Option<u64>> {
    let current = profile(data, "current")?;
    let profile = asked.unwrap_or(&current);
    if let (true, Given::Value(text)) =
        (profile.description_cap_env.rule, given.env(config::CAP_ENV))
    {
        let cap = text.trim().parse::<u64>().ok().filter(|cap| *cap > 0);
        let cap = cap.ok_or_else(|| {
            exit::usage(format!(
                "{}: write a whole number of characters",
                config::CAP_ENV
            ))
        })?;
        return Ok(Some(cap));
    }
    let cap = profile.description_cap.rule;
    Ok((cap > 0).then_some(cap))
}

/// What besides sums is asked of the captures.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Depth {
    /// A row of every request.
    pub(super) by_request: bool,
    /// A row of every turn, with what changed in it.
    pub(super) by_turn: bool,
    /// What the lints find.
    pub(super) lint: bool,
    /// What searches look at.
    pub(super) keep_texts: bool,
    /// The model for listings where none is given.
    pub(super) listing_model: Option<&'static str>,
    /// Listings are requests with their tools.
    pub(super) listings_as_requests: bool,
    /// Ids that mean the same on every machine.
    pub(super) ids: Ids,
    /// Tokens of tools, and of nothing else.
    pub(super) tools_only: bool,
}

/// Reads the captures.
pub(super) fn gather(
    inputs: &[Input],
    reading: &Reading,
    by_request: bool,
) -> anyhow::Result<Gathered> {
    let depth = Depth {
        by_request,
        ..Depth::default()
    };
    gather_with(inputs, reading, depth, settle(reading)?)
}

/// Reads the captures with settled flags.
pub(super) fn gather_with(
    inputs: &[Input],
    reading: &Reading,
    depth: Depth,
    settled: Settled,
) -> anyhow::Result<Gathered> {
    gather_by(inputs, reading, depth, settled, &mut pipeline::run)
}

/// Reads the captures with settled flags, and has them worked on by `run`.
pub(super) fn gather_by(
    inputs: &[Input],
    reading: &Reading,
    depth: Depth,
    settled: Settled,
    run: &mut dyn FnMut(&Work<'_>) -> Outcome,
) -> anyhow::Result<Gathered> {
    let Settled {
        data,
        counter,
        calibrated,
        calibration,
        profile,
        profile_name,
        model,
        context_window,
        given,
    } = settled;
    let measure: &dyn Measure = match &calibrated {
        Some(calibrated) => calibrated,
        None => counter,
    };
    let tools_only = ToolsOnly(measure);
    let measure = if depth.tools_only {
        &tools_only
    } else {
        measure
    };
    let window = time_window(reading)?;
    if reading
        .group_by
        .as_deref()
        .is_some_and(|pointer| !may_group_by(pointer))
    {
        return Err(exit::usage(
            "--group-by: write a JSON pointer into a record, as in /request/headers/x-team; not to credentials or texts",
        ));
    }
    let (files, unreachable) = discover(inputs).map_err(|error| exit::usage(error.to_string()))?;
    let settings = run_settings(&files, &given)?;
    let tools = reading.tools.iter().map(|path| Input::unnamed(path));
    let tools: Vec<Input> = tools.collect();
    if files.iter().any(|file| is_stdin(&file.path)) && tools.iter().any(|t| is_stdin(&t.path)) {
        return Err(exit::usage(
            "- is given as PATH and to --tools; standard input can be read once only",
        ));
    }
    let (tools, tools_unreachable) = listings(&tools)?;
    let env = given.env.keys().cloned().collect();
    let description_cap = description_cap(&data, profile.as_ref(), &given)?;
    if reading.server.is_some() && reading.tools.is_empty() && !depth.listings_as_requests {
        return Err(exit::usage(
            "--server renders the listings of --tools: give --tools FILE too",
        ));
    }
    let progress = Progress::of(&files, !reading.no_progress);
    let work = Work {
        description_cap,
        data: &data,
        measure,
        profile: profile.as_ref(),
        files: &files,
        tools: &tools,
        settings: &settings,
        default_settings: Arc::new(given),
        model: model.as_deref(),
        context_window,
        group_by: reading.group_by.as_deref(),
        window,
        format: reading.as_format.as_deref(),
        server: reading.server.as_deref(),
        jobs: reading
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        memo: !reading.no_memo,
        watch: progress.as_ref().map(|line| line as _),
        by_request: depth.by_request,
        by_turn: depth.by_turn,
        lint: depth.lint,
        keep_texts: depth.keep_texts,
        listing_model: depth.listing_model,
        listings_as_requests: depth.listings_as_requests,
        ids: depth.ids,
    };
    let mut outcome = run(&work);
    outcome.add_unreachable(unreachable);
    outcome.add_unreachable(tools_unreachable);
    nothing_found(inputs, &outcome, &data, reading.as_format.as_deref())?;
    let settings = Settings {
        counter: counter.counter().to_owned(),
        about_estimates: counter.about_estimates().to_owned(),
        calibrated: calibration.map(|(file, by)| Calibrations::of(file, &by, counter.counter())),
        profile: profile_name.unwrap_or_else(|| "by capture".to_owned()),
        model: model.clone(),
        context_window,
        env,
        listed_tools: 0,
        paths: inputs.iter().map(Input::shown).collect(),
        here: inputs.iter().any(|input| input.alias.is_some()),
        merged: false,
    };
    let files = files.len();
    Ok(Gathered {
        data,
        outcome,
        settings,
        files,
    })
}

/// The settings of every folder that has them; flags win over files.
fn run_settings(
    files: &[CaptureFile],
    given: &RunSettings,
) -> anyhow::Result<BTreeMap<PathBuf, Arc<RunSettings>>> {
    let mut settings = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for folder in files.iter().flat_map(|file| &*file.folders) {
        if seen.contains(folder) {
            continue;
        }
        seen.insert(folder.clone());
        let path = folder.join(RUN_SETTINGS);
        let shown = shown(&path);
        let loaded = config::load(&path, &shown).map_err(|error| exit::usage(error.to_string()))?;
        if let Some(mut loaded) = loaded {
            overlay(&mut loaded, given);
            settings.insert(folder.clone(), Arc::new(loaded));
        }
    }
    Ok(settings)
}

/// `--tools` files, each for itself: two of one name are two listings.
fn listings(inputs: &[Input]) -> anyhow::Result<(Vec<CaptureFile>, Unreachable)> {
    let mut files = Vec::new();
    let mut unreachable = Unreachable::new();
    for input in inputs {
        let one = std::slice::from_ref(input);
        let (found, missed) = discover(one).map_err(|e| exit::usage(format!("--tools {e}")))?;
        files.extend(found);
        unreachable.extend(missed);
    }
    Ok((files, unreachable))
}

/// Nothing to report: exit 2 where no format claims anything, 3 where something could not be read.
fn nothing_found(
    inputs: &[Input],
    outcome: &Outcome,
    data: &Data,
    named: Option<&str>,
) -> anyhow::Result<()> {
    let found = !outcome.runs.is_empty() || !outcome.handed_out.is_empty();
    if found || !outcome.skipped.is_empty() {
        return Ok(());
    }
    let left_out = outcome.outside + outcome.without_time;
    if left_out > 0 {
        let without = match outcome.without_time {
            0 => String::new(),
            n => format!(" ({n} have no time)"),
        };
        let message =
            format!("no request between --since and --until; {left_out} lie outside{without}");
        return Err(exit::usage(message));
    }
    let paths: Vec<String> = inputs.iter().map(|input| shown(&input.path)).collect();
    let names = data
        .formats
        .format
        .iter()
        .map(|format| format.name.as_str());
    let formats: Vec<&str> = names
        .filter(|name| named.is_none_or(|named| named == *name))
        .collect();
    if outcome.listings > 0 {
        return Err(exit::usage(format!(
            "{}: tool definitions and no capture; give them with --tools beside the captures",
            paths.join(", ")
        )));
    }
    Err(exit::usage(format!(
        "{}: no capture in it; formats tried: {}",
        paths.join(", "),
        formats.join(", ")
    )))
}

/// What flags give wins over what a file says.
fn overlay(loaded: &mut RunSettings, given: &RunSettings) {
    loaded.env.extend(given.env.clone());
    loaded.always_load.extend(given.always_load.clone());
    loaded.denied.extend(given.denied.clone());
    loaded.deny_search = given.deny_search.or(loaded.deny_search);
    let cloud = |(name, value): (&String, &String)| {
        name.starts_with("CLAUDE_CODE_USE_") && !value.is_empty()
    };
    if given.env.iter().any(cloud) {
        // A cloud that a flag's variable names wins over the file's provider.
        loaded.provider = None;
    }
    loaded.provider = given.provider.clone().or(loaded.provider.take());
}
