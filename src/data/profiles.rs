//! The gate's rules by client version: a base, and dated changes on top of it.

use serde::Deserialize;

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// The newest client version that a source speaks of.
    pub newest: String,
    legacy: Rules,
    base: Rules,
    /// Changes, oldest first.
    pub change: Vec<Change>,
    /// What all profiles share.
    pub constants: Constants,
}

/// What all profiles share.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// Percent of the window in `auto`.
    pub default_percent: u64,
    /// Characters a token in the client's fallback.
    pub chars_per_token: Ratio,
    /// Subtracted from the API's count of the deferred tools.
    pub overhead_tokens: u64,
    /// Substrings of lower-cased ids of models without tool search.
    pub unsupported_models: Vec<String>,
    /// Hosts that count as first-party.
    pub first_party_hosts: Vec<String>,
    /// Where this is known from.
    pub source: String,
}

/// A ratio of whole numbers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// Numerator.
    pub over: u64,
    /// Denominator.
    pub under: u64,
}

/// What an unset switch means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefaultMode {
    /// Always defer.
    Tst,
    /// Defer from a share of the window on.
    TstAuto,
    /// Never defer.
    Standard,
    /// No source tells.
    Unknown,
}

/// What another host than a first-party one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProxyRule {
    /// Nothing.
    None,
    /// Turns tool search off.
    Always,
    /// Turns it off while the switch is unset.
    UnlessSet,
}

/// What a cloud provider does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CloudRule {
    /// Nothing.
    On,
    /// Turns tool search off.
    Off,
    /// Turns it off for models before the 4.5 generation.
    Floor,
    /// Turns it off while the switch is unset.
    UnlessSet,
    /// No source tells.
    Unknown,
}

/// Which models take `tool_reference`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelRule {
    /// All but the listed.
    List,
    /// The 4.5 generation and later.
    Floor,
    /// One of the two.
    Unknown,
}

/// What is compared with the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdRule {
    /// The API's count less a constant, else characters.
    ApiCount,
    /// Tokens and characters, which must agree.
    Both,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    tool_search: bool,
    mode: DefaultMode,
    auto_n: bool,
    proxy: ProxyRule,
    vertex: CloudRule,
    foundry_azure: CloudRule,
    models: ModelRule,
    threshold: ThresholdRule,
    server_always_load: bool,
    tool_never_load: bool,
    server_never_load: bool,
    description_cap: u64,
    description_cap_env: bool,
    long_windows: bool,
    managed_override: bool,
    source: String,
    models_source: Option<String>,
    foundry_azure_source: Option<String>,
}

/// One dated change. What is absent stays.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The first version that has it.
    pub from: String,
    tool_search: Option<bool>,
    mode: Option<DefaultMode>,
    auto_n: Option<bool>,
    proxy: Option<ProxyRule>,
    vertex: Option<CloudRule>,
    foundry_azure: Option<CloudRule>,
    models: Option<ModelRule>,
    server_always_load: Option<bool>,
    tool_never_load: Option<bool>,
    server_never_load: Option<bool>,
    description_cap: Option<u64>,
    description_cap_env: Option<bool>,
    managed_override: Option<bool>,
    /// Where it is known from.
    pub source: String,
}

/// A rule of a profile with the source of its newest change.
#[derive(Debug, Clone)]
pub struct Sourced<T> {
    /// The rule.
    pub rule: T,
    /// Where it is known from.
    pub source: String,
}

/// The rules of one client.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The name users write: `legacy`, `current`, or a version.
    pub id: String,
    /// The version is newer than every source.
    pub beyond: bool,
    /// The client has tool search.
    pub tool_search: Sourced<bool>,
    /// What an unset switch means.
    pub mode: Sourced<DefaultMode>,
    /// `auto:N` is understood.
    pub auto_n: Sourced<bool>,
    /// Proxies.
    pub proxy: Sourced<ProxyRule>,
    /// Vertex.
    pub vertex: Sourced<CloudRule>,
    /// Foundry hosted on Azure.
    pub foundry_azure: Sourced<CloudRule>,
    /// Models.
    pub models: Sourced<ModelRule>,
    /// The threshold.
    pub threshold: Sourced<ThresholdRule>,
    /// `alwaysLoad` of a server is understood.
    pub server_always_load: Sourced<bool>,
    /// `alwaysLoad: false` of a tool wins over its server's `true`.
    pub tool_never_load: Sourced<bool>,
    /// `alwaysLoad: false` of a server wins over its tools' `true`.
    pub server_never_load: Sourced<bool>,
    /// Characters after which the client cuts an MCP description; 0 = never.
    pub description_cap: Sourced<u64>,
    /// Models with a long window are budgeted at it.
    pub long_windows: bool,
    /// Managed settings can keep tool search on against the kill switch.
    pub managed_override: Sourced<bool>,
    /// An environment variable changes the cap.
    pub description_cap_env: Sourced<bool>,
    /// What all profiles share.
    pub constants: Constants,
}

/// A client version as three numbers.
pub fn version(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.split('.').map(|part| part.parse::<u64>().ok());
    let version = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(version)
}

impl Profiles {
    /// The profile of a name: `legacy`, `current`, or a version such as `2.1.87`.
    pub fn get(&self, name: &str) -> Option<Profile> {
        match name {
            "legacy" => Some(self.resolve(name, &self.legacy, None)),
            "current" => Some(self.resolve(name, &self.base, Some([u64::MAX; 3]))),
            _ => Some(self.resolve(name, &self.base, Some(version(name)?))),
        }
    }

    fn resolve(&self, id: &str, rules: &Rules, upto: Option<[u64; 3]>) -> Profile {
        fn start<T>(rule: T, source: &str) -> Sourced<T> {
            Sourced {
                rule,
                source: source.to_owned(),
            }
        }
        fn turn<T>(slot: &mut Sourced<T>, rule: Option<T>, source: &str) {
            if let Some(rule) = rule {
                *slot = start(rule, source);
            }
        }
        let source = &rules.source;
        let newest = version(&self.newest);
        let mut profile = Profile {
            id: id.to_owned(),
            beyond: version(id).is_some() && version(id) > newest,
            tool_search: start(rules.tool_search, source),
            mode: start(rules.mode, source),
            auto_n: start(rules.auto_n, source),
            proxy: start(rules.proxy, source),
            vertex: start(rules.vertex, source),
            foundry_azure: start(
                rules.foundry_azure,
                rules.foundry_azure_source.as_ref().unwrap_or(source),
            ),
            models: start(rules.models, rules.models_source.as_ref().unwrap_or(source)),
            threshold: start(rules.threshold, source),
            server_always_load: start(rules.server_always_load, source),
            tool_never_load: start(rules.tool_never_load, source),
            server_never_load: start(rules.server_never_load, source),
            description_cap: start(rules.description_cap, source),
            description_cap_env: start(rules.description_cap_env, source),
            long_windows: rules.long_windows,
            managed_override: start(rules.managed_override, source),
            constants: self.constants.clone(),
        };
        let upto = upto.unwrap_or_default();
        for change in self
            .change
            .iter()
            .filter(|change| version(&change.from).is_some_and(|from| from <= upto))
        {
            let source = &change.source;
            turn(&mut profile.tool_search, change.tool_search, source);
            turn(&mut profile.mode, change.mode, source);
            turn(&mut profile.auto_n, change.auto_n, source);
            turn(&mut profile.proxy, change.proxy, source);
            turn(&mut profile.vertex, change.vertex, source);
            turn(&mut profile.foundry_azure, change.foundry_azure, source);
            turn(&mut profile.models, change.models, source);
            turn(
                &mut profile.server_always_load,
                change.server_always_load,
                source,
            );
            turn(&mut profile.tool_never_load, change.tool_never_load, source);
            turn(
                &mut profile.server_never_load,
                change.server_never_load,
                source,
            );
            turn(
                &mut profile.managed_override,
                change.managed_override,
                source,
            );
            turn(&mut profile.description_cap, change.description_cap, source);
            turn(
                &mut profile.description_cap_env,
                change.description_cap_env,
                source,
            );
        }
        profile
    }

    /// The hosts that count as first-party.
    pub fn first_party_hosts(&self) -> &[String] {
        &self.constants.first_party_hosts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    #[test]
    fn a_version_is_the_base_with_every_change_up_to_it() {
        let profiles = Data::embedded().unwrap().profiles;
        let get = |name: &str| profiles.get(name).unwrap();
        assert!(!get("2.1.6").tool_search.rule && get("2.1.7").tool_search.rule);
        assert_eq!(get("2.1.47").mode.rule, DefaultMode::TstAuto);
        assert_eq!(get("2.1.60").mode.rule, DefaultMode::Unknown);
        assert_eq!(get("2.1.69").mode.rule, DefaultMode::Tst);
        assert_eq!(
            [get("2.1.69"), get("2.1.71"), get("2.1.72")].map(|p| p.proxy.rule),
            [ProxyRule::None, ProxyRule::Always, ProxyRule::UnlessSet]
        );
        assert_eq!(
            [get("2.1.118"), get("2.1.220"), get("2.1.221")].map(|p| p.vertex.rule),
            [CloudRule::On, CloudRule::UnlessSet, CloudRule::Floor]
        );
        assert_eq!(get("current").models.rule, ModelRule::Floor);
        assert_eq!(get("legacy").models.rule, ModelRule::List);
        assert!(get("2.1.400").beyond && !get("2.1.296").beyond);
        assert!(profiles.get("2.1").is_none() && profiles.get("newest").is_none());
        let from: Vec<_> = profiles
            .change
            .iter()
            .map(|change| version(&change.from).unwrap())
            .collect();
        assert!(from.is_sorted());
    }
}
