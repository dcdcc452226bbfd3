//! The view behind `search`: what a query finds among the tools of a capture, and recorded searches replayed.

use super::{Settings, SkippedRow};
use crate::audit::ToolAudit;
use crate::data::Builtins;
use crate::model::{Decision, State};
use crate::search::{Candidate, Found, Hit, search};
use crate::summary::{RunSummary, Searched};
use serde::Serialize;

/// `toolcost.search/1`.
#[derive(Debug, Clone, Serialize)]
pub struct SearchView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// The run whose tools were searched.
    pub run: String,
    /// The query; null with `--all` alone.
    pub query: Option<String>,
    /// select, exact, prefix, keyword.
    pub mode: Option<&'static str>,
    /// How many were asked for.
    pub max_results: u64,
    /// What is found, best first; of equal points the first in the list.
    pub results: Vec<SearchHit>,
    /// Tools with points that are beyond `max_results`.
    pub more: Vec<SearchHit>,
    /// Names that were selected and are not there, with the names that end alike.
    pub missing: Vec<MissingName>,
    /// MCP servers that are still connecting, where nothing was found.
    pub pending_servers: Vec<String>,
    /// Tools that were searched: deferred ones.
    pub deferred: u64,
    /// Deferred tools whose description is not known: their name alone was searched.
    pub names_only: u64,
    /// Nothing was deferred here: the tools that the rules defer were searched.
    pub by_rules: bool,
    /// Recorded searches, replayed.
    pub calls: Vec<ReplayedCall>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// What the tools were found with.
    #[serde(skip)]
    pub settings: Settings,
}

/// A tool that was found.
#[derive(Debug, Clone, Serialize)]
pub struct SearchHit {
    /// Its name.
    pub name: String,
    /// Its points; null where no words were scored.
    pub score: Option<u64>,
    /// Where they come from.
    pub terms: Vec<TermRow>,
    /// It is in the prompt already: finding it gains nothing.
    pub already_loaded: bool,
    /// Tokens of its definition.
    pub size: Option<u64>,
}

/// Points of a word.
#[derive(Debug, Clone, Serialize)]
pub struct TermRow {
    /// The word.
    pub term: String,
    /// name part, inside a name part, whole name, hint, description.
    #[serde(rename = "where")]
    pub place: &'static str,
    /// Its points.
    pub points: u64,
}

/// A selected name that is not there.
#[derive(Debug, Clone, Serialize)]
pub struct MissingName {
    /// The name.
    pub name: String,
    /// Tools whose name ends like it: what was meant, perhaps.
    pub near: Vec<String>,
}

/// A recorded search.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedCall {
    /// The session, from 1 in the run.
    pub session: u64,
    /// The turn that shows its answer.
    pub turn: Option<u64>,
    /// The recorded query, where it is asked for.
    pub query: Option<String>,
    /// How it is answered: select, exact, prefix, keyword.
    pub mode: &'static str,
    /// The tools that came back.
    pub recorded: Vec<String>,
    /// The tools that the algorithm finds.
    pub replayed: Vec<String>,
    /// Both are the same, in the same order.
    pub equal: bool,
    /// Deferred tools of that request whose description is not known.
    pub names_only: u64,
}

/// What the view is built from.
pub struct SearchOptions<'a> {
    /// The client's own tools.
    pub builtins: &'a Builtins,
    /// The query.
    pub query: Option<&'a str>,
    /// How many to show.
    pub max_results: u64,
    /// Replay every recorded search.
    pub all: bool,
    /// Show recorded queries.
    pub show_text: bool,
    /// Servers that are still connecting; as the capture says where not given.
    pub pending_servers: Option<Vec<String>>,
    /// What the tools were found with.
    pub settings: Settings,
}

/// The client's default.
const MAX_RESULTS: u64 = 5;

/// Builds the view of a run.
pub fn search_view(run: &str, summary: &RunSummary, options: SearchOptions<'_>) -> SearchView {
    let tools: &[ToolAudit] = summary
        .first
        .as_ref()
        .map_or(&[], |first| &first.audit.tools);
    let pool = candidates(tools, options.builtins);
    let most = usize::try_from(options.max_results).unwrap_or(usize::MAX);
    let found = options.query.map(|query| search(query, most, &pool));
    let hit = |hit: &Hit| SearchHit {
        name: pool[hit.at].name.to_owned(),
        score: hit.score,
        terms: hit
            .points
            .iter()
            .map(|points| TermRow {
                term: points.term.clone(),
                place: points.place.word(),
                points: points.points,
            })
            .collect(),
        already_loaded: !pool[hit.at].deferred,
        size: searchable(tools)
            .nth(hit.at)
            .and_then(|tool| tool.size.tokens)
            .map(|tokens| tokens.0),
    };
    let results: Vec<SearchHit> = found
        .iter()
        .flat_map(|found| &found.hits)
        .map(hit)
        .collect();
    let more = found
        .iter()
        .flat_map(|found| found.scored.iter().skip(found.hits.len()));
    let missing = found.iter().flat_map(|found| &found.missing);
    let calls = summary.searches.iter().filter(|_| options.all);
    let of_capture = summary.first.iter();
    let of_capture = of_capture.flat_map(|first| &first.audit.pending_servers);
    let given = options
        .pending_servers
        .unwrap_or_else(|| of_capture.map(ToString::to_string).collect());
    SearchView {
        schema: "toolcost.search/1",
        run: run.to_owned(),
        query: options.query.map(str::to_owned),
        mode: found.as_ref().map(|found| found.mode.word()),
        max_results: options.max_results,
        more: more.map(hit).collect(),
        missing: missing.map(|name| near(name, &pool)).collect(),
        // A server that is not there yet explains an empty answer, and nothing else.
        pending_servers: match results.is_empty() {
            true => given,
            false => Vec::new(),
        },
        results,
        deferred: pool.iter().filter(|one| one.deferred).count() as u64,
        names_only: names_only(&pool),
        by_rules: nothing_deferred(tools),
        calls: calls
            .map(|searched| replay(searched, options.builtins, options.show_text))
            .collect(),
        skipped: Vec::new(),
        settings: options.settings,
    }
}

/// Tools that a search can find: not the placeholder, and not the search tools themselves.
fn searchable(tools: &[ToolAudit]) -> impl Iterator<Item = &ToolAudit> {
    tools.iter().filter(|tool| tool.state != State::Placeholder)
}

/// Is nothing deferred here? Then the tools that the rules defer are searched, as they would be with tool search on.
fn nothing_deferred(tools: &[ToolAudit]) -> bool {
    searchable(tools).all(|tool| tool.state == State::Loaded)
}

fn candidates<'a>(tools: &'a [ToolAudit], builtins: &'a Builtins) -> Vec<Candidate<'a>> {
    let by_rules = nothing_deferred(tools);
    searchable(tools)
        .map(|tool| {
            let texts = tool
                .definition
                .as_ref()
                .and_then(|(definition, _)| definition.texts.as_deref());
            let aliases = builtins
                .get(&tool.name)
                .map_or(&[][..], |builtin| &builtin.aliases);
            Candidate {
                deferred: match by_rules {
                    true => tool.verdict.decision == Decision::Defer,
                    false => tool.state != State::Loaded,
                },
                name: &tool.name,
                aliases,
                description: texts.and_then(|texts| texts.description.as_deref()),
                hint: texts.and_then(|texts| texts.hint.as_deref()),
            }
        })
        .collect()
}

fn names_only(pool: &[Candidate<'_>]) -> u64 {
    let deferred = pool.iter().filter(|one| one.deferred);
    deferred.filter(|one| one.description.is_none()).count() as u64
}

/// Names that end like one that is not there: a suffix is no name, and people trip on that.
fn near(name: &str, pool: &[Candidate<'_>]) -> MissingName {
    let ends = pool.iter().filter(|one| {
        let rest = one.name.strip_suffix(name);
        !name.is_empty() && rest.is_some_and(|rest| rest.ends_with("__"))
    });
    MissingName {
        name: name.to_owned(),
        near: ends.map(|one| one.name.to_owned()).take(5).collect(),
    }
}

fn replay(searched: &Searched, builtins: &Builtins, show_text: bool) -> ReplayedCall {
    let pool = candidates(&searched.tools, builtins);
    let most = searched.call.max_results.unwrap_or(MAX_RESULTS);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let Found { mode, hits, .. } = search(&searched.call.query, most, &pool);
    let recorded: Vec<String> = searched
        .call
        .found
        .iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let replayed: Vec<String> = hits
        .iter()
        .map(|hit| pool[hit.at].name.to_owned())
        .collect();
    ReplayedCall {
        session: searched.session,
        turn: searched.turn,
        query: show_text.then(|| searched.call.query.to_string()),
        mode: mode.word(),
        equal: recorded == replayed,
        recorded,
        replayed,
        names_only: names_only(&pool),
    }
}
