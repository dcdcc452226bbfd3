//! Tool search itself: on where it would save, off or by threshold where it costs more than it saves.

use super::settings::SettingsChange;
use super::{Advised, Found, Left, searched};
use crate::model::Observed;
use crate::view::modes;

/// The variable that sets the mode.
const SWITCH: &str = "ENABLE_TOOL_SEARCH";

pub(super) fn mode(advised: &Advised<'_>) -> Found {
    let mut all = Found::default();
    let Some(first) = &advised.summary.first else {
        return all;
    };
    let gate = first.audit.gate.as_ref();
    match gate.map_or(Observed::Unknown, |gate| gate.observed) {
        Observed::Off => turn_on(advised, &mut all),
        Observed::On => turn_off(advised, &mut all),
        Observed::Unknown => {}
    }
    all
}

/// Where it was off: what deferring would have saved in the first request, in every request.
fn turn_on(advised: &Advised<'_>, all: &mut Found) {
    let rows = modes(advised.summary, advised.data);
    let deferring = rows.iter().find(|row| row.mode == "tst");
    let Some(saved) = deferring.and_then(|row| row.saved) else {
        all.left.push(Left {
            kind: "tool-search-on",
            subject: SWITCH.to_owned(),
            why: "what deferring would save is not known: definitions are missing".to_owned(),
        });
        return;
    };
    let requests = advised.summary.requests;
    let first = advised.summary.first.as_ref();
    let gate = first.and_then(|first| first.audit.gate.as_ref());
    let by = gate.map_or("", |gate| gate.decided_by);
    if saved <= 0 {
        let why = format!(
            "deferring would cost {} tokens a request more than it holds back",
            -saved
        );
        all.left.push(Left {
            kind: "tool-search-on",
            subject: SWITCH.to_owned(),
            why,
        });
        return;
    }
    let (kind, what) = match by {
        "proxy" => (
            "fix-proxy",
            "turn tool search on through the proxy: set ENABLE_TOOL_SEARCH=true, and let it pass the beta header",
        ),
        _ => (
            "tool-search-on",
            "turn tool search on: set ENABLE_TOOL_SEARCH=true",
        ),
    };
    let whole = saved.unsigned_abs() * requests;
    let mut advice = advised.advice(kind, SWITCH, what.to_owned(), whole);
    advice.evidence = vec![
        format!("tool search was off, as the wire shows; by the rules the step `{by}` decides"),
        format!(
            "deferring would have held back {saved} tokens in each of {requests} requests, searches not counted"
        ),
    ];
    advice.moves = Some("the step mode: tst, and no threshold".to_owned());
    advice.change = SettingsChange::set(SWITCH, "true");
    all.advice.push(advice);
}

/// Where it was on and cost more than it saved.
fn turn_off(advised: &Advised<'_>, all: &mut Found) {
    let savings = &advised.summary.savings;
    let Some(saved) = savings.saved().filter(|_| !savings.at_most()) else {
        return;
    };
    if saved.0 >= 0 {
        return;
    }
    let deferred = searched::deferred(advised);
    if savings.at_least() {
        all.left.push(Left {
            kind: "tool-search-off",
            subject: SWITCH.to_owned(),
            why: format!("names, block and searches cost more than the known definitions of {deferred} deferred tools hold back; others have no known size"),
        });
        return;
    }
    let what = "load all tools: set ENABLE_TOOL_SEARCH=auto, which defers only what is large";
    let mut advice = advised.advice(
        "tool-search-off",
        SWITCH,
        what.to_owned(),
        saved.0.unsigned_abs(),
    );
    advice.turns_per_session = advised.turns(savings.searches);
    advice.evidence = vec![format!(
        "deferring {deferred} tools held back {} tokens and cost {} for the search tool, the block, names and searches",
        savings.held.tokens.0,
        savings.overhead().tokens.0
    )];
    advice.moves = Some("the step threshold".to_owned());
    advice.change = SettingsChange::set(SWITCH, "auto");
    all.advice.push(advice);
}
