//! What two prompts have in common: the equal beginning, and what both hold further on.

use super::prefix::PrefixRow;
use super::prompt::{Piece, Prompt};
use super::rule::{CacheRule, Tally};
use crate::model::{Count, Sum};
use std::collections::BTreeSet;

/// What two prompts have in common, piece by piece.
pub(super) struct Common<'p, 'a> {
    now: &'p Prompt<'a>,
    /// Equal definitions at the beginning.
    pub(super) tools: usize,
    tools_tokens: Sum,
    /// Definitions further on that were sent before, too.
    later_tools: Sum,
    prelude: Sum,
    deferral: Sum,
    /// Equal blocks of the system prompt, and whether more follow on either side.
    pub(super) system: Option<(u64, bool)>,
    system_tokens: Sum,
    pub(super) messages: Sum,
}

impl<'p, 'a> Common<'p, 'a> {
    pub(super) fn of(
        before: &Prompt<'_>,
        now: &'p Prompt<'a>,
        old: &[Piece<'_>],
        new: &[Piece<'_>],
        rule: CacheRule,
    ) -> Self {
        let pairs = old.iter().zip(new);
        let tools = pairs.take_while(|(a, b)| a.key() == b.key()).count();
        let (kept, rest) = new.split_at(tools);
        let sent: BTreeSet<_> = old[tools..].iter().map(Piece::key).collect();
        let later = rest.iter().filter(|piece| sent.contains(&piece.key()));
        let both_have_tools = !old.is_empty() && !new.is_empty();
        let both_defer = before.row.defers && now.row.defers && rule.skips_deferred();
        let when = |yes: bool, sum: Sum| if yes { sum } else { Sum::default() };
        let system = before.system().zip(now.system());
        let equal = system.map(|(a, b)| {
            let equal = a.iter().zip(b).take_while(|(a, b)| a.content == b.content);
            let equal = equal.count();
            (equal, equal < a.len().max(b.len()))
        });
        let blocks = system.zip(equal).map(|((_, b), (equal, _))| &b[..equal]);
        let system_tokens = match equal {
            Some((_, false)) => now.row.parts.system,
            Some(_) => blocks.into_iter().flatten().map(|own| own.tokens).collect(),
            None => Count::UNKNOWN.into(),
        };
        Self {
            now,
            tools,
            tools_tokens: kept.iter().map(|piece| piece.tokens).collect(),
            later_tools: later.map(|piece| piece.tokens).collect(),
            prelude: when(both_have_tools, smaller_prelude(before, now)),
            deferral: when(both_defer, now.row.parts.deferral),
            system: equal.map(|(equal, differ)| (equal as u64, differ)),
            system_tokens,
            messages: messages(before, now, rule),
        }
    }

    /// The tool prompt stands before the definitions, and is told with the first of them: alone it is no prefix that
    /// anybody marks.
    pub(super) fn before_tools(&self) -> Sum {
        match self.tools {
            0 => Sum::default(),
            _ => self.prelude.merge(self.tools_tokens),
        }
    }

    pub(super) fn before_messages(&self) -> Sum {
        let tools = self.prelude.merge(self.tools_tokens);
        tools.merge(self.deferral).merge(self.system_tokens)
    }

    /// All that both prompts hold.
    fn all(&self) -> Sum {
        self.before_messages()
            .merge(self.later_tools)
            .merge(self.messages)
    }

    /// With what stands before the difference; the rest of what both hold is read again.
    pub(super) fn settle(&self, row: PrefixRow, kept: Sum, rule: CacheRule) -> PrefixRow {
        let all = self.all();
        let again = all.tokens.0.saturating_sub(kept.tokens.0);
        // What lacks nothing is none: all that both hold was kept.
        let again = match (again, all.missing > kept.missing) {
            (0, true) => Tally::default(),
            (0, false) => Tally::NOTHING,
            (again, at_least) => Tally {
                tokens: Some(again),
                at_least,
                estimated: all.is_rough(),
                ..Tally::NOTHING
            },
        };
        self.finish(row, kept.count().into(), again, rule)
    }

    /// Cuts to whole blocks and to the prompt, and says what is new.
    pub(super) fn finish(
        &self,
        mut row: PrefixRow,
        kept: Tally,
        reread: Tally,
        rule: CacheRule,
    ) -> PrefixRow {
        let whole = self.now.whole;
        let most = whole.whole().unwrap_or(u64::MAX);
        row.kept = kept;
        row.reread = reread;
        if let Some(tokens) = kept.tokens {
            let equal = tokens.min(most);
            let blocks = rule.whole_blocks(equal);
            row.kept = kept.with(blocks);
            if let Some(again) = reread.tokens {
                let again = again.saturating_add(equal - blocks);
                row.reread = reread.with(again.min(most - blocks));
            }
        }
        let parts = (whole.whole(), row.kept.whole(), row.reread.whole());
        if let (Some(whole), Some(kept), Some(reread)) = parts {
            row.new = Tally {
                tokens: Some(whole.saturating_sub(kept).saturating_sub(reread)),
                estimated: self.now.whole.estimated || row.kept.estimated || row.reread.estimated,
                ..Tally::NOTHING
            };
        }
        row.reread_seconds = rule.seconds(row.reread);
        let not_kept = whole.whole().zip(row.kept.whole());
        row.prefill_seconds = not_kept.and_then(|(whole, kept)| {
            let rest = whole.saturating_sub(kept);
            rule.seconds(Tally::NOTHING.with(rest))
        });
        row
    }
}

/// The tool prompt that both have: it depends on `tool_choice`, and of two of different sizes the smaller can be equal.
fn smaller_prelude(before: &Prompt<'_>, now: &Prompt<'_>) -> Sum {
    let (then, here) = (before.row.parts.prelude, now.row.parts.prelude);
    match then.missing == 0 && then.tokens < here.tokens {
        true => then,
        false => here,
    }
}

/// Tokens of the messages that both hold at their beginning.
fn messages(before: &Prompt<'_>, now: &Prompt<'_>, rule: CacheRule) -> Sum {
    let Some(shared) = now.turn.and_then(|turn| turn.shared) else {
        return Count::UNKNOWN.into();
    };
    if shared.whole {
        return before.messages(rule);
    }
    if shared.messages == 0 {
        return Sum::default();
    }
    let like = now.row.parts.messages.count();
    Sum::from(Count {
        tokens: Some(shared.tokens),
        at_least: shared.at_least,
        ..like
    })
}
