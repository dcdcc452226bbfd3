//! What deferral saves, as CLI.md defines it.
//!
//! `all_loaded` = prelude + every definition of the pool, search tool and placeholder left out;
//! `as_sent` = prelude + loaded definitions + deferral block + names + discovered definitions + searches;
//! saved = `all_loaded` − `as_sent`, and may be negative. Overhead is an of-which of `as_sent`.

use crate::audit::{Audit, recorded};
use crate::model::{Count, Signed, State, Sum, Tokens};
use crate::session::Turn;

/// The sums behind the savings of one request, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SavingSums {
    /// The tool-use prompt, on both sides.
    pub prelude: Sum,
    /// Every definition of the pool.
    pub definitions: Sum,
    /// Definitions in the prompt, the search tool's too.
    pub loaded: Sum,
    /// Of these, the search tool's.
    pub tool_search: Sum,
    /// The deferral block.
    pub block: Sum,
    /// Announced names.
    pub names: Sum,
    /// Definitions that were discovered.
    pub discovered: Sum,
    /// What references cost beyond their definitions.
    pub extras: Sum,
    /// Searches in the history.
    pub calls: Sum,
    /// Tools of the pool without a definition.
    pub unknown_definitions: u64,
    /// Requests that exist only to answer a search.
    pub searches: u64,
    /// Prompt tokens of these requests, where recorded.
    pub reread: Sum,
}

impl SavingSums {
    /// Joins two; associative, with the default as identity.
    #[must_use]
    pub fn merge(self, other: &Self) -> Self {
        Self {
            prelude: self.prelude.merge(other.prelude),
            definitions: self.definitions.merge(other.definitions),
            loaded: self.loaded.merge(other.loaded),
            tool_search: self.tool_search.merge(other.tool_search),
            block: self.block.merge(other.block),
            names: self.names.merge(other.names),
            discovered: self.discovered.merge(other.discovered),
            extras: self.extras.merge(other.extras),
            calls: self.calls.merge(other.calls),
            unknown_definitions: self.unknown_definitions + other.unknown_definitions,
            searches: self.searches + other.searches,
            reread: self.reread.merge(other.reread),
        }
    }

    /// Everything of the pool in the prompt.
    pub fn all_loaded(&self) -> Sum {
        self.prelude.merge(self.definitions)
    }

    /// What was paid, the prelude left out: it is the same on both sides.
    fn paid(&self) -> Sum {
        [
            self.block,
            self.names,
            self.discovered,
            self.extras,
            self.calls,
        ]
        .into_iter()
        .fold(self.loaded, |sum, part| sum.merge(part))
    }

    /// What was paid for tools.
    pub fn as_sent(&self) -> Sum {
        self.prelude.merge(self.paid())
    }

    /// What deferral saved.
    pub fn saved(&self) -> Signed {
        Signed::difference(self.definitions.tokens, self.paid().tokens)
    }

    /// Unknown definitions make the saving a lower bound.
    pub fn at_least(&self) -> bool {
        self.definitions.missing > 0
    }

    /// Unknown overhead makes the saving an upper bound.
    pub fn at_most(&self) -> bool {
        self.paid().missing > 0 && self.definitions.missing == 0
    }

    /// The part of what was paid that deferring added.
    pub fn overhead(&self) -> Sum {
        [self.block, self.names, self.extras, self.calls]
            .into_iter()
            .fold(self.tool_search, |sum, part| sum.merge(part))
    }

    /// Share of the tools' tokens that deferral saved.
    pub fn saved_share(&self) -> Option<f64> {
        share(self.saved().0, self.all_loaded().tokens)
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
        let search = tool.kind.is_search(&tool.name);
        if !search {
            sums.definitions.add(tool.size);
        }
        match tool.state {
            State::Loaded => {
                sums.loaded.add(tool.size);
                if search {
                    sums.tool_search.add(tool.size);
                }
            }
            State::Discovered => sums.discovered.add(tool.size),
            _ => {}
        }
    }
    if audit.unknown_definitions > 0 && sums.definitions.missing == 0 {
        sums.definitions.add(Count::UNKNOWN);
    }
    if let Some(request) = turn.exchange.request() {
        sums.names = request.announcements.iter().map(|a| a.tokens).collect();
        sums.calls = request.searches.into();
        if request.answers_search {
            sums.searches = 1;
            sums.reread = recorded(turn)
                .map_or(Count::UNKNOWN, Count::recorded)
                .into();
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
