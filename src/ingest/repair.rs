//! Repairs of the protocol, by the texts that the client writes for them.

use super::memo::Memo;
use super::message::{MessageFacts, Speaker};
use super::scan;
use crate::data::{RepairSign, Wordings};
use crate::model::{Repairs, Stripped, Text};
use std::sync::Arc;

/// Places of a kind that are kept.
const KEPT: usize = 50;

/// A longer text is no sign that is a whole text.
const LONG: usize = 2_000;

/// What a result's text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResultSign {
    Stripped(Stripped),
    NotSent,
    /// Nothing was found; these servers are still connecting.
    Nothing(Vec<Arc<str>>),
}

/// Is it the text that ends the turn of a result with references?
pub(super) fn ends_turn(literal: &str, wordings: &Wordings) -> bool {
    let mut rows = wordings.repair.iter();
    rows.any(|row| row.sign == RepairSign::TurnBoundary && row.text == literal)
}

/// The sign in the texts of a result.
pub(super) fn sign(
    texts: &[Text<'_>],
    failed: bool,
    wordings: &Wordings,
    memo: &mut Memo,
) -> Option<ResultSign> {
    for text in texts {
        let Text::Literal(literal) = text else {
            continue;
        };
        for row in &wordings.repair {
            let sign = match row.sign {
                RepairSign::TurnBoundary => continue,
                // Only what failed says why; a long answer of a tool is not searched for it.
                RepairSign::NotSent => {
                    (failed && scan::holds(literal, &row.text)).then_some(ResultSign::NotSent)
                }
                _ if literal.len() > LONG || !literal.starts_with(&row.text) => None,
                RepairSign::SearchOff => Some(ResultSign::Stripped(Stripped::SearchOff)),
                RepairSign::ToolsGone => Some(ResultSign::Stripped(Stripped::ToolsGone)),
                RepairSign::Nothing => Some(ResultSign::Nothing(pending(&text.decode(), memo))),
            };
            if sign.is_some() {
                return sign;
            }
        }
    }
    None
}

/// The servers in `… still connecting: a, b. Their tools …`.
fn pending(text: &str, memo: &mut Memo) -> Vec<Arc<str>> {
    let Some((_, listed)) = text.split_once("still connecting: ") else {
        return Vec::new();
    };
    let listed = listed.split(". ").next().unwrap_or_default();
    let names = listed
        .split(", ")
        .map(|name| name.trim_end_matches('.').trim());
    let names = names.filter(|name| !name.is_empty() && name.len() <= 128);
    names.take(KEPT).map(|name| memo.name(name)).collect()
}

/// The signs of all messages; `root` is the pointer to their list.
pub(super) fn repairs(messages: &[Arc<MessageFacts>], root: &str) -> Repairs {
    let mut repairs = Repairs::default();
    let refers = |message: &MessageFacts| message.results.iter().any(|own| own.has_references);
    let takes = |message: &MessageFacts| {
        let user = message.speaker == Speaker::User && !message.results.is_empty();
        user && !refers(message)
    };
    // Texts beside references are moved on to the next results without any, where there are some.
    let last_target = messages.iter().rposition(|message| takes(message));
    for (at, message) in messages.iter().enumerate() {
        let place = || Arc::from(format!("{root}/{at}"));
        if refers(message) {
            let others = message.texts - u64::from(message.ends_turn);
            let movable = last_target.is_some_and(|target| target > at);
            repairs.boundary_texts += u64::from(message.ends_turn);
            if message.texts == 0 && repairs.bare.len() < KEPT {
                repairs.bare.push(place());
            }
            if others > 0 && movable && repairs.siblings.len() < KEPT {
                repairs.siblings.push(place());
            }
        }
        for result in &message.results {
            let pointer = || Arc::from(format!("{root}/{at}/content/{}", result.index));
            match &result.sign {
                Some(ResultSign::Stripped(why)) if repairs.stripped.len() < KEPT => {
                    repairs.stripped.push((*why, pointer()));
                }
                Some(ResultSign::NotSent) if repairs.not_sent.len() < KEPT => {
                    repairs.not_sent.push(pointer());
                }
                Some(ResultSign::Nothing(servers)) => repairs.pending.clone_from(servers),
                _ if result.has_references => repairs.pending.clear(),
                _ => {}
            }
        }
    }
    repairs
}
