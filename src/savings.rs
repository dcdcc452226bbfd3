//! What deferral saves, as CLI.md defines it.
//!
//! `all_loaded` = prelude + every definition of the pool, search tool and placeholder left out;
//! `as_sent` = prelude + loaded definitions + deferral block + names + discovered definitions + searches;
//! `saved` = `all_loaded` − `as_sent`, and may be negative. Overhead is an of-which of `as_sent`.
//!
//! Definitions in the prompt stand on both sides, so what is saved is what is held back less the overhead:
//! it is known even where the prelude, or the size of a loaded tool, is not.

use crate::audit::{Audit, recorded};
use crate::model::{Count, Signed, State, Sum, Tokens};
use crate::session::Turn;
use serde::{Deserialize, Serialize};

/// The sums behind the savings of one request, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavingSums {
    /// The tool-use prompt, on both sides.
    pub prelude: Sum,
    /// Definitions in the prompt, loaded or discovered; the search tool's not among them.
    pub in_prompt: Sum,
    /// Definitions that are held back.
    pub held: Sum,
    /// The search tool's definition.
    pub tool_search: Sum,
    /// The deferral block.
    pub block: Sum,
    /// Announced names.
    pub names: Sum,
    /// What references cost beyond their definitions.
    pub extras: Sum,
    /// Searches in the history.
    pub calls: Sum,
    /// Tools of the pool without a definition.
    pub unknown_definitions: u64,
    /// Requests that exist only to answer a search.
    pub searches: u64,
    /// Prompt tokens of these requests: recorded, else their known parts.
    pub reread: Sum,
}

impl SavingSums {
    /// Joins two; associative, with the default as identity.
    #[must_use]
    pub fn merge(self, other: &Self) -> Self {
        Self {
            prelude: self.prelude.merge(other.prelude),
            in_prompt: self.in_prompt.merge(other.in_prompt),
            held: self.held.merge(other.held),
            tool_search: self.tool_search.merge(other.tool_search),
            block: self.block.merge(other.block),
            names: self.names.merge(other.names),
            extras: self.extras.merge(other.extras),
            calls: self.calls.merge(other.calls),
            unknown_definitions: self.unknown_definitions + other.unknown_definitions,
            searches: self.searches + other.searches,
            reread: self.reread.merge(other.reread),
        }
    }

    /// Everything of the pool in the prompt.
    pub fn all_loaded(&self) -> Sum {
        self.prelude.merge(self.in_prompt).merge(self.held)
    }

    /// The part of what was paid that deferring added.
    pub fn overhead(&self) -> Sum {
        let parts = [self.block, self.names, self.extras, self.calls];
        parts
            .into_iter()
            .fold(self.tool_search, |sum, part| sum.merge(part))
    }

    /// What was paid for tools.
    pub fn as_sent(&self) -> Sum {
        self.prelude.merge(self.in_prompt).merge(self.overhead())
    }

    /// What deferral saved. Nobody knows where both sides lack something: it bounds the truth on no side.
    pub fn saved(&self) -> Option<Signed> {
        if self.held.missing > 0 && self.at_most() {
            return None;
        }
        Some(Signed::difference(self.held.tokens, self.overhead().tokens))
    }

    /// Unknown definitions make what all would cost a lower bound, and the saving no more than one.
    pub fn at_least(&self) -> bool {
        self.held.missing > 0 || self.in_prompt.missing > 0
    }

    /// Unknown overhead makes the saving an upper bound.
    pub fn at_most(&self) -> bool {
        self.overhead().missing > 0
    }

    /// Share of the tools' tokens that deferral saved; nobody knows where the whole lacks a part.
    pub fn saved_share(&self) -> Option<f64> {
        let whole = self.all_loaded();
        if whole.missing > 0 {
            return None;
        }
        share(self.saved()?.0, whole.tokens)
    }
}

/// The sums of one request.
pub fn savings(turn: &Turn, audit: &Audit) -> SavingSums {
    let mut sums = SavingSums {
        prelude: audit.prelude.into(),
        block: audit.block.into(),
        extras: audit.extras.into(),
        unknown_definitions: audit.unknown_definitions,
        ..SavingSums::default()
    };
    for tool in audit
        .tools
        .iter()
        .filter(|tool| tool.state != State::Placeholder)
    {
        match tool.state {
            _ if tool.kind.is_search(&tool.name) => sums.tool_search.add(tool.size),
            State::Loaded | State::Discovered => sums.in_prompt.add(tool.size),
            _ => {
                // What a deferred function shows all the same is in the prompt; only the rest is held back.
                let shown = tool.in_prompt.tokens.unwrap_or_default();
                let rest = |size: Tokens| Tokens(size.0.saturating_sub(shown.0));
                sums.held.add(Count {
                    tokens: tool.size.tokens.map(rest),
                    ..tool.size
                });
                if tool.in_prompt != Count::nothing() {
                    sums.in_prompt.add(tool.in_prompt);
                }
            }
        }
    }
    // A pool that is not wholly seen: a list that could not be read, or counts that name no deferred tool.
    let unseen =
        audit.unknown_definitions > 0 && sums.held.missing == 0 && sums.in_prompt.missing == 0;
    if unseen || !audit.pool_is_known {
        sums.held.add(Count::UNKNOWN);
    }
    if !audit.pool_is_known {
        sums.in_prompt.add(Count::UNKNOWN);
    }
    if let Some(request) = turn.exchange.request() {
        let names = request.announcements.iter().chain(turn.carried.iter());
        sums.names = names.map(|announcement| announcement.tokens).collect();
        sums.calls = request.searches.into();
        if request.answers_search {
            sums.searches = 1;
            let known = audit.parts.known();
            sums.reread = recorded(turn).map_or(known, |tokens| Count::recorded(tokens).into());
        }
    }
    sums
}

/// A share with four decimals; absent where there is nothing to share.
pub fn share(part: i64, whole: Tokens) -> Option<f64> {
    if whole.0 == 0 {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "a share needs four digits")]
    let share = part as f64 / whole.0 as f64;
    Some((share * 10_000.0).round() / 10_000.0)
}
