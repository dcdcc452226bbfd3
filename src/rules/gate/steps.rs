//! The steps of the gate after the switches, each from its own input.

use super::{GateInput, Window, step};
use crate::model::{Observed, Outcome, Step, Threshold, host_of};

/// With the switch unset, a first-party provider behind a host that is not first-party is off.
pub(super) fn proxy(input: &GateInput<'_>, explicit: bool) -> Step {
    let name = "proxy";
    let settings = input.settings;
    if settings
        .provider
        .as_deref()
        .is_some_and(|provider| provider != "anthropic")
    {
        let evidence = "the host is asked for on the Anthropic API only";
        return step(name, "another provider", false, true, evidence);
    }
    let hosts = &input.profile.first_party_hosts;
    let known = |url: &str| hosts.iter().any(|host| *host == host_of(url));
    let (first_party, shown, assumed) = match (&settings.base_url, input.url_first_party) {
        (Some(url), _) if url.is_empty() => (true, "base URL unset", false),
        (Some(url), _) if known(url) => (true, "base URL has a first-party host", false),
        (Some(_), _) => (false, "base URL has another host than Anthropic's", false),
        (None, Some(true)) => (true, "the captured URL has a first-party host", false),
        (None, Some(false)) => (
            false,
            "the captured URL has another host than Anthropic's",
            false,
        ),
        (None, None) => (true, "base URL assumed unset", true),
    };
    match (first_party, explicit) {
        (true, _) => step(name, shown, assumed, true, "no proxy to doubt"),
        (false, true) => {
            let evidence = "the switch is set, which overrides the doubt about proxies";
            step(name, shown, assumed, true, evidence)
        }
        (false, false) => {
            let evidence = "a proxy may refuse tool_reference, so everything loads; ENABLE_TOOL_SEARCH=true overrides that";
            step(name, shown, assumed, false, evidence)
        }
    }
}

pub(super) fn model(input: &GateInput<'_>) -> Step {
    let name = "model";
    let Some(model) = input.model else {
        let evidence = "a model counts as able unless it is listed";
        return step(name, "model not captured", true, true, evidence);
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
            step(name, model, false, false, &evidence)
        }
        None => step(
            name,
            model,
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
            "a search tool is in the list",
            false,
            true,
            "it can be called",
        );
    }
    let evidence =
        "assumed to be in the client's pool: a request with tool search off leaves it out";
    step(name, "no search tool in the list", true, true, evidence)
}

pub(super) fn pool(input: &GateInput<'_>) -> Step {
    let shown = format!("{} tools to defer", input.deferrable);
    if input.deferrable > 0 {
        return step("pool", &shown, false, true, "there is something to defer");
    }
    if input.unknown_verdicts > 0 || input.measured.at_least {
        return Step {
            name: "pool",
            input: "no tool is known to be deferred".to_owned(),
            assumed: false,
            outcome: Outcome::Unknown,
            evidence: "the capture does not say of every tool whether it is".to_owned(),
        };
    }
    step(
        "pool",
        &shown,
        true,
        false,
        "nothing to defer, and no server assumed to be still connecting",
    )
}

pub(super) fn threshold_step(input: &GateInput<'_>, line: Option<&Threshold>) -> Step {
    let name = "threshold";
    let assumed = !matches!(input.window, Window::Known(_));
    let unknown = |input: String, evidence: &str| {
        let (outcome, evidence) = (Outcome::Unknown, evidence.to_owned());
        Step {
            name,
            input,
            assumed,
            outcome,
            evidence,
        }
    };
    let Some(line) = line else {
        return unknown(
            "context window not known".to_owned(),
            "give it with --context-window",
        );
    };
    let (measured, limit, unit) = match line.method {
        "tokens" => (line.measured_tokens.map(|n| n.0), line.tokens.0, "tokens"),
        _ => (line.measured_chars.map(|n| n.0), line.chars.0, "characters"),
    };
    let Some(measured) = measured else {
        let shown = format!("{} % of {}", line.percent, line.context_window);
        return unknown(
            shown,
            "the deferrable definitions are not known; give them with --tools",
        );
    };
    let ratio = input.profile.chars_per_token;
    let at = format!(
        " at {}.{} characters a token",
        ratio.over / ratio.under,
        ratio.over * 10 / ratio.under % 10
    );
    let evidence = format!(
        "{}{measured} {unit} {} {limit}, which is {} % of {} tokens{}",
        if line.at_least { "at least " } else { "" },
        if measured >= limit {
            "reach"
        } else {
            "stay below"
        },
        line.percent,
        line.context_window,
        if unit == "characters" {
            at.as_str()
        } else {
            ""
        },
    );
    let outcome = match line.reached() {
        Some(true) => Outcome::Pass,
        Some(false) => Outcome::Fail,
        None => Outcome::Unknown,
    };
    Step {
        name,
        input: format!("{measured} {unit} against {limit}"),
        assumed,
        outcome,
        evidence,
    }
}

/// Where the wire contradicts the answer, the assumption that could flip it makes its step unknown.
pub(super) fn doubt(steps: &mut [Step], observed: Observed, explicit: bool) {
    let failing = steps.iter().position(|step| step.outcome == Outcome::Fail);
    let open = steps.iter().any(|step| step.outcome == Outcome::Unknown);
    let assumed = |name: &str| {
        steps
            .iter()
            .position(|step| step.name == name && step.assumed)
    };
    let doubtful = match (observed, failing) {
        // The likeliest first: a switch nobody gave, a proxy nobody gave, the kill switch, a denied tool, a window.
        (Observed::Off, None) if !open => assumed("mode")
            .or_else(|| assumed("proxy").filter(|_| !explicit))
            .or_else(|| assumed("kill-switch"))
            .or_else(|| assumed("search-tool"))
            .or_else(|| assumed("threshold")),
        // The proxy's answer rests on the switch being unset.
        (Observed::On, Some(at)) if steps[at].name == "proxy" => assumed("mode").map(|_| at),
        (Observed::On, Some(at)) => Some(at).filter(|at| steps[*at].assumed),
        _ => None,
    };
    if let Some(step) = doubtful.and_then(|at| steps.get_mut(at)) {
        step.outcome = Outcome::Unknown;
        step.evidence = format!(
            "{}; but the wire shows it {}, so the assumption may be wrong",
            step.evidence,
            observed.word()
        );
    }
}
