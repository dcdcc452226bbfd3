//! Tools that are searched in most sessions: loading them from the start spares the search.

use super::settings::SettingsChange;
use super::{Advised, Found, Left};
use crate::model::{Role, State, Tokens, thousands};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tools that are told of at most.
const MOST: usize = 3;

/// A tool that searches found.
#[derive(Default)]
struct Searched {
    sessions: BTreeSet<u64>,
    /// Turns before the search, in which the definition would have stood in the prompt.
    turns_before: u64,
    calls: u64,
    size: Option<Tokens>,
}

/// Loads the tools that most sessions search for.
pub(super) fn searched_most(advised: &Advised<'_>) -> Found {
    let mut all = Found::default();
    let mut tools: Vec<(Arc<str>, Searched)> = searched(advised).into_iter().collect();
    tools.sort_by(|(a, x), (b, y)| {
        let often = (y.sessions.len(), y.calls).cmp(&(x.sessions.len(), x.calls));
        often.then_with(|| a.cmp(b))
    });
    let (turns, reread) = search_turns(advised);
    let discoveries: u64 = tools.iter().map(|(_, own)| own.sessions.len() as u64).sum();
    for (name, own) in tools.into_iter().take(MOST) {
        let sessions = own.sessions.len() as u64;
        let in_most = sessions * 2 > advised.sessions;
        // Searches that found several tools at once are shared among them.
        let spared = (reread * sessions).checked_div(discoveries).unwrap_or(0);
        let evidence = format!(
            "searched in {sessions} of {} and called {}; a search re-read {} tokens of its prompt on average",
            Advised::counted(advised.sessions, "session", "sessions"),
            Advised::counted(own.calls, "time", "times"),
            thousands(reread.checked_div(turns).unwrap_or(0)),
        );
        if own.calls == 0 {
            let why = format!("{evidence}: it was found and not needed so far");
            all.left.push(left(&name, why));
            continue;
        }
        let Some(size) = own.size else {
            let why = format!(
                "{evidence}; the size of its definition is not known: give it with --tools"
            );
            all.left.push(left(&name, why));
            continue;
        };
        let paid = size.0 * own.turns_before;
        let told = format!(
            "its definition of {} tokens would have stood in {} more",
            thousands(size.0),
            Advised::counted(own.turns_before, "prompt", "prompts")
        );
        if !in_most || paid >= spared {
            let why = match in_most {
                false => format!("{evidence}; {told}, and most sessions do without it"),
                true => format!(
                    "{evidence}; {told}, {paid} tokens against the {spared} of its searches"
                ),
            };
            all.left.push(left(&name, why));
            continue;
        }
        let what = format!("load {name} from the start (alwaysLoad)");
        let mut advice = advised.advice("always-load", &name, what, spared - paid);
        advice.turns_per_session = advised.turns(sessions.min(turns));
        advice.evidence = vec![evidence, told];
        if let Some(server) = lone_server(advised, &name).filter(|_| advised.is_client) {
            advice.moves = Some(format!("{name} is loaded by always-load"));
            advice.change = SettingsChange::always_load(&server);
        } else {
            advice.evidence.push(
                "the setting of its server would load the others too: ask the server to mark the tool (_meta anthropic/alwaysLoad)"
                    .to_owned(),
            );
        }
        all.advice.push(advice);
    }
    all
}

fn left(name: &str, why: String) -> Left {
    Left {
        kind: "always-load",
        subject: name.to_owned(),
        why,
    }
}

/// The server of a tool, where it has no other.
fn lone_server(advised: &Advised<'_>, name: &str) -> Option<String> {
    let (server, _) = name.strip_prefix("mcp__")?.split_once("__")?;
    let prefix = format!("mcp__{server}__");
    let tools = advised.summary.tools.keys();
    let own = tools.filter(|(tool, _)| tool.starts_with(&prefix)).count();
    (own == 1).then(|| server.to_owned())
}

/// Tools by what the sessions did to find them.
fn searched(advised: &Advised<'_>) -> BTreeMap<Arc<str>, Searched> {
    let mut tools: BTreeMap<Arc<str>, Searched> = BTreeMap::new();
    let calls = advised.summary.calls();
    for row in &advised.summary.by_turn {
        let found = row.found.iter();
        for found in found.filter(|found| matches!(found.how, "search" | "server-search" | "sent"))
        {
            let own = tools.entry(Arc::clone(&found.name)).or_default();
            if own.sessions.insert(row.session) {
                own.turns_before += found.turn.saturating_sub(1);
                // A call that only a compaction or an answer shows is one at least.
                let seen = u64::from(advised.summary.called.contains(&found.name));
                own.calls = calls.get(&*found.name).copied().unwrap_or(0).max(seen);
            }
            own.size = own.size.or(found.size.tokens);
        }
    }
    // Sessions that do without it would pay for it in each of their requests.
    let mut requests: BTreeMap<u64, u64> = BTreeMap::new();
    let rows = advised.summary.by_request.iter();
    for row in rows.filter(|row| row.role == Role::Main) {
        *requests.entry(row.session).or_default() += 1;
    }
    for own in tools.values_mut() {
        let without = requests.iter();
        let without = without.filter(|(session, _)| !own.sessions.contains(session));
        own.turns_before += without.map(|(_, turns)| turns).sum::<u64>();
    }
    tools
}

/// Requests that exist for a search alone, and the tokens of their prompts.
fn search_turns(advised: &Advised<'_>) -> (u64, u64) {
    let savings = &advised.summary.savings;
    (savings.searches, savings.reread.tokens.0)
}

/// Deferred tools of a run's first request.
pub(super) fn deferred(advised: &Advised<'_>) -> u64 {
    let rows = advised.summary.by_request.iter();
    let first = rows
        .filter(|row| row.role == Role::Main)
        .min_by_key(|row| row.rank);
    first.map_or(0, |row| {
        let held = |state| matches!(state, State::Deferred | State::Announced);
        row.tools.iter().filter(|tool| held(tool.state)).count() as u64
    })
}
