//! The announcements of a request, in words: where each stands, what it names, what it costs.

use crate::model::Announcement;
use crate::session::Turn;
use std::sync::Arc;

/// Announcements that are put into words; more are counted.
const SHOWN: usize = 5;

/// One phrase an announcement, in order; those of earlier requests first, and how many more there are.
pub(super) fn words(turn: &Turn) -> Vec<String> {
    let own = turn.exchange.request();
    let own = own.map_or(&[][..], |request| &request.announcements);
    let all = turn.carried.iter().chain(own);
    let mut words: Vec<String> = all.take(SHOWN).map(phrase).collect();
    if let more @ 1.. = (turn.carried.len() + own.len()).saturating_sub(SHOWN) {
        words.push(format!("and {more} more"));
    }
    words
}

fn phrase(announcement: &Arc<Announcement>) -> String {
    let counted = |number: usize, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let told = [
        counted(announcement.names.len(), "name", "names"),
        counted(
            announcement.removed.len(),
            "name taken back",
            "names taken back",
        ),
        counted(
            announcement.pending.len(),
            "server still connecting",
            "servers still connecting",
        ),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    let told = match told.is_empty() {
        true => "no name".to_owned(),
        false => told.join(", "),
    };
    let tokens = match (announcement.tokens.tokens, announcement.tokens.at_least) {
        (Some(tokens), false) => format!("{} tokens", tokens.0),
        (Some(tokens), true) => format!("at least {} tokens", tokens.0),
        (None, _) => "an unknown number of tokens".to_owned(),
    };
    format!("{}: {told}, {tokens}", announcement.channel.word())
}
