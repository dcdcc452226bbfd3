//! The document of `check`: the verdict first, then limits, then findings; annotations and test cases for CI.

use super::skipped::skipped;
use super::words::{delta, percent, plural, thousands};
use super::{
    Amount, Annotation, Block, Bound, Cell, CheckDocument, Column, Note, Payload, Report, RuleText,
    Table, TestCase, Tone,
};
use crate::lint::LINTS;
use crate::model::Level;
use crate::view::{CheckView, FindingRow, LimitRow, Verdict};

/// Findings and limits that a person is shown; programs get all.
const MOST: usize = 50;

/// Limits within which a person is shown, the nearest to their end.
const NEAREST: usize = 10;

/// Letters of a message that a person is shown.
const LETTERS: usize = 400;

/// Builds the document.
pub fn check(view: CheckView) -> Report {
    let mut blocks = vec![Block::Title(verdict(&view)), Block::Text(about(&view))];
    let (open, passed): (Vec<&LimitRow>, Vec<&LimitRow>) =
        view.limits.iter().partition(|row| row.status != "passed");
    if !open.is_empty() {
        blocks.push(Block::Table(table(&open)));
        let reasons = open.iter().take(MOST).map(|row| Note {
            tone: match row.status {
                "failed" => Tone::Bad,
                _ => Tone::Warn,
            },
            label: row.status.to_owned(),
            text: short(&format!("{}: {}", name(row), row.reason)),
        });
        blocks.push(Block::Notes(reasons.collect()));
    }
    let findings = view.findings.iter().take(MOST).map(finding);
    let mut findings: Vec<Note> = findings.collect();
    if view.findings.len() > MOST {
        findings.push(more(view.findings.len() - MOST));
    }
    if !findings.is_empty() {
        blocks.push(Block::Notes(findings));
    }
    if !passed.is_empty() {
        let mut passed = passed;
        // Those that are nearest to their limit first.
        let left = |row: &LimitRow| row.margin.unwrap_or(0.0) / row.limit.max(f64::MIN_POSITIVE);
        passed.sort_by(|a, b| left(a).total_cmp(&left(b)));
        let number = plural(passed.len() as u64, "limit", "limits");
        let summary = match passed.len() > NEAREST {
            true => format!("{number} passed, these are nearest"),
            false => format!("{number} passed"),
        };
        passed.truncate(NEAREST);
        blocks.push(Block::Folded(summary, table(&passed)));
    }
    let mut notes = skipped(&view.skipped, false);
    notes.truncate(MOST);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    let document = CheckDocument {
        annotations: annotations(&view),
        rules: rules(&view),
        cases: cases(&view),
        view,
    };
    Report {
        blocks,
        payload: Payload::Check(Box::new(document)),
    }
}

fn more(number: usize) -> Note {
    Note {
        tone: Tone::Plain,
        label: "more".to_owned(),
        text: format!(
            "and {} others; --format json has all",
            thousands(number as u64)
        ),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn count(view: &CheckView, status: &str) -> u64 {
    view.limits
        .iter()
        .filter(|row| row.status == status)
        .count() as u64
}

fn verdict(view: &CheckView) -> String {
    let errors = view.findings.iter().filter(|f| f.level == Level::Error);
    let mut why = Vec::new();
    for (number, one, many) in [
        (count(view, "failed"), "limit exceeded", "limits exceeded"),
        (errors.count() as u64, "error", "errors"),
        (
            count(view, "undecided"),
            "limit undecided",
            "limits undecided",
        ),
        (
            view.skipped.len() as u64,
            "input could not be read",
            "inputs could not be read",
        ),
    ] {
        if number > 0 {
            why.push(plural(number, one, many));
        }
    }
    let word = match view.verdict() {
        Verdict::Failed => "failed",
        Verdict::Undecided => "undecided",
        Verdict::Passed if !view.skipped.is_empty() && !view.tolerated => "incomplete",
        Verdict::Passed => "passed",
    };
    match why.is_empty() {
        true => format!("toolcost check: {word}"),
        false => format!("toolcost check: {word} ({})", why.join(", ")),
    }
}

fn about(view: &CheckView) -> String {
    let settings = &view.settings;
    let model =
        settings
            .model
            .as_ref()
            .map_or_else(String::new, |model| match view.model_assumed {
                true => format!(" for {model} (assumed: a listing names no model)"),
                false => format!(" for {model}"),
            });
    let mut said = vec![format!(
        "{} · {} by {}{model}",
        view.paths.join(" "),
        plural(view.limits.len() as u64, "limit", "limits"),
        settings.counter
    )];
    if let Some(baseline) = &view.baseline {
        said.push(format!("against {}", baseline.path));
    }
    let over = count(view, "already-over");
    if over > 0 {
        said.push(format!(
            "{} over as before, and no new failure",
            thousands(over)
        ));
    }
    said.join(" · ")
}

/// What a limit is of.
fn name(row: &LimitRow) -> String {
    let growth = if row.kind == "growth" {
        "growth of "
    } else {
        ""
    };
    let what = row.matched.as_deref().unwrap_or(row.scope.word());
    format!("{}: {growth}{what}", row.run)
}

fn amount(value: Option<f64>, unit: &str) -> Cell {
    match (value, unit) {
        (None, _) => Cell::Text("?".to_owned()),
        (Some(share), "share") => Cell::Text(percent(share)),
        (Some(tokens), _) => Cell::Tokens(tokens_of(tokens)),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "tokens, far below 2^53")]
fn tokens_of(value: f64) -> Amount {
    Amount {
        tokens: Some(value.round() as i64),
        estimated: false,
        bound: Bound::Whole,
    }
}

fn table(rows: &[&LimitRow]) -> Table {
    let column = |head, right| Column {
        head,
        right,
        cut: !right,
    };
    let cells = rows.iter().take(MOST).map(|row| {
        let margin = match (row.margin, row.unit) {
            (None, _) => Cell::Text("?".to_owned()),
            (Some(share), "share") => Cell::Text(percent(share)),
            (Some(tokens), _) => Cell::Text(delta(tokens_of(tokens))),
        };
        vec![
            Cell::Text(name(row)),
            Cell::Text(row.status.to_owned()),
            amount(row.value, row.unit),
            amount(Some(row.limit), row.unit),
            margin,
        ]
    });
    Table {
        columns: vec![
            column("Limit", false),
            column("Status", false),
            column("Has", true),
            column("At most", true),
            column("Left", true),
        ],
        rows: cells.collect(),
        wrap: false,
    }
}

fn place(row: &FindingRow) -> String {
    let line = row.line.map_or_else(String::new, |line| format!(":{line}"));
    match row.path.is_empty() {
        true => String::new(),
        false => format!("{}{line} ", row.path),
    }
}

fn finding(row: &FindingRow) -> Note {
    let times = match row.times {
        0 | 1 => String::new(),
        n => format!(" ({n} times)"),
    };
    let tone = match row.level {
        Level::Error => Tone::Bad,
        Level::Warn => Tone::Warn,
        Level::Info => Tone::Plain,
    };
    Note {
        tone,
        label: row.level.word().to_owned(),
        text: short(&format!(
            "{}{} [{}] {}{times}. What to do: {}.",
            place(row),
            row.subject,
            row.code,
            row.message,
            row.help
        )),
    }
}

/// Everything that is not as it should be, the worst first.
fn annotations(view: &CheckView) -> Vec<Annotation> {
    let limits = view.limits.iter().filter_map(|row| {
        let level = match row.status {
            "failed" => Level::Error,
            "undecided" | "already-over" => Level::Warn,
            _ => return None,
        };
        let unit = |value: f64| match row.unit {
            "share" => percent(value),
            _ => format!("{} tokens", tokens_of(value)),
        };
        let has = row.value.map_or_else(|| "?".to_owned(), unit);
        Some(Annotation {
            level,
            code: match row.kind {
                "growth" => "growth".to_owned(),
                _ => "limit".to_owned(),
            },
            message: format!(
                "{} has {has}, at most {}: {}",
                name(row),
                unit(row.limit),
                row.reason
            ),
            path: row.path.clone(),
            line: None,
            key: format!("{} {}", row.run, row.id),
        })
    });
    let findings = view.findings.iter().map(|row| Annotation {
        level: row.level,
        code: row.code.to_owned(),
        message: format!("{}: {}. {}.", row.subject, row.message, row.help),
        path: Some(row.path.clone()).filter(|path| !path.is_empty()),
        line: row.line,
        key: format!("{} {} {}", row.run, row.code, row.subject),
    });
    let unread = view.skipped.iter().map(|row| Annotation {
        level: match view.tolerated {
            true => Level::Warn,
            false => Level::Error,
        },
        code: "unread".to_owned(),
        message: format!("{}: {}", row.place, row.reason),
        path: Some(row.path.clone()),
        line: None,
        key: format!("{} {}", row.path, row.place),
    });
    let mut all: Vec<Annotation> = limits.chain(findings).chain(unread).collect();
    // Code scanning takes no result without a place.
    for one in &mut all {
        one.path = one.path.take().or_else(|| view.paths.first().cloned());
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.level));
    all
}

/// The rules that annotations name.
fn rules(view: &CheckView) -> Vec<RuleText> {
    let own = [
        (
            "limit",
            Level::Error,
            "a number is over its limit",
            "see the project's limits",
        ),
        (
            "growth",
            Level::Error,
            "a number grew more than is allowed",
            "shrink it, or write the baseline anew",
        ),
        (
            "unread",
            Level::Error,
            "an input could not be read",
            "repair it, or let it pass with --max-skipped",
        ),
        (
            "limit-matches-nothing",
            Level::Warn,
            "a limit fits no tool",
            "correct its name",
        ),
        (
            "run-not-checked",
            Level::Warn,
            "a run has no main request",
            "capture the conversation, or leave these requests out",
        ),
        (
            "baseline-run-gone",
            Level::Warn,
            "a run of the baseline is not there",
            "write the baseline anew",
        ),
    ];
    let own = own.into_iter().map(|(code, level, what, cure)| RuleText {
        code: code.to_owned(),
        level,
        what: what.to_owned(),
        help: cure.to_owned(),
    });
    let lints = LINTS.iter().map(|lint| RuleText {
        code: lint.code.to_owned(),
        level: lint.level,
        what: lint.what.to_owned(),
        help: format!("{}. {}.", lint.why, lint.cure),
    });
    let seen = |code: &str| {
        view.findings.iter().any(|f| f.code == code)
            || ["limit", "growth", "unread"].contains(&code)
    };
    own.chain(lints).filter(|rule| seen(&rule.code)).collect()
}

/// One case a limit, one a finding, one for inputs that could not be read.
fn cases(view: &CheckView) -> Vec<TestCase> {
    let limits = view.limits.iter().map(|row| TestCase {
        group: format!("limits.{}", row.run),
        name: row.id.clone(),
        failure: (row.status == "failed").then(|| row.reason.clone()),
        error: (row.status == "undecided").then(|| row.reason.clone()),
    });
    let findings = view.findings.iter().map(|row| TestCase {
        group: format!("rules.{}", row.code),
        name: format!("{} {}", row.run, row.subject).trim().to_owned(),
        failure: (row.level == Level::Error)
            .then(|| format!("{}{}. {}.", place(row), row.message, row.help)),
        error: None,
    });
    let unread = view.skipped.iter().map(|row| TestCase {
        group: "inputs".to_owned(),
        name: format!("{}, {}", row.path, row.place),
        failure: None,
        error: Some(row.reason.clone()).filter(|_| !view.tolerated),
    });
    limits.chain(findings).chain(unread).collect()
}
