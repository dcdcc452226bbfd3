//! Words of a query against names, hints and descriptions, in points.

use super::name::{Parts, parts};
use super::{Candidate, Found, Hit, Mode};
use std::cmp::Reverse;

/// Points by place (seeds 000 and 003): a tool of an MCP server has more for its name.
const PART: u64 = 10;
const PART_MCP: u64 = 12;
const INSIDE: u64 = 5;
const INSIDE_MCP: u64 = 6;
const WHOLE: u64 = 3;
const HINT: u64 = 4;
const DESCRIPTION: u64 = 2;

/// Where a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It is a part of the name.
    Part,
    /// It is in a part of the name.
    InsidePart,
    /// It is in the whole name.
    WholeName,
    /// It is a word of the hint.
    Hint,
    /// It is a word of the description.
    Description,
}

impl Place {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Part => "name part",
            Self::InsidePart => "inside a name part",
            Self::WholeName => "whole name",
            Self::Hint => "hint",
            Self::Description => "description",
        }
    }
}

/// Points of one word at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// The word, without a `+`.
    pub term: String,
    /// Where.
    pub place: Place,
    /// How many.
    pub points: u64,
}

struct Texts {
    name: Parts,
    hint: String,
    description: String,
}

/// Scores the deferred tools; words with `+` are required.
pub(super) fn keywords(query: &str, max_results: usize, candidates: &[Candidate<'_>]) -> Found {
    let words: Vec<&str> = query.split_whitespace().collect();
    let required: Vec<&str> = words
        .iter()
        .filter_map(|word| word.strip_prefix('+'))
        .filter(|word| !word.is_empty())
        .collect();
    let optional = words
        .iter()
        .filter(|word| !(word.starts_with('+') && word.len() > 1));
    let terms: Vec<&str> = required.iter().copied().chain(optional.copied()).collect();
    let mut scored: Vec<Hit> = Vec::new();
    for (at, candidate) in candidates
        .iter()
        .enumerate()
        .filter(|(_, one)| one.deferred)
    {
        let texts = Texts {
            name: parts(candidate.name),
            hint: candidate.hint.unwrap_or_default().to_lowercase(),
            description: candidate.description.unwrap_or_default().to_lowercase(),
        };
        if !required.iter().all(|term| fits(term, &texts)) {
            continue;
        }
        let points = points(&terms, &texts);
        let score: u64 = points.iter().map(|points| points.points).sum();
        if score > 0 {
            scored.push(Hit {
                at,
                score: Some(score),
                points,
            });
        }
    }
    // Of equal points the first in the list: the sort keeps their order.
    scored.sort_by_key(|hit| Reverse(hit.score));
    Found {
        mode: Mode::Keyword,
        hits: scored.iter().take(max_results).cloned().collect(),
        scored,
        missing: Vec::new(),
    }
}

/// Is a required word in name, description or hint?
fn fits(term: &str, texts: &Texts) -> bool {
    texts.name.parts.iter().any(|part| part.contains(term))
        || texts.name.whole.contains(term)
        || has_word(&texts.description, term)
        || has_word(&texts.hint, term)
}

fn points(terms: &[&str], texts: &Texts) -> Vec<Points> {
    let Parts { parts, whole, mcp } = &texts.name;
    let mut found: Vec<Points> = Vec::new();
    for term in terms {
        let of_name = match parts {
            parts if parts.iter().any(|part| part == term) => {
                Some((Place::Part, if *mcp { PART_MCP } else { PART }))
            }
            parts if parts.iter().any(|part| part.contains(term)) => {
                Some((Place::InsidePart, if *mcp { INSIDE_MCP } else { INSIDE }))
            }
            // The whole name counts only where no word had points before.
            _ if whole.contains(term) && found.is_empty() => Some((Place::WholeName, WHOLE)),
            _ => None,
        };
        let hint = has_word(&texts.hint, term).then_some((Place::Hint, HINT));
        let description =
            has_word(&texts.description, term).then_some((Place::Description, DESCRIPTION));
        let given = [of_name, hint, description].into_iter().flatten();
        found.extend(given.map(|(place, points)| Points {
            term: (*term).to_owned(),
            place,
            points,
        }));
    }
    found
}

/// Does a text hold a word as `\bword\b` means it: letters, digits and `_` of ASCII are word characters.
fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let (first, last) = (word.chars().next(), word.chars().next_back());
    if first.is_none() {
        return false;
    }
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        is_word(before) != is_word(first) && is_word(last) != is_word(after)
    })
}
