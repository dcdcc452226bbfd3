//! Map, shuffle, reduce: files in, run summaries out. The only module that starts threads.

mod each;
mod gather;
mod group;
mod listings;
mod map;
mod shuffle;

use crate::audit::{AuditContext, AuditDepth, audit};
use crate::data::{Data, Profile};
use crate::ingest::{CaptureFile, FileFacts, PrefixTable, Reader, Remembered};
use crate::lint;
use crate::model::{Ids, Measure, Place, Prefix, PrefixNode, RunSettings, Skipped, Watch};
use crate::session::{self, Catalog, Parents, Turn};
use crate::summary::{self, RunSummary};
pub use each::{Audited, run_each};
use gather::{Gathered, gather};
pub use group::TimeWindow;
pub use map::INTERNAL_ERROR;
use shuffle::Shuffled;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// What a run of the pipeline works with.
pub struct Work<'a> {
    /// Characters after which the client cuts an MCP description; `None` = never.
    pub description_cap: Option<u64>,
    /// Facts that age.
    pub data: &'a Data,
    /// The counter.
    pub measure: &'a dyn Measure,
    /// The gate's profile, where one was asked for.
    pub profile: Option<&'a Profile>,
    /// Captures, sorted by run and path.
    pub files: &'a [CaptureFile],
    /// Listings for the catalog.
    pub tools: &'a [CaptureFile],
    /// Settings by run folder.
    pub settings: &'a BTreeMap<PathBuf, Arc<RunSettings>>,
    /// Settings where a file has none.
    pub default_settings: Arc<RunSettings>,
    /// A model given by flag.
    pub model: Option<&'a str>,
    /// A window given by flag.
    pub context_window: Option<u64>,
    /// A format given by flag.
    pub format: Option<&'a str>,
    /// Where a record names its run.
    pub group_by: Option<&'a str>,
    /// Requests outside of it are left out.
    pub window: TimeWindow,
    /// Render listings as this server's tools.
    pub server: Option<&'a str>,
    /// Threads.
    pub jobs: usize,
    /// Use what is known of values from before.
    pub memo: bool,
    /// Who is told how far reading is.
    pub watch: Option<&'a dyn Watch>,
    /// Keep a row of every request.
    pub by_request: bool,
    /// Keep a row of every turn, with what changed in it.
    pub by_turn: bool,
    /// Ask the lints.
    pub lint: bool,
    /// Keep what searches look at: descriptions, hints, recorded queries.
    pub keep_texts: bool,
    /// The model that listings are counted for where none was given.
    pub listing_model: Option<&'a str>,
    /// A listing among the captures is one request with its tools.
    pub listings_as_requests: bool,
    /// Which ids are kept that mean the same on every machine.
    pub ids: Ids,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Runs by name.
    pub runs: BTreeMap<Arc<str>, RunSummary>,
    /// Runs that were handed out request by request, and not added up.
    pub handed_out: BTreeSet<Arc<str>>,
    /// What could not be read.
    pub skipped: Vec<Skipped>,
    /// Files that no format claims.
    pub not_captures: u64,
    /// Tool listings among the captures.
    pub listings: u64,
    /// Listings that were read as requests.
    pub from_listings: u64,
    /// Records that are known to hold no request.
    pub asides: u64,
    /// Calls that a second transcript tells of, counted once.
    pub told_twice: u64,
    /// What could not be read of `--tools` files.
    pub tools_skipped: Vec<Skipped>,
    /// Definitions that `--tools` gave.
    pub listed_tools: u64,
    /// Requests left out because of their time.
    pub outside: u64,
    /// Requests left out because nobody knows their time.
    pub without_time: u64,
    /// None of them was asked for.
    pub listings_unused: bool,
    /// What readers remember, to be let go of with the rest, or not at all.
    pub remembered: Vec<Remembered>,
}

impl Outcome {
    /// Is a turn in the window? One that is not is counted.
    fn lets_in(&mut self, turn: &Turn, window: TimeWindow) -> bool {
        let time = turn.exchange.request().and_then(|request| request.time);
        let inside = window.holds(time);
        if !inside {
            self.outside += u64::from(time.is_some());
            self.without_time += u64::from(time.is_none());
        }
        inside
    }

    /// Adds what could not be reached below a PATH: shown path and reason.
    pub fn add_unreachable(&mut self, unreachable: Vec<(Arc<str>, String)>) {
        let skip = |(path, reason)| Skipped {
            path,
            place: Place::Whole,
            reason,
        };
        self.skipped.extend(unreachable.into_iter().map(skip));
        self.skipped.sort();
    }
}

impl Parents for PrefixTable {
    fn node(&self, prefix: Prefix) -> Option<PrefixNode> {
        Self::node(self, prefix)
    }
}

/// How a file becomes facts: from the disk, or from wherever a caller keeps its bytes.
pub type ReadFile<'r> = dyn Fn(&mut Reader<'_>, &CaptureFile) -> FileFacts + Sync + 'r;

/// Runs it.
pub fn run(work: &Work<'_>) -> Outcome {
    run_from(work, &|reader, file| reader.read(file))
}

/// Runs it on files that `read` opens.
pub fn run_from(work: &Work<'_>, read: &ReadFile<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let Gathered {
        runs,
        catalog,
        parents,
    } = gather(work, read, &mut outcome);
    let by_version = profiles(work, &runs);
    for (run, Shuffled { turns, transcripts }) in runs {
        let context = audit_context(work, (&by_version, &catalog), &run, AuditDepth::Whole);
        let mut summary = RunSummary::default();
        // The main request before, by session.
        let mut before: BTreeMap<u64, &Turn> = BTreeMap::new();
        for (rank, turn) in turns.iter().enumerate() {
            if !outcome.lets_in(turn, work.window) {
                continue;
            }
            let audit = audit(turn, &context);
            if work.lint {
                let cap = context.profile(turn).description_cap.rule;
                let cap = (cap > 0).then_some(cap);
                let previous = before.get(&turn.session).copied();
                let found = lint::request(turn, previous, &audit, cap);
                summary.add_lints(rank as u64, &found);
                if turn.turn.is_some() {
                    before.insert(turn.session, turn);
                }
            }
            let rows = summary::Rows {
                by_request: work.by_request,
                by_turn: work.by_turn.then_some(&parents),
            };
            summary.add(rank as u64, turn, audit, rows);
        }
        for transcript in transcripts {
            summary.add_transcript(transcript);
        }
        if work.lint {
            let found = lint::run(&summary);
            summary.add_lints(0, &found);
        }
        if summary.is_empty() && !work.window.is_open() {
            continue;
        }
        outcome.runs.insert(run, summary);
    }
    outcome.skipped.sort();
    if outcome.listed_tools > 0 {
        let used = |run: &RunSummary| {
            run.tools.values().any(|tool| {
                let first = tool
                    .first
                    .as_ref()
                    .and_then(|(_, tool)| tool.definition.as_ref());
                first.is_some_and(|(_, provenance)| *provenance == session::Provenance::Listing)
            })
        };
        outcome.listings_unused = !outcome.runs.values().any(used);
    }
    outcome
}

/// The profile of every client version in the captures, and the current one.
fn profiles(work: &Work<'_>, runs: &BTreeMap<Arc<str>, Shuffled>) -> BTreeMap<String, Profile> {
    let turns = runs.values().flat_map(|shuffled| &shuffled.turns);
    let versions = turns.flat_map(|turn| {
        let of_wire = turn.exchange.client_version().map(|version| &**version);
        [
            of_wire,
            turn.settings.client_version.as_deref(),
            Some("current"),
        ]
        .into_iter()
        .flatten()
    });
    let distinct: BTreeSet<&str> = versions.chain(["current"]).collect();
    let found = distinct
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), work.data.profiles.get(name)?)));
    found.collect()
}

/// What audits of a run need.
fn audit_context<'a>(
    work: &Work<'a>,
    (by_version, catalog): (&'a BTreeMap<String, Profile>, &'a Catalog),
    run: &'a str,
    depth: AuditDepth,
) -> AuditContext<'a> {
    AuditContext {
        data: work.data,
        profile: work.profile,
        by_version,
        catalog,
        run,
        model: work.model,
        context_window: work.context_window,
        depth,
    }
}
