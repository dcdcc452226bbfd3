//! The view behind `count`: tokens of texts, of sets of tools, of requests.

use crate::model::{Count, Evidence, Source, Tokens};
use serde::Serialize;

/// `toolcost.count/1`: one row for each input and counter.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct CountView {
    /// The rows.
    pub rows: Vec<CountRow>,
}

/// One input, counted.
#[derive(Debug, Clone, Serialize)]
pub struct CountRow {
    /// What was counted: a file, with the place in it where there are several.
    pub id: String,
    /// text, tools, request.
    pub kind: &'static str,
    /// Tokens; null = nobody knows.
    pub tokens: Option<Tokens>,
    /// Parts are missing.
    pub at_least: bool,
    /// Where the number comes from.
    pub source: Source,
    /// How well it is supported.
    pub evidence: Option<Evidence>,
    /// The counter.
    pub counter: String,
    /// The model it was counted for.
    pub model: Option<String>,
    /// Why there is no number, where there is none.
    pub reason: Option<String>,
    /// What it is made of; the known parts sum to the whole.
    pub parts: Vec<CountPart>,
}

/// A part of a count.
#[derive(Debug, Clone, Serialize)]
pub struct CountPart {
    /// Its name: a tool, prelude, system, messages, …
    pub name: String,
    /// Its tokens.
    pub tokens: Option<Tokens>,
}

impl CountRow {
    /// A row of one count.
    pub fn new(
        id: &str,
        kind: &'static str,
        counter: &str,
        model: Option<&str>,
        count: Count,
    ) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            tokens: count.tokens,
            at_least: count.at_least,
            source: count.source,
            evidence: count.evidence,
            counter: counter.to_owned(),
            model: model.map(str::to_owned),
            reason: None,
            parts: Vec::new(),
        }
    }

    /// The same with the reason why there is no number, if there is none.
    #[must_use]
    pub fn with_reason(mut self, reason: &str) -> Self {
        self.reason = self.tokens.is_none().then(|| reason.to_owned());
        self
    }

    /// The same with its parts.
    #[must_use]
    pub fn with_parts(mut self, parts: impl IntoIterator<Item = (String, Option<Tokens>)>) -> Self {
        let part = |(name, tokens)| CountPart { name, tokens };
        self.parts = parts.into_iter().map(part).collect();
        self
    }
}
