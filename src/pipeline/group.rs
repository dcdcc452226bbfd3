//! Runs by what `--group-by` found, and the time window.

use super::shuffle::Shuffled;
use crate::session::Turn;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The run of requests whose record holds nothing at the pointer.
const NONE: &str = "(none)";

/// Milliseconds since 1970: from the first on, up to but without the second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeWindow {
    /// From this moment on.
    pub since: Option<i64>,
    /// Before this moment.
    pub until: Option<i64>,
}

impl TimeWindow {
    /// Does it leave nothing out?
    pub fn is_open(self) -> bool {
        self == Self::default()
    }

    /// Is a moment in it? A request without a time is in no window that is not open.
    pub(super) fn holds(self, time: Option<i64>) -> bool {
        self.is_open()
            || time.is_some_and(|time| {
                self.since.is_none_or(|since| time >= since)
                    && self.until.is_none_or(|until| time < until)
            })
    }
}

/// Turns by group, each in the order it had. Values that look like ids are numbered in the order they are met.
/// A transcript goes with the first of its calls.
pub(super) fn by_group(shuffled: Shuffled) -> Vec<(Arc<str>, Shuffled)> {
    let Shuffled { turns, transcripts } = shuffled;
    let mut numbers: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let mut groups: BTreeMap<Arc<str>, Vec<Turn>> = BTreeMap::new();
    for turn in turns {
        let value = turn
            .exchange
            .request()
            .and_then(|request| request.group.clone());
        let name: Arc<str> = match value {
            None => Arc::from(NONE),
            Some(value) if looks_like_an_id(&value) => {
                let next = numbers.len() + 1;
                let number = *numbers.entry(value).or_insert(next);
                Arc::from(format!("group {number}"))
            }
            Some(value) => value,
        };
        groups.entry(name).or_default().push(turn);
    }
    let mut groups: BTreeMap<Arc<str>, Shuffled> = groups
        .into_iter()
        .map(|(name, turns)| {
            let transcripts = Vec::new();
            (name, Shuffled { turns, transcripts })
        })
        .collect();
    for transcript in transcripts {
        let path = &transcript.origin.path;
        let tells = |group: &Shuffled| {
            let mut turns = group.turns.iter();
            turns.any(|turn| turn.exchange.origin().path == *path)
        };
        let name = groups.iter().find(|(_, group)| tells(group));
        let name = name.map_or_else(|| Arc::from(NONE), |(name, _)| Arc::clone(name));
        let group = groups.entry(name).or_insert_with(|| Shuffled {
            turns: Vec::new(),
            transcripts: Vec::new(),
        });
        group.transcripts.push(transcript);
    }
    groups.into_iter().collect()
}

/// Long strings of digits and letters are ids of somebody or something, which reach no output.
fn looks_like_an_id(value: &str) -> bool {
    let mut longest = 0;
    let mut run = 0;
    let mut digits = 0;
    let (mut upper, mut lower) = (0, 0);
    for c in value.chars() {
        if c.is_ascii_alphanumeric() {
            run += 1;
            digits += usize::from(c.is_ascii_digit());
            upper += usize::from(c.is_ascii_uppercase());
            lower += usize::from(c.is_ascii_lowercase());
        } else {
            run = 0;
        }
        longest = longest.max(run);
    }
    let hex = value.chars().filter(char::is_ascii_hexdigit).count();
    let uuid = value.len() >= 32 && hex >= 28 && digits >= 4;
    uuid || value.contains('@') || (longest >= 16 && digits >= 2 && upper + lower >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_names() {
        for id in [
            "550e8400-e29b-41d4-a716-446655440000",
            "session_01ABCdef234567890xyzQ",
            "user_0123456789abcdef0123",
            "someone@example.com",
        ] {
            assert!(looks_like_an_id(id), "{id}");
        }
        for name in [
            "claude-sonnet-4-5-20250929",
            "team-a",
            "prod",
            "2026-11-30",
            "42",
            "anthropic.claude-opus-4-1-20250805-v1:0",
            "claude-code/2.1.240",
        ] {
            assert!(!looks_like_an_id(name), "{name}");
        }
    }

    #[test]
    fn a_window_is_closed_on_its_left_and_open_on_its_right() {
        let window = TimeWindow {
            since: Some(10),
            until: Some(20),
        };
        assert!(window.holds(Some(10)) && window.holds(Some(19)));
        assert!(!window.holds(Some(9)) && !window.holds(Some(20)) && !window.holds(None));
        assert!(TimeWindow::default().holds(None));
    }
}
