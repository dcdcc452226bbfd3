//! What the client's search tool would find: select, exact name, server prefix, and scored words (seeds 000 and 003).

mod name;
mod score;

pub use score::{Place, Points};

/// A tool that can be found.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a str,
    /// Other names it answers to.
    pub aliases: &'a [String],
    /// Its description, where it is known.
    pub description: Option<&'a str>,
    /// Its hint for searches, where it has one.
    pub hint: Option<&'a str>,
    /// It is deferred; else it is loaded already.
    pub deferred: bool,
}

/// How a query was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `select:` and names.
    Select,
    /// The query is a tool's whole name.
    Exact,
    /// The query begins like the names of a server.
    Prefix,
    /// Words, scored.
    Keyword,
}

impl Mode {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Keyword => "keyword",
        }
    }
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its place among the candidates.
    pub at: usize,
    /// Its points; of words only.
    pub score: Option<u64>,
    /// Where they come from.
    pub points: Vec<Points>,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How it was found.
    pub mode: Mode,
    /// The tools, best first; of equal points the first in the list.
    pub hits: Vec<Hit>,
    /// Every tool with points, of which `hits` are the first; of words only.
    pub scored: Vec<Hit>,
    /// Names that were selected and are not there.
    pub missing: Vec<String>,
}

/// What begins a selection.
const SELECT: &str = "select:";

/// Answers a query with at most so many tools; a selection has no limit.
pub fn search(query: &str, max_results: usize, candidates: &[Candidate<'_>]) -> Found {
    let query = query.trim();
    let names = query
        .get(..SELECT.len())
        .filter(|head| head.eq_ignore_ascii_case(SELECT))
        .map(|_| &query[SELECT.len()..]);
    if let Some(names) = names {
        return select(names, candidates);
    }
    let query = query.to_lowercase();
    if let Some(at) = named(&query, candidates, |name, query| {
        name.to_lowercase() == *query
    }) {
        return Found::of(Mode::Exact, vec![at]);
    }
    if query.starts_with("mcp__") && query.len() > "mcp__".len() {
        let begins = |candidate: &Candidate<'_>| {
            candidate.deferred && candidate.name.to_lowercase().starts_with(&query)
        };
        let hits = candidates.iter().enumerate().filter(|(_, one)| begins(one));
        let hits: Vec<usize> = hits.map(|(at, _)| at).take(max_results).collect();
        if !hits.is_empty() {
            return Found::of(Mode::Prefix, hits);
        }
    }
    score::keywords(&query, max_results, candidates)
}

/// Names with commas between them: each in the deferred set, else among all tools; a loaded one is no news and no fault.
fn select(names: &str, candidates: &[Candidate<'_>]) -> Found {
    let mut hits: Vec<usize> = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for name in names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        match named(name, candidates, |known, name| known == name) {
            Some(at) if !hits.contains(&at) => hits.push(at),
            Some(_) => {}
            None if missing.iter().any(|known| known == name) => {}
            None => missing.push(name.to_owned()),
        }
    }
    Found {
        missing,
        ..Found::of(Mode::Select, hits)
    }
}

/// The tool of a name or alias: a deferred one first, else a loaded one.
fn named<N: ?Sized>(
    name: &N,
    candidates: &[Candidate<'_>],
    same: impl Fn(&str, &N) -> bool,
) -> Option<usize> {
    let fits = |candidate: &Candidate<'_>| {
        let mut aliases = candidate.aliases.iter();
        same(candidate.name, name) || aliases.any(|alias| same(alias, name))
    };
    let among = |deferred: bool| {
        let mut all = candidates.iter();
        all.position(|one| one.deferred == deferred && fits(one))
    };
    among(true).or_else(|| among(false))
}

impl Found {
    fn of(mode: Mode, hits: Vec<usize>) -> Self {
        let hit = |at| Hit {
            at,
            score: None,
            points: Vec::new(),
        };
        Self {
            mode,
            hits: hits.into_iter().map(hit).collect(),
            scored: Vec::new(),
            missing: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
