//! The steps of the gate after the mode, each from its own input.

use super::{GateInput, Given};
use crate::model::{Observed, Outcome, Step, Threshold, host_of};

fn step(name: &'static str, input: String, assumed: bool, pass: bool, evidence: &str) -> Step {
    let outcome = if pass { Outcome::Pass } else { Outcome::Fail };
    Step {
        name,
        input,
        assumed,
        outcome,
        evidence: evidence.to_owned(),
    }
}

/// With the switch unset, a first-party provider behind a host that is not first-party is off.
pub(super) fn proxy(input: &GateInput<'_>, explicit: bool) -> Step {
    let name = "proxy";
    let settings = input.settings;
    if settings
        .provider
        .as_deref()
        .is_some_and(|provider| provider != "anthropic")
    {
        return step(
            name,
            "another provider".to_owned(),
            false,
            true,
            "the host is asked for on the Anthropic API only",
        );
    }
    let known = |host: &str| {
        input
            .profile
            .first_party_hosts
            .iter()
            .any(|known| known == host)
    };
    let (first_party, shown, assumed) = match (&settings.base_url, input.url_first_party) {
        (Some(url), _) if url.is_empty() => (true, "base URL unset", false),
        (Some(url), _) if known(&host_of(url)) => (true, "base URL has a first-party host", false),
        (Some(_), _) => (false, "base URL has another host", false),
        (None, Some(true)) => (true, "the captured URL has a first-party host", false),
        (None, Some(false)) => (false, "the captured URL has another host", false),
        (None, None) => (true, "base URL assumed unset", true),
    };
    match (first_party, explicit) {
        (true, _) => step(name, shown.to_owned(), assumed, true, "no proxy to doubt"),
        (false, true) => step(
            name,
            shown.to_owned(),
            assumed,
            true,
            "the switch is set, which overrides the doubt about proxies",
        ),
        (false, false) => {
            let evidence = "a proxy may refuse tool_reference: everything loads unless ENABLE_TOOL_SEARCH is set";
            step(name, shown.to_owned(), assumed, false, evidence)
        }
    }
}

pub(super) fn model(input: &GateInput<'_>) -> Step {
    let name = "model";
    let Some(model) = input.model else {
        return step(
            name,
            "model not captured".to_owned(),
            true,
            true,
            "a model counts as able unless it is listed",
        );
    };
    let lower = model.to_lowercase();
    match input
        .profile
        .unsupported_models
        .iter()
        .find(|part| lower.contains(part.as_str()))
    {
        Some(part) => {
            let evidence = format!("models with {part} in their id do not take tool_reference");
            step(name, model.to_owned(), false, false, &evidence)
        }
        None => step(
            name,
            model.to_owned(),
            false,
            true,
            "not on the list of models without tool_reference",
        ),
    }
}

pub(super) fn search_tool(input: &GateInput<'_>) -> Step {
    let name = "search-tool";
    if input.search_tool {
        return step(
            name,
            "a search tool is in the list".to_owned(),
            false,
            true,
            "it can be called",
        );
    }
    let evidence =
        "assumed to be in the client's pool: a request with tool search off leaves it out";
    step(
        name,
        "no search tool in the list".to_owned(),
        true,
        true,
        evidence,
    )
}

pub(super) fn pool(input: &GateInput<'_>) -> Step {
    let shown = format!("{} tools to defer", input.deferrable);
    if input.deferrable > 0 {
        return step("pool", shown, false, true, "there is something to defer");
    }
    if input.measured_at_least {
        return Step {
            name: "pool",
            input: "tools to defer not captured".to_owned(),
            assumed: false,
            outcome: Outcome::Unknown,
            evidence: "the capture does not hold the whole pool".to_owned(),
        };
    }
    step(
        "pool",
        shown,
        false,
        false,
        "nothing to defer, and no server assumed to be still connecting",
    )
}

pub(super) fn threshold_step(input: &GateInput<'_>, line: Option<&Threshold>) -> Step {
    let name = "threshold";
    let assumed = !matches!(input.window, Given::Known(_));
    let Some(line) = line else {
        return Step {
            name,
            input: "context window not known".to_owned(),
            assumed: true,
            outcome: Outcome::Unknown,
            evidence: "give it with --context-window".to_owned(),
        };
    };
    let (measured, limit, unit) = match line.method {
        "tokens" => (line.measured_tokens.map(|n| n.0), line.tokens.0, "tokens"),
        _ => (line.measured_chars.map(|n| n.0), line.chars.0, "characters"),
    };
    let Some(measured) = measured else {
        return Step {
            name,
            input: format!("{} % of {}", line.percent, line.context_window),
            assumed,
            outcome: Outcome::Unknown,
            evidence: "the deferrable definitions are not known; give them with --tools".to_owned(),
        };
    };
    let reached = measured >= limit;
    let at_least = if input.measured_at_least {
        "at least "
    } else {
        ""
    };
    let evidence = format!(
        "{at_least}{measured} {unit} {} {limit}, which is {} % of {} tokens{}",
        if reached { "reach" } else { "stay below" },
        line.percent,
        line.context_window,
        if unit == "characters" {
            " at 2.5 characters a token"
        } else {
            ""
        },
    );
    let outcome = match (reached, input.measured_at_least) {
        (true, _) => Outcome::Pass,
        (false, true) => Outcome::Unknown,
        (false, false) => Outcome::Fail,
    };
    Step {
        name,
        input: format!("{measured} {unit} against {limit}"),
        assumed,
        outcome,
        evidence,
    }
}

/// Where the wire contradicts the answer, a step that rests on an assumption is unknown instead.
pub(super) fn doubt_assumptions(steps: &mut [Step], observed: Observed) {
    let failing = steps.iter().position(|step| step.outcome != Outcome::Pass);
    let doubtful: Option<usize> = match (observed, failing) {
        (Observed::Off, None) => steps.iter().position(|step| {
            step.assumed && matches!(step.name, "mode" | "proxy" | "search-tool" | "threshold")
        }),
        // The proxy's verdict rests on the switch being unset, so an assumed switch is doubted in its place.
        (Observed::On, Some(at))
            if steps[at].outcome == Outcome::Fail && steps[at].name == "proxy" =>
        {
            steps[0].assumed.then_some(at)
        }
        (Observed::On, Some(at)) if steps[at].outcome == Outcome::Fail => {
            steps[at].assumed.then_some(at)
        }
        _ => None,
    };
    if let Some(at) = doubtful {
        steps[at].outcome = Outcome::Unknown;
        let seen = observed.word();
        steps[at].evidence = format!(
            "{}; but the wire shows it {seen}, so the assumption may be wrong",
            steps[at].evidence
        );
    }
}
