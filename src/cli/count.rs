//! `count`: tokens of texts, of sets of tools and of whole requests, by one counter or several.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::{calibration, project};
use super::work::{Gathered, gather};
use crate::count::{Calibrated, Counter, counter};
use crate::data::Data;
use crate::ingest::{CaptureFile, Context, Input, Reader, discover, is_stdin, shown};
use crate::model::{Count, Fragment, Ids, Measure, Sum, Text, Tokens, ToolChoice, ToolEntry};
use crate::report;
use crate::view::{CountRow, CountView};
use anyhow::Context as _;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer texts are not read.
const MOST_BYTES: u64 = 512 << 20;

pub(super) fn run(options: &args::Count, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let project = project(None)?;
    let model = options.model.clone().or(project.model);
    let asked = options.counter.clone().or(project.counter);
    let counters = counters(asked.as_deref().unwrap_or("auto"))?;
    let nothing = options.files.is_empty() && options.jsonl.is_empty();
    if nothing && options.tools.is_empty() && options.request.is_empty() {
        return Err(exit::usage(
            "nothing to count; give a FILE, - for standard input, --tools, --request or --jsonl",
        ));
    }
    once(options, counters.len())?;
    let texts = all(&options.files)?;
    let lines = all(&options.jsonl)?;
    let mut data = Data::embedded()?;
    let calibration = calibration(
        options.calibration.as_deref(),
        project.calibration.as_deref(),
    )?;
    if let Some((_, by)) = &calibration {
        data.models.calibrate(by);
    }
    let models = Arc::new(data.models.clone());
    let mut rows = Vec::new();
    for counter in &counters {
        let calibrated = calibration
            .as_ref()
            .map(|(_, by)| Calibrated::new(*counter, &models, by));
        let job = Job {
            counter: *counter,
            measure: match &calibrated {
                Some(calibrated) => calibrated,
                None => *counter,
            },
            data: &data,
            model: model.as_deref(),
            calibration: options.calibration.as_deref(),
        };
        for (file, text) in &texts {
            rows.push(job.text(file, Text::Plain(text)));
        }
        for (file, text) in &lines {
            job.lines(file, text, &mut rows)?;
        }
        for file in &options.tools {
            rows.push(job.tools(file)?);
        }
        for file in &options.request {
            job.requests(file, &mut rows)?;
        }
    }
    let unread = rows.iter().any(|row| row.tokens.is_none());
    outputs.write(&report::count(CountView { rows }), out)?;
    Ok(if unread {
        ExitCode::Unread
    } else {
        ExitCode::Good
    })
}

/// The counters of a list, each once.
pub(super) fn counters(names: &str) -> anyhow::Result<Vec<&'static dyn Counter>> {
    let named = |name: &str| {
        counter(name).ok_or_else(|| {
            exit::usage(format!(
                "--counter {name}: not known; see toolcost list counters"
            ))
        })
    };
    let mut counters: Vec<&'static dyn Counter> = Vec::new();
    for name in names.split(',') {
        let counter = named(name.trim())?;
        if counters.iter().all(|c| c.counter() != counter.counter()) {
            counters.push(counter);
        }
    }
    Ok(counters)
}

/// Texts with the names they are shown by.
fn all(files: &[PathBuf]) -> anyhow::Result<Vec<(String, String)>> {
    let text = |file: &PathBuf| Ok((shown(file), read(file)?));
    files.iter().map(text).collect()
}

/// Standard input can be read once only; captures are read by each counter anew.
fn once(options: &args::Count, counters: usize) -> anyhow::Result<()> {
    let stdin = |files: &[PathBuf]| files.iter().filter(|file| is_stdin(file)).count();
    let captures = stdin(&options.tools) + stdin(&options.request);
    let all = stdin(&options.files) + stdin(&options.jsonl) + captures;
    if all > 1 || captures > 0 && counters > 1 {
        return Err(exit::usage(
            "standard input can be read once only; give a file",
        ));
    }
    Ok(())
}

/// A text of a file or of standard input; bytes that are no UTF-8 become U+FFFD.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let fault = |e: std::io::Error| exit::usage(format!("{}: {}", shown(path), e.kind()));
    if is_stdin(path) {
        std::io::stdin()
            .lock()
            .take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(fault)?;
    } else {
        let file = std::fs::File::open(path).map_err(fault)?;
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(fault)?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(exit::unread(format!(
            "{}: longer than 512 MiB",
            shown(path)
        )));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// One counter, for one model.
struct Job<'a> {
    counter: &'static dyn Counter,
    /// The counter, as a calibration corrects it.
    measure: &'a dyn Measure,
    data: &'a Data,
    model: Option<&'a str>,
    calibration: Option<&'a Path>,
}

impl Job<'_> {
    fn row(&self, id: &str, kind: &'static str, model: Option<&str>, count: Count) -> CountRow {
        CountRow::new(id, kind, self.counter.counter(), model, count)
            .with_reason(self.counter.why_unknown())
    }

    fn text(&self, id: &str, text: Text<'_>) -> CountRow {
        let scope = self.measure.scope(self.model);
        self.row(id, "text", self.model, self.measure.text(scope, text))
    }

    /// A text a line: a JSON string, or an object with `text` and perhaps `id`.
    fn lines(&self, path: &str, text: &str, rows: &mut Vec<CountRow>) -> anyhow::Result<()> {
        #[derive(serde::Deserialize)]
        struct Line<'a> {
            id: Option<String>,
            #[serde(borrow)]
            text: &'a serde_json::value::RawValue,
        }
        for (line, n) in text
            .lines()
            .zip(1_u64..)
            .filter(|(line, _)| !line.trim().is_empty())
        {
            let place = format!("{path}, line {n}");
            let bad = || {
                exit::unread(format!(
                    "{place}: no JSON string, and no object with a `text`"
                ))
            };
            let (id, raw) = if line.trim_start().starts_with('{') {
                let line: Line<'_> = serde_json::from_str(line).map_err(|_| bad())?;
                (line.id, line.text)
            } else {
                (None, serde_json::from_str(line).map_err(|_| bad())?)
            };
            let raw: &serde_json::value::RawValue = raw;
            let literal = raw
                .get()
                .strip_prefix('"')
                .and_then(|raw| raw.strip_suffix('"'))
                .ok_or_else(bad)?;
            rows.push(self.text(&id.unwrap_or(place), Text::Literal(literal)));
        }
        Ok(())
    }

    /// What a set of tools adds to a request: the prelude once, and each tool.
    fn tools(&self, path: &Path) -> anyhow::Result<CountRow> {
        let context = Context {
            memo: true,
            watch: None,
            answers: false,
            data: self.data,
            measure: self.measure,
            model: self.model,
            format: None,
            group_by: None,
            server: None,
            description_cap: None,
            keep_texts: false,
            listing_model: None,
            ids: Ids::None,
        };
        let mut model = self.model.map(str::to_owned);
        let mut tools: Vec<ToolEntry> = Vec::new();
        for file in files(path)? {
            for fragment in Reader::new(context).read(&file).fragments {
                match fragment {
                    Fragment::Listing(listing) => tools.extend(listing.tools),
                    Fragment::Request(request) => {
                        model = model.or_else(|| request.model.as_ref().map(ToString::to_string));
                        // What is deferred is not in the prompt.
                        let sent = request
                            .tools
                            .tools
                            .iter()
                            .filter(|tool| !tool.flags.defer.defers());
                        tools.extend(sent.cloned());
                    }
                    Fragment::Skipped(skipped) => {
                        return Err(exit::unread(format!(
                            "{}, {}: {}",
                            skipped.path, skipped.place, skipped.reason
                        )));
                    }
                    Fragment::Counts(_) | Fragment::Answer(_) | Fragment::Transcript(_) => {}
                }
            }
        }
        if tools.is_empty() {
            return Err(exit::usage(format!(
                "{}: no tool definition in it",
                shown(path)
            )));
        }
        let claude = matches!(self.counter.counter(), "auto" | "claude");
        let prelude = model
            .as_deref()
            .filter(|_| claude)
            .and_then(|model| self.data.models.get(model));
        let prelude = prelude.map(|row| row.prelude(ToolChoice::Auto).0);
        let mut parts: Vec<(String, Option<Tokens>)> = Vec::new();
        let mut sum = Sum::default();
        for tool in &tools {
            let count = tool
                .definition
                .as_ref()
                .map_or(Count::UNKNOWN, |definition| definition.tokens.count);
            sum.add(count);
            parts.push((tool.name.to_string(), count.tokens));
        }
        if claude {
            let prelude = prelude.flatten();
            sum.add(prelude.map_or(Count::UNKNOWN, |tokens| {
                Count::reconstructed(tokens, crate::model::Evidence::B)
            }));
            parts.insert(0, ("prelude".to_owned(), prelude));
        }
        Ok(self
            .row(&shown(path), "tools", model.as_deref(), sum.count())
            .with_parts(parts))
    }

    /// Whole requests: their known parts, whatever the capture recorded.
    fn requests(&self, path: &Path, rows: &mut Vec<CountRow>) -> anyhow::Result<()> {
        let reading = args::Reading {
            counter: Some(self.counter.counter().to_owned()),
            model: self.model.map(str::to_owned),
            calibration: self.calibration.map(Path::to_owned),
            ..args::Reading::default()
        };
        let input = Input::unnamed(path);
        let Gathered { outcome, .. } = gather(&[input], &reading, true)?;
        if let (true, Some(skipped)) = (outcome.runs.is_empty(), outcome.skipped.first()) {
            return Err(exit::unread(format!(
                "{}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            )));
        }
        for run in outcome.runs.values() {
            // A file of several models does not say here which of them a request names.
            let only = run.models.iter().next().filter(|_| run.models.len() == 1);
            for request in &run.by_request {
                let known = request.parts.known();
                let parts = request
                    .parts
                    .named()
                    .map(|(name, sum)| (name.to_owned(), sum.count().tokens));
                let id = format!("{}, {}", request.path, request.place);
                let model = self
                    .model
                    .map(str::to_owned)
                    .or_else(|| only.map(ToString::to_string));
                rows.push(
                    self.row(&id, "request", model.as_deref(), known.count())
                        .with_parts(parts),
                );
            }
        }
        Ok(())
    }
}

fn files(path: &Path) -> anyhow::Result<Vec<CaptureFile>> {
    let input = Input::unnamed(path);
    let (files, unreachable) = discover(&[input]).map_err(|e| exit::usage(e.to_string()))?;
    match unreachable.first() {
        Some((path, reason)) => Err(exit::unread(format!("{path}: {reason}"))),
        None => Ok(files),
    }
    .context("--tools")
}
