//! Tokens by part, on both sides.

use super::pair::{Pair, signed};
use crate::audit::PartSums;
use crate::savings::share;
use crate::summary::{RequestRow, RunSummary};
use serde::Serialize;

/// `TOKENS` on both sides: the deltas of the parts and of the residual sum to the delta of the request where every
/// part is known.
#[derive(Debug, Clone, Serialize)]
pub struct TokensDelta {
    /// Loaded definitions.
    pub tools: Pair,
    /// The tool-use prompt.
    pub prelude: Pair,
    /// What the API adds when tools are deferred.
    pub deferral: Pair,
    /// The system prompt.
    pub system: Pair,
    /// Messages.
    pub messages: Pair,
    /// Frames of messages.
    pub frame: Pair,
    /// Recorded less the known parts.
    pub residual: Pair,
    /// Recorded where recorded, else the known parts.
    pub request: Pair,
    /// Tools, prelude and deferral block together.
    pub tool_part: Pair,
    /// The tool part over the request.
    pub share: SharePair,
    /// Characters of the compact JSON of loaded and discovered definitions.
    pub wire_chars: Pair,
    /// The wholes were recorded.
    pub recorded: (bool, bool),
}

/// A share on both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SharePair {
    /// Of the base.
    pub a: Option<f64>,
    /// Of the other.
    pub b: Option<f64>,
    /// The second less the first, as a share of one.
    pub delta: Option<f64>,
}

impl TokensDelta {
    /// The parts with their names, the residual last.
    pub fn named(&self) -> [(&'static str, Pair); 7] {
        [
            ("tools", self.tools),
            ("prelude", self.prelude),
            ("deferral", self.deferral),
            ("system", self.system),
            ("messages", self.messages),
            ("frame", self.frame),
            ("residual", self.residual),
        ]
    }

    /// What besides the tool part moved the request; unknown where the request or the tool part is.
    pub fn besides_tools(&self) -> Option<i64> {
        Some(self.request.delta? - self.tool_part.delta?)
    }
}

pub(super) fn of_requests(a: Option<&RequestRow>, b: Option<&RequestRow>) -> TokensDelta {
    let none = PartSums::default();
    let parts =
        |row: Option<&RequestRow>| row.map_or_else(|| none.clone(), |row| row.parts.clone());
    let chars = |row: Option<&RequestRow>| row.and_then(|row| row.wire_chars);
    delta(&parts(a), &parts(b), chars(a), chars(b))
}

pub(super) fn of_runs(a: &RunSummary, b: &RunSummary) -> TokensDelta {
    let chars = |run: &RunSummary| {
        let main = super::turns::main(run);
        main.map(|row| row.wire_chars).sum::<Option<u64>>()
    };
    delta(&a.total, &b.total, chars(a), chars(b))
}

fn delta(a: &PartSums, b: &PartSums, a_chars: Option<u64>, b_chars: Option<u64>) -> TokensDelta {
    let residual = |parts: &PartSums| parts.all_recorded().then_some(parts.residual);
    let lacking = |parts: &PartSums| !parts.all_recorded() && parts.known().missing > 0;
    let rough = |parts: &PartSums| !parts.all_recorded() && parts.known().is_rough();
    let request = Pair {
        a_at_least: lacking(a),
        b_at_least: lacking(b),
        rough: rough(a) || rough(b),
        ..Pair::new(Some(signed(a.request())), Some(signed(b.request())))
    };
    let of = |parts: &PartSums| {
        let tools = parts.tools.count().tokens?;
        let _ = tools;
        share(signed(parts.tool_part().tokens), parts.request())
    };
    let (a_share, b_share) = (of(a), of(b));
    let signed_chars = |chars: Option<u64>| chars.and_then(|chars| i64::try_from(chars).ok());
    TokensDelta {
        tools: Pair::of(a.tools, b.tools),
        prelude: Pair::of(a.prelude, b.prelude),
        deferral: Pair::of(a.deferral, b.deferral),
        system: Pair::of(a.system, b.system),
        messages: Pair::of(a.messages, b.messages),
        frame: Pair::of(a.frame, b.frame),
        residual: Pair {
            rough: a.known().is_rough() || b.known().is_rough(),
            ..Pair::new(residual(a), residual(b))
        },
        request,
        tool_part: Pair::of(a.tool_part(), b.tool_part()),
        share: SharePair {
            a: a_share,
            b: b_share,
            delta: a_share.zip(b_share).map(|(a, b)| four_digits(b - a)),
        },
        wire_chars: Pair::new(signed_chars(a_chars), signed_chars(b_chars)),
        recorded: (a.all_recorded(), b.all_recorded()),
    }
}

fn four_digits(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
