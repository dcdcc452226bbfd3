//! The view behind `explain`: the gate with its steps, what would flip it, and each tool's verdict.

use super::turning_point::{TurningPoint, turning_point};
use super::{GateRow, SkippedRow, VerdictRow};
use crate::audit::{Audit, GateFacts, ToolAudit};
use crate::data::{Data, Profile};
use crate::model::{Decision, GateTrace, Observed, Outcome, RunSettings, SEARCH_TOOLS, State};
use crate::rules::{self, Window, WindowInput};
use serde::Serialize;
use std::sync::Arc;

/// `toolcost.explain/1`.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// One request each; without a capture one entry without tools.
    pub requests: Vec<ExplainRow>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
}

/// One request, explained.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainRow {
    /// Its run.
    pub run: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The place in it.
    pub place: Option<String>,
    /// The gate.
    pub gate: GateRow,
    /// The request in thirteen steps, from the mode to the compaction; without a capture the gate's steps, numbered.
    pub steps: Vec<StepRow>,
    /// What was asked with `--what-if`.
    pub what_if: Vec<WhatIfRow>,
    /// Of the usual changes and the ones asked for, those that turn the answer.
    pub flips: Vec<WhatIfRow>,
    /// Where the auto threshold turns; absent where nothing was measured or another step decides.
    pub turning_point: Option<TurningPoint>,
    /// The tools with their verdicts.
    pub tools: Vec<ExplainTool>,
}

/// One step.
#[derive(Debug, Clone, Serialize)]
pub struct StepRow {
    /// Its number, from 1.
    pub n: u64,
    /// Its id.
    pub name: &'static str,
    /// What it looked at.
    pub input: String,
    /// The input was not given.
    pub assumed: bool,
    /// No public source says what this input does.
    pub undocumented: bool,
    /// How it came out.
    pub outcome: Outcome,
    /// Why.
    pub evidence: String,
}

/// The gate asked again with one thing changed. What the wire shows does not count for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhatIfRow {
    /// What is changed.
    pub key: String,
    /// To what. A value that may hold a secret (a URL) is not repeated.
    pub value: String,
    /// Would tool search engage?
    pub enabled: Option<bool>,
    /// The step that decides.
    pub step: &'static str,
    /// Why.
    pub reason: String,
}

/// A tool with its verdict.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainTool {
    /// Its name.
    pub name: String,
    /// What the wire shows.
    pub state: State,
    /// What the rules say.
    pub verdict: VerdictRow,
    /// A deny rule of the settings names it: the client takes it away before it sends.
    pub denied: bool,
    /// The two agree, given what the gate was seen to do.
    pub agrees: bool,
}

/// One change to ask the gate again with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub key: String,
    /// To what.
    pub value: String,
}

/// A change that means nothing.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{key}: {message}")]
pub struct ChangeError {
    /// The key.
    pub key: String,
    /// What to write.
    pub message: &'static str,
}

/// Explains one request.
///
/// # Errors
/// A change of a key or to a value that means nothing to the gate.
pub fn explain(
    facts: &GateFacts,
    profile: &Profile,
    (signs, audit): (Vec<String>, Option<&Audit>),
    changes: &[Change],
    data: &Data,
) -> Result<ExplainRow, ChangeError> {
    let trace = facts.ask(profile);
    let what_if = changes
        .iter()
        .map(|change| ask_with(facts, profile, change, data))
        .collect::<Result<Vec<_>, _>>()?;
    let usual = [
        ("ENABLE_TOOL_SEARCH", "true"),
        ("ENABLE_TOOL_SEARCH", "false"),
        ("ENABLE_TOOL_SEARCH", "auto"),
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1"),
        ("deny", "ToolSearch"),
        // A percentage of a long window is more than most pools hold.
        ("context_window", "200000"),
    ];
    let usual = usual.iter().filter_map(|(key, value)| {
        let change = Change {
            key: (*key).to_owned(),
            value: (*value).to_owned(),
        };
        ask_with(facts, profile, &change, data).ok()
    });
    // The answer without the wire's word is what changes are measured by.
    let base = GateFacts {
        observed: Observed::Unknown,
        ..facts.clone()
    }
    .ask(profile)
    .enabled;
    let turns = |row: &WhatIfRow| row.enabled.is_some() && base.is_some() && row.enabled != base;
    let mut flips: Vec<WhatIfRow> = what_if.iter().cloned().chain(usual).filter(turns).collect();
    let mut seen = std::collections::BTreeSet::new();
    flips.retain(|row| seen.insert((row.key.clone(), row.value.clone())));
    let numbered = trace.steps.iter().zip(1..);
    let steps = numbered.map(|(step, n)| StepRow {
        n,
        name: step.name,
        input: step.input.clone(),
        assumed: step.assumed,
        undocumented: step.undocumented,
        outcome: step.outcome,
        evidence: step.evidence.clone(),
    });
    let steps = steps.collect();
    let tools = audit.map(|audit| tools(audit, &trace, &facts.settings));
    let tools = tools.unwrap_or_default();
    Ok(ExplainRow {
        run: None,
        path: None,
        place: None,
        gate: GateRow { trace, signs },
        steps,
        what_if,
        flips,
        turning_point: turning_point(facts, profile, data),
        tools,
    })
}

fn tools(audit: &Audit, trace: &GateTrace, settings: &RunSettings) -> Vec<ExplainTool> {
    let sent = audit
        .tools
        .iter()
        .filter(|tool| tool.state != State::Placeholder);
    sent.map(|tool| ExplainTool {
        name: tool.name.to_string(),
        state: tool.state,
        verdict: VerdictRow {
            decision: tool.verdict.decision,
            rule: tool.verdict.rule,
            evidence: tool.verdict.evidence.clone(),
        },
        denied: settings.denies(&tool.name),
        agrees: agrees(tool, trace.observed),
    })
    .collect()
}

fn agrees(tool: &ToolAudit, observed: Observed) -> bool {
    let loaded = tool.state == State::Loaded;
    match tool.verdict.decision {
        Decision::Load => loaded,
        Decision::Defer => !loaded || observed != Observed::On,
        Decision::Unknown => true,
    }
}

/// Asks the gate with one thing changed.
pub(super) fn ask_with(
    facts: &GateFacts,
    profile: &Profile,
    change: &Change,
    data: &Data,
) -> Result<WhatIfRow, ChangeError> {
    let bad = |message| ChangeError {
        key: change.key.clone(),
        message,
    };
    let mut facts = GateFacts {
        observed: Observed::Unknown,
        ..facts.clone()
    };
    let mut settings = RunSettings::clone(&facts.settings);
    let mut other = None;
    let mut shown = change.value.clone();
    match change.key.as_str() {
        "base_url" | "ANTHROPIC_BASE_URL" => {
            settings
                .env
                .insert("ANTHROPIC_BASE_URL".to_owned(), change.value.clone());
            let host = crate::model::host_of(&change.value);
            let known = host.is_empty() || data.profiles.first_party_hosts().contains(&host);
            shown = if known {
                "a first-party host"
            } else {
                "another host"
            }
            .to_owned();
        }
        "provider" => settings.provider = Some(change.value.clone()),
        "deny" if SEARCH_TOOLS.contains(&&*change.value) => settings.deny_search = Some(true),
        "deny" => return Err(bad("write deny=ToolSearch")),
        "model" => {
            facts.model = Some(change.value.clone());
        }
        "context_window" => {
            let window = change
                .value
                .parse()
                .map_err(|_| bad("write a number of tokens"))?;
            facts.window = Window::Known(window);
        }
        "profile" | "client_version" => {
            other = Some(
                data.profiles
                    .get(&change.value)
                    .ok_or_else(|| bad("write current, legacy, or a version"))?,
            );
        }
        name if name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') =>
        {
            if name.starts_with("CLAUDE_CODE_USE_") {
                // The variable says the provider, whatever was said before.
                settings.provider = None;
            }
            settings.env.insert(name.to_owned(), change.value.clone());
        }
        _ => {
            return Err(bad(
                "not known; write an environment variable, base_url, provider, model, context_window, profile or deny",
            ));
        }
    }
    if !matches!(facts.window, Window::Known(_)) {
        let input = WindowInput {
            settings: &settings,
            url_first_party: facts.url_first_party,
            wire_provider: facts.wire_provider.as_deref(),
            profile: other.as_ref().unwrap_or(profile),
        };
        let id = facts.model.as_deref();
        let window = id.map(|id| rules::gate_window(id, input, data));
        facts.window = window.map_or(Window::Missing, Window::Assumed);
    }
    facts.settings = Arc::new(settings);
    let trace = facts.ask(other.as_ref().unwrap_or(profile));
    Ok(WhatIfRow {
        key: change.key.clone(),
        value: shown,
        enabled: trace.enabled,
        step: trace.decided_by,
        reason: trace.reason,
    })
}
