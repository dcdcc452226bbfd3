//! What the wire contradicts is doubted.

use super::tests::*;
use super::*;

#[test]
fn a_given_switch_leaves_the_kill_switch_to_doubt_and_not_the_proxy() {
    let off = |env| {
        let trace = Ask {
            env,
            ..Ask::default()
        }
        .with(|input| input.observed = Observed::Off);
        (trace.enabled, trace.decided_by)
    };
    assert_eq!(off(TRUE), (None, "kill-switch"));
    let known = [
        ("ENABLE_TOOL_SEARCH", "true"),
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", ""),
    ];
    // Then a cloud that nobody named could explain it.
    assert_eq!(off(&known), (None, "provider"));
    let trace = Ask {
        env: &known,
        provider: Some("anthropic"),
        ..Ask::default()
    }
    .with(|input| input.observed = Observed::Off);
    assert_eq!(trace.enabled, Some(true));
}

#[test]
fn managed_settings_may_override_the_kill_switch_since_2_1_227() {
    let on = |profile| {
        let trace = Ask {
            profile,
            env: KILLED,
            ..Ask::default()
        }
        .with(|input| input.observed = Observed::On);
        (trace.enabled, trace.decided_by)
    };
    assert_eq!(on("2.1.226"), (Some(false), "kill-switch"));
    assert_eq!(on("2.1.227"), (None, "kill-switch"));
    assert_eq!(on("legacy"), (Some(false), "kill-switch"));
}

#[test]
fn an_assumption_that_the_wire_contradicts_is_unknown() {
    let trace = Ask::default().with(|input| input.observed = Observed::Off);
    assert_eq!((trace.enabled, trace.decided_by), (None, "mode"));
}
