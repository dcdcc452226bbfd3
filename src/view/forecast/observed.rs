//! What recorded sessions tell of sessions to come: how long they are, how they grow, what is searched and read.

use super::walk::WHOLE;
use crate::model::{Role, Usage};
use crate::summary::{RequestRow, RunSummary, TurnRow};
use std::collections::{BTreeMap, BTreeSet};

/// A session of a run.
pub(super) struct Session<'s> {
    /// Its number.
    pub(super) number: u64,
    /// Its main requests, in order.
    pub(super) steps: Vec<Step<'s>>,
}

/// A main request in its session.
pub(super) struct Step<'s> {
    pub(super) row: &'s RequestRow,
    pub(super) turn: &'s TurnRow,
    /// Names of tools that were discovered since the step before.
    pub(super) new: Vec<&'s str>,
    /// Tokens that searches added since the step before; absent where some are not known.
    pub(super) searched: Option<u64>,
    /// What it holds beside tools, less the same of the step before; absent where the two are not alike.
    pub(super) growth: Option<i128>,
}

impl Step<'_> {
    /// It exists for a search alone.
    pub(super) fn is_search(&self) -> bool {
        self.turn.answers_search
    }

    /// Tokens of the prompt: recorded, else its parts where all are known.
    pub(super) fn prompt(&self) -> Option<u64> {
        let parts = &self.row.parts;
        let known = parts.all_recorded() || parts.known().missing == 0;
        known.then(|| parts.request().0)
    }

    pub(super) fn usage(&self) -> Option<Usage> {
        self.row.usage
    }
}

/// The sessions of a run with their main requests.
pub(super) fn sessions(summary: &RunSummary) -> Vec<Session<'_>> {
    let rows: BTreeMap<u64, &RequestRow> = summary
        .by_request
        .iter()
        .map(|row| (row.rank, row))
        .collect();
    let mut sessions: BTreeMap<u64, (Session<'_>, BTreeSet<&str>)> = BTreeMap::new();
    let main = summary
        .by_turn
        .iter()
        .filter(|turn| turn.role == Role::Main);
    for turn in main {
        let Some(&row) = rows.get(&turn.rank) else {
            continue;
        };
        let (session, known) = sessions.entry(turn.session).or_insert_with(|| {
            let session = Session {
                number: turn.session,
                steps: Vec::new(),
            };
            (session, BTreeSet::new())
        });
        let before = session.steps.last();
        let names = turn.found.iter().map(|found| &*found.name);
        let new: Vec<&str> = names.filter(|name| known.insert(name)).collect();
        let step = Step {
            row,
            turn,
            // What the first request of a session has was discovered in another.
            new: if before.is_some() { new } else { Vec::new() },
            searched: before.and_then(|before| searched(before.turn, turn)),
            growth: before.and_then(|before| growth(before, row, turn)),
        };
        session.steps.push(step);
    }
    sessions.into_values().map(|(session, _)| session).collect()
}

/// Tokens of calls, results and references beyond definitions that the second holds more than the first.
fn searched(before: &TurnRow, now: &TurnRow) -> Option<u64> {
    let of = |turn: &TurnRow| {
        let sum = turn.savings.calls.merge(turn.savings.extras);
        (sum.missing == 0).then_some(sum.tokens.0)
    };
    of(now)?.checked_sub(of(before)?)
}

/// What the rest of a request grew by: all but what is paid for tools. Parts that nobody knows stand on both sides.
fn growth(before: &Step<'_>, row: &RequestRow, turn: &TurnRow) -> Option<i128> {
    let (a, b) = (&before.row.parts, &row.parts);
    let alike = match (a.all_recorded(), b.all_recorded()) {
        (true, true) => true,
        (false, false) => a.known().missing == b.known().missing,
        _ => false,
    };
    let (paid_a, paid_b) = (before.turn.savings.as_sent(), turn.savings.as_sent());
    let rest = |whole: u64, paid: u64| i128::from(whole) - i128::from(paid);
    (alike && paid_a.missing == paid_b.missing)
        .then(|| rest(b.request().0, paid_b.tokens.0) - rest(a.request().0, paid_a.tokens.0))
}

/// A sum and how many it is of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    sum: u128,
    pub(super) of: u64,
}

impl Mean {
    fn add(&mut self, number: u64) {
        self.sum = self.sum.saturating_add(u128::from(number));
        self.of += 1;
    }

    /// Without those that it was made of among others.
    fn less(self, own: Self) -> Self {
        Self {
            sum: self.sum.saturating_sub(own.sum),
            of: self.of.saturating_sub(own.of),
        }
    }

    /// The mean, rounded; absent of nothing.
    pub(super) fn value(self) -> Option<u64> {
        let of = u128::from(self.of);
        let half = of / 2;
        (of > 0).then(|| u64::try_from((self.sum + half) / of).unwrap_or(u64::MAX))
    }
}

/// What sessions have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Averages {
    /// Turns a session, searches left out.
    pub(super) turns: Mean,
    /// Growth a turn. Steps that shrink are compactions, and left out.
    pub(super) growth: Mean,
    /// Tokens of an answer.
    pub(super) output: Mean,
    /// Tokens of an answer that asks a search and nothing else.
    pub(super) search_output: Mean,
    /// Searches a session that found something new.
    pub(super) discoveries: Mean,
    /// Tokens of a search: call, result, references.
    pub(super) discovery: Mean,
    /// Tokens of the definitions that a search brought.
    pub(super) definition: Mean,
    /// Tokens read from a cache, and those that could have been.
    read: (u128, u128),
    /// Tokens written to a cache, and of these for an hour.
    written: (u128, u128),
}

impl Averages {
    /// Of these sessions. What is shorter than `least` could not be read from a cache.
    pub(super) fn of<'a>(sessions: impl Iterator<Item = &'a Session<'a>>, least: u64) -> Self {
        let mut all = Self::default();
        for session in sessions {
            all.add(session, least);
        }
        all
    }

    /// Those of the sessions without one.
    pub(super) fn without(&self, session: &Session<'_>, least: u64) -> Self {
        let own = Self::of(std::iter::once(session), least);
        let less = |(a, b): (u128, u128), (c, d)| (a.saturating_sub(c), b.saturating_sub(d));
        Self {
            turns: self.turns.less(own.turns),
            growth: self.growth.less(own.growth),
            output: self.output.less(own.output),
            search_output: self.search_output.less(own.search_output),
            discoveries: self.discoveries.less(own.discoveries),
            discovery: self.discovery.less(own.discovery),
            definition: self.definition.less(own.definition),
            read: less(self.read, own.read),
            written: less(self.written, own.written),
        }
    }

    fn add(&mut self, session: &Session<'_>, least: u64) {
        let steps = &session.steps;
        let turns = steps.iter().filter(|step| !step.is_search()).count();
        self.turns.add(turns as u64);
        let found = steps.iter().filter(|step| !step.new.is_empty());
        self.discoveries.add(found.clone().count() as u64);
        for step in found {
            if let Some(searched) = step.searched {
                self.discovery.add(searched);
            }
            let sizes = step.turn.found.iter();
            let sizes = sizes.filter(|found| step.new.contains(&&*found.name));
            let size: Option<u64> = sizes.map(|found| found.size.tokens.map(|t| t.0)).sum();
            if let Some(size) = size {
                self.definition.add(size);
            }
        }
        let mut left: u64 = 0;
        for step in steps.iter().skip(1) {
            let Some(grown) = step.growth.and_then(|grown| u64::try_from(grown).ok()) else {
                continue;
            };
            // What a search turn grew by beside the search belongs to the turn that it serves.
            match step.is_search() {
                true => left = grown.saturating_add(left),
                false => self
                    .growth
                    .add(grown.saturating_add(std::mem::take(&mut left))),
            }
        }
        for (at, step) in steps.iter().enumerate() {
            let Some(usage) = step.usage() else { continue };
            let asks = steps.get(at + 1).is_some_and(Step::is_search);
            if usage.output.0 > 0 {
                match asks {
                    true => self.search_output.add(usage.output.0),
                    false => self.output.add(usage.output.0),
                }
            }
            self.written.0 += u128::from(usage.cache_write.0);
            self.written.1 += u128::from(usage.cache_write_1h.0);
            let before = at.checked_sub(1).and_then(|before| steps[before].usage());
            let before = before.map(|before| before.prompt().0);
            if let Some(before) = before.filter(|before| *before >= least) {
                let could = before.min(usage.prompt().0);
                self.read.0 += u128::from(usage.cache_read.0.min(could));
                self.read.1 += u128::from(could);
            }
        }
    }

    /// What was read of what could be, in hundredths of a percent; absent where no cache was used.
    pub(super) fn hit(&self) -> Option<u64> {
        let used = self.written.0 > 0 || self.read.0 > 0;
        let (read, could) = self.read;
        let share = (read * u128::from(WHOLE) + could / 2).checked_div(could)?;
        used.then(|| u64::try_from(share).unwrap_or(WHOLE))
    }

    /// Was most of it written for an hour? Absent where nothing was written.
    pub(super) fn hour(&self) -> Option<bool> {
        let (all, hour) = self.written;
        (all > 0).then_some(hour * 2 > all)
    }
}
