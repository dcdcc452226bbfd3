//! A session of a run, turn by turn, and its sums.

use super::cache::Course;
use super::compactions::TimelineCompaction;
use super::prefix::{self, PrefixRow, PrefixState};
use super::prompt::Prompt;
use super::rule::{CacheRule, Tally};
use super::turns::{self, TimelineTurn};
use crate::model::Role;
use crate::summary::{RequestRow, RunSummary, TurnRow};
use serde::Serialize;
use std::collections::BTreeMap;

/// A session.
#[derive(Debug, Clone, Serialize)]
pub struct TimelineSession {
    /// Its run.
    pub run: String,
    /// Its number in the run, from 1.
    pub session: u64,
    /// Its main requests, in order.
    pub turns: Vec<TimelineTurn>,
    /// Compactions, in order.
    pub compactions: Vec<TimelineCompaction>,
    /// Its sums.
    pub totals: TimelineTotals,
}

/// Sums of a session.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TimelineTotals {
    /// Turns whose prefix stayed equal.
    pub stable: u64,
    /// Turns whose prefix broke.
    pub broken: u64,
    /// Turns of which nobody can tell.
    pub unknown: u64,
    /// Tokens that were read again.
    pub reread: Tally,
    /// Tokens read from a cache, of turns that say it; null where none does.
    pub read: Option<u64>,
    /// Tokens written to one.
    pub written: Option<u64>,
    /// Turns whose usage says nothing of a cache, or that have none.
    pub without_cache_usage: u64,
    /// Turns that read just what the turn before left in the cache, whatever is known of the prefix.
    pub as_left: u64,
    /// Turns of which both are recorded.
    pub with_left: u64,
    /// Turns in which what was read fits.
    pub agree: u64,
    /// Turns in which it does not.
    pub disagree: u64,
}

/// What is carried from one turn of a session to the next.
#[derive(Default)]
struct Open<'a> {
    session: Option<TimelineSession>,
    before: Option<Prompt<'a>>,
    /// Something was written to the cache for an hour.
    for_an_hour: bool,
}

/// The sessions of a run that have a main request, by their first one.
pub(super) fn sessions(run: &str, summary: &RunSummary, rule: CacheRule) -> Vec<TimelineSession> {
    let turns: BTreeMap<u64, &TurnRow> =
        summary.by_turn.iter().map(|row| (row.rank, row)).collect();
    let mut open: BTreeMap<u64, Open<'_>> = BTreeMap::new();
    // The last main requests of the two sessions that spoke last: one of them is another's.
    let mut last: Vec<Prompt<'_>> = Vec::new();
    for row in &summary.by_request {
        let turn = turns.get(&row.rank).copied();
        let entry = open.entry(row.session).or_default();
        let session = entry.session.get_or_insert_with(|| TimelineSession {
            run: run.to_owned(),
            session: row.session,
            turns: Vec::new(),
            compactions: Vec::new(),
            totals: TimelineTotals {
                reread: Tally::NOTHING,
                ..TimelineTotals::default()
            },
        });
        match row.role {
            Role::Side("compaction") => session.compactions.push(asked(row, rule)),
            Role::Main => {
                let now = Prompt::new(row, turn, rule);
                compactions(session, row, turn);
                let other = last.iter().rev().find(|of| of.row.session != row.session);
                let added = follow(entry, &now, other, rule);
                if let Some(session) = &mut entry.session {
                    session.totals.add(&added);
                    session.turns.push(added);
                }
                entry.before = Some(now.clone());
                last.retain(|of| of.row.session != row.session);
                last.push(now);
                if last.len() > 2 {
                    last.remove(0);
                }
            }
            Role::Side(_) | Role::Subagent => {}
        }
    }
    let all = open.into_values().filter_map(|open| open.session);
    all.filter(|session| !session.turns.is_empty()).collect()
}

/// One turn more.
fn follow(
    open: &mut Open<'_>,
    now: &Prompt<'_>,
    other: Option<&Prompt<'_>>,
    rule: CacheRule,
) -> TimelineTurn {
    let before = open.before.as_ref();
    let next = |before: &Prompt<'_>| before.row.turn.map(|turn| turn + 1) == now.row.turn;
    let prefix = match before {
        Some(before) if next(before) => prefix::compare(before, now, rule),
        None if now.row.turn.is_none_or(|turn| turn == 1) => {
            PrefixRow::of(PrefixState::First, None)
        }
        _ => PrefixRow::of(
            PrefixState::Unknown,
            Some("the turn before it is not among these: see --since and --until"),
        ),
    };
    let before = before.filter(|before| next(before));
    let course = Course {
        before,
        now,
        prefix: &prefix,
        for_an_hour: open.for_an_hour,
        other,
    };
    let (cache, gap) = (course.judge(rule), course.gap());
    let row = turns::row(before, now, prefix, cache, gap);
    let usage = now.row.usage;
    open.for_an_hour |= usage.is_some_and(|usage| usage.cache_write_1h.0 > 0);
    row
}

/// A request that asks for a summary; which turn follows is told by that turn.
fn asked(row: &RequestRow, rule: CacheRule) -> TimelineCompaction {
    let prompt = Prompt::new(row, None, rule);
    TimelineCompaction {
        kind: "request",
        before_turn: None,
        path: row.path.to_string(),
        place: row.place.clone(),
        trigger: None,
        tokens_before: prompt.whole.tokens,
        tokens_after: None,
        kept: None,
        usage: turns::usage(&prompt),
    }
}

/// Compactions that this turn follows.
fn compactions(session: &mut TimelineSession, row: &RequestRow, turn: Option<&TurnRow>) {
    for asked in &mut session.compactions {
        asked.before_turn = asked.before_turn.or(row.turn);
    }
    let told = turn.into_iter().flat_map(|turn| &turn.boundaries);
    let told = told.map(|own| TimelineCompaction::boundary(own, &row.path, row.turn));
    session.compactions.extend(told);
}

impl TimelineTotals {
    fn add(&mut self, turn: &TimelineTurn) {
        match turn.prefix.state {
            PrefixState::First => {}
            PrefixState::Stable => self.stable += 1,
            PrefixState::Broken => self.broken += 1,
            PrefixState::Unknown => self.unknown += 1,
        }
        if turn.prefix.state != PrefixState::First {
            let again = turn.prefix.reread;
            let sum = self.reread.tokens.unwrap_or(0);
            let sum = sum.saturating_add(again.tokens.unwrap_or(0));
            let at_least = self.reread.at_least || again.whole().is_none();
            self.reread = Tally {
                // A lower bound of nothing says nothing.
                tokens: Some(sum).filter(|sum| *sum > 0 || !at_least),
                at_least,
                estimated: self.reread.estimated || again.estimated,
                ..Tally::NOTHING
            };
        }
        let read = turn.usage.and_then(|usage| usage.read);
        let written = turn.usage.and_then(|usage| usage.written);
        for (sum, told) in [(&mut self.read, read), (&mut self.written, written)] {
            if let Some(told) = told {
                *sum = Some(sum.unwrap_or(0).saturating_add(told));
            }
        }
        self.without_cache_usage += u64::from(read.is_none());
        let left = turn.cache.left.filter(|_| read.is_some());
        self.with_left += u64::from(left.is_some());
        self.as_left += u64::from(left.is_some() && left == read);
        match turn.cache.agrees {
            Some(true) => self.agree += 1,
            Some(false) => self.disagree += 1,
            None => {}
        }
    }
}
