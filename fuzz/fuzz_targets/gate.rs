//! Environment, provider, versions, models and numbers of any kind → the gate, and explain on it.
#![no_main]

#[path = "../../examples/mutate/check.rs"]
#[allow(dead_code, reason = "only the rendering is used")]
mod check;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use toolcost::audit::GateFacts;
use toolcost::config::{GATE_ENV, PROVIDERS};
use toolcost::data::Data;
use toolcost::model::{Api, Chars, Observed, RunSettings, Tokens};
use toolcost::rules::{self, Measured, Window, WindowInput};
use toolcost::view::{self, Change, ExplainView};

static DATA: LazyLock<Data> = LazyLock::new(|| Data::embedded().expect("the tables are tested"));

#[derive(Debug, Arbitrary)]
enum Provider<'a> {
    None,
    Known(u8),
    Other(&'a str),
}

impl<'a> Provider<'a> {
    fn name(&self) -> Option<&'a str> {
        match self {
            Self::None => None,
            Self::Known(at) => Some(PROVIDERS[usize::from(*at) % PROVIDERS.len()]),
            Self::Other(name) => Some(name),
        }
    }
}

#[derive(Debug, Arbitrary)]
enum Profile<'a> {
    Current,
    Legacy,
    Version(u16, u16, u16),
    Any(&'a str),
}

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    env: Vec<(u8, &'a str)>,
    provider: Provider<'a>,
    wire_provider: Provider<'a>,
    base_url: Option<&'a str>,
    deny: Option<bool>,
    profile: Profile<'a>,
    api: u8,
    first_party: Option<bool>,
    model: Option<&'a str>,
    family: u8,
    window: Option<u64>,
    search_tool: bool,
    numbers: [Option<u64>; 6],
    unknown: u64,
    at_least: bool,
    observed: u8,
    changes: Vec<(u8, &'a str)>,
}

const KEYS: [&str; 9] = [
    "base_url",
    "provider",
    "deny",
    "model",
    "context_window",
    "profile",
    "client_version",
    "",
    "x",
];

fuzz_target!(|input: Input<'_>| {
    let env: BTreeMap<String, String> = input
        .env
        .iter()
        .map(|(key, value)| {
            (
                GATE_ENV[usize::from(*key) % GATE_ENV.len()].to_owned(),
                (*value).to_owned(),
            )
        })
        .collect();
    let settings = RunSettings {
        env,
        provider: input.provider.name().map(str::to_owned),
        base_url: input.base_url.map(str::to_owned),
        deny_search: input.deny,
        ..RunSettings::default()
    };
    let version;
    let name = match &input.profile {
        Profile::Current => "current",
        Profile::Legacy => "legacy",
        Profile::Version(major, minor, patch) => {
            version = format!("{major}.{minor}.{patch}");
            &version
        }
        Profile::Any(name) => name,
    };
    let Some(profile) = DATA.profiles.get(name) else {
        return;
    };
    let known = &DATA.models.model;
    let model = match (input.model, known.get(usize::from(input.family))) {
        (Some(id), Some(row)) if id.len() < 8 => Some(format!("{}{id}", row.id)),
        (id, _) => id.map(str::to_owned),
    };
    let of_wire = input.wire_provider.name();
    let window_input = WindowInput {
        settings: &settings,
        url_first_party: input.first_party,
        wire_provider: of_wire,
        profile: &profile,
    };
    let assumed = model
        .as_deref()
        .map(|id| rules::gate_window(id, window_input, &DATA));
    let [api_count, net, estimate, chars, deferrable, pending] = input.numbers;
    let facts = GateFacts {
        settings: Arc::new(settings),
        api: [Api::Messages, Api::ChatCompletions, Api::Responses][usize::from(input.api) % 3],
        wire_provider: of_wire.map(Arc::from),
        url_first_party: input.first_party,
        model,
        window: match (input.window, assumed) {
            (Some(window), _) => Window::Known(window),
            (None, Some(window)) => Window::Assumed(window),
            (None, None) => Window::Missing,
        },
        search_tool: input.search_tool,
        deferrable,
        unknown_verdicts: input.unknown,
        pending_servers: pending,
        measured: Measured {
            api_count: api_count.map(Tokens),
            net: net.map(Tokens),
            estimate: estimate.map(Tokens),
            chars: chars.map(Chars),
            at_least: input.at_least,
        },
        observed: [Observed::On, Observed::Off, Observed::Unknown][usize::from(input.observed) % 3],
    };
    let trace = facts.ask(&profile);
    assert!(
        trace.steps.iter().any(|step| step.name == trace.decided_by),
        "what decides is a step"
    );
    let keys: Vec<&str> = KEYS.into_iter().chain(GATE_ENV).collect();
    let changes: Vec<Change> = input
        .changes
        .iter()
        .map(|(key, value)| Change {
            key: keys[usize::from(*key) % keys.len()].to_owned(),
            value: (*value).to_owned(),
        })
        .collect();
    for changes in std::iter::once(&changes[..0]).chain(changes.chunks(1)) {
        if let Ok(row) = view::explain(&facts, &profile, (Vec::new(), None), changes, &DATA) {
            let view = ExplainView {
                schema: "toolcost.explain/1",
                requests: vec![row],
                skipped: Vec::new(),
            };
            check::both(&toolcost::report::explain(view, &[]));
        }
    }
});
