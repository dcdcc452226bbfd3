//! What a forecast reckons with, and where each number is from: a flag, the capture, or an assumption.

use super::observed::{Averages, Mean};
use super::walk::{Searches, WHOLE};
use super::{ForecastOptions, Start};
use crate::data::{Assumed, Assumptions};
use serde::Serialize;

/// Where a number is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// A flag.
    Given,
    /// The sessions of the capture.
    Recorded,
    /// Definitions and texts, by the counter.
    Counted,
    /// Nothing tells it.
    Assumed,
}

impl Basis {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Recorded => "recorded",
            Self::Counted => "counted",
            Self::Assumed => "assumed",
        }
    }
}

/// A number with where it is from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Input<T> {
    /// The number; null where nobody knows it.
    pub value: Option<T>,
    /// Where it is from.
    pub basis: Basis,
    /// More of that, in words.
    pub note: String,
}

/// What a forecast reckons with.
#[derive(Debug, Clone, Serialize)]
pub struct Inputs {
    /// Turns of a session, searches not among them.
    pub turns: Input<u64>,
    /// Tokens that the messages grow by from turn to turn.
    pub growth: Input<u64>,
    /// Tokens of an answer.
    pub output: Input<u64>,
    /// Discoveries of a session: each is a request more.
    pub discoveries: Input<u64>,
    /// Tokens of a search: its call and its result.
    pub discovery: Input<u64>,
    /// Tokens of the definitions that a search brings.
    pub definition: Input<u64>,
    /// Tokens of the answer that asks.
    pub search_output: Input<u64>,
    /// What the cache gives of what it could, as a share of one.
    pub cache_hit: Input<f64>,
    /// How long the cache keeps what is written: 5m or 1h.
    pub cache_lifetime: Input<&'static str>,
    /// Tokens of the search tool.
    pub search_tool: Input<u64>,
    /// Tokens that the API adds when tools are deferred.
    pub deferral_block: Input<u64>,
    /// The hit rate in hundredths of a percent.
    #[serde(skip)]
    pub(super) hit: u64,
}

impl<T> Input<T> {
    pub(super) fn new(value: Option<T>, basis: Basis, note: impl Into<String>) -> Self {
        Self {
            value,
            basis,
            note: note.into(),
        }
    }
}

/// A mean over the sessions, of what it is one or many.
pub(super) fn recorded(mean: Mean, one: &str, many: &str) -> Option<Input<u64>> {
    let value = mean.value()?;
    let what = if mean.of == 1 { one } else { many };
    let note = match mean.of {
        1 => format!("of 1 {what}"),
        n => format!("mean of {n} {what}"),
    };
    Some(Input::new(Some(value), Basis::Recorded, note))
}

fn given(number: u64) -> Input<u64> {
    Input::new(Some(number), Basis::Given, "by flag")
}

fn assumed(by: &Assumed) -> Input<u64> {
    Input::new(Some(by.value), Basis::Assumed, by.source.as_str())
}

/// A share with four decimals.
#[allow(
    clippy::cast_precision_loss,
    reason = "hundredths of a percent are exact"
)]
pub(super) fn of_one(hundredths: u64) -> f64 {
    hundredths.min(WHOLE) as f64 / WHOLE as f64
}

/// Settles them: flags first, then the sessions, then what is assumed.
pub(super) fn settle(
    options: &ForecastOptions<'_>,
    start: &Start,
    averages: &Averages,
    by: &Assumptions,
) -> Inputs {
    let turns = options.turns.map(given);
    let discoveries = options.discover.map(given);
    let output = recorded(averages.output, "recorded answer", "recorded answers")
        .unwrap_or_else(|| assumed(&by.output));
    let hit = options.cache_hit.or(averages.hit());
    let hit = hit.unwrap_or(by.cache_hit.value);
    let (hit_basis, hit_note) = match (options.cache_hit, averages.hit()) {
        (Some(_), _) => (Basis::Given, "by flag".to_owned()),
        (_, Some(_)) => (
            Basis::Recorded,
            "read from the cache of what the prompt before held".to_owned(),
        ),
        _ => (Basis::Assumed, by.cache_hit.source.clone()),
    };
    let discovery = recorded(averages.discovery, "recorded search", "recorded searches")
        .unwrap_or_else(|| assumed(&by.discovery));
    let asked = recorded(
        averages.search_output,
        "answer that asks a search",
        "answers that ask a search",
    );
    let search_output = asked.unwrap_or_else(|| {
        // It is the call, which a search is measured with, and no more than any answer.
        let most = output.value.zip(discovery.value).map(|(a, b)| a.min(b));
        Input::new(most, Basis::Assumed, "no more than the call and its result")
    });
    let lifetime = |hour: bool| Some(if hour { "1h" } else { "5m" });
    Inputs {
        turns: turns
            .or_else(|| {
                recorded(averages.turns, "session", "sessions")
                    .filter(|turns| turns.value > Some(0))
            })
            .unwrap_or_else(|| assumed(&by.turns)),
        growth: recorded(averages.growth, "recorded step", "recorded steps")
            .unwrap_or_else(|| assumed(&by.growth)),
        search_output,
        output,
        discoveries: discoveries.unwrap_or_else(|| start.discoveries.clone()),
        discovery,
        definition: start.definition.clone(),
        cache_hit: Input::new(Some(of_one(hit)), hit_basis, hit_note),
        cache_lifetime: match averages.hour() {
            Some(hour) => Input::new(lifetime(hour), Basis::Recorded, "most of what was written"),
            None => Input::new(
                lifetime(false),
                Basis::Assumed,
                "what the API does by default",
            ),
        },
        search_tool: start.search_tool.clone(),
        deferral_block: start.block.clone(),
        hit,
    }
}

impl Inputs {
    /// The searches of a session with so many of them; absent where the size of what they bring is not known.
    pub(super) fn searches(&self, count: u64) -> Option<Searches> {
        let call = self.discovery.value?;
        let adds = match count {
            0 => Some(0),
            _ => self.definition.value.map(|size| size.saturating_add(call)),
        };
        Some(Searches {
            count,
            adds: adds?,
            output: self.search_output.value.unwrap_or(0),
        })
    }
}
