//! Where a prompt first differs from the one before it in its session, and what that reads anew.

use super::common::Common;
use super::prompt::{Piece, Prompt};
use super::rule::{CacheRule, Tally};
use crate::model::Sum;
use serde::Serialize;

/// What became of the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PrefixState {
    /// The first turn of its session.
    First,
    /// Tools and system are equal, and all messages of the turn before come first.
    Stable,
    /// Something before the end of the turn before differs.
    Broken,
    /// The requests do not show it.
    Unknown,
}

/// Where the first difference stands, in the order of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrefixLevel {
    /// Another model: nothing is kept.
    Model,
    /// A definition.
    Tools,
    /// The system prompt.
    System,
    /// `tool_choice`, which counts with the messages.
    ToolChoice,
    /// A message.
    Messages,
}

/// The first definition that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DifferingTool {
    /// Its name.
    pub name: String,
    /// added, removed, changed, moved.
    pub change: &'static str,
    /// Its place among the definitions that count, from 0.
    pub index: u64,
    /// How many definitions count in this request.
    pub of: u64,
    /// Bytes of the equal definitions before it, as compact JSON.
    pub byte_offset: Option<u64>,
}

/// A prompt against the one before it.
#[derive(Debug, Clone, Serialize)]
pub struct PrefixRow {
    /// What became of the prefix.
    pub state: PrefixState,
    /// Why it is broken or unknown, in words.
    pub reason: Option<String>,
    /// Where it breaks.
    pub level: Option<PrefixLevel>,
    /// The definition that breaks it.
    pub tool: Option<DifferingTool>,
    /// The block of the system prompt that breaks it, from 0.
    pub system_block: Option<u64>,
    /// Definitions before the difference.
    pub kept_tools: Option<u64>,
    /// Messages before the difference.
    pub kept_messages: Option<u64>,
    /// Tokens before the difference, in whole blocks.
    pub kept: Tally,
    /// Tokens after it that the turn before had sent already.
    pub reread: Tally,
    /// The rest of the prompt: what is new.
    pub new: Tally,
    /// Seconds for `reread`, at the speed that was given.
    pub reread_seconds: Option<f64>,
    /// Seconds for all that is not kept.
    pub prefill_seconds: Option<f64>,
}

impl PrefixRow {
    /// Nothing is known of it but why.
    pub(super) fn of(state: PrefixState, reason: Option<&str>) -> Self {
        Self {
            state,
            reason: reason.map(str::to_owned),
            level: None,
            tool: None,
            system_block: None,
            kept_tools: None,
            kept_messages: None,
            kept: Tally::default(),
            reread: Tally::default(),
            new: Tally::default(),
            reread_seconds: None,
            prefill_seconds: None,
        }
    }
}

/// Compares a prompt with the one before it.
pub(super) fn compare(before: &Prompt<'_>, now: &Prompt<'_>, rule: CacheRule) -> PrefixRow {
    let unknown = |why| PrefixRow {
        // Messages may be known where the rest is not.
        kept_messages: now.turn.and_then(|turn| Some(turn.shared?.messages)),
        ..PrefixRow::of(PrefixState::Unknown, Some(why))
    };
    let (Some(then), Some(turn)) = (before.turn, now.turn) else {
        return unknown("a request was not captured, only its counts were");
    };
    let (Some(old), Some(new)) = (&before.tools, &now.tools) else {
        return unknown("a request does not show its tools");
    };
    let shared = Common::of(before, now, old, new, rule);
    let models = before.row.model.as_ref().zip(now.row.model.as_ref());
    if models.is_some_and(|(a, b)| a != b) {
        let row = broken(PrefixLevel::Model, "the model changed");
        return shared.settle(row, Sum::default(), rule);
    }
    let equal = shared.tools;
    let mut row = PrefixRow::of(PrefixState::Stable, None);
    row.kept_tools = Some(equal as u64);
    if equal < old.len().max(new.len()) {
        let tool = differing(old, new, equal);
        row.reason = Some(format!("tools differ from index {equal} on"));
        (row.state, row.level) = (PrefixState::Broken, Some(PrefixLevel::Tools));
        row.tool = Some(tool);
        return shared.settle(row, shared.before_tools(), rule);
    }
    let Some((blocks, differ)) = shared.system else {
        let mut row = unknown("a request does not show its system prompt");
        row.kept_tools = Some(equal as u64);
        return row;
    };
    if differ {
        row.reason = Some(format!("the system prompt differs from block {blocks} on"));
        (row.state, row.level) = (PrefixState::Broken, Some(PrefixLevel::System));
        row.system_block = Some(blocks);
        return shared.settle(row, shared.before_messages(), rule);
    }
    let choices = before.row.tool_choice.zip(now.row.tool_choice);
    if rule.skips_deferred() && choices.is_some_and(|(a, b)| a != b) {
        row.reason = Some("tool_choice changed, which the messages depend on".to_owned());
        (row.state, row.level) = (PrefixState::Broken, Some(PrefixLevel::ToolChoice));
        row.kept_messages = Some(0);
        return shared.settle(row, shared.before_messages(), rule);
    }
    let Some(messages) = turn.shared else {
        let mut row = unknown("a request does not show its messages");
        row.kept_tools = Some(equal as u64);
        return row;
    };
    row.kept_messages = Some(messages.messages);
    if messages.whole {
        let whole = before.whole;
        return shared.finish(row, whole, Tally::NOTHING, rule);
    }
    row.reason = Some(match turn.messages < then.messages {
        true => "the history is another and shorter one: compacted, or begun anew".to_owned(),
        false => format!("messages differ from message {} on", messages.messages),
    });
    (row.state, row.level) = (PrefixState::Broken, Some(PrefixLevel::Messages));
    let kept = shared.before_messages().merge(shared.messages);
    shared.settle(row, kept, rule)
}

/// What the prompt shares with that of another session at most: tools and system.
pub(super) fn common_start(other: &Prompt<'_>, now: &Prompt<'_>, rule: CacheRule) -> Option<Tally> {
    let (old, new) = (other.tools.as_ref()?, now.tools.as_ref()?);
    if other.row.model != now.row.model {
        return Some(Tally::NOTHING);
    }
    let shared = Common::of(other, now, old, new, rule);
    let sum = match shared.tools < old.len().max(new.len()) {
        true => shared.before_tools(),
        false => shared.before_messages(),
    };
    Some(sum.count().into())
}

fn broken(level: PrefixLevel, reason: &str) -> PrefixRow {
    PrefixRow {
        level: Some(level),
        ..PrefixRow::of(PrefixState::Broken, Some(reason))
    }
}

/// Names the first definition that differs, and how.
fn differing(old: &[Piece<'_>], new: &[Piece<'_>], at: usize) -> DifferingTool {
    let has = |list: &[Piece<'_>], name: &str| list.iter().any(|piece| piece.name == name);
    let (name, change) = match (old.get(at), new.get(at)) {
        (Some(then), Some(now)) if then.name == now.name => (now.name, "changed"),
        (_, Some(now)) if !has(old, now.name) => (now.name, "added"),
        (Some(then), _) if !has(new, then.name) => (then.name, "removed"),
        (Some(_), Some(now)) => (now.name, "moved"),
        // One of several of a name came or went at the end.
        (None, Some(now)) => (now.name, "added"),
        (Some(then), None) => (then.name, "removed"),
        (None, None) => ("", "changed"),
    };
    let before = new.iter().take(at).map(|piece| piece.bytes);
    DifferingTool {
        name: name.to_owned(),
        change,
        index: at as u64,
        of: new.len() as u64,
        byte_offset: before.sum(),
    }
}
