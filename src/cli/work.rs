//! What commands that read captures share: flags → files, settings, the pipeline's outcome.

use super::args::Reading;
use super::exit;
use crate::config;
use crate::count::{Counter, counter};
use crate::data::{Data, Profile};
use crate::ingest::{
    CaptureFile, Input, RUN_SETTINGS, Unreachable, discover, is_stdin, may_group_by, shown,
};
use crate::model::{Given, RunSettings};
use crate::pipeline::{self, Outcome, TimeWindow, Work};
use crate::view::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was read, and with what.
pub(super) struct Gathered {
    pub(super) data: Data,
    pub(super) outcome: Outcome,
    pub(super) settings: Settings,
    pub(super) files: usize,
}

/// Flags, settled.
pub(super) struct Settled {
    pub(super) data: Data,
    pub(super) counter: &'static dyn Counter,
    pub(super) profile: Option<Profile>,
    /// The profile as it was asked for.
    pub(super) profile_name: Option<String>,
    /// The model to count for, whatever a capture says.
    pub(super) model: Option<String>,
    pub(super) context_window: Option<u64>,
    /// Settings that flags give, for every run.
    pub(super) given: RunSettings,
}

/// Settles the flags that all commands share.
pub(super) fn settle(reading: &Reading) -> anyhow::Result<Settled> {
    let mut data = Data::embedded()?;
    let project = project(reading.config.as_deref())?;
    let name = reading.counter.as_deref().or(project.counter.as_deref());
    let name = name.unwrap_or("auto");
    let counter = counter(name).ok_or_else(|| {
        exit::usage(format!(
            "--counter {name}: not known; see toolcost list counters"
        ))
    })?;
    let profile_name = reading.profile.clone().or(project.profile);
    let profile = profile_name
        .as_deref()
        .map(|name| profile(&data, name))
        .transpose()?;
    data.formats.put_first(project.formats);
    if let Some(name) = &reading.as_format
        && !data
            .formats
            .format
            .iter()
            .any(|format| format.name == *name)
    {
        return Err(exit::usage(format!(
            "--as {name}: not known; see toolcost list formats"
        )));
    }
    let context_window = reading.context_window.as_deref().map(window).transpose()?;
    let mut given = RunSettings {
        env: config::parse_env(&reading.env).map_err(|error| exit::usage(error.to_string()))?,
        ..RunSettings::default()
    };
    if let Some(provider) = &reading.provider {
        if !config::PROVIDERS.contains(&provider.as_str()) {
            let known = config::PROVIDERS.join(", ");
            return Err(exit::usage(format!("--provider: write one of {known}")));
        }
        given.provider = Some(provider.clone());
    }
    for path in &reading.settings {
        let place = format!("--settings {}", shown(path));
        config::read_client_settings(path, &place, &mut given)
            .map_err(|e| exit::usage(e.to_string()))?;
    }
    Ok(Settled {
        data,
        counter,
        profile,
        profile_name,
        model: reading.model.clone().or(project.model),
        context_window,
        given,
    })
}

/// The project's own settings: the file that was named, else the nearest one upward.
pub(super) fn project(named: Option<&Path>) -> anyhow::Result<config::Project> {
    let found = match named {
        Some(path) => Some(path.to_owned()),
        None => std::env::current_dir()
            .ok()
            .and_then(|here| config::nearest(&here)),
    };
    let Some(path) = found else {
        return Ok(config::Project::default());
    };
    // One that was found shows its name alone: where it lies is nobody's business.
    let place = named.map_or_else(|| config::PROJECT_CONFIG.to_owned(), shown);
    config::read_project(&path, &place).map_err(|e| exit::usage(e.to_string()))
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

/// Reads the captures.
pub(super) fn gather(
    inputs: &[Input],
    reading: &Reading,
    by_request: bool,
) -> anyhow::Result<Gathered> {
    let Settled {
        data,
        counter,
        profile,
        profile_name,
        model,
        context_window,
        given,
    } = settle(reading)?;
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
    let tools = reading.tools.iter().map(|path| Input {
        run: None,
        path: path.clone(),
    });
    let tools: Vec<Input> = tools.collect();
    if files.iter().any(|file| is_stdin(&file.path)) && tools.iter().any(|t| is_stdin(&t.path)) {
        return Err(exit::usage(
            "- is given as PATH and to --tools; standard input can be read once only",
        ));
    }
    let (tools, tools_unreachable) = listings(&tools)?;
    let env = given.env.keys().cloned().collect();
    let description_cap = description_cap(&data, profile.as_ref(), &given)?;
    let work = Work {
        description_cap,
        data: &data,
        measure: counter,
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
        by_request,
    };
    let mut outcome = pipeline::run(&work);
    outcome.add_unreachable(unreachable);
    outcome.add_unreachable(tools_unreachable);
    nothing_found(inputs, &outcome, &data, reading.as_format.as_deref())?;
    let settings = Settings {
        counter: crate::model::Measure::counter(counter).to_owned(),
        about_estimates: counter.about_estimates().to_owned(),
        profile: profile_name.unwrap_or_else(|| "by capture".to_owned()),
        model: model.clone(),
        context_window,
        env,
        listed_tools: 0,
        paths: inputs.iter().map(|input| shown(&input.path)).collect(),
    };
    let files = files.len();
    Ok(Gathered {
        data,
        outcome,
        settings,
        files,
    })
}

/// The profile of a name.
pub(super) fn profile(data: &Data, name: &str) -> anyhow::Result<Profile> {
    // What `claude --version` prints is a version too.
    let plain = name.trim().trim_start_matches('v');
    let plain = plain.split(' ').next().unwrap_or_default();
    data.profiles.get(plain).ok_or_else(|| {
        exit::usage(format!(
            "--profile {name}: write current, legacy, or a client version such as 2.1.87"
        ))
    })
}

/// The settings of every folder that has them; flags win over files.
fn run_settings(
    files: &[CaptureFile],
    given: &RunSettings,
) -> anyhow::Result<BTreeMap<PathBuf, Arc<RunSettings>>> {
    let mut settings = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for folder in files.iter().flat_map(|file| &file.folders) {
        if !seen.insert(folder.clone()) {
            continue;
        }
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
    if !outcome.runs.is_empty() || !outcome.skipped.is_empty() {
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

/// `200000`, `200k`, `1m`.
pub(super) fn window(text: &str) -> anyhow::Result<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, times) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 1_000),
        Some(b'm') => (&lower[..lower.len() - 1], 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let number = digits
        .replace([',', '_'], "")
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(times));
    number
        .filter(|n| (1..=1_000_000_000).contains(n))
        .ok_or_else(|| exit::usage("--context-window: write tokens, as in 200000, 200k or 1m"))
}
