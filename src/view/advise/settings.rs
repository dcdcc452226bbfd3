//! Settings of the client, as advice would have them.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What to merge into the client's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SettingsChange {
    /// For `settings.json`: environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// For `settings.json`: rules.
    #[serde(skip_serializing_if = "Permissions::is_empty")]
    pub permissions: Permissions,
    /// For `.mcp.json`: servers.
    #[serde(rename = "mcpServers", skip_serializing_if = "BTreeMap::is_empty")]
    pub mcp_servers: BTreeMap<String, ServerChange>,
}

/// Rules of `settings.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Permissions {
    /// What the client takes away before it sends.
    pub deny: BTreeSet<String>,
}

impl Permissions {
    fn is_empty(&self) -> bool {
        self.deny.is_empty()
    }
}

/// One server of `.mcp.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ServerChange {
    /// Its tools are loaded from the first request on.
    #[serde(rename = "alwaysLoad")]
    pub always_load: bool,
}

impl SettingsChange {
    /// Is there nothing to change?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn deny(rule: String) -> Self {
        let deny = BTreeSet::from([rule]);
        Self {
            permissions: Permissions { deny },
            ..Self::default()
        }
    }

    pub(super) fn set(name: &str, value: &str) -> Self {
        Self {
            env: BTreeMap::from([(name.to_owned(), value.to_owned())]),
            ..Self::default()
        }
    }

    pub(super) fn always_load(server: &str) -> Self {
        let change = ServerChange { always_load: true };
        Self {
            mcp_servers: BTreeMap::from([(server.to_owned(), change)]),
            ..Self::default()
        }
    }

    pub(super) fn merge(mut self, other: &Self) -> Self {
        self.env.extend(other.env.clone());
        self.permissions.deny.extend(other.permissions.deny.clone());
        self.mcp_servers.extend(other.mcp_servers.clone());
        self
    }
}
