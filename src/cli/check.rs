//! `check`: limits, growth since a baseline, rules; for CI.

use super::args;
use super::exit::{self, ExitCode, ended};
use super::output::{Outputs, write_file};
use super::report::Allowance;
use super::settled::{project, settle};
use super::work::{Depth, Gathered, gather_with};
use crate::config::{self, Checks};
use crate::data::Data;
use crate::ingest::{Input, Wanted, lines_of, shown};
use crate::model::{Growth, LimitScope, Limits, RuleLevel, ToolLimit};
use crate::report;
use crate::view::{self, Baseline, CheckOptions, CheckView, Verdict, lint_codes};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The finding of a limit that fits nothing.
const UNMATCHED: &str = "limit-matches-nothing";

/// The model that listings are counted for where none is named: the newest whose counts were verified.
const LISTED_FOR: &str = "claude-opus-5";

pub(super) fn run(options: &args::Check, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &["github", "sarif", "junit"])?;
    let allowed = options
        .max_skipped
        .as_deref()
        .map(Allowance::parse)
        .transpose()?;
    let Checks {
        limits,
        ratchet,
        baseline,
    } = checks(options)?;
    if limits.is_empty() && baseline.is_none() && !options.update_baseline {
        return Err(exit::usage(
            "nothing to check: give --limit, --limit-tool, --baseline or --rule, or [limits], [ratchet] or [rules] in \
             toolcost.toml (toolcost init writes one)",
        ));
    }
    let numbers = !limits.scopes.is_empty() || !limits.tools.is_empty() || baseline.is_some();
    let looked = look(
        &options.paths,
        &options.reading,
        numbers || options.update_baseline,
    )?;
    let read = match (&baseline, options.update_baseline) {
        (Some(path), false) => Some(read_baseline(path)?),
        _ => None,
    };
    let given = baseline.as_deref().map(shown).unwrap_or_default();
    let tolerated = tolerates(&looked.gathered, allowed);
    let check_options = CheckOptions {
        tolerated,
        data: &looked.gathered.data,
        settings: looked.gathered.settings.clone(),
        limits: &limits,
        ratchet: read.as_ref().map(|read| (given.as_str(), read, &ratchet)),
        listings: looked.listings,
        model_assumed: looked.model_assumed,
    };
    if options.update_baseline {
        let path = baseline.ok_or_else(|| {
            exit::usage("--update-baseline: give --baseline FILE, or [ratchet] in toolcost.toml")
        })?;
        if let (false, Some(skipped)) = (tolerated, looked.gathered.outcome.skipped.first()) {
            return Err(exit::unread(format!(
                "no baseline was written: {}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            )));
        }
        let text = Baseline::of(&looked.gathered.outcome, &check_options).text()?;
        write_file(&path, text.as_bytes())
            .map_err(|e| exit::usage(format!("--baseline {given}: {}", e.kind())))?;
        if limits.is_empty() {
            writeln!(out, "{given}: written")?;
            return Ok(ExitCode::Good);
        }
    }
    let mut view = view::check(&looked.gathered.outcome, check_options)
        .map_err(|e| exit::usage(format!("{given}: {e}")))?;
    locate(&mut view, &looked.gathered.data);
    let limited = !limits.scopes.is_empty() || !limits.tools.is_empty();
    if limited && view.limits.is_empty() && view.findings.iter().all(|f| f.code == UNMATCHED) {
        let names: Vec<&str> = view.findings.iter().map(|f| f.message.as_str()).collect();
        return Err(exit::usage(format!(
            "nothing was checked: {}",
            names.join("; ")
        )));
    }
    let code = code(&view);
    ended(outputs.write(&report::check(view), out), code)
}

/// What was looked at.
pub(super) struct Looked {
    pub(super) gathered: Gathered,
    /// It was listings of tools.
    pub(super) listings: bool,
    /// Nobody named the model to count for.
    pub(super) model_assumed: bool,
}

/// Reads captures or listings, with a counter that has a name.
pub(super) fn look(
    paths: &[PathBuf],
    reading: &args::Reading,
    numbers: bool,
) -> anyhow::Result<Looked> {
    let settled = settle(reading)?;
    if numbers && settled.counter.counter() == "auto" {
        return Err(exit::usage(
            "limits need a counter by name: give --counter claude (or chars, o200k …), or counter = \"claude\" in toolcost.toml",
        ));
    }
    let inputs = paths.iter().map(|path| Input::unnamed(path));
    let inputs: Vec<Input> = inputs.collect();
    let depth = Depth {
        by_request: true,
        lint: true,
        listings_as_requests: true,
        // Definitions name no model.
        listing_model: Some(LISTED_FOR),
        ..Depth::default()
    };
    let gathered = gather_with(&inputs, reading, depth, settled)?;
    let listings = gathered.outcome.from_listings > 0;
    let model_assumed =
        listings && gathered.settings.model.is_none() && gathered.settings.counter == "claude";
    let runs = &gathered.outcome.runs;
    let first = runs.values().filter_map(|run| run.first.as_ref());
    let mut tools = first.flat_map(|first| &first.audit.tools);
    if (numbers || listings) && tools.next().is_none() {
        return Err(exit::usage(format!(
            "{}: no tools in it; there is nothing to check",
            gathered.settings.paths.join(", ")
        )));
    }
    Ok(Looked {
        gathered,
        listings,
        model_assumed,
    })
}

/// May what was skipped be let pass?
pub(super) fn tolerates(gathered: &Gathered, allowed: Option<Allowance>) -> bool {
    let skipped = gathered.outcome.skipped.iter();
    let skipped: BTreeSet<&str> = skipped.map(|skipped| &*skipped.path).collect();
    let allowed = allowed.unwrap_or(Allowance::Inputs(0));
    !allowed.exceeded(skipped.len(), gathered.files)
}

/// The lines of findings, each file read once more.
fn locate(view: &mut CheckView, data: &Data) {
    let mut by_path: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, finding) in view.findings.iter().enumerate() {
        if !finding.path.is_empty() {
            by_path.entry(finding.path.clone()).or_default().push(at);
        }
    }
    for (path, findings) in by_path {
        let places = findings.iter().map(|at| &view.findings[*at]);
        let places: Vec<Wanted<'_>> = places
            .map(|finding| Wanted {
                record: finding.line,
                element: finding.element,
                pointer: &finding.pointer,
            })
            .collect();
        let lines = lines_of(Path::new(&path), &places, data);
        for (at, line) in findings.into_iter().zip(lines) {
            let finding = &mut view.findings[at];
            finding.line = line.or(finding.line);
        }
    }
}

/// Failed outweighs undecided; what could not be read is never passed over.
fn code(view: &CheckView) -> ExitCode {
    match view.verdict() {
        Verdict::Failed => ExitCode::Failed,
        Verdict::Undecided => ExitCode::Unread,
        Verdict::Passed if !view.passed => ExitCode::Unread,
        Verdict::Passed => ExitCode::Good,
    }
}

/// Flags over the project's file.
fn checks(options: &args::Check) -> anyhow::Result<Checks> {
    let mut checks = project(options.reading.config.as_deref())?.checks;
    let split = |flag: &str, text: &str| {
        let parts = text.split_once('=');
        let parts = parts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        parts.ok_or_else(|| exit::usage(format!("{flag} {text}: write NAME=MOST")))
    };
    let wrong = |flag: &str| {
        let flag = flag.to_owned();
        move |e: String| exit::usage(format!("{flag} {e}"))
    };
    for text in &options.limit {
        let (key, value) = split("--limit", text)?;
        let scope = config::scope(&key).map_err(wrong("--limit"))?;
        let most = config::most(scope, &value).map_err(wrong(&format!("--limit {key}:")))?;
        checks.limits.scopes.insert(scope, most);
    }
    for text in &options.limit_tool {
        let (glob, value) = split("--limit-tool", text)?;
        if glob.trim().is_empty() {
            return Err(exit::usage(
                "--limit-tool: write a name, as in mcp__github__*=900tokens",
            ));
        }
        checks.limits.tools.push(ToolLimit {
            glob,
            each: Some(config::tokens(&value).map_err(wrong("--limit-tool"))?),
            total: None,
            scope: None,
            reason: None,
        });
    }
    if let Some(baseline) = &options.baseline {
        checks.baseline = Some(baseline.clone());
    }
    for text in &options.max_growth {
        let (key, value) = split("--max-growth", text)?;
        let scope = config::scope(&key).map_err(wrong("--max-growth"))?;
        if scope == LimitScope::Share {
            return Err(exit::usage(
                "--max-growth: a share has no growth; limit it with --limit share=50%",
            ));
        }
        let share = config::percent(&value).map_err(wrong("--max-growth"))?;
        checks.ratchet.scopes.insert(scope, Growth { share });
    }
    if !options.max_growth.is_empty() && checks.baseline.is_none() {
        return Err(exit::usage(
            "--max-growth: give --baseline FILE to hold it against",
        ));
    }
    rules(&options.rule, &mut checks.limits)?;
    Ok(checks)
}

/// `--rule default`, `--rule CODE=LEVEL`; codes of the project's file are looked at too.
fn rules(given: &[String], limits: &mut Limits) -> anyhow::Result<()> {
    for text in given {
        match text.split_once('=') {
            None if text == "default" => limits.all_rules = true,
            None => {
                limits.rules.insert(text.clone(), RuleLevel::Default);
            }
            Some((code, level)) => {
                let level =
                    config::level(level).map_err(|e| exit::usage(format!("--rule {code}: {e}")))?;
                limits.rules.insert(code.to_owned(), level);
            }
        }
    }
    for code in limits.rules.keys() {
        if !lint_codes().any(|known| known == code) {
            let close = |known: &&str| {
                let close = strsim::jaro_winkler(known, code);
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a likeness from 0 to 1, for sorting"
                )]
                let close = (close * 1_000_000.0) as u64;
                close
            };
            let near = lint_codes().max_by_key(close).unwrap_or_default();
            return Err(exit::usage(format!(
                "rule {code}: not known; did you mean {near}? (toolcost list lints)"
            )));
        }
    }
    Ok(())
}

/// Larger files are no baselines.
const MOST_BYTES: u64 = 256 << 20;

fn read_baseline(path: &Path) -> anyhow::Result<Baseline> {
    let place = shown(path);
    let fault = |e: std::io::Error| {
        exit::usage(format!(
            "--baseline {place}: {}; write one with --update-baseline",
            e.kind()
        ))
    };
    let meta = std::fs::metadata(path).map_err(fault)?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(exit::usage(format!(
            "--baseline {place}: must be a regular file of at most 256 MiB"
        )));
    }
    let text = std::fs::read_to_string(path).map_err(fault)?;
    Baseline::parse(&text).map_err(|e| exit::usage(format!("--baseline {place}: {e}")))
}
