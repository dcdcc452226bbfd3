//! The definitive steps after the model: the search tool, something to defer, the threshold.

use super::{GateInput, Window, open, step};
use crate::model::{Step, Threshold};

pub(super) fn search_tool(input: &GateInput<'_>) -> Step {
    let name = "search-tool";
    match (input.settings.deny_search, input.search_tool) {
        (Some(true), _) => step(
            name,
            "ToolSearch is denied",
            false,
            false,
            "a deny rule takes it out of the pool",
        ),
        (_, true) => step(
            name,
            "a search tool is in the list",
            false,
            true,
            "it can be called",
        ),
        (Some(false), false) => step(
            name,
            "ToolSearch is not denied",
            false,
            true,
            "it is in the pool",
        ),
        (None, false) => {
            let evidence =
                "assumed to be in the client's pool: a request with tool search off leaves it out";
            step(name, "no search tool in the list", true, true, evidence)
        }
    }
}

pub(super) fn pool(input: &GateInput<'_>) -> Step {
    let name = "pool";
    let sized = input.measured.net.is_some_and(|net| net.0 > 0)
        || input.measured.chars.is_some_and(|chars| chars.0 > 0);
    let Some(deferrable) = input.deferrable else {
        if sized {
            return step(
                name,
                "tools to defer of the size given",
                false,
                true,
                "there is something to defer",
            );
        }
        return step(
            name,
            "tools to defer not captured",
            true,
            true,
            "there is something to defer, by assumption",
        );
    };
    let shown = format!("{deferrable} tools to defer");
    match (deferrable, input.pending_servers) {
        (1.., _) => step(name, &shown, false, true, "there is something to defer"),
        (0, Some(1..)) => step(
            name,
            &shown,
            false,
            true,
            "servers are still connecting, so the search tool stays",
        ),
        (0, _) if input.unknown_verdicts > 0 || input.measured.at_least => open(
            name,
            "no tool is known to be deferred",
            "the capture does not say of every tool whether it is",
        ),
        (0, Some(0)) => step(
            name,
            &shown,
            false,
            false,
            "nothing to defer, and no server is still connecting",
        ),
        (0, None) => step(
            name,
            &shown,
            true,
            false,
            "nothing to defer, and no server assumed to be still connecting",
        ),
    }
}

pub(super) fn threshold_step(input: &GateInput<'_>, line: Option<&Threshold>) -> Step {
    let name = "threshold";
    let Some(line) = line else {
        return open(
            name,
            "context window not known",
            "give it with --context-window",
        );
    };
    let window = format!("{} % of {}", line.percent, line.context_window);
    let Some(measured) = line.measured() else {
        return open(
            name,
            &window,
            "the deferrable definitions are not known; give them with --tools",
        );
    };
    let ratio = input.profile.constants.chars_per_token;
    let at = format!(
        " at {}.{} characters a token",
        ratio.over / ratio.under,
        ratio.over * 10 / ratio.under % 10
    );
    let limit = line.limit();
    let by = line.method;
    let shown = format!("{measured} {by} against {limit}");
    let evidence = format!(
        "{}{measured} {by} {} {limit}, which is {window} tokens{}",
        if line.at_least { "at least " } else { "" },
        if measured >= limit {
            "reach"
        } else {
            "stay below"
        },
        if by == "characters" { at.as_str() } else { "" },
    );
    let assumed = !matches!(input.window, Window::Known(_));
    match line.reached() {
        Some(reached) => step(name, &shown, assumed, reached, &evidence),
        None if line.disagree => {
            let evidence =
                format!("{evidence}; tokens and characters disagree, so it cannot be said");
            open(name, &shown, &evidence)
        }
        None => open(name, &shown, &evidence),
    }
}
