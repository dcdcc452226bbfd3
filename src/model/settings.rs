//! What the gate needs and the wire lacks.

use std::collections::{BTreeMap, BTreeSet};

/// A setting: not given, known to be unset, or given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Given<T> {
    /// Nobody said; the default is assumed.
    #[default]
    Assumed,
    /// Somebody said that it is unset.
    Unset,
    /// Somebody gave a value.
    Value(T),
}

/// The setup of one run, from `toolcost.run.toml` and flags. Only keys the gate reads are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSettings {
    /// Environment by name; an empty value says "known to be unset".
    pub env: BTreeMap<String, String>,
    /// `anthropic`, `bedrock`, `vertex`, `foundry`, `foundry-azure`.
    pub provider: Option<String>,
    /// `ANTHROPIC_BASE_URL` of the client; only its host is looked at.
    pub base_url: Option<String>,
    /// A deny rule names ToolSearch, where that is known.
    pub deny_search: Option<bool>,
    /// Rules of tools that are denied as a whole: `Bash`, `mcp__server`, `mcp__server__*`.
    pub denied: BTreeSet<String>,
    /// `alwaysLoad` by MCP server, the server as it stands in tool names.
    pub always_load: BTreeMap<String, bool>,
    /// Version of the client, where the capture does not say it.
    pub client_version: Option<String>,
}

impl RunSettings {
    /// Does a rule deny this tool as a whole? A rule with a pattern in brackets denies some calls only.
    pub fn denies(&self, name: &str) -> bool {
        let server = name
            .strip_prefix("mcp__")
            .and_then(|rest| rest.split_once("__"))
            .map(|(server, _)| format!("mcp__{server}"));
        self.denied.iter().any(|rule| {
            let rule = rule.strip_suffix("__*").unwrap_or(rule);
            rule == name || server.as_deref() == Some(rule)
        })
    }

    /// The value of an environment variable, or what is known about it.
    pub fn env(&self, name: &str) -> Given<&str> {
        match self.env.get(name).map(String::as_str) {
            None => Given::Assumed,
            Some("") => Given::Unset,
            Some(value) => Given::Value(value),
        }
    }
}

/// The host of a URL, lower-case, without user, port and path; empty where there is none.
pub fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_what_stands_between_user_and_port() {
        for (url, host) in [
            ("https://api.anthropic.com/v1/messages", "api.anthropic.com"),
            ("http://user:pass@127.0.0.1:4000/x", "127.0.0.1"),
            ("https://API.Anthropic.com", "api.anthropic.com"),
            ("https://evil.example/?api.anthropic.com", "evil.example"),
            ("http://[::1]:80/", "::1"),
            ("", ""),
        ] {
            assert_eq!(host_of(url), host, "{url}");
        }
    }
}
