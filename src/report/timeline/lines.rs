//! What happened in a turn, a line each; and the sums of a session in sentences.

use super::amount;
use crate::model::Hazards;
use crate::report::words::{plural, thousands};
use crate::report::{Note, Tone};
use crate::view::{
    AnnouncementRow, DifferingTool, DiscoveryRow, PrefixRow, PrefixState, TimelineCompaction,
    TimelineSession, TimelineTurn,
};
use std::borrow::Cow;

/// Names that one line tells; of more only how many.
const MOST_NAMES: usize = 5;

/// The lines of the turns that are shown.
pub(super) fn notes(session: &TimelineSession, top: usize) -> Vec<Note> {
    let shown = session.turns.iter().take(top);
    let mut notes: Vec<Note> = shown.flat_map(|turn| of_turn(session, turn)).collect();
    let last = session.compactions.iter();
    let last = last.filter(|own| own.before_turn.is_none() && session.turns.len() <= top);
    notes.extend(last.map(|own| note(Tone::Plain, "the end".to_owned(), compaction(own))));
    notes
}

fn note(tone: Tone, label: String, text: String) -> Note {
    Note { tone, label, text }
}

fn of_turn(session: &TimelineSession, turn: &TimelineTurn) -> Vec<Note> {
    let label = match turn.turn {
        Some(turn) => format!("turn {}", thousands(turn)),
        None => "turn ?".to_owned(),
    };
    let mut notes = Vec::new();
    let mut tell = |tone, text| notes.push(note(tone, label.clone(), text));
    let before = session.compactions.iter();
    let before = before.filter(|own| own.before_turn.is_some() && own.before_turn == turn.turn);
    before.for_each(|own| tell(Tone::Plain, format!("follows {}", compaction(own))));
    for own in &turn.announcements {
        tell(Tone::Plain, announcement(own));
    }
    if !turn.discoveries.is_empty() {
        tell(Tone::Plain, discoveries(&turn.discoveries));
    }
    for repair in &turn.repairs {
        tell(Tone::Plain, format!("mended: {repair}"));
    }
    if turn.prefix.state == PrefixState::Broken {
        tell(Tone::Warn, broken(&turn.prefix));
    }
    if turn.cache.agrees == Some(false) {
        tell(Tone::Bad, disagreement(turn));
    } else if turn.prefix.state == PrefixState::First && turn.cache.read > Some(0) {
        let read = thousands(turn.cache.read.unwrap_or(0));
        let bound = match turn.cache.bound {
            Some(bound) => format!(" (at most {})", thousands(bound)),
            None => String::new(),
        };
        tell(
            Tone::Plain,
            format!("reads {read}: {}{bound}", turn.cache.why),
        );
    }
    notes
}

/// Names, the first of them in full.
fn names(names: &[String]) -> String {
    let rest = names.len().saturating_sub(MOST_NAMES);
    let named = names.iter().take(MOST_NAMES);
    let named: Vec<Cow<'_, str>> = named.map(|name| Hazards::short(name)).collect();
    match rest {
        0 => named.join(", "),
        rest => format!("{} and {} more", named.join(", "), thousands(rest as u64)),
    }
}

fn discoveries(found: &[DiscoveryRow]) -> String {
    let named: Vec<String> = found
        .iter()
        .map(|own| {
            let name = Hazards::short(&own.name);
            format!("{name} ({}, {} tokens)", own.how, amount(own.size))
        })
        .collect();
    format!("discovers {}", names(&named))
}

fn announcement(own: &AnnouncementRow) -> String {
    let mut said = Vec::new();
    if !own.names.is_empty() {
        said.push(format!(
            "announces {}",
            plural(own.names.len() as u64, "name", "names")
        ));
    }
    if !own.removed.is_empty() {
        said.push(format!("takes back {}", names(&own.removed)));
    }
    if !own.pending.is_empty() {
        said.push(format!("still connecting: {}", names(&own.pending)));
    }
    if said.is_empty() {
        said.push("announces no name".to_owned());
    }
    format!(
        "{} ({}, {} tokens)",
        said.join("; "),
        own.channel,
        amount(own.tokens)
    )
}

fn compaction(own: &TimelineCompaction) -> String {
    if own.kind == "request" {
        let tokens = own.tokens_before.map_or_else(
            || "of unknown size".to_owned(),
            |tokens| format!("of {} tokens", thousands(tokens)),
        );
        return format!("a compaction: a request {tokens}");
    }
    let tokens = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), thousands);
    let kept = match own.kept.as_deref() {
        None => "no list of discovered tools".to_owned(),
        Some([]) => "no discovered tool kept".to_owned(),
        Some(kept) => format!("kept {}", names(kept)),
    };
    format!(
        "a compaction ({}): {} tokens to {}; {kept}",
        own.trigger.unwrap_or("unknown"),
        tokens(own.tokens_before),
        tokens(own.tokens_after),
    )
}

fn differing(tool: &DifferingTool) -> String {
    let offset = match tool.byte_offset {
        Some(bytes) => format!(", byte {}", thousands(bytes)),
        None => String::new(),
    };
    format!(
        "{} {} at index {} of {}{offset}",
        Hazards::short(&tool.name),
        tool.change,
        thousands(tool.index),
        thousands(tool.of)
    )
}

fn broken(prefix: &PrefixRow) -> String {
    let what = match &prefix.tool {
        Some(tool) => differing(tool),
        None => prefix.reason.clone().unwrap_or_default(),
    };
    let kept = match (prefix.kept_tools, prefix.kept_messages) {
        (_, Some(0)) => "tools and system".to_owned(),
        (_, Some(messages)) => plural(messages, "message", "messages"),
        (Some(tools), None) if prefix.tool.is_some() => plural(tools, "tool", "tools"),
        _ => String::new(),
    };
    let kept = match kept.is_empty() {
        true => "keeps".to_owned(),
        false => format!("keeps {kept},"),
    };
    let seconds = match prefix.reread_seconds {
        Some(seconds) => format!(" ({seconds:.1} s)"),
        None => String::new(),
    };
    format!(
        "the prefix breaks: {what}; {kept} {} tokens, reads {} again{seconds}",
        amount(prefix.kept),
        amount(prefix.reread)
    )
}

fn disagreement(turn: &TimelineTurn) -> String {
    let number = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), thousands);
    let against = match (turn.cache.expected, turn.cache.bound) {
        (Some(expected), _) => format!("expected {}", thousands(expected)),
        (None, bound) => format!("at most {}", number(bound)),
    };
    format!(
        "the cache read {}, {against}: {}",
        number(turn.cache.read),
        turn.cache.why
    )
}

/// What a session comes to.
pub(super) fn sums(session: &TimelineSession, top: usize) -> String {
    let totals = &session.totals;
    let mut said = Vec::new();
    if let more @ 1.. = session.turns.len().saturating_sub(top) {
        let more = plural(more as u64, "more turn", "more turns");
        said.push(format!("{more}: see --top or --format json."));
    }
    let known = totals.stable + totals.broken;
    if known > 0 {
        said.push(format!(
            "Stable turns, which begin with all of the turn before: {} of {}. Read again: {}.",
            thousands(totals.stable),
            thousands(known),
            match totals.reread.tokens {
                Some(1) => "1 token".to_owned(),
                _ => format!("{} tokens", amount(totals.reread)),
            }
        ));
    } else if totals.unknown == 0 {
        said.push("One turn: there is none before it to compare with.".to_owned());
    }
    said.extend(reasons(session));
    said.push(cache(session));
    said.join(" ")
}

/// Why prefixes are not known, each reason once.
fn reasons(session: &TimelineSession) -> Option<String> {
    let mut reasons: Vec<&str> = Vec::new();
    let unknown = session.turns.iter().map(|turn| &turn.prefix);
    for prefix in unknown.filter(|prefix| prefix.state == PrefixState::Unknown) {
        let reason = prefix.reason.as_deref().unwrap_or("not shown");
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let turns = plural(session.totals.unknown, "turn", "turns");
    let why = reasons.join("; ");
    (!reasons.is_empty()).then(|| format!("What {turns} kept is unknown: {why}."))
}

fn cache(session: &TimelineSession) -> String {
    let totals = &session.totals;
    let Some(read) = totals.read else {
        let recorded = session.turns.iter().any(|turn| turn.usage.is_some());
        return match recorded {
            true => "Cache unknown: the recorded usage says nothing of one.".to_owned(),
            false => "Cache unknown: no usage is recorded.".to_owned(),
        };
    };
    let written = match totals.written {
        Some(written) => format!(", {} written", thousands(written)),
        None => String::new(),
    };
    let without = match totals.without_cache_usage {
        0 => String::new(),
        1 => "; 1 turn says nothing of it".to_owned(),
        n => format!("; {} turns say nothing of it", thousands(n)),
    };
    let judged = totals.agree + totals.disagree;
    let fits = match judged {
        0 if totals.with_left > 0 => format!(
            "{} of {} read just what the turn before left in it",
            thousands(totals.as_left),
            plural(totals.with_left, "later turn", "later turns")
        ),
        0 => "of no turn can be told whether that fits".to_owned(),
        _ => format!(
            "as expected in {} of {}",
            thousands(totals.agree),
            plural(judged, "turn", "turns")
        ),
    };
    format!(
        "Cache: {} tokens read{written}{without}; {fits}.",
        thousands(read)
    )
}
