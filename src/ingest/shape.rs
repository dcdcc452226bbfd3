//! The messages of a request by role and by tool round, for what frames them.

use super::message::{MessageFacts, Speaker};
use crate::model::MessageShape;
use std::sync::Arc;

pub(super) fn shape(messages: &[Arc<MessageFacts>]) -> MessageShape {
    let calls = |message: &MessageFacts| !message.calls.is_empty();
    let in_round = |message: &MessageFacts| calls(message) || !message.results.is_empty();
    let speaks = |message: Option<&Arc<MessageFacts>>| {
        message.is_some_and(|message| message.speaker == Speaker::Assistant)
    };
    let count = |fits: &dyn Fn(&MessageFacts) -> bool| {
        messages.iter().filter(|message| fits(message)).count() as u64
    };
    let mut shape = MessageShape {
        messages: messages.len() as u64,
        system: messages
            .first()
            .map_or(0, |first| u64::from(first.speaker == Speaker::System)),
        assistant_first: messages.len() > 1 && speaks(messages.first()),
        prefilled: messages.len() > 1
            && speaks(messages.last())
            && messages.last().is_some_and(|last| !calls(last)),
        rounds: count(&calls),
        parallel: count(&|message| message.calls.len() > 1),
        failed_results: messages
            .iter()
            .flat_map(|message| &message.results)
            .filter(|result| result.failed)
            .count() as u64,
        ..MessageShape::default()
    };
    for pair in messages.windows(2) {
        let (before, now) = (&pair[0], &pair[1]);
        if now.calls_at_once && !before.results.is_empty() {
            shape.direct_calls += 1;
        }
        match (before.speaker, now.speaker) {
            (Speaker::System, Speaker::System) => shape.same_role += 1,
            (_, Speaker::System) => shape.system += 1,
            // A round has a price of its own.
            _ if in_round(now) => {}
            (before, now) if before == now => shape.same_role += 1,
            _ => shape.other_role += 1,
        }
    }
    shape
}
