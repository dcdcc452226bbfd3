//! Limits of growth between two runs.

use super::{Other, Pair};
use serde::Serialize;

/// Keys that may be limited.
pub const GROWTH_KEYS: [&str; 10] = [
    "tools",
    "prelude",
    "deferral",
    "system",
    "messages",
    "frame",
    "residual",
    "request",
    "tool_part",
    "wire_chars",
];

/// How much a number may grow.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// One of [`GROWTH_KEYS`].
    pub key: &'static str,
    /// The most.
    pub most: Grown,
}

/// By how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grown {
    /// A share of the base.
    Share(f64),
    /// A number.
    Number(u64),
}

/// How a limit came out for a run.
#[derive(Debug, Clone, Serialize)]
pub struct GrowthRow {
    /// The run.
    pub run: String,
    /// What was limited.
    pub key: &'static str,
    /// The limit as it was given.
    pub limit: f64,
    /// `share` of the base, or `number`.
    pub unit: &'static str,
    /// By how much it grew, in the same unit; null = not known.
    pub grown: Option<f64>,
    /// The numbers.
    pub pair: Pair,
    /// passed, failed, undecided.
    pub status: &'static str,
}

impl Growth {
    /// Held against a run.
    pub(super) fn row(&self, other: &Other) -> GrowthRow {
        let tokens = &other.tokens;
        let pair = match self.key {
            "request" => tokens.request,
            "tool_part" => tokens.tool_part,
            "wire_chars" => tokens.wire_chars,
            key => tokens
                .named()
                .into_iter()
                .find(|(name, _)| *name == key)
                .map_or_else(Pair::default, |(_, pair)| pair),
        };
        let (limit, unit, grown) = match self.most {
            Grown::Share(share) => (share, "share", grown_share(pair)),
            Grown::Number(number) => (float(number), "number", pair.delta.map(signed_float)),
        };
        // What lacks parts bounds the growth on one side, or on none.
        let status = match (grown, pair.a_at_least, pair.b_at_least) {
            (Some(grown), _, false) if grown <= limit => "passed",
            (Some(grown), false, _) if grown > limit => "failed",
            _ => "undecided",
        };
        GrowthRow {
            run: other.run.clone(),
            key: self.key,
            limit,
            unit,
            grown: grown.filter(|grown| grown.is_finite()),
            pair,
            status,
        }
    }
}

/// From nothing to something is growth without end.
fn grown_share(pair: Pair) -> Option<f64> {
    let (a, delta) = (pair.a?, pair.delta?);
    Some(match (a, delta) {
        (_, 0) => 0.0,
        (0, delta) if delta > 0 => f64::INFINITY,
        (a, delta) => signed_float(delta) / signed_float(a.abs().max(1)),
    })
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
fn signed_float(number: i64) -> f64 {
    number as f64
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
fn float(number: u64) -> f64 {
    number as f64
}
