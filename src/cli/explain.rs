//! `explain`: the gate for given numbers, or for the first request of each run of a capture.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::{Settled, profile, settle};
use super::work::{Gathered, gather};
use crate::audit::GateFacts;
use crate::config::{GATE_ENV, PROVIDERS};
use crate::ingest::Input;
use crate::model::{Api, Chars, Observed, Tokens};
use crate::report;
use crate::rules::{self, Measured, Window, WindowInput};
use crate::view::{self, Change, ExplainRow, ExplainView, SkippedRow};
use std::io::Write;
use std::sync::Arc;

pub(super) fn run(options: &args::Explain, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let changes = options
        .what_if
        .iter()
        .map(|text| change(text))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (requests, skipped) = match &options.path {
        Some(path) => of_captures(options, Input::unnamed(path), &changes)?,
        None => (vec![of_numbers(options, &changes)?], Vec::new()),
    };
    if let (true, Some(first)) = (requests.is_empty(), skipped.first()) {
        return Err(exit::unread(format!(
            "no main request in it; {}, {}: {}",
            first.path, first.place, first.reason
        )));
    }
    if requests.is_empty() {
        return Err(exit::usage(
            "no main request in it: there is no gate to explain",
        ));
    }
    let unknown = options.names.iter().find(|name| {
        !requests
            .iter()
            .any(|request| request.tools.iter().any(|tool| tool.name == **name))
    });
    if let Some(name) = unknown {
        let known = requests
            .iter()
            .flat_map(|request| &request.tools)
            .map(|tool| tool.name.as_str());
        let near = known
            .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        let near = near.map_or_else(String::new, |near| format!("; the nearest is {near}"));
        return Err(exit::usage(format!("{name}: no tool of that name{near}")));
    }
    let view = ExplainView {
        schema: "toolcost.explain/1",
        requests,
        skipped,
    };
    let document = report::explain(view, &options.names);
    outputs.write(&document, out)?;
    Ok(ExitCode::Good)
}

fn change(text: &str) -> anyhow::Result<Change> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| exit::usage("--what-if: write KEY=VALUE"))?;
    if key == "provider" && !PROVIDERS.contains(&value) {
        let known = PROVIDERS.join(", ");
        return Err(exit::usage(format!(
            "--what-if provider: write one of {known}"
        )));
    }
    if key == "context_window" {
        return Ok(Change {
            key: key.to_owned(),
            value: super::settled::window(value)
                .map_err(|_| {
                    let wanted = "write tokens, as in 200000, 200k or 1m";
                    exit::usage(format!("--what-if context_window: {wanted}"))
                })?
                .to_string(),
        });
    }
    let lower = !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let variable = key.starts_with(|c: char| c.is_ascii_uppercase());
    if !(variable || lower && key != "_") {
        return Err(exit::usage("--what-if: write KEY=VALUE"));
    }
    if variable && !GATE_ENV.contains(&key) {
        let known = GATE_ENV.join(", ");
        return Err(exit::usage(format!(
            "--what-if: no variable that the gate reads; it reads {known}"
        )));
    }
    Ok(Change {
        key: key.to_owned(),
        value: value.to_owned(),
    })
}

fn of_captures(
    options: &args::Explain,
    input: Input,
    changes: &[Change],
) -> anyhow::Result<(Vec<ExplainRow>, Vec<SkippedRow>)> {
    let Gathered { data, outcome, .. } = gather(&[input], &options.reading, false)?;
    if outcome.runs.is_empty() && !outcome.skipped.is_empty() {
        let first = &outcome.skipped[0];
        return Err(exit::unread(format!(
            "{}, {}: {}",
            first.path, first.place, first.reason
        )));
    }
    let mut rows = Vec::new();
    for (run, summary) in &outcome.runs {
        let Some(first) = &summary.first else {
            continue;
        };
        let (Some(facts), Some(gate)) = (&first.audit.gate_facts, &first.audit.gate) else {
            continue;
        };
        let profile = profile(&data, &gate.profile)?;
        let about = (first.audit.signs.clone(), Some(&first.audit));
        let row = view::explain(facts, &profile, about, changes, &data);
        let mut row = row.map_err(|error| exit::usage(format!("--what-if {error}")))?;
        row.steps = view::request_steps(summary);
        row.run = Some(run.to_string());
        row.path = Some(first.origin.path.to_string());
        row.place = Some(first.origin.place.to_string());
        rows.push(row);
    }
    let skipped = outcome.skipped.iter().chain(&outcome.tools_skipped);
    Ok((rows, skipped.map(SkippedRow::from).collect()))
}

/// The gate for numbers that were given, without a capture.
fn of_numbers(options: &args::Explain, changes: &[Change]) -> anyhow::Result<ExplainRow> {
    let Settled {
        data,
        profile: named,
        context_window,
        given,
        ..
    } = settle(&options.reading)?;
    let profile = match named {
        Some(profile) => profile,
        None => profile(&data, "current")?,
    };
    let model = options.reading.model.clone();
    let input = WindowInput {
        settings: &given,
        url_first_party: None,
        wire_provider: None,
        profile: &profile,
    };
    let assumed = model
        .as_deref()
        .map(|id| rules::gate_window(id, input, &data));
    let sizes = (options.deferred_tokens, options.deferred_chars);
    let facts = GateFacts {
        settings: Arc::new(given),
        api: Api::Messages,
        wire_provider: None,
        url_first_party: None,
        model,
        window: match (context_window, assumed) {
            (Some(window), _) => Window::Known(window),
            (None, Some(window)) => Window::Assumed(window),
            (None, None) => Window::Missing,
        },
        search_tool: false,
        deferrable: matches!(
            sizes,
            (Some(0), None) | (None, Some(0)) | (Some(0), Some(0))
        )
        .then_some(0),
        unknown_verdicts: 0,
        pending_servers: options
            .pending_servers
            .as_ref()
            .map(|servers| servers.iter().filter(|server| !server.is_empty()).count() as u64),
        measured: Measured {
            net: options.deferred_tokens.map(Tokens),
            chars: options.deferred_chars.map(Chars),
            ..Measured::default()
        },
        observed: Observed::Unknown,
    };
    let row = view::explain(&facts, &profile, (Vec::new(), None), changes, &data);
    row.map_err(|error| exit::usage(format!("--what-if {error}")))
}
