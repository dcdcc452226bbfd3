//! Main requests turn by turn, and what all of them cost.

use super::tokens::{TokensDelta, of_requests};
use super::{MoneyDelta, Pair, Side};
use crate::data::Data;
use crate::model::{PicoUsd, Role};
use crate::summary::{RequestRow, RunSummary};
use serde::Serialize;
use std::collections::BTreeMap;

/// One turn on both sides.
#[derive(Debug, Clone, Serialize)]
pub struct TurnDelta {
    /// The session, from 1, of those with main requests.
    pub session: u64,
    /// The turn in it, from 1.
    pub turn: u64,
    /// The request as a whole.
    pub request: Pair,
    /// Its parts.
    pub tokens: TokensDelta,
}

/// Main requests without a partner, as "session.turn".
#[derive(Debug, Clone, Default, Serialize)]
pub struct Unmatched {
    /// Of the base.
    pub a: Vec<String>,
    /// Of the other.
    pub b: Vec<String>,
}

/// The main requests of a run.
pub(super) fn main(run: &RunSummary) -> impl Iterator<Item = &RequestRow> {
    let rows = run.by_request.iter();
    rows.filter(|row| row.role == Role::Main)
}

/// The first main request.
pub(super) fn first_row(run: &RunSummary) -> Option<&RequestRow> {
    main(run).min_by_key(|row| row.rank)
}

/// Main requests by session and turn. Sessions are numbered by their main requests: two runs may differ in others.
fn placed(run: &RunSummary) -> BTreeMap<(u64, u64), &RequestRow> {
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    let mut turns: BTreeMap<u64, u64> = BTreeMap::new();
    let mut rows: Vec<&RequestRow> = main(run).collect();
    rows.sort_by_key(|row| row.rank);
    rows.into_iter()
        .map(|row| {
            let next = numbers.len() as u64 + 1;
            let session = *numbers.entry(row.session).or_insert(next);
            let turn = turns.entry(session).or_default();
            *turn += 1;
            ((session, *turn), row)
        })
        .collect()
}

pub(super) fn turns(a: Side<'_>, b: Side<'_>) -> (Vec<TurnDelta>, Unmatched) {
    let (a, b) = (placed(a.summary), placed(b.summary));
    let turns = a.iter().filter_map(|(place, row)| {
        let other = b.get(place)?;
        let tokens = of_requests(Some(row), Some(other));
        Some(TurnDelta {
            session: place.0,
            turn: place.1,
            request: tokens.request,
            tokens,
        })
    });
    type Placed<'r> = BTreeMap<(u64, u64), &'r RequestRow>;
    let alone = |own: &Placed<'_>, other: &Placed<'_>| {
        let alone = own.keys().filter(|place| !other.contains_key(place));
        alone
            .map(|(session, turn)| format!("{session}.{turn}"))
            .collect()
    };
    let unmatched = Unmatched {
        a: alone(&a, &b),
        b: alone(&b, &a),
    };
    (turns.collect(), unmatched)
}

/// Money of both runs; none unless usage is recorded for every main request, and every price is known.
pub(super) fn money(
    a: Side<'_>,
    b: Side<'_>,
    data: &Data,
    model: Option<&str>,
) -> Option<MoneyDelta> {
    let of = |side: Side<'_>| {
        let rows = main(side.summary).map(|row| cost(row, data, model));
        rows.sum::<Option<u128>>()
    };
    let (a, b) = (of(a)?, of(b)?);
    let sign = if b < a { "-" } else { "" };
    Some(MoneyDelta {
        a: PicoUsd(a).dollars(),
        b: PicoUsd(b).dollars(),
        delta: format!("{sign}{}", PicoUsd(a.abs_diff(b)).dollars()),
    })
}

/// What one request cost, prompt and answer.
fn cost(row: &RequestRow, data: &Data, model: Option<&str>) -> Option<u128> {
    let usage = row.usage?;
    let model = data.models.get(model.or(row.model.as_deref())?)?;
    Some(model.price(usage.prompt())?.of(usage).0)
}
