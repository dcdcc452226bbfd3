//! Models: windows, preludes, prices, and the constants of a request by tokenizer family.

use crate::model::{Evidence, PicoUsd, Tokens, ToolChoice};
use serde::Deserialize;

/// Models and families.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// Tokenizer families.
    pub family: Vec<Family>,
    /// Models.
    pub model: Vec<Model>,
}

/// A constant with how well it is supported.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// The tokens.
    pub tokens: u64,
    /// The evidence.
    pub evidence: Letter,
}

/// Constants of a request that models of one tokenizer family share. Absent = unknown.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub id: String,
    /// Tokens of one user message's frame.
    pub frame_first: Option<Constant>,
    /// Each further message of the other role.
    pub frame_other: Option<Constant>,
    /// Each further message of the same role.
    pub frame_same: Option<Constant>,
    /// Once where tools and a counted system block meet.
    pub system_with_tools: Option<Constant>,
    /// Each counted system block after the first.
    pub system_further: Option<Constant>,
    /// Added once when a tool is deferred.
    pub deferral_block: Option<Constant>,
    /// What a reference costs beyond the line of its tool.
    pub reference: Option<Constant>,
    /// Where they are known from.
    pub source: String,
}

/// An evidence class as the tables write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Letter {
    /// See [`Evidence::A`].
    A,
    /// See [`Evidence::B`].
    B,
    /// See [`Evidence::C`].
    C,
}

impl From<Letter> for Evidence {
    fn from(letter: Letter) -> Self {
        match letter {
            Letter::A => Self::A,
            Letter::B => Self::B,
            Letter::C => Self::C,
        }
    }
}

/// One model. Absent = unknown.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The API's id.
    pub id: String,
    /// Other ids of it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its tokenizer family.
    pub family: String,
    /// Whether that is measured or inferred.
    pub family_evidence: Letter,
    /// Tokens the API takes.
    pub window: u64,
    /// Tokens the client budgets by default, where that is less.
    pub client_window: Option<u64>,
    /// Tokens the client budgets behind another host than Anthropic's, without `[1m]`.
    pub proxy_window: Option<u64>,
    /// When it does not.
    pub client_window_rule: Option<String>,
    /// `false`: tool search is not supported.
    pub tool_search: Option<bool>,
    /// The prelude for `tool_choice` auto and none.
    pub prelude_auto: Option<u64>,
    /// The prelude for any.
    pub prelude_any: Option<u64>,
    /// Where the prelude is known from, if not from `source`.
    pub prelude_source: Option<String>,
    /// Prices a million tokens.
    pub input: String,
    /// See `input`.
    pub output: String,
    /// See `input`.
    pub cache_write_5m: String,
    /// See `input`.
    pub cache_write_1h: String,
    /// See `input`.
    pub cache_read: String,
    /// Other prices for long prompts.
    pub long: Option<LongPrice>,
    /// Fewer tokens are not cached.
    pub min_cacheable: Option<u64>,
    /// Active, limited, retired.
    pub status: String,
    /// Where the row is known from.
    pub source: String,
}

/// Prices of prompts above a length.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongPrice {
    /// Prompts above this many tokens.
    pub above: u64,
    /// See [`Model::input`].
    pub input: String,
    /// See [`Model::input`].
    pub output: String,
    /// See [`Model::input`].
    pub cache_write_5m: String,
    /// See [`Model::input`].
    pub cache_write_1h: String,
    /// See [`Model::input`].
    pub cache_read: String,
}

/// Prices of one prompt, in money a token.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// Tokens that meet no cache.
    pub input: PicoUsd,
    /// Tokens written for five minutes.
    pub cache_write_5m: PicoUsd,
    /// Tokens written for an hour.
    pub cache_write_1h: PicoUsd,
    /// Tokens read from a cache.
    pub cache_read: PicoUsd,
}

impl Models {
    /// The row of a model id: exact, an alias, without the `[1m]` suffix, or without a date at its end.
    pub fn get(&self, id: &str) -> Option<&Model> {
        let id = id.strip_suffix("[1m]").unwrap_or(id);
        let find = |id: &str| {
            self.model
                .iter()
                .find(|m| m.id == id || m.aliases.iter().any(|a| a == id))
        };
        find(id).or_else(|| {
            let (stem, date) = id.rsplit_once('-')?;
            (date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit())).then(|| find(stem))?
        })
    }

    /// The family of a model.
    pub fn family(&self, model: &Model) -> Option<&Family> {
        self.family.iter().find(|f| f.id == model.family)
    }

    /// The window the client budgets for this id: `[1m]` asks for the whole one, a proxy may halve trust in it.
    pub fn client_window(&self, id: &str, proxied: bool) -> Option<u64> {
        let whole = id.ends_with("[1m]");
        let model = self.get(id)?;
        let behind_proxy = model.proxy_window.filter(|_| proxied && !whole);
        let default = if whole { None } else { model.client_window };
        Some(behind_proxy.or(default).unwrap_or(model.window))
    }
}

/// Is a Claude id of the 4.5 generation or later? `None` where the id does not say.
pub fn at_least_4_5(id: &str) -> Option<bool> {
    let id = id.to_ascii_lowercase();
    let name = &id[id.find("claude-")? + "claude-".len()..];
    let name = name.split(['@', ':', '[']).next().unwrap_or_default();
    let mut parts = name.split('-');
    let first = parts.next()?;
    // Old names lead with the number: claude-3-5-haiku; new ones with the family: claude-haiku-4-5.
    if first.chars().all(|c| c.is_ascii_digit() || c == '.') && !first.is_empty() {
        return Some(false);
    }
    let major: u64 = parts.next()?.parse().ok().filter(|n| *n < 100)?;
    // A date in the place of the minor number says that there is none.
    let minor = parts
        .next()
        .and_then(|part| part.parse::<u64>().ok())
        .filter(|n| *n < 100)
        .unwrap_or(0);
    Some((major, minor) >= (4, 5))
}

impl Model {
    /// Tokens of the prelude, and whether some are missing (a named tool adds a few that nobody documented).
    pub fn prelude(&self, choice: ToolChoice) -> (Option<Tokens>, bool) {
        match choice {
            ToolChoice::Auto => (self.prelude_auto.map(Tokens), false),
            ToolChoice::Any => (self.prelude_any.map(Tokens), false),
            ToolChoice::Tool => (self.prelude_any.map(Tokens), true),
            ToolChoice::Other => (None, false),
        }
    }

    /// The price of a prompt of this length.
    pub fn price(&self, prompt: Tokens) -> Option<Price> {
        let of = |input: &str, w5: &str, w1: &str, read: &str| {
            Some(Price {
                input: PicoUsd::per_million(input)?,
                cache_write_5m: PicoUsd::per_million(w5)?,
                cache_write_1h: PicoUsd::per_million(w1)?,
                cache_read: PicoUsd::per_million(read)?,
            })
        };
        match &self.long {
            Some(long) if prompt.0 > long.above => of(
                &long.input,
                &long.cache_write_5m,
                &long.cache_write_1h,
                &long.cache_read,
            ),
            _ => of(
                &self.input,
                &self.cache_write_5m,
                &self.cache_write_1h,
                &self.cache_read,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generation_is_in_the_id() {
        for (id, expected) in [
            ("claude-opus-4-5-20251101", Some(true)),
            ("claude-haiku-4-5", Some(true)),
            ("claude-sonnet-5", Some(true)),
            ("claude-opus-4-6[1m]", Some(true)),
            ("claude-fable-5-1", Some(true)),
            ("anthropic.claude-sonnet-4-5-20250929-v1:0", Some(true)),
            ("claude-haiku-4-5@20251001", Some(true)),
            ("claude-opus-4-1-20250805", Some(false)),
            ("claude-opus-4-20250514", Some(false)),
            ("claude-sonnet-4", Some(false)),
            ("claude-3-5-haiku-20241022", Some(false)),
            ("claude-instant", None),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(at_least_4_5(id), expected, "{id}");
        }
    }
}
