//! Long descriptions of tools that somebody can shorten.

use super::{Advised, Found};
use crate::model::{Kind, State, thousands};

/// A description of this many tokens says most of what tools say.
const ENOUGH: u64 = 250;

/// Descriptions that are told of at most.
const MOST: usize = 5;

pub(super) fn long(advised: &Advised<'_>) -> Found {
    let mut all = Found::default();
    for ((name, _), totals) in &advised.summary.tools {
        let Some((_, tool)) = &totals.first else {
            continue;
        };
        // Nobody but its maker shortens a tool of the client's or the API's.
        let ours = matches!(tool.kind, Kind::Mcp { .. } | Kind::Custom);
        let description = tool.parts.map(|parts| parts.description);
        let Some(tokens) = description.filter(|tokens| ours && *tokens > ENOUGH * 2) else {
            continue;
        };
        if !matches!(tool.state, State::Loaded | State::Discovered) || totals.turns == 0 {
            continue;
        }
        let whole = (tokens - ENOUGH) * totals.turns;
        let what = format!("shorten the description of {name} to {ENOUGH} tokens");
        let mut advice = advised.advice("shorten-description", name, what, whole);
        advice.evidence = vec![format!(
            "its description has {} tokens and stood in the prompt of {}",
            thousands(tokens),
            Advised::counted(totals.turns, "request", "requests")
        )];
        all.advice.push(advice);
    }
    all.advice
        .sort_by_key(|own| std::cmp::Reverse(own.tokens_per_session));
    all.advice.truncate(MOST);
    all
}
