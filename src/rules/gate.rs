//! Does tool search engage? Every step with its input, whether that was given or assumed, and the evidence.
//!
//! Steps come in the client's order; the first that fails decides. What was not given is assumed to be the
//! default, and the answer is unknown only where that assumption could flip it against what the wire shows.

use super::mode::{Mode, mode};
use super::threshold::{Measured, threshold};
use crate::data::Profile;
use crate::model::{GateTrace, Observed, Outcome, RunSettings, Step, Threshold, host_of};

/// A value with whether somebody gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given<T> {
    /// Given by a flag or a file, or read from the capture.
    Known(T),
    /// Taken from a table or a default.
    Assumed(T),
    /// Not to be had.
    Missing,
}

/// What the gate looks at.
#[derive(Debug, Clone)]
pub struct GateInput<'a> {
    /// Constants.
    pub profile: &'a Profile,
    /// The run's settings.
    pub settings: &'a RunSettings,
    /// The host of the captured URL is first-party.
    pub url_first_party: Option<bool>,
    /// The model's id.
    pub model: Option<&'a str>,
    /// The client's window.
    pub window: Given<u64>,
    /// A search tool is in the list.
    pub search_tool: bool,
    /// Tools that the rules defer.
    pub deferrable: u64,
    /// Their size.
    pub measured: Measured,
    /// The size lacks definitions that nobody knows.
    pub measured_at_least: bool,
    /// What the wire shows.
    pub observed: Observed,
}

/// Walks the gate.
pub fn gate(input: &GateInput<'_>) -> GateTrace {
    let reading = mode(input.settings, input.profile.default_percent);
    let percent = match reading.mode {
        Some(Mode::TstAuto { percent }) => percent,
        _ => input.profile.default_percent,
    };
    let line = match input.window {
        Given::Known(window) | Given::Assumed(window) => {
            Some(threshold(percent, window, input.profile, input.measured))
        }
        Given::Missing => None,
    };
    let mut steps = vec![Step {
        name: "mode",
        input: reading.input,
        assumed: reading.assumed,
        outcome: match reading.mode {
            None => Outcome::Unknown,
            Some(Mode::Standard) => Outcome::Fail,
            Some(_) => Outcome::Pass,
        },
        evidence: reading.evidence,
    }];
    steps.push(proxy(input, reading.explicit));
    steps.push(model(input));
    steps.push(search_tool(input));
    steps.push(pool(input));
    if matches!(reading.mode, Some(Mode::TstAuto { .. })) {
        steps.push(threshold_step(input, line.as_ref()));
    }
    doubt_assumptions(&mut steps, input.observed);
    let deciding = steps.iter().find(|step| step.outcome != Outcome::Pass);
    let enabled = match deciding.map(|step| step.outcome) {
        None => Some(true),
        Some(Outcome::Fail) => Some(false),
        _ => None,
    };
    let last = if matches!(reading.mode, Some(Mode::TstAuto { .. })) {
        "threshold"
    } else {
        "mode"
    };
    let decided_by = deciding.map_or(last, |step| step.name);
    let reason = steps
        .iter()
        .find(|step| step.name == decided_by)
        .map(|step| format!("{}: {}", step.input, step.evidence));
    GateTrace {
        profile: input.profile.id.clone(),
        observed: input.observed,
        mode: reading.mode.map(Mode::word),
        enabled,
        reason: reason.unwrap_or_default(),
        steps,
        decided_by,
        threshold: line,
    }
}

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
fn proxy(input: &GateInput<'_>, explicit: bool) -> Step {
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

fn model(input: &GateInput<'_>) -> Step {
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

fn search_tool(input: &GateInput<'_>) -> Step {
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

fn pool(input: &GateInput<'_>) -> Step {
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

fn threshold_step(input: &GateInput<'_>, line: Option<&Threshold>) -> Step {
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
fn doubt_assumptions(steps: &mut [Step], observed: Observed) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Profile};
    use crate::model::{Chars, Tokens};

    fn profile() -> Profile {
        Data::embedded()
            .unwrap()
            .profiles
            .get("legacy")
            .unwrap()
            .clone()
    }

    fn ask(env: &[(&str, &str)], change: impl FnOnce(&mut GateInput<'_>)) -> GateTrace {
        let profile = profile();
        let env = env
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        let settings = RunSettings {
            env,
            base_url: Some("https://api.anthropic.com".to_owned()),
            ..RunSettings::default()
        };
        let mut input = GateInput {
            profile: &profile,
            settings: &settings,
            url_first_party: None,
            model: Some("claude-opus-4-6"),
            window: Given::Known(200_000),
            search_tool: true,
            deferrable: 3,
            measured: Measured {
                api_count: Some(Tokens(90_500)),
                chars: None,
            },
            measured_at_least: false,
            observed: Observed::Unknown,
        };
        change(&mut input);
        gate(&input)
    }

    fn enabled(env: &[(&str, &str)]) -> (Option<bool>, &'static str) {
        let trace = ask(env, |_| {});
        (trace.enabled, trace.decided_by)
    }

    #[test]
    fn the_mode_decides_first() {
        assert_eq!(enabled(&[("ENABLE_TOOL_SEARCH", "")]), (Some(true), "mode"));
        assert_eq!(
            enabled(&[("ENABLE_TOOL_SEARCH", "false")]),
            (Some(false), "mode")
        );
        assert_eq!(
            enabled(&[("ENABLE_TOOL_SEARCH", "perhaps")]),
            (None, "mode")
        );
    }

    #[test]
    fn a_proxy_turns_tool_search_off_unless_the_switch_is_set() {
        let profile = profile();
        let proxied = |env: &[(&str, &str)]| {
            let env = env
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect();
            let base_url = Some("http://127.0.0.1:4000".to_owned());
            let settings = RunSettings {
                env,
                base_url,
                ..RunSettings::default()
            };
            let trace = gate(&GateInput {
                profile: &profile,
                settings: &settings,
                url_first_party: None,
                model: None,
                window: Given::Missing,
                search_tool: true,
                deferrable: 1,
                measured: Measured::default(),
                measured_at_least: false,
                observed: Observed::Unknown,
            });
            (trace.enabled, trace.decided_by)
        };
        assert_eq!(
            proxied(&[("ENABLE_TOOL_SEARCH", "")]),
            (Some(false), "proxy")
        );
        assert_eq!(
            proxied(&[("ENABLE_TOOL_SEARCH", "true")]),
            (Some(true), "mode")
        );
        assert_eq!(
            proxied(&[("ENABLE_TOOL_SEARCH", "auto")]),
            (None, "threshold")
        );
    }

    #[test]
    fn a_model_on_the_list_turns_it_off() {
        let trace = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
            input.model = Some("Claude-HAIKU-x")
        });
        assert_eq!((trace.enabled, trace.decided_by), (Some(false), "model"));
    }

    #[test]
    fn nothing_to_defer_turns_it_off() {
        let trace = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
            input.deferrable = 0
        });
        assert_eq!((trace.enabled, trace.decided_by), (Some(false), "pool"));
    }

    #[test]
    fn auto_asks_the_threshold_and_a_lower_bound_may_be_enough() {
        let auto = [("ENABLE_TOOL_SEARCH", "auto")];
        let chars = |n, at_least| {
            ask(&auto, |input| {
                input.measured = Measured {
                    api_count: None,
                    chars: Some(Chars(n)),
                };
                input.measured_at_least = at_least;
            })
            .enabled
        };
        assert_eq!(chars(50_000, false), Some(true));
        assert_eq!(chars(49_999, false), Some(false));
        assert_eq!(chars(49_999, true), None);
        assert_eq!(chars(50_000, true), Some(true));
    }

    #[test]
    fn an_assumption_that_the_wire_contradicts_is_unknown() {
        let trace = ask(&[], |input| input.observed = Observed::Off);
        assert_eq!((trace.enabled, trace.decided_by), (None, "mode"));
        let given = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
            input.observed = Observed::Off
        });
        assert_eq!(given.enabled, Some(true));
    }
}
