use super::*;
use crate::data::Data;
use crate::model::{Api, Chars, Tokens};

/// What a client is asked with.
pub(super) struct Ask<'a> {
    pub(super) profile: &'a str,
    pub(super) env: &'a [(&'a str, &'a str)],
    pub(super) base_url: &'a str,
    pub(super) provider: Option<&'a str>,
    pub(super) model: Option<&'a str>,
}

impl Default for Ask<'_> {
    fn default() -> Self {
        let base_url = "https://api.anthropic.com";
        Self {
            profile: "current",
            env: &[],
            base_url,
            provider: None,
            model: Some("claude-opus-4-6"),
        }
    }
}

impl Ask<'_> {
    pub(super) fn with(&self, change: impl FnOnce(&mut GateInput<'_>)) -> GateTrace {
        let profile = Data::embedded()
            .unwrap()
            .profiles
            .get(self.profile)
            .unwrap();
        let settings = RunSettings {
            env: self
                .env
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect(),
            base_url: Some(self.base_url.to_owned()),
            provider: self.provider.map(str::to_owned),
            ..RunSettings::default()
        };
        let mut input = GateInput {
            profile: &profile,
            settings: &settings,
            api: Api::Messages,
            wire_provider: None,
            url_first_party: None,
            model: self.model,
            window: Window::Known(200_000),
            search_tool: true,
            deferrable: Some(3),
            unknown_verdicts: 0,
            pending_servers: None,
            measured: Measured {
                net: Some(Tokens(90_000)),
                ..Measured::default()
            },
            observed: Observed::Unknown,
        };
        change(&mut input);
        gate(&input)
    }

    fn answer(&self) -> (Option<bool>, &'static str) {
        let trace = self.with(|_| {});
        (trace.enabled, trace.decided_by)
    }
}

pub(super) const UNSET: &[(&str, &str)] = &[("ENABLE_TOOL_SEARCH", "")];
pub(super) const TRUE: &[(&str, &str)] = &[("ENABLE_TOOL_SEARCH", "true")];
pub(super) const FALSE: &[(&str, &str)] = &[("ENABLE_TOOL_SEARCH", "false")];
pub(super) const AUTO: &[(&str, &str)] = &[("ENABLE_TOOL_SEARCH", "auto")];
pub(super) const KILLED: &[(&str, &str)] = &[
    ("ENABLE_TOOL_SEARCH", "true"),
    ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1"),
];
const PROXY: &str = "http://127.0.0.1:4000";
const BOTH: [&str; 2] = ["legacy", "current"];

#[test]
fn the_switch_decides_first() {
    for profile in BOTH {
        let ask = |env| {
            Ask {
                profile,
                env,
                ..Ask::default()
            }
            .answer()
        };
        assert_eq!(ask(UNSET), (Some(true), "mode"));
        assert_eq!(ask(TRUE), (Some(true), "mode"));
        assert_eq!(ask(FALSE), (Some(false), "mode"));
        assert_eq!(ask(&[("ENABLE_TOOL_SEARCH", "perhaps")]), (None, "mode"));
        assert_eq!(ask(KILLED), (Some(false), "kill-switch"));
    }
}

#[test]
fn a_proxy_turns_tool_search_off_while_the_switch_is_unset() {
    for profile in BOTH {
        let ask = |env| {
            Ask {
                profile,
                env,
                base_url: PROXY,
                ..Ask::default()
            }
            .answer()
        };
        assert_eq!(ask(UNSET), (Some(false), "proxy"));
        assert_eq!(ask(TRUE), (Some(true), "mode"));
        assert_eq!(ask(AUTO), (Some(true), "threshold"));
    }
}

#[test]
fn the_proxy_rule_came_with_2_1_70_and_heeds_the_switch_from_2_1_72() {
    let ask = |profile, env| {
        Ask {
            profile,
            env,
            base_url: PROXY,
            ..Ask::default()
        }
        .answer()
    };
    assert_eq!(ask("2.1.69", UNSET), (Some(true), "mode"));
    assert_eq!(ask("2.1.71", TRUE), (Some(false), "proxy"));
    assert_eq!(ask("2.1.72", TRUE), (Some(true), "mode"));
    assert_eq!(ask("2.1.72", UNSET), (Some(false), "proxy"));
}

#[test]
fn before_2_1_7_there_is_no_tool_search() {
    let answer = Ask {
        profile: "2.1.6",
        env: TRUE,
        ..Ask::default()
    }
    .answer();
    assert_eq!(answer, (Some(false), "client"));
}

#[test]
fn vertex_was_off_from_2_1_119_to_2_1_220_and_asks_for_4_5_since() {
    let ask = |profile, model| {
        Ask {
            profile,
            env: TRUE,
            provider: Some("vertex"),
            model: Some(model),
            ..Ask::default()
        }
        .answer()
    };
    assert_eq!(ask("2.1.118", "claude-opus-4-6"), (Some(true), "mode"));
    // Off by default only: the switch is set here.
    assert_eq!(ask("2.1.119", "claude-opus-4-6"), (Some(true), "mode"));
    assert_eq!(ask("2.1.220", "claude-opus-4-6"), (Some(true), "mode"));
    let unset = |profile| {
        Ask {
            profile,
            env: UNSET,
            provider: Some("vertex"),
            model: Some("claude-opus-4-6"),
            ..Ask::default()
        }
        .answer()
    };
    assert_eq!(unset("2.1.118"), (Some(true), "mode"));
    assert_eq!(unset("2.1.119"), (Some(false), "provider"));
    assert_eq!(unset("2.1.220"), (Some(false), "provider"));
    assert_eq!(unset("2.1.221"), (Some(true), "mode"));
    assert_eq!(ask("2.1.221", "claude-opus-4-6"), (Some(true), "mode"));
    assert_eq!(ask("current", "claude-opus-4-1"), (Some(false), "provider"));
    assert_eq!(ask("legacy", "claude-opus-4-1"), (Some(true), "mode"));
}

#[test]
fn foundry_on_azure_loads_everything_whatever_is_set() {
    let ask = |provider| {
        Ask {
            env: TRUE,
            provider: Some(provider),
            ..Ask::default()
        }
        .answer()
    };
    assert_eq!(ask("foundry-azure"), (Some(false), "provider"));
    assert_eq!(ask("foundry"), (Some(true), "mode"));
    assert_eq!(ask("bedrock"), (Some(true), "mode"));
}

#[test]
fn a_cloud_in_the_environment_is_the_provider() {
    let env = [("ENABLE_TOOL_SEARCH", ""), ("CLAUDE_CODE_USE_VERTEX", "1")];
    let answer = Ask {
        profile: "2.1.200",
        env: &env,
        ..Ask::default()
    }
    .answer();
    assert_eq!(answer, (Some(false), "provider"));
}

#[test]
fn legacy_lists_models_and_current_asks_for_the_generation() {
    let ask = |profile, model| {
        Ask {
            profile,
            env: TRUE,
            model: Some(model),
            ..Ask::default()
        }
        .answer()
    };
    assert_eq!(ask("legacy", "Claude-HAIKU-4-5"), (Some(false), "model"));
    assert_eq!(ask("current", "claude-haiku-4-5"), (Some(true), "mode"));
    assert_eq!(
        ask("current", "claude-3-5-haiku-20241022"),
        (Some(false), "model")
    );
    assert_eq!(ask("legacy", "claude-opus-4-1"), (Some(true), "mode"));
    assert_eq!(ask("current", "claude-opus-4-1"), (Some(false), "model"));
    assert_eq!(
        ask("legacy", "somebodys-model"),
        (Some(true), "mode"),
        "new models are able until listed"
    );
    assert_eq!(ask("current", "somebodys-model"), (None, "model"));
    // Between the list and the floor nobody says when the one became the other.
    assert_eq!(ask("2.1.200", "claude-haiku-4-5"), (None, "model"));
    assert_eq!(ask("2.1.200", "claude-opus-4-6"), (Some(true), "mode"));
    assert_eq!(ask("2.1.200", "claude-3-5-haiku"), (Some(false), "model"));
}

#[test]
fn a_denied_search_tool_turns_it_off() {
    let profile = Data::embedded().unwrap().profiles.get("current").unwrap();
    let settings = RunSettings {
        deny_search: Some(true),
        ..RunSettings::default()
    };
    let trace = Ask {
        env: TRUE,
        ..Ask::default()
    }
    .with(|input| {
        let denied = GateInput {
            profile: &profile,
            settings: &settings,
            ..input.clone()
        };
        let trace = gate(&denied);
        assert_eq!(
            (trace.enabled, trace.decided_by),
            (Some(false), "search-tool")
        );
    });
    assert_eq!(trace.enabled, Some(true));
}

#[test]
fn nothing_to_defer_turns_it_off_unless_servers_are_connecting() {
    let ask = |pending: Option<u64>| {
        let trace = Ask {
            env: TRUE,
            ..Ask::default()
        }
        .with(|input| {
            input.deferrable = Some(0);
            input.pending_servers = pending;
        });
        (trace.enabled, trace.decided_by)
    };
    assert_eq!(ask(None), (Some(false), "pool"));
    assert_eq!(ask(Some(0)), (Some(false), "pool"));
    assert_eq!(ask(Some(2)), (Some(true), "mode"));
}

#[test]
fn auto_asks_the_threshold_and_a_lower_bound_may_be_enough() {
    for profile in BOTH {
        let chars = |n, at_least| {
            let ask = Ask {
                profile,
                env: AUTO,
                ..Ask::default()
            };
            let measured = Measured {
                chars: Some(Chars(n)),
                at_least,
                ..Measured::default()
            };
            ask.with(|input| input.measured = measured).enabled
        };
        assert_eq!(chars(50_000, false), Some(true));
        assert_eq!(chars(49_999, false), Some(false));
        assert_eq!(chars(49_999, true), None);
        assert_eq!(chars(50_000, true), Some(true));
    }
}

#[test]
fn what_certainly_fails_decides_whatever_is_open_before_it() {
    let env = [("ENABLE_TOOL_SEARCH", "maybe")];
    let answer = Ask {
        env: &env,
        model: Some("claude-3-haiku"),
        ..Ask::default()
    }
    .answer();
    assert_eq!(answer, (Some(false), "model"));
}

#[test]
fn an_empty_pool_rests_on_servers_that_are_not_connecting() {
    let on = Ask {
        env: TRUE,
        ..Ask::default()
    }
    .with(|input| {
        input.deferrable = Some(0);
        input.observed = Observed::On;
    });
    assert_eq!((on.enabled, on.decided_by), (None, "pool"));
    let unknown = Ask {
        env: TRUE,
        ..Ask::default()
    }
    .with(|input| {
        input.deferrable = Some(0);
        input.unknown_verdicts = 2;
    });
    assert_eq!((unknown.enabled, unknown.decided_by), (None, "pool"));
}

#[test]
fn both_layers_are_in_the_trace() {
    let trace = Ask {
        env: AUTO,
        ..Ask::default()
    }
    .with(|_| {});
    let names: Vec<(&str, Layer)> = trace
        .steps
        .iter()
        .map(|step| (step.name, step.layer))
        .collect();
    let (early, late) = (Layer::Optimistic, Layer::Definitive);
    let expected = [
        ("client", early),
        ("kill-switch", early),
        ("mode", early),
        ("provider", late),
        ("proxy", early),
        ("model", late),
        ("search-tool", late),
        ("pool", late),
        ("threshold", late),
    ];
    assert_eq!(names, expected);
}
