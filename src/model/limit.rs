//! Limits of a prompt, as a project sets them.

use super::Level;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a limit is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitScope {
    /// Definitions in the prompt.
    Loaded,
    /// Definitions that are held back.
    Deferred,
    /// Definitions of the pool, deferred or not.
    All,
    /// The whole request.
    Request,
    /// The tools' share of the request.
    Share,
}

impl LimitScope {
    /// Every scope.
    pub const ALL: [Self; 5] = [
        Self::Loaded,
        Self::Deferred,
        Self::All,
        Self::Request,
        Self::Share,
    ];

    /// The word that users write.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Deferred => "deferred",
            Self::All => "all",
            Self::Request => "request",
            Self::Share => "share",
        }
    }
}

/// The most that is allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Most {
    /// Tokens.
    Tokens(u64),
    /// A share of one.
    Share(f64),
}

/// A limit of tools by name.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolLimit {
    /// Names; `*` and `?` stand for anything.
    pub glob: String,
    /// The most that one of them may have.
    pub each: Option<u64>,
    /// The most of all together.
    pub total: Option<u64>,
    /// Which of them count; `None` = loaded ones of captures, all of listings.
    pub scope: Option<LimitScope>,
    /// Why, for people.
    pub reason: Option<String>,
}

/// How much may be added since a baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// A share of one.
    pub share: f64,
}

/// Growth against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratchet {
    /// The growth that is allowed where a scope has none of its own.
    pub grow: Growth,
    /// The same by scope.
    pub scopes: BTreeMap<LimitScope, Growth>,
    /// Smaller growth in tokens is never a failure.
    pub at_least: u64,
}

impl Default for Ratchet {
    fn default() -> Self {
        Self {
            grow: Growth { share: 0.0 },
            scopes: BTreeMap::new(),
            at_least: 0,
        }
    }
}

/// What a rule does with its lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleLevel {
    /// Not asked.
    Off,
    /// Asked, at this level.
    At(Level),
    /// Asked, at its own level.
    Default,
}

/// Everything a project limits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// By scope.
    pub scopes: BTreeMap<LimitScope, Most>,
    /// Of tools by name.
    pub tools: Vec<ToolLimit>,
    /// In every main request; else in the first one of each session.
    pub every_request: bool,
    /// Rules by code.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Every lint at its own level, but for what `rules` says.
    pub all_rules: bool,
}

impl Limits {
    /// Nothing is limited and no rule asked.
    pub fn is_empty(&self) -> bool {
        let rules = self.rules.values().any(|level| *level != RuleLevel::Off);
        self.scopes.is_empty() && self.tools.is_empty() && !rules && !self.all_rules
    }
}
