//! Tokens by part, on both sides.

use super::pair::{Figure, Pair, signed};
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
    /// The first is this or more.
    pub a_at_least: bool,
    /// The second is.
    pub b_at_least: bool,
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

    /// What besides the tool part moved the request.
    pub fn besides_tools(&self) -> Pair {
        self.request.less(self.tool_part)
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

/// The whole as a figure: recorded, or the sum of the known parts.
fn whole(parts: &PartSums) -> Figure {
    let known = parts.known();
    match (parts.all_recorded(), known.count().tokens) {
        (true, _) => Figure {
            number: Some(signed(parts.request())),
            ..Figure::default()
        },
        // Of several requests some may be recorded.
        (false, None) if parts.recorded.known == 0 => Figure::default(),
        (false, _) => Figure {
            number: Some(signed(parts.request())),
            at_least: known.missing > 0,
            estimated: known.is_rough(),
        },
    }
}

/// The tools' share, where the whole is known; `true` = at least this.
fn share_of(parts: &PartSums) -> Option<(f64, bool)> {
    parts.tools.count().tokens?;
    let part = parts.tool_part();
    let lacking = !parts.all_recorded() && parts.known().missing > 0;
    let share = share(signed(part.tokens), parts.request())?;
    // More than the whole, or a share of something that lacks parts, says nothing.
    (!lacking && share <= 1.0).then_some((share, part.missing > 0))
}

fn delta(a: &PartSums, b: &PartSums, a_chars: Option<u64>, b_chars: Option<u64>) -> TokensDelta {
    let residual = |parts: &PartSums| Figure {
        number: parts.all_recorded().then_some(parts.residual),
        at_least: false,
        estimated: parts.known().is_rough(),
    };
    let request = Pair::of(whole(a), whole(b));
    // A recorded whole holds what a sum of parts may lack: their difference says nothing.
    let kind = |parts: &PartSums| (parts.all_recorded(), parts.recorded.known > 0);
    let request = match kind(a) == kind(b) && kind(a) != (false, true) {
        true => request,
        false => request.apart(),
    };
    let (a_share, b_share) = (share_of(a), share_of(b));
    let signed_chars = |chars: Option<u64>| chars.and_then(|chars| i64::try_from(chars).ok());
    TokensDelta {
        tools: Pair::of(a.tools, b.tools),
        prelude: Pair::of(a.prelude, b.prelude),
        deferral: Pair::of(a.deferral, b.deferral),
        system: Pair::of(a.system, b.system),
        messages: Pair::of(a.messages, b.messages),
        frame: Pair::of(a.frame, b.frame),
        residual: Pair::of(residual(a), residual(b)),
        request,
        tool_part: Pair::of(a.tool_part(), b.tool_part()),
        share: SharePair {
            a: a_share.map(|(share, _)| share),
            b: b_share.map(|(share, _)| share),
            delta: a_share
                .zip(b_share)
                .map(|((a, _), (b, _))| four_digits(b - a)),
            a_at_least: a_share.is_some_and(|(_, at_least)| at_least),
            b_at_least: b_share.is_some_and(|(_, at_least)| at_least),
        },
        wire_chars: Pair::new(signed_chars(a_chars), signed_chars(b_chars)),
        recorded: (a.all_recorded(), b.all_recorded()),
    }
}

fn four_digits(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
