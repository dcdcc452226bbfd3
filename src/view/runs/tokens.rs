//! Tokens of a request, or of several, by part.

use crate::audit::PartSums;
use crate::model::{Source, Sum, Tokens, Word};
use crate::savings::share;
use serde::{Deserialize, Serialize};

/// `TOKENS` of the report. A part that nobody knows is null.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokensRow {
    /// Loaded definitions.
    pub tools: Option<Tokens>,
    /// The tool-use prompt.
    pub prelude: Option<Tokens>,
    /// What the API adds when tools are deferred.
    pub deferral: Option<Tokens>,
    /// The system prompt.
    pub system: Option<Tokens>,
    /// Messages, discovered definitions among them.
    pub messages: Option<Tokens>,
    /// Frames of messages.
    pub frame: Option<Tokens>,
    /// Recorded less the known parts, of the requests with a recorded whole: parts + residual = request.
    pub residual: Option<i64>,
    /// Recorded where recorded, else the known parts together.
    pub request: Tokens,
    /// What was recorded of the whole.
    pub recorded: Option<Tokens>,
    /// `request` lacks parts.
    pub at_least: bool,
    /// Parts that are unknown, or lack something.
    #[serde(deserialize_with = "crate::model::words")]
    pub unknown_parts: Vec<Word>,
    /// Parts that are estimated, or rest on thin evidence (class C).
    #[serde(deserialize_with = "crate::model::words")]
    pub estimated_parts: Vec<Word>,
    /// (tools + prelude + deferral) / request; null where the tools are unknown.
    pub share: Option<f64>,
    /// request / window.
    pub window_share: Option<f64>,
    /// Where `request` comes from.
    pub source: Source,
    /// Of-which of system and messages.
    pub sections: Vec<SectionRow>,
}

/// A section of system or messages.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionRow {
    /// What it is.
    #[serde(deserialize_with = "crate::model::word")]
    pub kind: Word,
    /// Its name among those of its kind, where there are several.
    pub what: Option<String>,
    /// A server or plugin it belongs to.
    pub owner: Option<String>,
    /// Its tokens.
    pub tokens: Option<Tokens>,
}

impl TokensRow {
    /// Is the share made of estimates?
    pub fn has_rough_share(&self) -> bool {
        let of_share = |part: &&str| ["tools", "prelude", "deferral"].contains(part);
        let mut parts = self.estimated_parts.iter();
        match self.recorded {
            Some(_) => parts.any(of_share),
            None => !self.estimated_parts.is_empty(),
        }
    }
}

pub(super) fn row(parts: &PartSums, window: Option<u64>) -> TokensRow {
    let known = |sum: Sum| sum.count().tokens;
    let all_recorded = parts.all_recorded();
    let request = parts.request();
    let signed = |tokens: Tokens| i64::try_from(tokens.0).unwrap_or(i64::MAX);
    let unknown_parts: Vec<&'static str> = parts
        .named()
        .iter()
        .filter(|(_, sum)| sum.missing > 0)
        .map(|(name, _)| *name)
        .collect();
    let parts_named = parts.named();
    let estimated_parts = parts_named
        .iter()
        .filter(|(_, sum)| sum.is_rough())
        .map(|(name, _)| *name)
        .collect();
    TokensRow {
        tools: known(parts.tools),
        prelude: known(parts.prelude),
        deferral: known(parts.deferral),
        system: known(parts.system),
        messages: known(parts.messages),
        frame: known(parts.frame),
        residual: (parts.recorded.known > 0).then_some(parts.residual),
        request,
        recorded: all_recorded.then_some(parts.recorded.tokens),
        at_least: !all_recorded && !unknown_parts.is_empty(),
        unknown_parts,
        estimated_parts,
        share: known(parts.tools).and_then(|_| share(signed(parts.tool_part().tokens), request)),
        window_share: window.and_then(|window| share(signed(request), Tokens(window))),
        source: if all_recorded {
            Source::Recorded
        } else {
            parts.known().count().source
        },
        sections: parts
            .sections
            .iter()
            .map(|(section, sum)| SectionRow {
                kind: section.kind.word(),
                what: section.what.as_ref().map(ToString::to_string),
                owner: section.owner.as_ref().map(ToString::to_string),
                tokens: known(sum.tokens),
            })
            .collect(),
    }
}
