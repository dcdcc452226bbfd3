//! A document as one flat table for programs: a header, and a row for each run and tool, step or list entry.

use super::{ListRow, Payload};
use crate::view::{
    CalibrationView, CheckView, CompareView, CountRow, CountView, ExplainView, RunsView, SearchView,
};

/// A flat table.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Names of the columns.
    pub head: &'static [&'static str],
    /// Rows, each as long as the head.
    pub rows: Vec<Vec<Field>>,
}

/// A field of a flat table. Texts may come from strangers.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Unknown, or not applicable.
    Blank,
    /// A text.
    Text(String),
    /// A number.
    Number(u64),
    /// A number that may be negative.
    Signed(i64),
    /// A number of the program's own with a point: a share, money. Never a stranger's word.
    Decimal(String),
    /// Yes or no.
    Flag(bool),
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Field {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Field {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Field>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Blank, Into::into)
    }
}

impl Payload {
    /// The payload as a flat table.
    pub fn sheet(&self) -> Sheet {
        match self {
            Self::Runs(view) => runs(view),
            Self::Explain(view) => explain(view),
            Self::Check(document) => check(&document.view),
            Self::Compare(view) => compare(view),
            Self::Search(view) => search(view),
            Self::Advise(view) => super::advise::sheet(view),
            Self::Timeline(view) => super::timeline::sheet(view),
            Self::Forecast(view) => super::forecast::sheet(view),
            Self::Count(view) => count(view),
            Self::Calibration(view) => calibration(view),
            Self::List(rows) => list(rows),
        }
    }
}

fn runs(view: &RunsView) -> Sheet {
    const HEAD: &[&str] = &[
        "run",
        "tool",
        "kind",
        "server",
        "tools",
        "state",
        "decision",
        "rule",
        "size",
        "in_prompt",
        "at_least",
        "source",
        "chars",
        "wire_chars",
        "bytes",
        "definition_from",
        "turns",
        "calls",
        "discovered_at",
        "later",
    ];
    let tools = view.runs.iter().flat_map(|run| {
        let shown = run.tools.iter().filter(|tool| tool.shown);
        shown.map(move |tool| (run, tool))
    });
    let rows = tools.map(|(run, tool)| {
        vec![
            run.run.as_str().into(),
            tool.name.as_str().into(),
            tool.kind.into(),
            tool.server.as_deref().into(),
            tool.tools.into(),
            tool.state.word().into(),
            tool.verdict.decision.word().into(),
            tool.verdict.rule.into(),
            tool.size.map(|tokens| tokens.0).into(),
            tool.in_prompt.map(|tokens| tokens.0).into(),
            tool.at_least.into(),
            tool.source.word().into(),
            tool.chars.map(|chars| chars.0).into(),
            tool.wire_chars.map(|chars| chars.0).into(),
            tool.bytes.into(),
            tool.definition_from.into(),
            tool.turns.into(),
            tool.calls.into(),
            tool.discovered_at.into(),
            tool.later.into(),
        ]
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}

fn explain(view: &ExplainView) -> Sheet {
    const HEAD: &[&str] = &[
        "run",
        "path",
        "place",
        "n",
        "step",
        "outcome",
        "assumed",
        "undocumented",
        "input",
        "evidence",
    ];
    let rows = view.requests.iter().flat_map(|request| {
        let steps = request.gate.trace.steps.iter().zip(1_u64..);
        steps.map(|(step, n)| {
            vec![
                request.run.as_deref().into(),
                request.path.as_deref().into(),
                request.place.as_deref().into(),
                n.into(),
                step.name.into(),
                step.outcome.word().into(),
                step.assumed.into(),
                step.undocumented.into(),
                step.input.as_str().into(),
                step.evidence.as_str().into(),
            ]
        })
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}

fn check(view: &CheckView) -> Sheet {
    const HEAD: &[&str] = &[
        "run", "kind", "id", "match", "scope", "status", "value", "limit", "unit", "margin",
        "base", "level", "path", "line", "message",
    ];
    let number = |value: Option<f64>| value.map_or(Field::Blank, |v| Field::Decimal(v.to_string()));
    let limits = view.limits.iter().map(|row| {
        vec![
            row.run.as_str().into(),
            row.kind.into(),
            row.id.as_str().into(),
            row.matched.as_deref().into(),
            row.scope.word().into(),
            row.status.into(),
            number(row.value),
            number(Some(row.limit)),
            row.unit.into(),
            number(row.margin),
            number(row.base),
            Field::Blank,
            row.path.as_deref().into(),
            Field::Blank,
            row.reason.as_str().into(),
        ]
    });
    let findings = view.findings.iter().map(|row| {
        let mut cells = vec![Field::Blank; HEAD.len()];
        cells[0] = row.run.as_str().into();
        cells[1] = "finding".into();
        cells[2] = row.code.into();
        cells[3] = row.subject.as_str().into();
        cells[11] = row.level.word().into();
        cells[12] = row.path.as_str().into();
        cells[13] = row.line.into();
        cells[14] = row.message.as_str().into();
        cells
    });
    Sheet {
        head: HEAD,
        rows: limits.chain(findings).collect(),
    }
}

fn compare(view: &CompareView) -> Sheet {
    const HEAD: &[&str] = &[
        "base",
        "run",
        "tool",
        "server",
        "change",
        "a",
        "b",
        "delta",
        "size_a",
        "size_b",
        "wire_chars_a",
        "wire_chars_b",
    ];
    let number = |value: Option<i64>| value.map_or(Field::Blank, Field::Signed);
    let rows = view.others.iter().flat_map(|other| {
        other.deltas.iter().map(move |tool| {
            vec![
                view.base.as_str().into(),
                other.run.as_str().into(),
                tool.name.as_str().into(),
                tool.server.as_deref().into(),
                tool.change.word().into(),
                number(tool.a),
                number(tool.b),
                number(tool.delta),
                number(tool.size.a),
                number(tool.size.b),
                number(tool.wire_chars.a),
                number(tool.wire_chars.b),
            ]
        })
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}

fn search(view: &SearchView) -> Sheet {
    let hits = view.results.iter().map(|hit| (hit, true));
    let hits = hits.chain(view.more.iter().map(|hit| (hit, false)));
    let rows = hits.map(|(hit, found)| {
        vec![
            view.run.as_str().into(),
            hit.name.as_str().into(),
            hit.score.into(),
            found.into(),
            hit.already_loaded.into(),
            hit.size.into(),
        ]
    });
    Sheet {
        head: &["run", "tool", "score", "found", "already_loaded", "size"],
        rows: rows.collect(),
    }
}

fn count(view: &CountView) -> Sheet {
    const HEAD: &[&str] = &[
        "id", "kind", "counter", "model", "tokens", "at_least", "source",
    ];
    let row = |row: &CountRow| {
        vec![
            row.id.as_str().into(),
            row.kind.into(),
            row.counter.as_str().into(),
            row.model.as_deref().into(),
            row.tokens.map(|tokens| tokens.0).into(),
            row.at_least.into(),
            row.source.word().into(),
        ]
    };
    Sheet {
        head: HEAD,
        rows: view.rows.iter().map(row).collect(),
    }
}

fn calibration(view: &CalibrationView) -> Sheet {
    const HEAD: &[&str] = &[
        "model",
        "requests",
        "complete",
        "within_two",
        "family",
        "prelude_auto",
        "counter",
        "slope",
        "intercept",
        "median",
        "p95",
    ];
    let number = |value: f64| Field::Decimal(value.to_string());
    let rows = view.calibration.model.iter().flat_map(|model| {
        model.counter.iter().map(move |fit| {
            vec![
                model.id.as_str().into(),
                model.requests.into(),
                model.complete.into(),
                model.within_two.into(),
                model.family.as_deref().into(),
                model.prelude_auto.into(),
                fit.counter.as_str().into(),
                number(fit.slope),
                number(fit.intercept),
                fit.median.map_or(Field::Blank, number),
                fit.p95.map_or(Field::Blank, number),
            ]
        })
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}

fn list(rows: &[ListRow]) -> Sheet {
    let row = |row: &ListRow| {
        [&row.name, &row.about, &row.source]
            .map(|text| text.as_str().into())
            .to_vec()
    };
    Sheet {
        head: &["name", "about", "source"],
        rows: rows.iter().map(row).collect(),
    }
}
