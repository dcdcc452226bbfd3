//! Models: windows, preludes, prices, and the constants of a request by tokenizer family.

use super::DataError;
use super::families::{Family, Letter, NonAscii, ServerTool};
use super::profiles::{Profile, version};
use crate::model::{PicoUsd, Tokens, ToolChoice, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Models and families.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// Tokenizer families.
    pub family: Vec<Family>,
    /// Tools that the API brings itself.
    #[serde(default)]
    pub server_tool: Vec<ServerTool>,
    /// Models.
    pub model: Vec<Model>,
    /// Rows that captures gave, by id; they win over [`Models::model`]. There may be thousands.
    #[serde(skip)]
    found: BTreeMap<String, Model>,
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
    /// The day on which counts were compared with recordings of this model.
    pub checked: Option<String>,
    /// How the definitions of tools show it what is not ASCII.
    pub non_ascii: NonAscii,
    /// Whether that is measured or inferred.
    pub non_ascii_evidence: Letter,
    /// Tokens the API takes.
    pub window: Option<u64>,
    /// Tokens the client budgets by default, where that is less.
    pub client_window: Option<u64>,
    /// Tokens the client budgets behind another host than Anthropic's, without `[1m]`.
    pub proxy_window: Option<u64>,
    /// The client budgets 200,000 before this version of it.
    pub long_since: Option<String>,
    /// When it does not.
    pub client_window_rule: Option<String>,
    /// `false`: tool search is not supported.
    pub tool_search: Option<bool>,
    /// The prelude for `tool_choice` auto and none.
    pub prelude_auto: Option<u64>,
    /// The prelude for any.
    pub prelude_any: Option<u64>,
    /// How well the prelude for auto is confirmed by recordings; absent = by the documentation alone.
    pub prelude_evidence: Option<Letter>,
    /// What deferring adds once, where it was found for this model by itself.
    pub deferral_block: Option<u64>,
    /// Where the prelude is known from, if not from `source`.
    pub prelude_source: Option<String>,
    /// Prices a million tokens.
    pub input: Option<String>,
    /// See `input`.
    pub output: Option<String>,
    /// See `input`.
    pub cache_write_5m: Option<String>,
    /// See `input`.
    pub cache_write_1h: Option<String>,
    /// See `input`.
    pub cache_read: Option<String>,
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
    /// Tokens of the answer.
    pub output: PicoUsd,
}

impl Price {
    /// What a request with this recorded usage cost, prompt and answer.
    pub fn of(&self, usage: Usage) -> PicoUsd {
        let minutes = Tokens(usage.cache_write.0.saturating_sub(usage.cache_write_1h.0));
        self.input.times(usage.input)
            + self.cache_write_5m.times(minutes)
            + self.cache_write_1h.times(usage.cache_write_1h)
            + self.cache_read.times(usage.cache_read)
            + self.output.times(usage.output)
    }
}

impl Models {
    /// The embedded table alone.
    ///
    /// # Errors
    /// See [`super::Data::embedded`].
    pub fn embedded() -> Result<Self, DataError> {
        super::parse("models.toml", include_str!("../../data/models.toml"))
    }

    /// The row of a model id: exact, an alias, without the `[1m]` suffix, or without a date at its end.
    pub fn get(&self, id: &str) -> Option<&Model> {
        let id = plain_id(id);
        let id = id.as_str();
        let find = |id: &str| {
            let of_table = |m: &&Model| m.id == id || m.aliases.iter().any(|a| a == id);
            let found = self.found.get(id);
            found.or_else(|| self.model.iter().find(of_table))
        };
        find(id).or_else(|| {
            let (stem, date) = id.rsplit_once('-')?;
            (date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit())).then(|| find(stem))?
        })
    }

    /// Rows that win over all others of their ids.
    pub(super) fn put_first(&mut self, rows: Vec<Model>) {
        let rows = rows.into_iter().map(|row| (row.id.clone(), row));
        self.found.extend(rows);
    }

    /// The row of a tool's type for models of a family.
    pub fn server_tool(&self, type_: &str, family: &str) -> Option<&ServerTool> {
        self.server_tool
            .iter()
            .find(|tool| tool.family == family && type_.starts_with(&tool.type_begins))
    }

    /// The family of a model, or of the nearest generation of Claude where the id is in no table.
    pub fn family_of_id(&self, id: &str) -> Option<&Family> {
        let known = self.get(id).map(|model| model.family.as_str());
        let name = known.or_else(|| is_claude(id).then(|| nearest_family(id)))?;
        self.family.iter().find(|family| family.id == name)
    }

    /// The family of a model.
    pub fn family(&self, model: &Model) -> Option<&Family> {
        self.family.iter().find(|f| f.id == model.family)
    }

    /// The window the client budgets for this id: `[1m]` asks for the whole one, a proxy may halve trust in it,
    /// and versions before the long window, or a profile without, have the short one. `None` = no such model.
    pub fn client_window(&self, id: &str, proxied: bool, profile: &Profile) -> Option<u64> {
        let whole = id.to_ascii_lowercase().contains("[1m]");
        let model = self.get(id)?;
        if whole {
            return model.window;
        }
        let earlier = model.long_since.as_deref().and_then(version) > version(&profile.id);
        let early = version(&profile.id).is_some() && earlier;
        let behind_proxy = model.proxy_window.filter(|_| proxied);
        let window = behind_proxy.or(model.client_window).or(model.window)?;
        Some(match early || !profile.long_windows {
            true => window.min(SHORT_WINDOW),
            false => window,
        })
    }
}

/// The window of most models once, and the client's guess for ids it does not know (model-config page).
pub const SHORT_WINDOW: u64 = 200_000;

/// The id without what clouds and gateways put round it: a region or vendor before it, a version or date after it.
fn plain_id(id: &str) -> String {
    let id = id.to_ascii_lowercase();
    let from = id.find("claude-").unwrap_or(0);
    let id = id[from..].split(['@', ':', '[']).next().unwrap_or_default();
    let cut = id.rsplit_once("-v").filter(|(_, version)| {
        !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit())
    });
    cut.map_or(id, |(id, _)| id)
        .trim_end_matches("-latest")
        .replace('.', "-")
}

/// What two spellings of one model have in common: of Claude's without what clouds put round it, else as it is.
pub fn model_key(id: &str) -> String {
    match is_claude(id) {
        true => plain_id(id),
        false => id.to_owned(),
    }
}

/// The tokenizer family of the generation that an id of Claude's names; without a number it is the newest, but for
/// Claude 2 and before by their names at clouds.
pub fn nearest_family(id: &str) -> &'static str {
    let first = id.to_ascii_lowercase().contains("claude-v");
    let newest = (u64::MAX, 0);
    match generation(id).unwrap_or(if first { (0, 0) } else { newest }) {
        (..4, _) | (4, ..7) => "v3",
        (4, 7) => "v47",
        _ => "v48",
    }
}

/// Is a Claude id of the 4.5 generation or later? `None` where the id does not say.
pub fn at_least_4_5(id: &str) -> Option<bool> {
    Some(generation(id)? >= (4, 5))
}

/// The generation that a Claude id tells, as major and minor number.
pub fn generation(id: &str) -> Option<(u64, u64)> {
    let id = plain_id(id);
    let name = id.strip_prefix("claude-")?;
    let mut parts = name.split('-');
    // Old names lead with the number: claude-3-5-haiku; new ones with the family: claude-haiku-4-5.
    let small = |part: &str| part.parse::<u64>().ok().filter(|n| *n < 100);
    let first = parts.next()?;
    let major = small(first).or_else(|| small(parts.next()?))?;
    // A date in the place of the minor number says that there is none.
    let minor = parts.next().and_then(small).unwrap_or(0);
    Some((major, minor))
}

/// Is it an id of Claude's, known or not?
pub fn is_claude(id: &str) -> bool {
    let id = plain_id(id);
    id == "claude" || id.starts_with("claude-")
}

impl Model {
    /// The row without what is another model's own: windows, preludes, prices.
    pub(super) fn without_numbers(&self) -> Self {
        Self {
            window: None,
            client_window: None,
            proxy_window: None,
            long_since: None,
            client_window_rule: None,
            tool_search: None,
            prelude_auto: None,
            prelude_any: None,
            prelude_evidence: None,
            prelude_source: None,
            deferral_block: None,
            input: None,
            output: None,
            cache_write_5m: None,
            cache_write_1h: None,
            cache_read: None,
            long: None,
            min_cacheable: None,
            ..self.clone()
        }
    }

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
        let of = |input: &str, w5: &str, w1: &str, read: &str, output: &str| {
            Some(Price {
                input: PicoUsd::per_million(input)?,
                cache_write_5m: PicoUsd::per_million(w5)?,
                cache_write_1h: PicoUsd::per_million(w1)?,
                cache_read: PicoUsd::per_million(read)?,
                output: PicoUsd::per_million(output)?,
            })
        };
        match &self.long {
            Some(long) if prompt.0 > long.above => of(
                &long.input,
                &long.cache_write_5m,
                &long.cache_write_1h,
                &long.cache_read,
                &long.output,
            ),
            _ => of(
                self.input.as_deref()?,
                self.cache_write_5m.as_deref()?,
                self.cache_write_1h.as_deref()?,
                self.cache_read.as_deref()?,
                self.output.as_deref()?,
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
            ("claude-4-5-sonnet", Some(true)),
            ("claude-4.5-haiku", Some(true)),
            ("anthropic/claude-opus-4.1", Some(false)),
            ("claude-sonnet-4.5", Some(true)),
            ("claude-instant", None),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(at_least_4_5(id), expected, "{id}");
        }
    }
}
