//! Turns as rows: what changed in each since the main request before.

use super::cache::CacheRow;
use super::prefix::PrefixRow;
use super::prompt::Prompt;
use super::rule::Tally;
use crate::model::Announcement;
use crate::summary::TurnRow;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One turn.
#[derive(Debug, Clone, Serialize)]
pub struct TimelineTurn {
    /// Which main request of its session it is, from 1.
    pub turn: Option<u64>,
    /// The file.
    pub path: String,
    /// The place in it.
    pub place: String,
    /// The model.
    pub model: Option<String>,
    /// Seconds since the turn before, where both times are known.
    pub gap_seconds: Option<u64>,
    /// It holds the same messages as the turn before.
    pub repeats: bool,
    /// It answers a search, and nothing else.
    pub answers_search: bool,
    /// Tools by state.
    pub tools: ToolCounts,
    /// Tools that were not discovered in the turn before.
    pub discoveries: Vec<DiscoveryRow>,
    /// Announcements that the turn before did not hold.
    pub announcements: Vec<AnnouncementRow>,
    /// Tokens by part.
    pub parts: PartTokens,
    /// The whole prompt.
    pub prompt: Tally,
    /// Messages.
    pub messages: Option<u64>,
    /// Usage as recorded.
    pub usage: Option<CacheUsage>,
    /// What the client mended, in words; what the turn before tells, too, is left out.
    pub repairs: Vec<String>,
    /// The prompt against the one before.
    pub prefix: PrefixRow,
    /// What was read against what that lets one expect.
    pub cache: CacheRow,
}

/// Tools by state; null where the request does not show them.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ToolCounts {
    /// Definitions in the list that count.
    pub loaded: Option<u64>,
    /// Definitions held back.
    pub deferred: Option<u64>,
    /// Definitions that a discovery brought.
    pub discovered: Option<u64>,
    /// Names alone.
    pub announced: Option<u64>,
}

/// A tool that was discovered.
#[derive(Debug, Clone, Serialize)]
pub struct DiscoveryRow {
    /// Its name.
    pub name: String,
    /// How: search, snapshot, sent and so on.
    pub how: &'static str,
    /// Tokens of its definition.
    pub size: Tally,
}

/// An announcement.
#[derive(Debug, Clone, Serialize)]
pub struct AnnouncementRow {
    /// prepended, reminder, system-message.
    pub channel: &'static str,
    /// The names.
    pub names: Vec<String>,
    /// Names that it takes back.
    pub removed: Vec<String>,
    /// Servers that are still connecting.
    pub pending: Vec<String>,
    /// Tokens of its text.
    pub tokens: Tally,
}

/// Tokens of a prompt by part; null = nobody knows.
#[derive(Debug, Clone, Serialize)]
pub struct PartTokens {
    /// Loaded definitions.
    pub tools: Option<u64>,
    /// The tool-use prompt.
    pub prelude: Option<u64>,
    /// What the API adds when tools are deferred.
    pub deferral: Option<u64>,
    /// The system prompt.
    pub system: Option<u64>,
    /// Messages, discovered definitions among them.
    pub messages: Option<u64>,
    /// Frames of messages.
    pub frame: Option<u64>,
    /// Recorded less these.
    pub residual: Option<i64>,
    /// Parts that are unknown, or lack something.
    pub unknown_parts: Vec<&'static str>,
}

/// Recorded usage; null where the record does not say it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CacheUsage {
    /// Tokens read from a cache.
    pub read: Option<u64>,
    /// Tokens written to one.
    pub written: Option<u64>,
    /// Of these, for one hour.
    pub written_1h: Option<u64>,
    /// Tokens neither read nor written.
    pub uncached: u64,
    /// Tokens of the answer.
    pub output: u64,
}

pub(super) fn usage(prompt: &Prompt<'_>) -> Option<CacheUsage> {
    let usage = prompt.row.usage?;
    let written = usage.written();
    Some(CacheUsage {
        read: usage.read().map(|read| read.0),
        written: written.map(|written| written.0),
        written_1h: written.map(|_| usage.cache_write_1h.0),
        uncached: usage.input.0,
        output: usage.output.0,
    })
}

/// The row of a turn.
pub(super) fn row(
    before: Option<&Prompt<'_>>,
    now: &Prompt<'_>,
    prefix: PrefixRow,
    cache: CacheRow,
    gap: Option<i64>,
) -> TimelineTurn {
    let turn = now.turn;
    let then = before.and_then(|before| before.turn);
    TimelineTurn {
        turn: now.row.turn,
        path: now.row.path.to_string(),
        place: now.row.place.clone(),
        model: now.row.model.as_ref().map(ToString::to_string),
        gap_seconds: gap.and_then(|gap| u64::try_from(gap / 1000).ok()),
        repeats: turn.is_some_and(|turn| turn.repeats),
        answers_search: turn.is_some_and(|turn| turn.answers_search),
        tools: turn.map_or_else(ToolCounts::default, tool_counts),
        discoveries: turn.map_or_else(Vec::new, |turn| discoveries(then, turn)),
        announcements: turn.map_or_else(Vec::new, |turn| announcements(then, turn)),
        parts: parts(now),
        prompt: now.whole,
        messages: turn.map(|turn| turn.messages),
        usage: usage(now),
        repairs: turn.map_or_else(Vec::new, |turn| repairs(then, turn)),
        prefix,
        cache,
    }
}

fn tool_counts(turn: &TurnRow) -> ToolCounts {
    let [loaded, deferred, discovered, announced] = turn.states;
    // Of a list that is not shown, what the rest of the request tells is all there is.
    let listed = |number| turn.list.as_ref().map(|_| number);
    let told = |number: u64| (turn.list.is_some() || number > 0).then_some(number);
    ToolCounts {
        loaded: listed(loaded),
        deferred: listed(deferred),
        discovered: told(discovered),
        announced: told(announced),
    }
}

fn discoveries(then: Option<&TurnRow>, turn: &TurnRow) -> Vec<DiscoveryRow> {
    let known: BTreeSet<&str> = then
        .into_iter()
        .flat_map(|then| &then.found)
        .map(|found| &*found.name)
        .collect();
    let new = turn
        .found
        .iter()
        .filter(|found| !known.contains(&*found.name));
    new.map(|found| DiscoveryRow {
        name: found.name.to_string(),
        how: found.how,
        size: found.size.into(),
    })
    .collect()
}

/// Those that the turn before did not hold. One that is renewed in each request is one.
fn announcements(then: Option<&TurnRow>, turn: &TurnRow) -> Vec<AnnouncementRow> {
    let key = |own: &Arc<Announcement>| {
        let Announcement {
            channel,
            names,
            removed,
            pending,
            ..
        } = &**own;
        (*channel, names.clone(), removed.clone(), pending.clone())
    };
    let mut known: BTreeMap<_, u64> = BTreeMap::new();
    for own in then.into_iter().flat_map(|then| &then.announcements) {
        *known.entry(key(own)).or_default() += 1;
    }
    let new = turn.announcements.iter().filter(|own| {
        // One that was made twice and is there three times is new once.
        let left = known.get_mut(&key(own)).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_none()
    });
    let names = |names: &[Arc<str>]| names.iter().map(ToString::to_string).collect();
    new.map(|own| AnnouncementRow {
        channel: own.channel.word(),
        names: names(&own.names),
        removed: names(&own.removed),
        pending: names(&own.pending),
        tokens: own.tokens.into(),
    })
    .collect()
}

fn repairs(then: Option<&TurnRow>, turn: &TurnRow) -> Vec<String> {
    let known = then.map_or(&[][..], |then| &then.repairs);
    let new = turn.repairs.iter().filter(|own| !known.contains(own));
    new.cloned().collect()
}

fn parts(prompt: &Prompt<'_>) -> PartTokens {
    let sums = &prompt.row.parts;
    let known = |sum: crate::model::Sum| sum.count().tokens.map(|tokens| tokens.0);
    let unknown = sums.named().into_iter().filter(|(_, sum)| sum.missing > 0);
    PartTokens {
        tools: known(sums.tools),
        prelude: known(sums.prelude),
        deferral: known(sums.deferral),
        system: known(sums.system),
        messages: known(sums.messages),
        frame: known(sums.frame),
        residual: (sums.recorded.known > 0).then_some(sums.residual),
        unknown_parts: unknown.map(|(name, _)| name).collect(),
    }
}
