//! Where requests go: cloud providers, and hosts other than Anthropic's.

use super::super::mode::truthy;
use super::{GateInput, step};
use crate::data::{CloudRule, ProxyRule, at_least_4_5};
use crate::model::{Given, Layer, RunSettings, Step, host_of};

/// The provider, and whether it is known: given, or seen on the wire.
pub(crate) fn of<'a>(settings: &'a RunSettings, wire: Option<&'a str>) -> (&'a str, bool) {
    if let Some(provider) = &settings.provider {
        return (provider, true);
    }
    let set = |name: &str| matches!(settings.env(name), Given::Value(value) if truthy(value));
    let clouds = [
        ("CLAUDE_CODE_USE_BEDROCK", "bedrock"),
        ("CLAUDE_CODE_USE_VERTEX", "vertex"),
        ("CLAUDE_CODE_USE_FOUNDRY", "foundry"),
    ];
    let cloud = clouds.iter().find(|(name, _)| set(name));
    let cloud = cloud.map(|(_, provider)| *provider);
    let cloud = cloud.or(wire);
    cloud.map_or(("anthropic", false), |provider| (provider, true))
}

/// Vertex and Foundry on Azure have rules of their own.
pub(super) fn provider(input: &GateInput<'_>, explicit: bool) -> Step {
    let name = "provider";
    let (provider, given) = of(input.settings, input.wire_provider);
    let shown = if given {
        provider.to_owned()
    } else {
        format!("{provider}, assumed")
    };
    let (rule, source) = match provider {
        "vertex" => (input.profile.vertex.rule, &input.profile.vertex.source),
        "foundry-azure" => (
            input.profile.foundry_azure.rule,
            &input.profile.foundry_azure.source,
        ),
        // Nothing on the wire or in the environment says who hosts it.
        "foundry"
            if input.settings.provider.is_none()
                && input.profile.foundry_azure.rule == CloudRule::Off =>
        {
            let evidence = "no rule against Foundry, where it is not hosted on Azure";
            return step(name, &shown, true, true, evidence);
        }
        _ => return step(name, &shown, !given, true, "no rule against this provider"),
    };
    let floor = || input.model.and_then(at_least_4_5);
    match rule {
        CloudRule::On => step(
            name,
            &shown,
            !given,
            true,
            "no rule against it in this version",
        ),
        CloudRule::Off => step(name, &shown, false, false, source),
        CloudRule::UnlessSet if explicit => {
            let evidence = format!("the switch is set ({source})");
            step(name, &shown, false, true, &evidence)
        }
        CloudRule::UnlessSet => step(name, &shown, false, false, source),
        CloudRule::Unknown => super::open(name, &shown, source),
        CloudRule::Floor => match floor() {
            Some(able) => step(name, &shown, false, able, source),
            None => super::open(
                name,
                &shown,
                "the model's generation is not known, and the rule asks for it",
            ),
        },
    }
}

/// Another host than a first-party one may refuse `tool_reference`.
pub(super) fn proxy(input: &GateInput<'_>, explicit: bool) -> Step {
    let name = "proxy";
    let optimistic = |step: Step| Step {
        layer: Layer::Optimistic,
        ..step
    };
    if of(input.settings, input.wire_provider).0 != "anthropic" {
        let evidence = "the host is asked for on the Anthropic API only";
        return optimistic(step(name, "another provider", false, true, evidence));
    }
    let (first_party, shown, assumed) = host(input);
    let (rule, source) = (input.profile.proxy.rule, &input.profile.proxy.source);
    let evidence = match (first_party, rule, explicit) {
        (true, ..) => return optimistic(step(name, shown, assumed, true, "no proxy to doubt")),
        (false, ProxyRule::None, _) => {
            return optimistic(step(
                name,
                shown,
                assumed,
                true,
                "no rule about proxies in this version",
            ));
        }
        (false, ProxyRule::UnlessSet, true) => {
            let evidence = "the switch is set, which overrides the doubt about proxies; it must forward tool_reference";
            return optimistic(step(name, shown, assumed, true, evidence));
        }
        (false, ProxyRule::UnlessSet, false) => {
            "a proxy may refuse tool_reference, so everything loads; ENABLE_TOOL_SEARCH=true overrides that"
        }
        (false, ProxyRule::Always, _) => {
            "a proxy turns tool search off in this version, whatever is set"
        }
    };
    optimistic(step(
        name,
        shown,
        assumed,
        false,
        &format!("{evidence} ({source})"),
    ))
}

/// First-party or not, in words, and whether that is assumed. The URL itself goes nowhere.
fn host(input: &GateInput<'_>) -> (bool, &'static str, bool) {
    let settings = input.settings;
    let hosts = &input.profile.constants.first_party_hosts;
    let known = |url: &str| hosts.iter().any(|host| *host == host_of(url));
    let given = match (settings.env("ANTHROPIC_BASE_URL"), &settings.base_url) {
        (Given::Value(url), _) => Some(url),
        (Given::Unset, _) => Some(""),
        (Given::Assumed, url) => url.as_deref(),
    };
    match (given, input.url_first_party) {
        (Some(""), _) => (true, "base URL unset", false),
        (Some(url), _) if known(url) => (true, "base URL has a first-party host", false),
        (Some(_), _) => (false, "base URL has another host than Anthropic's", false),
        (None, Some(true)) => (true, "the captured URL has a first-party host", false),
        (None, Some(false)) => (
            false,
            "the captured URL has another host than Anthropic's",
            false,
        ),
        (None, None) => (true, "base URL assumed unset", true),
    }
}

/// Do requests go to another host than Anthropic's? What is not known counts as no.
pub fn proxied(settings: &RunSettings, url_first_party: Option<bool>, hosts: &[String]) -> bool {
    let known = |url: &str| url.is_empty() || hosts.iter().any(|host| *host == host_of(url));
    let given = match settings.env("ANTHROPIC_BASE_URL") {
        Given::Value(url) => Some(url),
        Given::Unset => Some(""),
        Given::Assumed => settings.base_url.as_deref(),
    };
    given.map_or(url_first_party == Some(false), |url| !known(url))
}
