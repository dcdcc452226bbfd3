//! What a clean outcome is, whatever the bytes: shared by the mutations here and by the fuzz targets.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{CaptureFile, FileFacts};
use toolcost::model::{Fragment, Ids, RunSettings};
use toolcost::pipeline::{self, INTERNAL_ERROR, Outcome, TimeWindow, Work};
use toolcost::render::{Style, renderer};
use toolcost::report::{self, Shown};
use toolcost::summary::RunSummary;
use toolcost::view::{self, ExplainView, Rows, Settings, SkippedRow, ViewOptions};

/// A file that is nowhere but in memory.
pub(crate) struct InMemory {
    /// Its name; the ending says whether it is a capture by its name.
    pub(crate) name: String,
    /// Its run.
    pub(crate) run: String,
    /// It was named by the user itself.
    pub(crate) explicit: bool,
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

/// Flags that change how files are read.
#[derive(Default)]
pub(crate) struct Flags<'a> {
    /// `--as`.
    pub(crate) format: Option<&'a str>,
    /// `--model`.
    pub(crate) model: Option<&'a str>,
    /// `--server`.
    pub(crate) server: Option<&'a str>,
    /// `--context-window`.
    pub(crate) window: Option<u64>,
    /// Characters after which listed descriptions are cut.
    pub(crate) cap: Option<u64>,
    /// `--jobs`.
    pub(crate) jobs: usize,
    /// Without `--no-memo`.
    pub(crate) memo: bool,
    /// `--per-request`.
    pub(crate) by_request: bool,
}

/// The files as they are, without looking at the disk.
fn listed(files: &[InMemory]) -> Vec<CaptureFile> {
    let one = |file: &InMemory| CaptureFile {
        path: PathBuf::from(&file.name),
        shown: Arc::from(file.name.as_str()),
        run: Arc::from(file.run.as_str()),
        folders: Arc::default(),
        explicit: file.explicit,
    };
    files.iter().map(one).collect()
}

/// What reading one file gave, before it was put together with others.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    requests: u64,
    counts: u64,
    answers: u64,
    listings: u64,
    transcripts: u64,
    skipped: u64,
    aside: bool,
    /// It is a listing: its requests give definitions and are not reported.
    listed: bool,
}

impl Seen {
    fn of(facts: &FileFacts, listed: bool) -> Self {
        let mut seen = Self {
            aside: facts.not_a_capture || facts.asides > 0,
            listed,
            ..Self::default()
        };
        for fragment in &facts.fragments {
            *match fragment {
                Fragment::Request(_) => &mut seen.requests,
                Fragment::Counts(_) => &mut seen.counts,
                Fragment::Answer(_) => &mut seen.answers,
                Fragment::Listing(_) => &mut seen.listings,
                Fragment::Transcript(_) => &mut seen.transcripts,
                Fragment::Skipped(_) => &mut seen.skipped,
            } += 1;
        }
        seen
    }
}

/// An outcome, and what each file gave to it.
pub(crate) struct Read {
    pub(crate) outcome: Outcome,
    pub(crate) seen: BTreeMap<String, Seen>,
}

/// Runs the pipeline on captures and listings.
pub(crate) fn read(
    data: &Data,
    captures: &[InMemory],
    tools: &[InMemory],
    flags: &Flags<'_>,
) -> Read {
    let measure = counter("chars").expect("the counter is built in");
    let (files, listings) = (listed(captures), listed(tools));
    let work = Work {
        description_cap: flags.cap,
        data,
        measure,
        profile: None,
        files: &files,
        tools: &listings,
        settings: &BTreeMap::new(),
        default_settings: Arc::new(RunSettings::default()),
        model: flags.model,
        context_window: flags.window,
        format: flags.format,
        group_by: None,
        window: TimeWindow::default(),
        server: flags.server,
        jobs: flags.jobs,
        memo: flags.memo,
        watch: None,
        by_request: flags.by_request,
        by_turn: flags.by_request,
        lint: true,
        keep_texts: true,
        listing_model: None,
        listings_as_requests: false,
        ids: Ids::None,
    };
    let seen = Mutex::new(BTreeMap::new());
    let outcome = pipeline::run_from(&work, &|reader, file| {
        let holds = |held: &&InMemory| held.name == *file.shown;
        let held = captures.iter().chain(tools).find(holds);
        let facts = reader.read_bytes(held.map_or(&[], |held| &held.bytes), file);
        let listed = tools.iter().any(|tool| tool.name == *file.shown);
        let mut seen = seen.lock().expect("nobody panics with it");
        seen.insert(file.shown.to_string(), Seen::of(&facts, listed));
        facts
    });
    let seen = seen.into_inner().expect("nobody panics with it");
    Read { outcome, seen }
}

/// Renders the report of an outcome and the gate of each run; answers the JSON.
pub(crate) fn render(data: &Data, outcome: &Outcome, by_request: bool) -> String {
    let options = ViewOptions {
        by_counter: &[],
        data,
        settings: Settings::default(),
        by_request,
        rows: &Rows::default(),
    };
    let document = report::runs(view::runs(outcome, options), Shown::default());
    let json = both(&document);
    let rows = outcome.runs.values().filter_map(|run| {
        let audit = &run.first.as_ref()?.audit;
        let (facts, gate) = (audit.gate_facts.as_ref()?, audit.gate.as_ref()?);
        let profile = data.profiles.get(&gate.profile)?;
        view::explain(
            facts,
            &profile,
            (audit.signs.clone(), Some(audit)),
            &[],
            data,
        )
        .ok()
    });
    let explained = ExplainView {
        schema: "toolcost.explain/1",
        requests: rows.collect(),
        skipped: outcome.skipped.iter().map(SkippedRow::from).collect(),
    };
    both(&report::explain(explained, &[]));
    json
}

/// Text and JSON of a document, each checked for what its edge promises.
pub(crate) fn both(document: &report::Report) -> String {
    let write = |name: &str| {
        let mut out = Vec::new();
        let form = renderer(name).expect("the renderer is built in");
        form.render(document, &Style { width: 80 }, &mut out)
            .expect("memory takes everything");
        String::from_utf8(out).expect("reports are UTF-8")
    };
    let text = write("text");
    // Colours are escapes that the program writes itself; the edge to the terminal takes them off.
    let plain = anstream::adapter::strip_str(&text).to_string();
    let control = plain.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(control, None, "a control character in the text: {plain}");
    let json = write("json");
    serde_json::from_str::<serde::de::IgnoredAny>(&json).expect("the JSON is JSON");
    json
}

/// What must hold of every outcome.
///
/// # Errors
/// What does not hold, in a sentence.
pub(crate) fn clean(read: &Read) -> Result<(), String> {
    let outcome = &read.outcome;
    let told = outcome.skipped.iter().chain(&outcome.tools_skipped);
    for skipped in told.clone() {
        if skipped.reason == INTERNAL_ERROR {
            return Err(format!("internal error in {}", skipped.path));
        }
        if skipped.path.is_empty() || skipped.reason.is_empty() {
            return Err(format!("skipped without path or reason: {skipped:?}"));
        }
    }
    for (name, seen) in &read.seen {
        let reported = |run: &RunSummary| run.paths.iter().any(|path| **path == *name);
        let reported = outcome.runs.values().any(reported);
        let skipped = told
            .clone()
            .filter(|skipped| *skipped.path == *name)
            .count() as u64;
        let fragments = seen.requests
            + seen.counts
            + seen.answers
            + seen.listings
            + seen.transcripts
            + seen.skipped;
        if fragments == 0 && !seen.aside {
            return Err(format!("{name}: nothing is said of it"));
        }
        let lost = ((seen.requests > 0 || seen.transcripts > 0) && !reported)
            || (seen.counts > 0 && !reported && skipped == 0);
        if (lost && !seen.listed) || skipped < seen.skipped {
            return Err(format!(
                "{name}: {seen:?} were read, and not all of it is told"
            ));
        }
    }
    parts_make_the_whole(outcome)
}

/// tools + prelude + deferral + system + messages + frame + residual = recorded.
fn parts_make_the_whole(outcome: &Outcome) -> Result<(), String> {
    for (run, summary) in &outcome.runs {
        for placed in summary.first.iter().chain(&summary.last) {
            let parts = &placed.audit.parts;
            let Some(recorded) = parts.recorded.count().tokens else {
                continue;
            };
            let known = [
                parts.tools,
                parts.prelude,
                parts.deferral,
                parts.system,
                parts.messages,
                parts.frame,
            ];
            let known: i128 = known
                .iter()
                .filter_map(|sum| sum.count().tokens)
                .map(|tokens| i128::from(tokens.0))
                .sum();
            if known + i128::from(parts.residual) != i128::from(recorded.0) {
                return Err(format!(
                    "run {run}: {known} known + {} residual is not {}",
                    parts.residual, recorded.0
                ));
            }
        }
    }
    Ok(())
}
