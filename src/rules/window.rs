//! The context window that the client budgets, which the auto threshold is a share of.

use super::gate::proxied;
use super::mode::truthy;
use crate::data::{Data, Profile, SHORT_WINDOW};
use crate::model::{Given, RunSettings};

/// What decides the window besides the model.
#[derive(Debug, Clone, Copy)]
pub struct WindowInput<'a> {
    /// The run's settings.
    pub settings: &'a RunSettings,
    /// The host of the captured URL is first-party.
    pub url_first_party: Option<bool>,
    /// The cloud provider, as the request shows it.
    pub wire_provider: Option<&'a str>,
    /// The rules of the client.
    pub profile: &'a Profile,
}

/// The window of a model in the tables; `None` = it is in none.
pub fn known_window(id: &str, input: WindowInput<'_>, data: &Data) -> Option<u64> {
    let hosts = data.profiles.first_party_hosts();
    let cloud = super::gate::provider_of(input.settings, input.wire_provider).0 != "anthropic";
    let proxied = !cloud && proxied(input.settings, input.url_first_party, hosts);
    let window = data.models.client_window(id, proxied, input.profile)?;
    Some(match short(input.settings) {
        true => window.min(SHORT_WINDOW),
        false => window,
    })
}

/// The window the gate counts with: for an id that nobody knows the client takes the short one, or the long one
/// where the id says `[1m]` (model-config page).
pub fn gate_window(id: &str, input: WindowInput<'_>, data: &Data) -> u64 {
    known_window(id, input, data).unwrap_or_else(|| {
        match id.to_ascii_lowercase().contains("[1m]") && !short(input.settings) {
            true => 1_000_000,
            false => SHORT_WINDOW,
        }
    })
}

/// The switch that forbids the long window.
fn short(settings: &RunSettings) -> bool {
    matches!(settings.env("CLAUDE_CODE_DISABLE_1M_CONTEXT"), Given::Value(value) if truthy(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_id_version_host_and_switch() {
        let data = Data::embedded().unwrap();
        let ask = |id: &str, version: &str, env: &[(&str, &str)], provider: Option<&str>| {
            let settings = RunSettings {
                env: env
                    .iter()
                    .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                    .collect(),
                provider: provider.map(str::to_owned),
                ..RunSettings::default()
            };
            let profile = data.profiles.get(version).unwrap();
            let input = WindowInput {
                settings: &settings,
                url_first_party: None,
                wire_provider: None,
                profile: &profile,
            };
            gate_window(id, input, &data)
        };
        let proxy = [("ANTHROPIC_BASE_URL", "http://x")];
        let short = [("CLAUDE_CODE_DISABLE_1M_CONTEXT", "yes")];
        assert_eq!(ask("claude-opus-4-7", "current", &[], None), 1_000_000);
        assert_eq!(ask("claude-opus-4-7", "2.1.117", &[], None), 1_000_000);
        assert_eq!(ask("claude-opus-4-7", "2.1.116", &[], None), 200_000);
        assert_eq!(ask("claude-opus-4-7", "legacy", &[], None), 200_000);
        assert_eq!(ask("claude-opus-4-7[1m]", "legacy", &[], None), 1_000_000);
        assert_eq!(ask("claude-opus-4-7", "current", &short, None), 200_000);
        assert_eq!(ask("claude-sonnet-5", "current", &proxy, None), 200_000);
        assert_eq!(
            ask("claude-sonnet-5", "current", &proxy, Some("bedrock")),
            1_000_000
        );
        for id in [
            "us.anthropic.claude-opus-4-8-v1:0",
            "anthropic/claude-opus-4.8",
            "claude-opus-4-8@20260101",
            "Claude-Opus-4-8",
        ] {
            assert_eq!(ask(id, "current", &[], None), 1_000_000, "{id}");
        }
        assert_eq!(ask("somebody-s-model", "current", &[], None), 200_000);
        assert_eq!(ask("somebody-s-model[1m]", "current", &[], None), 1_000_000);
    }
}
