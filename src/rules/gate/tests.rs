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
        window: Window::Known(200_000),
        search_tool: true,
        deferrable: 3,
        unknown_verdicts: 0,
        measured: Measured {
            api_count: Some(Tokens(90_500)),
            ..Measured::default()
        },
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
            window: Window::Missing,
            search_tool: true,
            deferrable: 1,
            unknown_verdicts: 0,
            measured: Measured::default(),
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
        input.model = Some("Claude-HAIKU-x");
    });
    assert_eq!((trace.enabled, trace.decided_by), (Some(false), "model"));
}

#[test]
fn nothing_to_defer_turns_it_off() {
    let trace = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
        input.deferrable = 0;
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
                at_least,
            };
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
}

#[test]
fn what_certainly_fails_decides_whatever_is_open_before_it() {
    let trace = ask(&[("ENABLE_TOOL_SEARCH", "maybe")], |input| {
        input.model = Some("claude-haiku-3");
    });
    assert_eq!((trace.enabled, trace.decided_by), (Some(false), "model"));
}

#[test]
fn a_given_switch_leaves_the_kill_switch_to_doubt_and_not_the_proxy() {
    let trace = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
        input.observed = Observed::Off;
    });
    assert_eq!((trace.enabled, trace.decided_by), (None, "kill-switch"));
    let known = [
        ("ENABLE_TOOL_SEARCH", "true"),
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", ""),
    ];
    assert_eq!(
        ask(&known, |input| input.observed = Observed::Off).enabled,
        Some(true)
    );
}

#[test]
fn an_empty_pool_rests_on_servers_that_are_not_connecting() {
    let on = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
        input.deferrable = 0;
        input.observed = Observed::On;
    });
    assert_eq!((on.enabled, on.decided_by), (None, "pool"));
    let unknown = ask(&[("ENABLE_TOOL_SEARCH", "true")], |input| {
        input.deferrable = 0;
        input.unknown_verdicts = 2;
    });
    assert_eq!((unknown.enabled, unknown.decided_by), (None, "pool"));
}
