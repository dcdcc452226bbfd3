//! What the client mended in a request, in words, and the servers it was still waiting for.

use crate::model::{Repairs, Stripped};
use crate::session::Turn;
use std::sync::Arc;

/// The repairs of a request, each as a phrase.
pub(super) fn words(turn: &Turn) -> Vec<String> {
    let repairs = turn.exchange.request().map(|own| &own.hazards.repairs);
    let mut words = repairs.map_or_else(Vec::new, of_messages);
    let lost = turn.lost_calls.len() as u64;
    words.extend(counted(
        lost,
        "call of a tool whose discovery a compaction lost",
        "calls of tools whose discovery a compaction lost",
    ));
    words
}

fn of_messages(repairs: &Repairs) -> Vec<String> {
    let stripped = |why| {
        let own = repairs.stripped.iter().filter(|(own, _)| *own == why);
        own.count() as u64
    };
    let found = [
        counted(
            repairs.boundary_texts,
            "result closed by the turn-boundary text",
            "results closed by the turn-boundary text",
        ),
        counted(
            repairs.bare.len() as u64,
            "result not closed by any text",
            "results not closed by any text",
        ),
        counted(
            repairs.siblings.len() as u64,
            "result beside other texts",
            "results beside other texts",
        ),
        counted(
            stripped(Stripped::SearchOff),
            "result stripped of its references, as tool search is off",
            "results stripped of their references, as tool search is off",
        ),
        counted(
            stripped(Stripped::ToolsGone),
            "result stripped of its references, as the tools are gone",
            "results stripped of their references, as the tools are gone",
        ),
        counted(
            repairs.not_sent.len() as u64,
            "error that says the schema was not sent",
            "errors that say the schema was not sent",
        ),
    ];
    found.into_iter().flatten().collect()
}

fn counted(number: u64, one: &str, many: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    }
}

/// Servers that are still connecting, as the last word of the messages has it; `None` = they say nothing of it.
pub(super) fn pending(turn: &Turn) -> Option<Vec<Arc<str>>> {
    let request = turn.exchange.request()?;
    let own = &request.hazards.repairs.pending;
    if !own.is_empty() {
        return Some(own.clone());
    }
    let mut announced = turn.carried.iter().chain(&request.announcements).rev();
    // The last word counts, also where it names none.
    let last = announced.next().filter(|last| !last.pending.is_empty())?;
    Some(last.pending.clone())
}
