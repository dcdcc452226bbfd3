//! Tool search itself: on where it would save, off or by threshold where it costs more than it saves.

use super::settings::SettingsChange;
use super::{Advised, Found, Left, searched};
use crate::audit::GateFacts;
use crate::model::{Decision, Observed, thousands};
use crate::view::explain::ask_with;
use crate::view::{Change, modes};
use std::collections::BTreeSet;

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
            why: "what deferring would save is not known: the definition of the search tool or of others is missing; give it with --tools".to_owned(),
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
    if let Some(step) = kept_off(advised) {
        let why = format!("the step `{step}` keeps tool search off in any mode");
        all.left.push(Left {
            kind: "tool-search-on",
            subject: SWITCH.to_owned(),
            why,
        });
        return;
    }
    // Each deferrable tool that a session called would have been searched, in a request of its own.
    let searches = searches(advised);
    let prompt = advised
        .summary
        .total
        .request()
        .0
        .checked_div(requests)
        .unwrap_or(0);
    let held = saved.unsigned_abs() * requests;
    let paid = searches * prompt;
    if paid >= held {
        let why = format!(
            "deferring would hold back {held} tokens and cost {paid} for {}",
            Advised::counted(searches, "search", "searches")
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
    let mut advice = advised.advice(kind, SWITCH, what.to_owned(), held - paid);
    advice.estimated = true;
    advice.evidence = vec![
        format!("tool search was off, as the wire shows; by the rules the step `{by}` decides"),
        format!(
            "deferring would have held back {} tokens in each of {}, and cost {} for {}, one for each tool that a session called",
            thousands(saved.unsigned_abs()),
            Advised::counted(requests, "request", "requests"),
            thousands(paid),
            Advised::counted(searches, "search", "searches"),
        ),
    ];
    if advised.is_client {
        advice.moves = Some("the step mode: tst, and no threshold".to_owned());
        advice.change = SettingsChange::set(SWITCH, "true");
    }
    all.advice.push(advice);
}

/// The step that keeps tool search off whatever the mode.
fn kept_off(advised: &Advised<'_>) -> Option<&'static str> {
    let first = advised.summary.first.as_ref()?;
    let facts = first.audit.gate_facts.as_ref()?;
    let profile = first.audit.gate.as_ref()?;
    let profile = advised.data.profiles.get(&profile.profile)?;
    let change = Change {
        key: SWITCH.to_owned(),
        value: "true".to_owned(),
    };
    // What the list lacks because tool search was off is no reason.
    let facts = GateFacts {
        search_tool: true,
        ..facts.clone()
    };
    let asked = ask_with(&facts, &profile, &change, advised.data).ok()?;
    (asked.enabled == Some(false)).then_some(asked.step)
}

/// Deferrable tools that were called, in each session.
fn searches(advised: &Advised<'_>) -> u64 {
    let Some(first) = &advised.summary.first else {
        return 0;
    };
    let tools = first.audit.tools.iter();
    let deferrable: BTreeSet<&str> = tools
        .filter(|tool| tool.verdict.decision == Decision::Defer)
        .map(|tool| &*tool.name)
        .collect();
    let sessions = advised.summary.sessions.iter();
    sessions
        .map(|session| {
            let calls = advised.summary.calls_in(*session);
            let called = calls.iter().filter(|(_, calls)| **calls > 0);
            called
                .filter(|(name, _)| deferrable.contains(*name))
                .count() as u64
        })
        .sum()
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
            why: format!("names, block and searches cost more than the known definitions of {} hold back; others have no known size", Advised::counted(deferred, "deferred tool", "deferred tools")),
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
        "deferring {} held back {} tokens and cost {} for the search tool, the block, names and searches",
        Advised::counted(deferred, "tool", "tools"),
        thousands(savings.held.tokens.0),
        thousands(savings.overhead().tokens.0)
    )];
    if advised.is_client {
        advice.moves = Some("the step threshold".to_owned());
        advice.change = SettingsChange::set(SWITCH, "auto");
    }
    all.advice.push(advice);
}
