//! `report`: flags → work → view → document → output.

use super::args;
use super::exit::{self, ExitCode};
use crate::config;
use crate::count::counter;
use crate::data::{Data, Profile};
use crate::ingest::{CaptureFile, Input, RUN_SETTINGS, Unreachable, discover, is_stdin, shown};
use crate::model::RunSettings;
use crate::pipeline::{self, Outcome, Work};
use crate::render::{Style, renderer};
use crate::report::{self, Shown};
use crate::view::{self, RunsView, Settings, ViewOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) fn run(options: &args::Report, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let data = Data::embedded()?;
    let form = renderer(&options.format).ok_or_else(|| {
        exit::usage(format!(
            "--format {}: report has text and json",
            options.format
        ))
    })?;
    let counter = counter(&options.counter).ok_or_else(|| {
        exit::usage(format!(
            "--counter {}: not known; see toolcost list counters",
            options.counter
        ))
    })?;
    let profile = options
        .profile
        .as_deref()
        .map(|name| profile(&data, name))
        .transpose()?;
    if let Some(name) = &options.as_format
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
    let context_window = options.context_window.as_deref().map(window).transpose()?;
    let max_skipped = options
        .max_skipped
        .as_deref()
        .map(Allowance::parse)
        .transpose()?;
    let env = config::parse_env(&options.env).map_err(|error| exit::usage(error.to_string()))?;

    let inputs = inputs(options)?;
    let (files, unreachable) = discover(&inputs).map_err(|error| exit::usage(error.to_string()))?;
    let settings = run_settings(&files, &env)?;
    let tools: Vec<Input> = options
        .tools
        .iter()
        .map(|path| Input {
            run: None,
            path: path.clone(),
        })
        .collect();
    if files.iter().any(|file| is_stdin(&file.path)) && tools.iter().any(|t| is_stdin(&t.path)) {
        return Err(exit::usage(
            "- is given as PATH and to --tools; standard input can be read once only",
        ));
    }
    let (tools, tools_unreachable) = listings(&tools)?;
    let work = Work {
        data: &data,
        measure: counter,
        profile: profile.as_ref(),
        files: &files,
        tools: &tools,
        settings: &settings,
        default_settings: Arc::new(RunSettings {
            env: env.clone(),
            ..RunSettings::default()
        }),
        model: options.model.as_deref(),
        context_window,
        format: options.as_format.as_deref(),
        server: options.server.as_deref(),
        jobs: options
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        by_request: options.per_request,
    };
    let mut outcome = pipeline::run(&work);
    outcome.add_unreachable(unreachable);
    outcome.add_unreachable(tools_unreachable);
    nothing_found(&inputs, &outcome, &data, options.as_format.as_deref())?;
    let paths = inputs.iter().map(|input| shown(&input.path)).collect();
    let settings = Settings {
        counter: crate::model::Measure::counter(counter).to_owned(),
        about_counter: counter.about().to_owned(),
        profile: options
            .profile
            .clone()
            .unwrap_or_else(|| "by capture".to_owned()),
        model: options.model.clone(),
        context_window,
        env: env.into_keys().collect(),
        listed_tools: 0,
        paths,
    };
    let view = view::runs(
        &outcome,
        ViewOptions {
            data: &data,
            settings,
            by_request: options.per_request,
        },
    );
    let code = code(&view, options.strict, max_skipped, files.len());
    let document = report::runs(view, Shown { top: options.top });
    form.render(&document, &Style { width: width() }, out)?;
    Ok(code)
}

/// The profile of a name.
pub(super) fn profile(data: &Data, name: &str) -> anyhow::Result<Profile> {
    data.profiles.get(name).ok_or_else(|| {
        exit::usage(format!(
            "--profile {name}: write current, legacy, or a client version such as 2.1.87"
        ))
    })
}

/// PATHs and named runs as inputs.
fn inputs(options: &args::Report) -> anyhow::Result<Vec<Input>> {
    let mut inputs: Vec<Input> = options
        .paths
        .iter()
        .map(|path| Input {
            run: None,
            path: path.clone(),
        })
        .collect();
    for named in &options.run {
        let (name, path) = named
            .split_once('=')
            .filter(|(name, path)| !name.is_empty() && !path.is_empty())
            .ok_or_else(|| exit::usage("--run: write NAME=PATH"))?;
        inputs.push(Input {
            run: Some(name.to_owned()),
            path: PathBuf::from(path),
        });
    }
    if inputs.is_empty() {
        return Err(exit::usage(
            "no PATH given; give a file or folder of captures, or - for standard input",
        ));
    }
    Ok(inputs)
}

/// The settings of every folder that has them; flags win over files.
fn run_settings(
    files: &[CaptureFile],
    env: &BTreeMap<String, String>,
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
            loaded.env.extend(env.clone());
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
enum Allowance {
    Inputs(usize),
    Percent(usize),
}

impl Allowance {
    fn parse(text: &str) -> anyhow::Result<Self> {
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

    fn exceeded(self, skipped: usize, files: usize) -> bool {
        match self {
            Self::Inputs(most) => skipped > most,
            Self::Percent(percent) => skipped.saturating_mul(100) > files.saturating_mul(percent),
        }
    }
}

/// `200000`, `200k`, `1m`.
fn window(text: &str) -> anyhow::Result<u64> {
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

/// Columns of the terminal; 80 where there is none, so that files and pipes are the same everywhere.
pub(super) fn width() -> usize {
    80
}
