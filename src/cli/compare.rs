//! `compare`: runs by path or by name, the first as base.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::work::{Gathered, gather};
use crate::ingest::{Input, discover, is_stdin, shown};
use crate::pipeline::Outcome;
use crate::report::{self, ComparisonShown};
use crate::view::{self, CompareError, CompareOptions, CompareView, GROWTH_KEYS, Grown, Growth};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(options: &args::Compare, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let growth = options
        .max_growth
        .iter()
        .map(|text| growth(text))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let min_delta = options.min_delta.as_deref().map(tokens).transpose()?;
    let sides = match &options.within {
        Some(folder) => Sides::named(folder, &options.runs)?,
        None => Sides::at(&options.runs)?,
    };
    if options.reading.group_by.is_some() && options.within.is_none() {
        return Err(exit::usage(
            "--group-by makes runs of what stands in records: name them with --in PATH",
        ));
    }
    let Gathered {
        data,
        outcome,
        mut settings,
        ..
    } = gather(&sides.inputs, &options.reading, true)?;
    sides.check(&outcome)?;
    // Commands to type next are given where no other option made the comparison.
    settings.paths = match &options.within {
        _ if options.reading != args::Reading::default() => Vec::new(),
        Some(folder) => {
            let folder = shown(folder);
            let names = options.runs.iter().cloned();
            names.chain(["--in".to_owned(), folder]).collect()
        }
        None => options
            .runs
            .iter()
            .map(|path| shown(Path::new(path)))
            .collect(),
    };
    let view = view::compare(
        &outcome,
        CompareOptions {
            data: &data,
            settings,
            runs: &sides.runs,
            growth: &growth,
        },
    );
    let view = view.map_err(|error| sides.explain(&error, &outcome))?;
    let code = code(&view);
    let shown = ComparisonShown {
        top: options.top,
        min_delta: min_delta.unwrap_or(0),
    };
    exit::ended(outputs.write(&report::compare(view, shown), out), code)
}

/// 1 where something grew too much, else 3 where that could not be decided.
fn code(view: &CompareView) -> ExitCode {
    let any = |status: &str| view.growth.iter().any(|row| row.status == status);
    match (any("failed"), any("undecided")) {
        (true, _) => ExitCode::Failed,
        (_, true) => ExitCode::Unread,
        _ => ExitCode::Good,
    }
}

/// The runs to be compared, and where they are read.
struct Sides {
    inputs: Vec<Input>,
    runs: Vec<Arc<str>>,
    /// The runs that files would be in by themselves, where each path was made one.
    natural: Option<Vec<BTreeMap<Arc<str>, Arc<str>>>>,
}

impl Sides {
    /// Runs by name, in one folder.
    fn named(folder: &Path, names: &[String]) -> anyhow::Result<Self> {
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
            return Err(exit::usage(format!(
                "{twice}: given twice; a run is no news to itself"
            )));
        }
        Ok(Self {
            inputs: vec![Input::unnamed(folder)],
            runs: names.iter().map(|name| Arc::from(name.as_str())).collect(),
            natural: None,
        })
    }

    /// Runs by path: each path is one.
    fn at(paths: &[String]) -> anyhow::Result<Self> {
        let mut natural = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut seen: Vec<PathBuf> = Vec::new();
        if paths.iter().any(|path| is_stdin(Path::new(path))) && paths.len() > 1 {
            return Err(exit::usage(
                "- has no run name to be compared by; give files or folders",
            ));
        }
        for given in paths {
            let path = Path::new(given);
            let place = path.canonicalize().map_err(|error| {
                exit::usage(format!(
                    "{}: {}; give the path of a run, or its name with --in PATH",
                    shown(path),
                    error.kind()
                ))
            })?;
            if seen.contains(&place) {
                return Err(exit::usage(format!(
                    "{}: given twice; a run is no news to itself",
                    shown(path)
                )));
            }
            if let Some(other) = seen
                .iter()
                .find(|other| place.starts_with(other) || other.starts_with(&place))
            {
                return Err(exit::usage(format!(
                    "{}: lies in another of the paths, or holds it ({}); a file can be in one run only",
                    shown(path),
                    other.file_name().unwrap_or_default().to_string_lossy()
                )));
            }
            seen.push(place);
            let input = Input::unnamed(path);
            let (files, _) = discover(&[input]).map_err(|e| exit::usage(e.to_string()))?;
            let runs: BTreeSet<Arc<str>> = files.iter().map(|file| Arc::clone(&file.run)).collect();
            let only = runs.first().filter(|_| runs.len() == 1);
            let stem = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            names.push(
                only.map(ToString::to_string)
                    .or(stem)
                    .unwrap_or_else(|| shown(path)),
            );
            natural.push(
                files
                    .into_iter()
                    .map(|file| (file.shown, file.run))
                    .collect(),
            );
        }
        let alone = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let names: Vec<String> = names
            .iter()
            .zip(paths)
            .map(|(name, path)| match alone(name) {
                true => name.clone(),
                false => shown(Path::new(path)).trim_end_matches('/').to_owned(),
            })
            .collect();
        let inputs = names.iter().zip(paths).map(|(name, path)| Input {
            alias: None,
            run: Some(name.clone()),
            path: PathBuf::from(path),
        });
        Ok(Self {
            inputs: inputs.collect(),
            runs: names.iter().map(|name| Arc::from(name.as_str())).collect(),
            natural: Some(natural),
        })
    }

    /// A path that holds several runs is none.
    fn check(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let Some(natural) = &self.natural else {
            return Ok(());
        };
        let read: BTreeSet<&Arc<str>> = outcome.runs.values().flat_map(|run| &run.paths).collect();
        for (input, found) in self.inputs.iter().zip(natural) {
            // Two PATHs may lead to one file, which is read for the first of them.
            let runs = found.iter().filter(|(path, _)| read.contains(path));
            let runs: BTreeSet<&str> = runs.map(|(_, run)| &**run).collect();
            if runs.len() > 1 {
                let named: Vec<&str> = runs.iter().copied().collect();
                return Err(exit::usage(format!(
                    "{}: holds {} runs ({}); name two of them, with --in {}",
                    shown(&input.path),
                    runs.len(),
                    named.join(", "),
                    shown(&input.path)
                )));
            }
        }
        Ok(())
    }

    /// Why a run is not there: it could not be read, or it has another name.
    fn explain(&self, error: &CompareError, outcome: &Outcome) -> anyhow::Error {
        let CompareError::NoRun { run } = error else {
            return exit::usage(error.to_string());
        };
        let place = self.runs.iter().position(|name| **name == **run);
        let path = place
            .filter(|_| self.natural.is_some())
            .map(|at| shown(&self.inputs[at].path));
        let own = |skipped: &&crate::model::Skipped| {
            let below = path.as_deref();
            below.is_some_and(|path| {
                let rest = skipped.path.strip_prefix(path.trim_end_matches('/'));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        if let Some(skipped) = outcome.skipped.iter().find(own) {
            return exit::unread(format!(
                "{run}: could not be read; {}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            ));
        }
        if path.is_some() {
            return exit::usage(format!("{run}: no capture in it"));
        }
        let mut near: Vec<&str> = outcome.runs.keys().map(|name| &**name).collect();
        near.sort_by(|x, y| {
            let close = |name: &str| strsim::jaro_winkler(name, run);
            close(y).total_cmp(&close(x)).then_with(|| x.cmp(y))
        });
        let close = near
            .first()
            .filter(|name| strsim::jaro_winkler(name, run) >= NEAR);
        match close {
            Some(name) => exit::usage(format!("{run}: no run of that name; did you mean {name}?")),
            None => {
                near.sort_unstable();
                near.truncate(10);
                exit::usage(format!(
                    "{run}: no run of that name; there are {}",
                    near.join(", ")
                ))
            }
        }
    }
}

/// Names that are less alike are no slips of the pen.
const NEAR: f64 = 0.8;

/// Growth beyond this is no limit.
const MOST_GROWTH: f64 = 1_000_000.0;

/// `50tokens`, `50 tokens`.
fn tokens(text: &str) -> anyhow::Result<u64> {
    let number = text.trim().strip_suffix("tokens").map(str::trim);
    let number = number.and_then(|number| number.replace(['_', ','], "").parse().ok());
    number.ok_or_else(|| exit::usage("--min-delta: write a number with its unit, as in 50tokens"))
}

/// `tools=2%`, `request=500tokens`, `wire_chars=100characters`.
fn growth(text: &str) -> anyhow::Result<Growth> {
    let bad = || {
        exit::usage(format!(
            "--max-growth {text}: write KEY=2% or KEY=500tokens; KEY is one of {}",
            GROWTH_KEYS.join(", ")
        ))
    };
    let (key, most) = text.split_once('=').ok_or_else(bad)?;
    let key = GROWTH_KEYS
        .into_iter()
        .find(|known| *known == key.trim())
        .ok_or_else(bad)?;
    let most = most.trim();
    let number = |unit: &str| {
        let digits = most.strip_suffix(unit)?.trim().replace(['_', ','], "");
        let number = digits.parse::<u64>().ok();
        number
            .filter(|number| *number <= 1_000_000_000_000)
            .map(Grown::Number)
    };
    let percent = || {
        let percent: f64 = most.strip_suffix('%')?.trim().parse().ok()?;
        let plain = (0.0..=MOST_GROWTH).contains(&percent);
        plain.then_some(Grown::Share(percent / 100.0))
    };
    let unit = match key {
        "wire_chars" => "characters",
        _ => "tokens",
    };
    let most = percent().or_else(|| number(unit)).ok_or_else(bad)?;
    Ok(Growth { key, most })
}
