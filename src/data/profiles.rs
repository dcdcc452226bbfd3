//! Constants of the gate by profile.

use serde::Deserialize;

/// The profiles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// The rows.
    pub profile: Vec<Profile>,
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

/// Constants of the gate.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name users write.
    pub id: String,
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
    /// Characters after which the client cuts an MCP description.
    pub description_cap: u64,
    /// Where this is known from.
    pub source: String,
}

impl Profiles {
    /// The profile of that name.
    pub fn get(&self, id: &str) -> Option<&Profile> {
        self.profile.iter().find(|p| p.id == id)
    }
}
