//! Tools of a run, as its first request shows them; those that came later as their first request does.

use super::Settings;
use crate::audit::ToolAudit;
use crate::data::Data;
use crate::model::{Chars, Count, Decision, Evidence, Parts, Source, State, Sum, Tokens, Word};
use crate::summary::{RunSummary, ToolTotals};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// `TOOL` of the report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolRow {
    /// Its name.
    pub name: String,
    /// builtin, mcp, server, custom, prompted, placeholder, group.
    #[serde(deserialize_with = "crate::model::word")]
    pub kind: Word,
    /// How many tools the row stands for: 1, but for a group that was counted together.
    pub tools: u64,
    /// The MCP server in its name.
    pub server: Option<String>,
    /// What the wire shows.
    pub state: State,
    /// What the rules say.
    pub verdict: VerdictRow,
    /// Tokens of the definition.
    pub size: Option<Tokens>,
    /// Tokens the request pays for it; of a tool that came later, 0 in the first request.
    pub in_prompt: Option<Tokens>,
    /// `size` lacks something.
    pub at_least: bool,
    /// Where `size` comes from.
    pub source: Source,
    /// How well it is supported.
    pub evidence: Option<Evidence>,
    /// How wrong `size` may be, relative to it: nineteen of twenty tools lie within; null where that was not measured.
    pub error: Option<f64>,
    /// Characters as the client sums them.
    pub chars: Option<Chars>,
    /// Characters of its compact JSON.
    pub wire_chars: Option<Chars>,
    /// Bytes of its compact JSON.
    pub bytes: Option<u64>,
    /// Tokens by part; they sum to `size`.
    pub parts: Option<PartsRow>,
    /// Where its definition was found: request, session, run, other-run, listing.
    #[serde(deserialize_with = "crate::model::word_or_null")]
    pub definition_from: Option<Word>,
    /// Main requests whose prompt held it.
    pub turns: u64,
    /// Calls over the run.
    pub calls: u64,
    /// The turn that discovered it.
    pub discovered_at: Option<u64>,
    /// It is not in the first request.
    pub later: bool,
    /// `--filter` lets it through.
    #[serde(skip, default = "yes")]
    pub shown: bool,
}

impl ToolRow {
    /// Is its size an estimate, or does it rest on thin evidence?
    pub fn is_rough(&self) -> bool {
        self.source == Source::Estimated || self.evidence == Some(Evidence::C)
    }
}

/// A verdict as a row.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictRow {
    /// load, defer, unknown.
    pub decision: Decision,
    /// The rule that decided.
    #[serde(deserialize_with = "crate::model::word")]
    pub rule: Word,
    /// What it saw.
    pub evidence: String,
}

/// Tokens of a definition by part.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsRow {
    /// The name.
    pub name: u64,
    /// The description.
    pub description: u64,
    /// The schema.
    pub schema: u64,
    /// What is left.
    pub wrapper: i64,
}

impl From<Parts> for PartsRow {
    fn from(parts: Parts) -> Self {
        let Parts {
            name,
            description,
            schema,
            wrapper,
        } = parts;
        Self {
            name,
            description,
            schema,
            wrapper,
        }
    }
}

/// The tools of one MCP server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerRow {
    /// The server.
    pub server: String,
    /// Its tools.
    pub tools: u64,
    /// Loaded and discovered ones.
    pub loaded: u64,
    /// Deferred and announced ones.
    pub deferred: u64,
    /// Tokens of all definitions.
    pub size: Option<Tokens>,
    /// Some of them are unknown.
    pub at_least: bool,
    /// Tokens the first request pays.
    pub in_prompt: Tokens,
}

/// What was written was shown.
fn yes() -> bool {
    true
}

fn first(totals: &ToolTotals) -> Option<(&ToolAudit, u64)> {
    totals.first.as_ref().map(|(rank, tool)| (tool, *rank))
}

pub(super) fn rows(summary: &RunSummary) -> Vec<ToolRow> {
    let start = summary.first.as_ref().map_or(0, |placed| placed.rank);
    let calls = summary.calls();
    let mut rows: Vec<ToolRow> = summary
        .tools
        .values()
        .filter_map(|totals| {
            first(totals).map(|(tool, rank)| row(&calls, totals, tool, rank > start))
        })
        .collect();
    by_cost(&mut rows);
    rows
}

/// Puts the largest first: what the first request pays, then size.
pub(super) fn by_cost(rows: &mut [ToolRow]) {
    rows.sort_by(|a, b| {
        let key = |row: &ToolRow| {
            (
                Reverse(row.in_prompt.map_or(0, |t| t.0)),
                Reverse(row.size.map_or(0, |t| t.0)),
            )
        };
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
}

fn row(calls: &BTreeMap<&str, u64>, totals: &ToolTotals, tool: &ToolAudit, later: bool) -> ToolRow {
    let sizes = tool
        .definition
        .as_ref()
        .map(|(definition, _)| definition.sizes);
    ToolRow {
        name: tool.name.to_string(),
        kind: tool.kind.word(),
        tools: tool.kind.tools(),
        server: tool.kind.server().map(ToString::to_string),
        state: tool.state,
        verdict: VerdictRow {
            decision: tool.verdict.decision,
            rule: tool.verdict.rule,
            evidence: tool.verdict.evidence.clone(),
        },
        size: tool.size.tokens,
        in_prompt: if later {
            Some(Tokens(0))
        } else {
            tool.in_prompt.tokens
        },
        at_least: tool.size.at_least,
        source: tool.size.source,
        evidence: tool.size.evidence,
        error: None,
        chars: sizes.map(|sizes| sizes.chars),
        wire_chars: sizes.map(|sizes| sizes.wire_chars),
        bytes: sizes.map(|sizes| sizes.bytes),
        parts: tool.parts.map(PartsRow::from),
        definition_from: tool
            .definition
            .as_ref()
            .map(|(_, provenance)| provenance.word()),
        turns: totals.turns,
        calls: calls.get(&*tool.name).copied().unwrap_or(0),
        discovered_at: totals.discovered_at,
        later,
        shown: true,
    }
}

/// How wrong sizes may be that were counted, where that was measured for the counter and the model's tokenizer.
pub(super) fn set_errors(
    tools: &mut [ToolRow],
    models: &[String],
    settings: &Settings,
    data: &Data,
) {
    let named: Vec<&str> = match settings.model.as_deref() {
        Some(model) => vec![model],
        None => models.iter().map(String::as_str).collect(),
    };
    // How wrong a corrected counter is on single tools was not measured.
    let calibrated = settings.calibrated.as_ref();
    if calibrated.is_some_and(|by| named.iter().any(|model| by.corrects(model))) {
        return;
    }
    let family = |model: &&str| data.models.family_of_id(model);
    let Some(family) = named.first().and_then(family).filter(|first| {
        // Of several tokenizers nobody knows which a row was counted by.
        named
            .iter()
            .all(|model| family(model).is_some_and(|own| own.id == first.id))
    }) else {
        return;
    };
    for tool in tools.iter_mut() {
        let counter = match (settings.counter.as_str(), tool.source) {
            (_, Source::Recorded | Source::Unknown) => continue,
            ("auto", Source::Reconstructed) => "claude",
            ("auto", Source::Estimated) => "chars",
            (counter, _) => counter,
        };
        tool.error = data.bands.get(counter, &family.id).map(|band| band.p95);
    }
}

/// Servers, by the rows of their tools.
pub(super) fn by_server(tools: &[ToolRow]) -> Vec<ServerRow> {
    let mut servers: BTreeMap<&str, (ServerRow, Sum)> = BTreeMap::new();
    for tool in tools {
        let Some(server) = tool.server.as_deref() else {
            continue;
        };
        let (row, size) = servers.entry(server).or_insert_with(|| {
            let row = ServerRow {
                server: server.to_owned(),
                tools: 0,
                loaded: 0,
                deferred: 0,
                size: None,
                at_least: false,
                in_prompt: Tokens(0),
            };
            (row, Sum::default())
        });
        row.tools += 1;
        match tool.state {
            State::Loaded | State::Discovered => row.loaded += 1,
            State::Deferred | State::Announced | State::Placeholder => row.deferred += 1,
        }
        size.add(Count {
            tokens: tool.size,
            at_least: tool.at_least,
            source: tool.source,
            evidence: tool.evidence,
        });
        row.in_prompt = row.in_prompt + tool.in_prompt.unwrap_or_default();
    }
    let mut rows: Vec<ServerRow> = servers
        .into_values()
        .map(|(row, size)| ServerRow {
            size: size.count().tokens,
            at_least: size.missing > 0,
            ..row
        })
        .collect();
    rows.sort_by(|a, b| (Reverse(a.size), &a.server).cmp(&(Reverse(b.size), &b.server)));
    rows
}
