//! Turn by turn, and the whole run.

use super::parts::{columns, difference, row, side};
use crate::report::words::{delta, plural, thousands};
use crate::report::{Block, Table};
use crate::view::{Other, Pair};

/// Turns that are shown.
const MOST: usize = 8;

/// The table of turns, where there is more than the first.
pub(super) fn turns(other: &Other) -> Vec<Block> {
    let unmatched = other.unmatched.a.len() + other.unmatched.b.len();
    if other.turns.len() + unmatched <= 1 {
        return Vec::new();
    }
    let mut blocks = Vec::new();
    if other.turns.len() > 1 {
        let sessions = other.turns.iter().any(|turn| turn.session > 1);
        let name = |session: u64, turn: u64| match sessions {
            true => format!("{session}.{turn}"),
            false => turn.to_string(),
        };
        let shown = other.turns.iter().take(MOST);
        let mut rows: Vec<_> = shown
            .map(|turn| row(&name(turn.session, turn.turn), turn.request))
            .collect();
        let rest = other.turns.iter().skip(MOST).map(|turn| turn.request);
        if let Some(sum) = rest.reduce(Pair::plus) {
            let more = (other.turns.len() - MOST) as u64;
            rows.push(row(&format!("… and {} more", thousands(more)), sum));
        }
        blocks.push(Block::Table(Table {
            columns: columns(&["Turn"]),
            rows,
            wrap: false,
        }));
    }
    if unmatched > 0 {
        blocks.push(Block::Text(format!(
            "Without a partner: {}.",
            [("A", &other.unmatched.a), ("B", &other.unmatched.b)]
                .into_iter()
                .filter(|(_, turns)| !turns.is_empty())
                .map(|(side, turns)| {
                    let named: Vec<&str> = turns.iter().take(MOST).map(String::as_str).collect();
                    let more = match turns.len().saturating_sub(MOST) {
                        0 => String::new(),
                        more => format!(" and {more} more"),
                    };
                    let kind = plural(turns.len() as u64, "turn", "turns");
                    format!("{kind} of {side} ({}{more})", named.join(", "))
                })
                .collect::<Vec<_>>()
                .join(" and ")
        )));
    }
    blocks
}

/// The whole run in a sentence, with money where it is known.
pub(super) fn whole(other: &Other) -> String {
    let request = other.total.request;
    let requests = |side: usize| (other.turns.len() + side) as u64;
    let (a, b) = (
        requests(other.unmatched.a.len()),
        requests(other.unmatched.b.len()),
    );
    let mut text = format!(
        "Whole run: {} with {} tokens → {} with {}, {}; the tool part {}.",
        plural(a, "main request", "main requests"),
        side(request.a, request.a_at_least, request.a_estimated),
        plural(b, "main request", "main requests"),
        side(request.b, request.b_at_least, request.b_estimated),
        delta(difference(request)),
        delta(difference(other.total.tool_part)),
    );
    match &other.usd {
        Some(usd) => {
            let sign = if usd.delta.starts_with('-') { "" } else { "+" };
            let delta = format!("{sign}{}", usd.delta).replace('-', "−");
            text.push_str(&format!(
                " Money by recorded usage: ${} → ${}, {delta}.",
                usd.a, usd.b
            ));
        }
        None => text.push_str(
            " No money: usage was not recorded for every main request of both, or a price is not known.",
        ),
    }
    text
}
