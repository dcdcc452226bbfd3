//! What the gate is asked with, kept so that it can be asked again with one thing changed.

use crate::data::Profile;
use crate::model::{Api, GateTrace, Observed, RunSettings};
use crate::rules::{self, GateInput, Measured, Window};
use std::sync::Arc;

/// The inputs of the gate, owned. See [`GateInput`].
#[derive(Debug, Clone)]
pub struct GateFacts {
    /// The run's settings.
    pub settings: Arc<RunSettings>,
    /// The API the request is written for.
    pub api: Api,
    /// The cloud provider, as the request shows it.
    pub wire_provider: Option<Arc<str>>,
    /// The host of the captured URL is first-party.
    pub url_first_party: Option<bool>,
    /// The model's id.
    pub model: Option<String>,
    /// The client's window.
    pub window: Window,
    /// A search tool is in the list.
    pub search_tool: bool,
    /// Tools that the rules defer.
    pub deferrable: Option<u64>,
    /// Tools of which the rules cannot say.
    pub unknown_verdicts: u64,
    /// Servers that are still connecting.
    pub pending_servers: Option<u64>,
    /// The size of the tools to defer.
    pub measured: Measured,
    /// What the wire shows.
    pub observed: Observed,
}

impl GateFacts {
    /// Asks the gate.
    pub fn ask(&self, profile: &Profile) -> GateTrace {
        rules::gate(&GateInput {
            profile,
            settings: &self.settings,
            api: self.api,
            wire_provider: self.wire_provider.as_deref(),
            url_first_party: self.url_first_party,
            model: self.model.as_deref(),
            window: self.window,
            search_tool: self.search_tool,
            deferrable: self.deferrable,
            unknown_verdicts: self.unknown_verdicts,
            pending_servers: self.pending_servers,
            measured: self.measured,
            observed: self.observed,
        })
    }
}
