//! Absolute limits: of scopes, and of tools by name.

use super::CheckOptions;
use super::measured::{Measured, Value, is_in, numbered};
use crate::model::{Level, LimitScope, Most, Sum, ToolLimit};
use crate::summary::ToolSize;
use crate::view::FindingRow;
use serde::Serialize;
use std::collections::BTreeMap;
use wildmatch::WildMatch;

/// One limit and how it came out.
#[derive(Debug, Clone, Serialize)]
pub struct LimitRow {
    /// A stable name for it.
    pub id: String,
    /// The run.
    pub run: String,
    /// Where the number was seen: the file.
    pub path: Option<String>,
    /// loaded, deferred, all, request, share.
    pub scope: LimitScope,
    /// `limit`: a limit by itself; `growth`: since the baseline.
    pub kind: &'static str,
    /// The tool, or the names that were matched; null = the whole scope.
    #[serde(rename = "match")]
    pub matched: Option<String>,
    /// The most that is allowed.
    pub limit: f64,
    /// What there is; null = nobody knows.
    pub value: Option<f64>,
    /// `tokens`, or `share` of one.
    pub unit: &'static str,
    /// The number in the baseline, where one was given.
    pub base: Option<f64>,
    /// passed, failed, already-over, undecided.
    pub status: &'static str,
    /// What is left until the limit; negative = over it.
    pub margin: Option<f64>,
    /// Why it came out so.
    pub reason: String,
}

impl LimitRow {
    /// The worst first.
    pub(super) fn order(&self) -> u8 {
        match self.status {
            "failed" => 0,
            "undecided" => 1,
            "already-over" => 2,
            _ => 3,
        }
    }
}

/// A limit on its way to a row.
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) scope: LimitScope,
    pub(super) matched: Option<String>,
    pub(super) most: f64,
    pub(super) unit: &'static str,
    pub(super) base: Option<f64>,
    pub(super) why: Option<String>,
}

/// A number in the unit of its limit.
#[derive(Clone, Copy)]
pub(super) struct Had {
    pub(super) value: Option<f64>,
    pub(super) at_least: bool,
    pub(super) at_most: bool,
    pub(super) band: f64,
}

impl Had {
    pub(super) fn tokens(value: Value) -> Self {
        Self {
            value: value.tokens.map(float),
            at_least: value.at_least,
            at_most: value.at_most,
            band: value.band,
        }
    }

    fn share(value: Value) -> Self {
        Self {
            value: value.tokens.map(|share| float(share) / 10_000.0),
            ..Self::tokens(value)
        }
    }
}

/// The rows of a run.
pub(super) fn rows(run: &Measured<'_>, options: &CheckOptions<'_>) -> Vec<LimitRow> {
    let mut rows = Vec::new();
    for (scope, most) in &options.limits.scopes {
        let (limit, unit) = match most {
            Most::Tokens(tokens) => (float(*tokens), "tokens"),
            Most::Share(share) => (*share, "share"),
        };
        let decided = run.rows.iter().map(|row| {
            let had = match unit {
                "share" => Had::share(run.share(row)),
                _ => Had::tokens(run.scope(row, *scope)),
            };
            let asked = Asked {
                id: scope.word().to_owned(),
                scope: *scope,
                matched: None,
                most: limit,
                unit,
                base: base(run, options, *scope).filter(|_| unit == "tokens"),
                why: None,
            };
            decide(run, asked, had, Some(&row.path))
        });
        rows.extend(worst(decided));
    }
    for limit in &options.limits.tools {
        rows.extend(of_tools(run, limit, options));
    }
    rows
}

/// The default scope of tool limits.
fn scope(limit: &ToolLimit, options: &CheckOptions<'_>) -> LimitScope {
    limit.scope.unwrap_or(match options.listings {
        true => LimitScope::All,
        false => LimitScope::Loaded,
    })
}

/// The row of several that is farthest from well: each request is decided by itself.
pub(super) fn worst(rows: impl Iterator<Item = LimitRow>) -> Option<LimitRow> {
    let value = |row: &LimitRow| row.value.unwrap_or(f64::INFINITY);
    rows.min_by(|a, b| {
        let order = a.order().cmp(&b.order());
        order.then_with(|| value(b).total_cmp(&value(a)))
    })
}

fn of_tools(run: &Measured<'_>, limit: &ToolLimit, options: &CheckOptions<'_>) -> Vec<LimitRow> {
    let scope = scope(limit, options);
    let glob = WildMatch::new(&limit.glob);
    let asked = |id: String, matched: String, most: u64, base: Option<f64>| Asked {
        id,
        scope,
        matched: Some(matched),
        most: float(most),
        unit: "tokens",
        base,
        why: limit.reason.clone(),
    };
    let mut each: BTreeMap<(&str, usize), LimitRow> = BTreeMap::new();
    let mut totals: Vec<LimitRow> = Vec::new();
    for row in &run.rows {
        let own: Vec<(usize, &ToolSize)> = numbered(row)
            .filter(|(_, tool)| is_in(tool, scope) && glob.matches(&tool.name))
            .collect();
        if own.is_empty() {
            continue;
        }
        if let Some(most) = limit.each {
            for (at, tool) in &own {
                let name = tool.name.to_string();
                let had = Had::tokens(run.value(tool.size.into()));
                let base = tool_base(run, options, scope, &name, *at);
                let id = format!("{} each {name}", limit.glob);
                let row = decide(run, asked(id, name, most, base), had, Some(&row.path));
                let known = each.remove(&(&*tool.name, *at));
                let worst = worst(known.into_iter().chain([row]));
                each.extend(worst.map(|row| ((&*tool.name, *at), row)));
            }
        }
        if let Some(most) = limit.total {
            let sum: Sum = own.iter().map(|(_, tool)| tool.size).collect();
            let had = Had::tokens(run.value(sum));
            // What was out of the scope then counted nothing then.
            let bases = own
                .iter()
                .map(|(at, tool)| tool_base(run, options, scope, &tool.name, *at));
            let base = options.ratchet.map(|_| bases.flatten().sum());
            let id = format!("{} total", limit.glob);
            let asked = asked(id, limit.glob.clone(), most, base);
            totals.push(decide(run, asked, had, Some(&row.path)));
        }
    }
    let mut own: Vec<LimitRow> = each.into_values().collect();
    own.sort_by(|a, b| {
        let value = |row: &LimitRow| row.value.unwrap_or(f64::INFINITY);
        a.order()
            .cmp(&b.order())
            .then(value(b).total_cmp(&value(a)))
    });
    // Of those that are within, the largest stands for all.
    if let Some(first) = own.iter().position(|row| row.status == "passed") {
        let others = own.len() - first - 1;
        own.truncate(first + 1);
        if others > 0 {
            own[first].reason = format!("{}; {others} others have less", own[first].reason);
        }
    }
    own.extend(worst(totals.into_iter()));
    own
}

/// The number of a scope in the baseline.
fn base(run: &Measured<'_>, options: &CheckOptions<'_>, scope: LimitScope) -> Option<f64> {
    let (_, baseline, _) = options.ratchet?;
    baseline.run(run.run)?.scope(scope).map(float)
}

/// The number of a tool in the baseline, where it was in the scope.
fn tool_base(
    run: &Measured<'_>,
    options: &CheckOptions<'_>,
    scope: LimitScope,
    name: &str,
    at: usize,
) -> Option<f64> {
    let (_, baseline, _) = options.ratchet?;
    let tool = baseline.run(run.run)?.tool(name, at)?;
    let loaded = matches!(tool.state.as_str(), "loaded" | "discovered");
    let there = match scope {
        LimitScope::Loaded => loaded,
        LimitScope::Deferred => !loaded,
        _ => true,
    };
    tool.size.filter(|_| there).map(float)
}

/// Holds a number against its limit.
pub(super) fn decide(
    run: &Measured<'_>,
    asked: Asked,
    had: Had,
    path: Option<&std::sync::Arc<str>>,
) -> LimitRow {
    let most = asked.most;
    let (status, reason) = match had.value {
        None => ("undecided", "the number is not known".to_owned()),
        Some(value) => {
            let (low, high) = (value * (1.0 - had.band), value * (1.0 + had.band));
            // A number that lacks parts is at least this, or a share of such a whole at most.
            let high = if had.at_least { f64::INFINITY } else { high };
            let low = if had.at_most { 0.0 } else { low };
            match (low > most, high > most) {
                (true, _) if asked.base.is_some_and(|base| base > most && value <= base) => (
                    "already-over",
                    "over the limit, as in the baseline, and not larger than there".to_owned(),
                ),
                (true, _) => ("failed", "over the limit".to_owned()),
                (false, false) => ("passed", "within the limit".to_owned()),
                (false, true) if had.at_least || had.at_most => (
                    "undecided",
                    match had.at_least {
                        true => "parts are missing: the truth is this or more",
                        false => "the whole lacks parts: the truth is this or less",
                    }
                    .to_owned(),
                ),
                (false, true) => (
                    "undecided",
                    format!(
                        "the limit lies within the error of the estimate (±{:.0} %)",
                        had.band * 100.0
                    ),
                ),
            }
        }
    };
    let reason = match &asked.why {
        Some(why) => format!("{reason} ({why})"),
        None => reason,
    };
    LimitRow {
        id: asked.id,
        run: run.run.to_owned(),
        path: path.map(ToString::to_string),
        scope: asked.scope,
        kind: "limit",
        matched: asked.matched,
        limit: most,
        value: had.value,
        unit: asked.unit,
        base: asked.base,
        status,
        margin: had.value.map(|value| four_digits(most - value)),
        reason,
    }
}

/// Limits that no tool of any run fits, or none in their scope.
pub(super) fn unmatched(runs: &[Measured<'_>], options: &CheckOptions<'_>) -> Vec<FindingRow> {
    let mut found = Vec::new();
    for limit in &options.limits.tools {
        let glob = WildMatch::new(&limit.glob);
        let scope = scope(limit, options);
        let rows = runs.iter().flat_map(|run| &run.rows);
        let tools = || rows.clone().flat_map(|row| row.tools.iter());
        let named = tools().any(|tool| glob.matches(&tool.name));
        if tools().any(|tool| is_in(tool, scope) && glob.matches(&tool.name)) {
            continue;
        }
        let message = match named {
            false => format!("no tool is named {}: nothing was limited", limit.glob),
            true => format!(
                "no tool named {} is in the scope {}: nothing was limited",
                limit.glob,
                scope.word()
            ),
        };
        found.push(FindingRow {
            code: "limit-matches-nothing",
            level: Level::Warn,
            message,
            run: String::new(),
            path: String::new(),
            line: None,
            element: None,
            pointer: String::new(),
            subject: limit.glob.clone(),
            help: "correct the name or the scope, or take the limit out".to_owned(),
            times: 1,
        });
    }
    found
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
pub(super) fn float(tokens: u64) -> f64 {
    tokens as f64
}

pub(super) fn four_digits(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
