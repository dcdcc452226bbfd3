//! What a run's requests cost, in sentences: the request by part, what deferring costs, what it saved.

use super::overview;
use crate::model::{State, Tokens};
use crate::report::words::{percent, plural, thousands};
use crate::report::{Amount, Bound};
use crate::view::{RunRow, TokensRow, ToolRow};

fn amount(tokens: Option<Tokens>, estimated: bool, lacks: bool) -> Amount {
    Amount {
        tokens: tokens.map(|tokens| i64::try_from(tokens.0).unwrap_or(i64::MAX)),
        estimated,
        bound: if lacks { Bound::AtLeast } else { Bound::Whole },
    }
}

/// The request by part: what was recorded equals the parts and what is not accounted for.
pub(super) fn request(run: &RunRow) -> Option<String> {
    let first = run.first.as_ref()?;
    let mut text = match first.recorded {
        Some(recorded) => format!("The request: {} tokens recorded", thousands(recorded.0)),
        None => {
            let estimated = !first.estimated_parts.is_empty();
            format!(
                "The request: {} tokens",
                amount(Some(first.request), estimated, first.at_least)
            )
        }
    };
    if let Some(share) = first.window_share {
        text.push_str(&format!(", {} of the window", percent(share)));
    }
    let parts = parts(run, first);
    if !parts.is_empty() {
        text.push_str(&format!("; {}", parts.join(" + ")));
    }
    if let Some(residual) = first.residual {
        let sign = if residual < 0 { "−" } else { "+" };
        text.push_str(&format!(
            " {sign} {} not accounted for",
            thousands(residual.unsigned_abs())
        ));
    }
    text.push('.');
    text.extend(prompted(run));
    Some(text)
}

/// Definitions that stand as text in the parts that hold them.
fn prompted(run: &RunRow) -> Option<String> {
    let tools = run.tools.iter();
    let tools: Vec<&ToolRow> = tools
        .filter(|tool| tool.kind == "prompted" && !tool.later)
        .collect();
    let known = tools.iter().filter_map(|tool| tool.size);
    let known = known.fold(Tokens(0), std::ops::Add::add);
    let rough = tools.iter().any(|tool| tool.is_rough());
    let lacks = tools
        .iter()
        .any(|tool| tool.size.is_none() || tool.at_least);
    let said = match tools.len() as u64 {
        0 => return None,
        1 => "1 tool is prompted: its definition stands as text".to_owned(),
        n => format!(
            "{} tools are prompted: their definitions stand as text",
            thousands(n)
        ),
    };
    let tokens = amount(Some(known).filter(|known| known.0 > 0), rough, lacks);
    Some(format!(
        " {said} in system and messages, {tokens} tokens of these."
    ))
}

fn parts(run: &RunRow, first: &TokensRow) -> Vec<String> {
    let named = [
        ("tools", "tools", first.tools),
        ("prelude", "prelude", first.prelude),
        ("deferral", "deferral block", first.deferral),
        ("system", "system", first.system),
        ("messages", "messages", first.messages),
        ("frame", "frame", first.frame),
    ];
    let mut said = Vec::new();
    for (part, name, tokens) in named {
        let lacks = first.unknown_parts.contains(&part);
        if tokens == Some(Tokens(0)) && !lacks {
            continue;
        }
        // Nothing known and something missing is unknown, and never 0.
        let tokens = tokens.filter(|tokens| tokens.0 > 0);
        let shown = amount(tokens, first.estimated_parts.contains(&part), lacks);
        let names = run
            .savings
            .overhead
            .names
            .filter(|names| part == "messages" && names.0 > 0);
        let of_which = names.map(|names| {
            format!(
                " (of which {} names)",
                amount(
                    Some(names),
                    run.savings.overhead.estimated.contains(&"names"),
                    false
                )
            )
        });
        said.push(format!("{shown} {name}{}", of_which.unwrap_or_default()));
    }
    said
}

/// What deferring costs and saved, and what is beside it.
pub(super) fn savings(run: &RunRow) -> Option<String> {
    let said = [
        later(run),
        borrowed(run),
        overhead(run),
        total(run),
        searches(run),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// Tools that the first request does not have.
fn later(run: &RunRow) -> Option<String> {
    let later: Vec<&str> = run
        .tools
        .iter()
        .filter(|tool| tool.later)
        .map(|tool| tool.name.as_str())
        .collect();
    let count = plural(later.len() as u64, "tool is", "tools are");
    let named = later.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    match later.len() {
        0 => None,
        1..=3 => Some(format!("{count} in later requests only: {named}.")),
        n => Some(format!(
            "{count} in later requests only: {named} and {} more.",
            n - 3
        )),
    }
}

/// Sizes that rest on another capture.
fn borrowed(run: &RunRow) -> Option<String> {
    let count = |from: &str| {
        run.tools
            .iter()
            .filter(|tool| tool.definition_from == Some(from))
            .count() as u64
    };
    let from = |n: u64, what: &str| {
        format!(
            "The sizes of {} come from {what}.",
            plural(n, "tool", "tools")
        )
    };
    match (count("other-run"), count("listing")) {
        (0, 0) => None,
        (n, 0) => Some(from(n, "other runs of the same client version")),
        (0, n) => Some(from(n, "--tools")),
        (a, b) => Some(from(
            a + b,
            "other runs of the same client version and from --tools",
        )),
    }
}

fn overhead(run: &RunRow) -> Option<String> {
    let overhead = &run.savings.overhead;
    let parts = [
        ("search tool", overhead.tool_search),
        ("block", overhead.block),
        ("names", overhead.names),
        ("references", overhead.discovered),
        ("searches", overhead.calls),
    ];
    let paid = parts
        .iter()
        .filter(|(_, tokens)| tokens.is_none_or(|tokens| tokens.0 > 0));
    let names: Vec<&str> = paid.map(|(name, _)| *name).collect();
    let known = parts
        .iter()
        .filter_map(|(_, tokens)| *tokens)
        .fold(Tokens(0), std::ops::Add::add);
    if known.0 == 0 {
        return None;
    }
    let lacks = parts.iter().any(|(_, tokens)| tokens.is_none());
    let amount = amount(Some(known), !overhead.estimated.is_empty(), lacks);
    let found = run.tools.iter().filter(|tool| tool.discovered_at.is_some());
    let (first, after): (Vec<_>, Vec<_>) =
        found.partition(|tool| tool.state == State::Discovered && !tool.later);
    let found = match (first.len() as u64, after.len() as u64) {
        (0, 0) => String::new(),
        (n, 0) => format!(
            " {} in it.",
            plural(n, "tool was discovered", "tools were discovered")
        ),
        (_, n) => format!(
            " {} later in the run.",
            plural(n, "tool was discovered", "tools were discovered")
        ),
    };
    Some(format!(
        "Deferring costs {amount} tokens in the first request ({}).{found}",
        names.join(", ")
    ))
}

fn total(run: &RunRow) -> Option<String> {
    let total = &run.savings.per_run_total;
    let unknown = "What deferral saved is not known: definitions are missing.".to_owned();
    let Some(saved) = total.saved else {
        return Some(unknown);
    };
    if total.at_least && saved <= 0 {
        return Some(unknown);
    }
    if saved == 0 {
        return None;
    }
    let rough = total.estimated.contains(&"saved");
    let amount = overview::saved(run, saved, rough);
    let requests = plural(total.requests, "request", "requests");
    let share = total.saved_share.map_or_else(String::new, |share| {
        format!(", {} of what all tools would cost", percent(share))
    });
    Some(match saved {
        ..0 => format!("Over {requests} deferral cost more than it saved: {amount} tokens{share}."),
        _ => format!("Saved {amount} tokens over {requests}{share}."),
    })
}

fn searches(run: &RunRow) -> Option<String> {
    let turns = run.savings.search_turns;
    if turns == 0 {
        return None;
    }
    let requests = plural(turns, "request exists", "requests exist");
    let again = run.savings.search_turns_reread;
    let rough = run.total.recorded.is_none() && !run.total.estimated_parts.is_empty();
    let read = again.map_or_else(String::new, |tokens| {
        format!(" of {} prompt tokens", amount(Some(tokens), rough, false))
    });
    Some(format!(
        "Not subtracted: {requests} only to answer a search,{read} in all."
    ))
}
