//! Absolute limits: of scopes, and of tools by name.

use super::measured::{Measured, Value, is_in};
use super::{CheckOptions, fits};
use crate::model::{Level, LimitScope, Limits, Most, Sum, ToolLimit};
use crate::view::FindingRow;
use serde::Serialize;

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
    pub(super) band: f64,
}

impl Had {
    pub(super) fn tokens(value: Value) -> Self {
        Self {
            value: value.tokens.map(float),
            at_least: value.at_least,
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
        // The request that comes nearest to its limit, or goes farthest beyond.
        let worst = run.rows.iter().map(|row| {
            let had = match unit {
                "share" => Had::share(run.share(row)),
                _ => Had::tokens(run.scope(row, *scope)),
            };
            (had, &row.path)
        });
        let rank = |had: &Had| had.value.unwrap_or(f64::INFINITY);
        let Some((had, path)) = worst.max_by(|a, b| rank(&a.0).total_cmp(&rank(&b.0))) else {
            continue;
        };
        let asked = Asked {
            id: scope.word().to_owned(),
            scope: *scope,
            matched: None,
            most: limit,
            unit,
            base: base(run, options, *scope, None).filter(|_| unit == "tokens"),
            why: None,
        };
        rows.push(decide(run, asked, had, Some(path)));
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

fn of_tools(run: &Measured<'_>, limit: &ToolLimit, options: &CheckOptions<'_>) -> Vec<LimitRow> {
    let scope = scope(limit, options);
    let mut rows = Vec::new();
    let tools: Vec<_> = run
        .tools()
        .filter(|tool| is_in(tool, scope) && fits(&limit.glob, &tool.name))
        .collect();
    if tools.is_empty() {
        return rows;
    }
    let asked = |id: String, matched: String, most: u64, base: Option<f64>| Asked {
        id,
        scope,
        matched: Some(matched),
        most: float(most),
        unit: "tokens",
        base,
        why: limit.reason.clone(),
    };
    if let Some(each) = limit.each {
        let mut own: Vec<LimitRow> = tools
            .iter()
            .map(|tool| {
                let name = tool.name.to_string();
                let had = Had::tokens(run.value(tool.size.into()));
                let base = base(run, options, scope, Some(&name));
                let id = format!("{} each {name}", limit.glob);
                decide(run, asked(id, name, each, base), had, None)
            })
            .collect();
        own.sort_by(|a, b| {
            let value = |row: &LimitRow| row.value.unwrap_or(f64::INFINITY);
            a.order()
                .cmp(&b.order())
                .then(value(b).total_cmp(&value(a)))
        });
        // Of those that are within, the largest stands for all.
        let passed = own.iter().position(|row| row.status == "passed");
        if let Some(first) = passed {
            let others = own.len() - first - 1;
            own.truncate(first + 1);
            if others > 0 {
                own[first].reason = format!("{}; {others} others have less", own[first].reason);
            }
        }
        rows.extend(own);
    }
    if let Some(total) = limit.total {
        let sum: Sum = tools.iter().map(|tool| tool.size).collect();
        let bases = tools
            .iter()
            .map(|tool| base(run, options, scope, Some(&tool.name)));
        let base = bases.sum::<Option<f64>>();
        let id = format!("{} total", limit.glob);
        let had = Had::tokens(run.value(sum));
        let asked = asked(id, limit.glob.clone(), total, base);
        rows.push(decide(run, asked, had, None));
    }
    rows
}

/// The number in the baseline.
pub(super) fn base(
    run: &Measured<'_>,
    options: &CheckOptions<'_>,
    scope: LimitScope,
    tool: Option<&str>,
) -> Option<f64> {
    let (_, baseline, _) = options.ratchet?;
    let known = baseline.runs.iter().find(|known| known.run == run.run)?;
    let tokens = match tool {
        Some(name) => known.tools.iter().find(|tool| tool.name == name)?.size,
        None => known.scope(scope),
    };
    tokens.map(float)
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
            // A number that lacks parts is at least this.
            let high = if had.at_least { f64::INFINITY } else { high };
            match (low > most, high > most) {
                (true, _) if asked.base.is_some_and(|base| base > most && value <= base) => (
                    "already-over",
                    "over the limit, as in the baseline, and not larger than there".to_owned(),
                ),
                (true, _) => ("failed", "over the limit".to_owned()),
                (false, false) => ("passed", "within the limit".to_owned()),
                (false, true) if had.at_least => (
                    "undecided",
                    "parts are missing: the truth is this or more".to_owned(),
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

/// Limits that no tool of any run fits.
pub(super) fn unmatched(runs: &[Measured<'_>], limits: &Limits) -> Vec<FindingRow> {
    let unmatched = limits.tools.iter().filter(|limit| {
        let mut tools = runs.iter().flat_map(Measured::tools);
        !tools.any(|tool| fits(&limit.glob, &tool.name))
    });
    let row = |limit: &ToolLimit| FindingRow {
        code: "limit-matches-nothing",
        level: Level::Warn,
        message: format!("no tool is named {}: nothing was limited", limit.glob),
        run: String::new(),
        path: String::new(),
        line: None,
        pointer: String::new(),
        subject: limit.glob.clone(),
        help: "correct the name, or take the limit out".to_owned(),
        times: 1,
    };
    unmatched.map(row).collect()
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
pub(super) fn float(tokens: u64) -> f64 {
    tokens as f64
}

pub(super) fn four_digits(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
