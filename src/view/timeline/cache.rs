//! What was read from the cache against what the prefix lets one expect.

use super::prefix::{PrefixRow, PrefixState, common_start};
use super::prompt::Prompt;
use super::rule::{CacheRule, Tally};
use serde::Serialize;

/// The cache in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheRow {
    /// Tokens read, as recorded.
    pub read: Option<u64>,
    /// Tokens that the turn before left in the cache: read and written by it.
    pub left: Option<u64>,
    /// Tokens that a stable turn is expected to read.
    pub expected: Option<u64>,
    /// Tokens beyond which nothing can have been read: what is equal, with the error of its count allowed for.
    pub bound: Option<u64>,
    /// Does what was read fit? null = nobody can tell.
    pub agrees: Option<bool>,
    /// Why, in words.
    pub why: String,
    /// Of a disagreement, what is likely behind it: expired, unknown.
    pub cause: Option<&'static str>,
    /// A session with which a first turn shares its beginning.
    pub other_session: Option<u64>,
}

const MINUTES_5: i64 = 5 * 60 * 1000;
const HOUR: i64 = 60 * 60 * 1000;

/// A turn in the course of its session.
pub(super) struct Course<'p, 'a> {
    pub(super) before: Option<&'p Prompt<'a>>,
    pub(super) now: &'p Prompt<'a>,
    pub(super) prefix: &'p PrefixRow,
    /// Something was written for an hour so far.
    pub(super) for_an_hour: bool,
    /// The last main request of another session.
    pub(super) other: Option<&'p Prompt<'a>>,
}

impl Course<'_, '_> {
    /// Judges what was read.
    pub(super) fn judge(&self, rule: CacheRule) -> CacheRow {
        let usage = self.now.row.usage;
        let mut row = CacheRow {
            read: usage.and_then(|usage| usage.read()).map(|read| read.0),
            left: self.left(),
            expected: None,
            bound: None,
            agrees: None,
            why: String::new(),
            cause: None,
            other_session: None,
        };
        row.why = match (row.read, self.prefix.state) {
            (Some(read), PrefixState::First) => self.first(read, rule, &mut row),
            (Some(read), PrefixState::Stable) => match rule {
                CacheRule::Anthropic => self.stable(read, &mut row),
                CacheRule::Prefix { block, .. } => self.in_blocks(read, block, &mut row),
            },
            (Some(read), PrefixState::Broken) => self.broken(read, &mut row),
            (Some(read), PrefixState::Unknown) => {
                let reason = self.prefix.reason.as_deref().unwrap_or("not shown");
                match row.left == Some(read) {
                    true => format!("{reason}; as much was read as the turn before left"),
                    false => reason.to_owned(),
                }
            }
            (None, _) if usage.is_none() => "no usage is recorded".to_owned(),
            (None, _) => "the usage says nothing of a cache".to_owned(),
        };
        row
    }

    fn left(&self) -> Option<u64> {
        let usage = self.before?.row.usage?;
        Some((usage.read()? + usage.written()?).0)
    }

    fn first(&self, read: u64, rule: CacheRule, row: &mut CacheRow) -> String {
        let why = "the first turn of its session";
        let Some(other) = self.other.filter(|_| read > 0) else {
            return match read {
                0 => format!("{why}: nothing came before it"),
                _ => format!("{why}: another session wrote what it read, and none is here"),
            };
        };
        let session = other.row.session;
        let shares = common_start(other, self.now, rule);
        let Some((shares, equal)) = shares.and_then(|shares| Some((shares, shares.whole()?)))
        else {
            return format!("{why}, and what it shares with session {session} is not known");
        };
        row.other_session = Some(session);
        row.bound = Some(self.bound(Some(other), equal, shares));
        // What stands outside of the capture may have written more: that is no disagreement.
        row.agrees = (row.bound >= Some(read)).then_some(true);
        match row.agrees {
            Some(_) => format!("{why}: tools and system of session {session} hold as much"),
            None => {
                format!("{why}: more than it shares with session {session}; its writer is not here")
            }
        }
    }

    fn stable(&self, read: u64, row: &mut CacheRow) -> String {
        row.bound = self.prefix.kept.whole();
        let Some(left) = row.left else {
            return "what the turn before left in the cache is not recorded".to_owned();
        };
        row.expected = Some(left);
        if read == left {
            row.agrees = Some(true);
            return "as much as the turn before read and wrote".to_owned();
        }
        if read > left {
            let within = row.bound.map(|bound| read <= bound);
            row.agrees = within;
            return match within {
                Some(true) => "more than the turn before left, within the equal prefix: another request wrote it".to_owned(),
                Some(false) => {
                    row.cause = Some("unknown");
                    "more than the equal prefix holds".to_owned()
                }
                None => "more than the turn before left; how much is equal is not known".to_owned(),
            };
        }
        row.agrees = Some(false);
        let (cause, words) = self.missing();
        row.cause = Some(cause);
        format!("less than the turn before left: {words}")
    }

    /// What likely became of an entry that was not read.
    fn missing(&self) -> (&'static str, String) {
        let Some(gap) = self.gap() else {
            return (
                "unknown",
                "times are not recorded, so that it may have expired".to_owned(),
            );
        };
        let minutes = gap / 60_000;
        if gap > HOUR {
            let words = format!("{minutes} minutes passed, and no entry lives over an hour unused");
            return ("expired", words);
        }
        if gap > MINUTES_5 && !self.for_an_hour {
            let words = format!("{minutes} minutes passed, and entries live 5 minutes unused");
            return ("expired", words);
        }
        let words = format!(
            "the cause is unknown, {} seconds lie between them",
            gap / 1000
        );
        ("unknown", words)
    }

    /// Milliseconds since the turn before.
    pub(super) fn gap(&self) -> Option<i64> {
        let before = self.before?.row.time?;
        let gap = self.now.row.time?.checked_sub(before)?;
        (gap >= 0).then_some(gap)
    }

    /// A plain prefix cache keeps what was sent, whether somebody marked it or not.
    fn in_blocks(&self, read: u64, block: u64, row: &mut CacheRow) -> String {
        let Some(kept) = self.prefix.kept.whole() else {
            return "how much is equal is not known".to_owned();
        };
        let bound = self.bound(self.before, kept, self.prefix.kept);
        (row.expected, row.bound) = (Some(kept), Some(bound));
        let least = kept.saturating_sub(bound - kept).saturating_sub(block);
        let agrees = (least..=bound).contains(&read);
        row.agrees = Some(agrees);
        if agrees {
            return "as much as is equal, within the error of counts".to_owned();
        }
        row.cause = Some("unknown");
        match read > bound {
            true => "more than the equal prefix holds".to_owned(),
            false => "less than is equal: entries were dropped, or blocks are larger".to_owned(),
        }
    }

    fn broken(&self, read: u64, row: &mut CacheRow) -> String {
        let Some(equal) = self.prefix.kept.tokens else {
            return "how much is equal is not known".to_owned();
        };
        let bound = self.bound(self.before, equal, self.prefix.kept);
        row.bound = Some(bound).filter(|_| !self.prefix.kept.at_least);
        if read <= bound {
            row.agrees = Some(true);
            return "within what is equal".to_owned();
        }
        if row.bound.is_none() {
            return "what is equal is not known to the end".to_owned();
        }
        row.agrees = Some(false);
        row.cause = Some("unknown");
        "more than is equal with the turn before: an older request may have begun alike".to_owned()
    }

    /// So many equal tokens, with what counting may have missed: the frames of shared messages, a share for the
    /// counter, and the residual. An error in what is equal stands in the residuals of both requests.
    fn bound(&self, other: Option<&Prompt<'_>>, equal: u64, sure: Tally) -> u64 {
        let prompts = other.into_iter().chain([self.now]);
        let recorded = prompts.filter(|prompt| prompt.row.parts.all_recorded());
        let missed = recorded.map(|prompt| prompt.row.parts.residual.unsigned_abs());
        let missed = missed.min().unwrap_or(0);
        let share = if sure.by_thumb {
            equal / 3
        } else {
            equal / 100
        };
        let frames = 8 * self.prefix.kept_messages.unwrap_or(0) + 16;
        let slack = missed.saturating_add(share).saturating_add(frames);
        let most = self.now.whole.whole().unwrap_or(u64::MAX);
        equal.saturating_add(slack).min(most.max(equal))
    }
}
