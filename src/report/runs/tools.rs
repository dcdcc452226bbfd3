//! The tools of a run's first request by cost, servers summed.

use super::Shown;
use crate::model::{Decision, Observed, State, Tokens};
use crate::report::words::{plural, thousands};
use crate::report::{Amount, Bound, Cell, Column, Table};
use crate::savings::share;
use crate::view::{RunRow, TokensRow, ToolRow};
use std::cmp::Reverse;
use std::collections::BTreeMap;

struct Line {
    name: String,
    state: String,
    why: String,
    tokens: Amount,
    in_prompt: Option<Tokens>,
    /// `--filter` lets it through.
    shown: bool,
}

/// The table: what is in the prompt by cost, what comes with it, what is held back. Where rows were asked for there
/// is a line each tool, and no servers are summed.
pub(super) fn table(run: &RunRow, top: usize, shown: Shown) -> Table {
    let single = shown.top.is_some() || shown.chosen;
    let column = |head, right, cut| Column { head, right, cut };
    let columns = vec![
        column("Tool", false, true),
        column("State", false, false),
        column("Why", false, true),
        column("Tokens", true, false),
        column("Share", true, false),
    ];
    let of_first: Vec<&ToolRow> = run
        .tools
        .iter()
        .filter(|tool| !tool.later && tool.state != State::Placeholder)
        .collect();
    let (prompt, back): (Vec<&ToolRow>, Vec<&ToolRow>) = of_first
        .into_iter()
        .partition(|tool| matches!(tool.state, State::Loaded | State::Discovered));
    let loaded = lines(run, prompt, single, shown.chosen);
    let held = lines(run, back, single, shown.chosen);
    let held = if single { held } else { grouped(held) };
    let mut rows = cut(run, loaded, top, shown);
    rows.extend(extras(run));
    // Unasked, what is held back is worth a few rows even of the smallest table.
    let top = if shown.top.is_some() { top } else { top.max(5) };
    rows.extend(cut(run, held, top, shown));
    Table {
        columns,
        rows,
        wrap: false,
    }
}

/// One line a tool; of a server with several tools of one state one line for all.
/// Where tools were put in order by flag, they stay in it.
fn lines(run: &RunRow, tools: Vec<&ToolRow>, single: bool, ordered: bool) -> Vec<Line> {
    let mut by_server: BTreeMap<(&str, State), Vec<&ToolRow>> = BTreeMap::new();
    let mut lines = Vec::new();
    for tool in tools {
        match &tool.server {
            Some(server) if !single => by_server
                .entry((server, tool.state))
                .or_default()
                .push(tool),
            _ => lines.push(line(run, tool)),
        }
    }
    for ((server, state), tools) in by_server {
        match tools.as_slice() {
            [only] => lines.push(line(run, only)),
            several => lines.push(sum(
                format!(
                    "{server}, {}",
                    plural(several.len() as u64, "tool", "tools")
                ),
                state,
                why(run, several[0]),
                several,
            )),
        }
    }
    if ordered {
        return lines;
    }
    lines.sort_by(|a, b| {
        let key = |line: &Line| (Reverse(line.in_prompt), Reverse(line.tokens.tokens));
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    lines
}

fn line(run: &RunRow, tool: &ToolRow) -> Line {
    Line {
        name: tool.name.clone(),
        state: tool.state.word().to_owned(),
        why: why(run, tool),
        tokens: Amount::new(tool.size, tool.is_rough(), tool.at_least),
        in_prompt: tool.in_prompt,
        shown: tool.shown,
    }
}

fn sum(name: String, state: State, why: String, tools: &[&ToolRow]) -> Line {
    let known = tools
        .iter()
        .filter_map(|tool| tool.size)
        .fold(Tokens(0), std::ops::Add::add);
    let unknown = tools.iter().any(|tool| tool.size.is_none());
    let any = tools.iter().any(|tool| tool.size.is_some());
    let rough = tools
        .iter()
        .any(|tool| tool.size.is_some() && tool.is_rough());
    let in_prompt = tools
        .iter()
        .filter_map(|tool| tool.in_prompt)
        .fold(Tokens(0), std::ops::Add::add);
    Line {
        name,
        state: state.word().to_owned(),
        why,
        tokens: Amount::new(any.then_some(known), rough, unknown),
        in_prompt: Some(in_prompt),
        shown: true,
    }
}

/// Why a tool is where it is: the rule, or what overrules it.
fn why(run: &RunRow, tool: &ToolRow) -> String {
    let observed = run
        .gate
        .as_ref()
        .map_or(Observed::Unknown, |gate| gate.trace.observed);
    let loaded = tool.state == State::Loaded;
    match (observed, tool.verdict.decision) {
        (Observed::Off, Decision::Defer) if loaded => "search off".to_owned(),
        (Observed::On, Decision::Defer) if loaded => format!("not by {}", tool.verdict.rule),
        (_, Decision::Load) if !loaded => format!("not by {}", tool.verdict.rule),
        (_, Decision::Unknown) => "unknown".to_owned(),
        _ => tool.verdict.rule.to_owned(),
    }
}

/// Built-in tools that are held back are one line a reason.
fn grouped(lines: Vec<Line>) -> Vec<Line> {
    let mut groups: BTreeMap<(String, String), Vec<Line>> = BTreeMap::new();
    let mut kept = Vec::new();
    for line in lines {
        if line.name.contains(", ") {
            kept.push(line);
        } else {
            groups
                .entry((line.why.clone(), line.state.clone()))
                .or_default()
                .push(line);
        }
    }
    for ((why, state), mut lines) in groups {
        if lines.len() < 3 {
            kept.append(&mut lines);
            continue;
        }
        let known = known(&lines);
        let unknown = lines.iter().any(|line| line.tokens.tokens.is_none());
        let any = lines.iter().any(|line| line.tokens.tokens.is_some());
        let estimated = lines.iter().any(|line| line.tokens.estimated);
        let tokens = any.then_some(known);
        let name = format!("{} other tools", thousands(lines.len() as u64));
        kept.push(Line {
            name,
            state,
            why,
            tokens: Amount::new(tokens, estimated, unknown),
            in_prompt: Some(Tokens(0)),
            shown: true,
        });
    }
    kept.sort_by_key(|line| (Reverse(line.tokens.tokens), line.name.clone()));
    kept
}

/// The known tokens of lines together.
fn known(lines: &[Line]) -> Tokens {
    let tokens = lines.iter().filter_map(|line| line.tokens.tokens);
    tokens.fold(Tokens(0), |sum, tokens| sum + Tokens(tokens.unsigned_abs()))
}

/// The first lines, and one for the rest, so that totals stay whole.
fn cut(run: &RunRow, lines: Vec<Line>, top: usize, choice: Shown) -> Vec<Vec<Cell>> {
    let (mut lines, left_out): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|line| line.shown);
    let rest = lines.len().saturating_sub(top) + left_out.len();
    // A line for one is no shorter than the one, where it may be shown.
    let whole = rest == 1 && left_out.is_empty();
    let shown = if whole {
        lines.len()
    } else {
        top.min(lines.len())
    };
    let word = if choice.chosen { "others" } else { "smaller" };
    lines.extend(left_out);
    let mut rows: Vec<Vec<Cell>> = lines
        .iter()
        .take(shown)
        .map(|line| row(run, line))
        .collect();
    let hidden = lines.get(shown..).unwrap_or_default();
    if !hidden.is_empty() {
        let known = known(hidden);
        let in_prompt = hidden
            .iter()
            .filter_map(|line| line.in_prompt)
            .fold(Tokens(0), std::ops::Add::add);
        let unknown = hidden.iter().any(|line| line.tokens.tokens.is_none());
        let estimated = hidden.iter().any(|line| line.tokens.estimated);
        let line = Line {
            name: format!("… and {} {word}", thousands(hidden.len() as u64)),
            state: hidden[0].state.clone(),
            why: String::new(),
            tokens: Amount::new(Some(known), estimated, unknown),
            in_prompt: Some(in_prompt),
            shown: true,
        };
        rows.push(row(run, &line));
    }
    rows
}

fn row(run: &RunRow, line: &Line) -> Vec<Cell> {
    let share = match line.in_prompt {
        Some(Tokens(0)) | None => Cell::Dash,
        Some(tokens) => share_of(run, tokens),
    };
    vec![
        Cell::Text(line.name.clone()),
        Cell::Text(line.state.clone()),
        Cell::Text(line.why.clone()),
        line.tokens.cell(),
        share,
    ]
}

fn share_of(run: &RunRow, tokens: Tokens) -> Cell {
    let request = run.first.as_ref().map_or(Tokens(0), |first| first.request);
    match share(i64::try_from(tokens.0).unwrap_or(i64::MAX), request) {
        Some(share) if run.first.as_ref().is_some_and(TokensRow::has_rough_share) => {
            Cell::EstimatedShare(share)
        }
        share => Cell::Share(share),
    }
}

/// What comes with tools: prelude, deferral block, names, searches.
fn extras(run: &RunRow) -> Vec<Vec<Cell>> {
    let Some(first) = &run.first else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut push =
        |name: &str, state: String, tokens: Option<Tokens>, rough: bool, at_least: bool| {
            let share = tokens.map_or(Cell::Dash, |tokens| share_of(run, tokens));
            let tokens = Amount::new(tokens, rough, at_least).cell();
            rows.push(vec![
                Cell::Text(name.to_owned()),
                Cell::Text(state),
                Cell::Blank,
                tokens,
                share,
            ]);
        };
    let lacks = |part: &str| first.unknown_parts.contains(&part);
    let rough = |part: &str| first.estimated_parts.contains(&part);
    for (part, name, tokens) in [
        ("prelude", "prelude", first.prelude),
        ("deferral", "deferral block", first.deferral),
    ] {
        if tokens != Some(Tokens(0)) {
            push(name, String::new(), tokens, rough(part), lacks(part));
        }
    }
    let rough = |part: &str| run.savings.overhead.estimated.contains(&part);
    let names = run
        .tools
        .iter()
        .filter(|tool| !tool.later && tool.state == State::Announced)
        .count() as u64;
    if let Some(tokens) = run.savings.overhead.names.filter(|tokens| tokens.0 > 0) {
        push(
            "announced names",
            thousands(names),
            Some(tokens),
            rough("names"),
            false,
        );
    }
    if let Some(tokens) = run.savings.overhead.calls.filter(|tokens| tokens.0 > 0) {
        push(
            "searches",
            String::new(),
            Some(tokens),
            rough("calls"),
            false,
        );
    }
    if let Some(residual) = first.residual {
        let tokens = Amount {
            tokens: Some(residual),
            estimated: false,
            bound: Bound::Whole,
        };
        let cells = ["residual", "", "not accounted for"].map(|text| Cell::Text(text.to_owned()));
        rows.push(
            cells
                .into_iter()
                .chain([tokens.cell(), Cell::Dash])
                .collect(),
        );
    }
    rows
}
