//! Messages by role and round, one record after another.

use super::super::message::{MessageFacts, Speaker};
use crate::model::MessageShape;

/// The messages of a conversation so far.
#[derive(Debug, Default, Clone)]
pub(super) struct Shape {
    shape: MessageShape,
    open: OpenMessage,
}

/// The message that the last record belongs to: a transcript has a record for each block, and the client joins
/// messages of one speaker.
#[derive(Debug, Default, Clone)]
struct OpenMessage {
    speaker: Option<Speaker>,
    calls: usize,
    /// It takes part in a round of calls and results.
    in_round: bool,
    /// It was counted as one of another role than the message before.
    counted: bool,
    had_results: bool,
}

impl Shape {
    /// What frames them.
    pub(super) fn messages(&self) -> MessageShape {
        self.shape
    }

    /// Adds what one record holds.
    pub(super) fn add(&mut self, facts: &MessageFacts) {
        let before = self.open.speaker;
        let joined = before == Some(facts.speaker);
        let shape = &mut self.shape;
        if !joined {
            let had_results = self.open.had_results;
            shape.messages += 1;
            shape.direct_calls += u64::from(facts.calls_at_once && had_results);
            self.open = OpenMessage {
                speaker: Some(facts.speaker),
                ..OpenMessage::default()
            };
        }
        let open = &mut self.open;
        if !facts.calls.is_empty() && open.calls == 0 {
            shape.rounds += 1;
        }
        if open.calls <= 1 && open.calls + facts.calls.len() > 1 {
            shape.parallel += 1;
        }
        open.calls += facts.calls.len();
        open.had_results |= !facts.results.is_empty();
        shape.failed_results += facts.results.iter().filter(|own| own.failed).count() as u64;
        let in_round = !facts.calls.is_empty() || !facts.results.is_empty();
        if in_round && !open.in_round {
            // A round has a price of its own: what it was taken for before is taken back.
            shape.other_role -= u64::from(std::mem::take(&mut open.counted));
            open.in_round = true;
        }
        if joined || open.in_round {
            return;
        }
        match (before, facts.speaker) {
            (_, Speaker::System) => shape.system += 1,
            (None, _) => {}
            (Some(_), _) => {
                shape.other_role += 1;
                open.counted = true;
            }
        }
    }
}
