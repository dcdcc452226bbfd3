//! The request by part, on both sides.

use crate::report::{Amount, Bound, Cell, Column, Table, percent};
use crate::view::{CompareView, Pair, TokensDelta};

/// A column.
pub(super) fn column(head: &'static str, right: bool) -> Column {
    Column {
        head,
        right,
        cut: !right,
    }
}

/// The columns of every table of two sides.
pub(super) fn columns(first: &[&'static str]) -> Vec<Column> {
    let texts = first.iter().map(|head| column(head, false));
    let numbers = ["A", "B", "B − A"].map(|head| column(head, true));
    texts.chain(numbers).collect()
}

/// The difference with what is known of it. Where both sides lack parts it is that of the known ones: `~`.
pub(super) fn difference(pair: Pair) -> Amount {
    let bound = match (pair.a_at_least, pair.b_at_least) {
        (false, true) => Bound::AtLeast,
        (true, false) => Bound::AtMost,
        _ => Bound::Whole,
    };
    let both = pair.a_at_least && pair.b_at_least;
    Amount {
        tokens: pair.delta,
        estimated: pair.a_estimated || pair.b_estimated || both,
        bound,
    }
}

/// One side.
pub(super) fn side(tokens: Option<i64>, at_least: bool, estimated: bool) -> Amount {
    let bound = match at_least {
        true => Bound::AtLeast,
        false => Bound::Whole,
    };
    Amount {
        tokens,
        estimated,
        bound,
    }
}

/// Both numbers and their difference.
pub(super) fn cells(pair: Pair) -> [Cell; 3] {
    [
        Cell::Tokens(side(pair.a, pair.a_at_least, pair.a_estimated)),
        Cell::Tokens(side(pair.b, pair.b_at_least, pair.b_estimated)),
        Cell::Delta(difference(pair)),
    ]
}

pub(super) fn row(name: &str, pair: Pair) -> Vec<Cell> {
    let mut row = vec![Cell::Text(name.to_owned())];
    row.extend(cells(pair));
    row
}

/// Parts, the request, the share.
pub(super) fn table(tokens: &TokensDelta) -> Table {
    let nothing = |pair: &Pair| {
        let lacks = pair.a_at_least || pair.b_at_least;
        pair.a == Some(0) && pair.b == Some(0) && !lacks
    };
    let absent = |pair: &Pair| pair.a.is_none() && pair.b.is_none();
    let word = |name: &'static str| match name {
        "deferral" => "deferral block",
        "residual" => "not explained",
        name => name,
    };
    let mut rows = Vec::new();
    for (name, pair) in tokens.named() {
        // A residual that nobody recorded is no row; a part that nobody knows is one.
        if nothing(&pair) || (name == "residual" && absent(&pair)) {
            continue;
        }
        rows.push(row(word(name), pair));
    }
    rows.push(row("request", tokens.request));
    rows.push(row("tool part", tokens.tool_part));
    let share = |share: Option<f64>, at_least: bool| match (share, at_least) {
        (None, _) => Cell::Text("?".to_owned()),
        (Some(share), true) => Cell::Text(format!("≥{}", percent(share))),
        (Some(share), false) => Cell::Share(Some(share)),
    };
    let points = tokens
        .share
        .delta
        .map_or(Cell::Text("?".to_owned()), |delta| {
            let sign = if delta < 0.0 { "−" } else { "+" };
            Cell::Text(format!("{sign}{:.1} points", delta.abs() * 100.0))
        });
    rows.push(vec![
        Cell::Text("share of tools".to_owned()),
        share(tokens.share.a, tokens.share.a_at_least),
        share(tokens.share.b, tokens.share.b_at_least),
        points,
    ]);
    if !absent(&tokens.wire_chars) {
        rows.push(row("characters of JSON", tokens.wire_chars));
    }
    Table {
        columns: columns(&["Part"]),
        rows,
        wrap: false,
    }
}

/// One row a run, where there are more than two.
pub(super) fn overview(view: &CompareView) -> Table {
    let mut rows = Vec::new();
    if let Some(first) = view.others.first() {
        let tokens = &first.tokens;
        rows.push(vec![
            Cell::Text(view.base.clone()),
            cells(tokens.tool_part)[0].clone(),
            Cell::Dash,
            cells(tokens.request)[0].clone(),
            Cell::Dash,
            Cell::Share(tokens.share.a),
        ]);
    }
    for other in &view.others {
        let [_, tools, tools_delta] = cells(other.tokens.tool_part);
        let [_, request, request_delta] = cells(other.tokens.request);
        rows.push(vec![
            Cell::Text(other.run.clone()),
            tools,
            tools_delta,
            request,
            request_delta,
            Cell::Share(other.tokens.share.b),
        ]);
    }
    Table {
        columns: vec![
            column("Run", false),
            column("Tool part", true),
            column("to base", true),
            column("Request", true),
            column("to base", true),
            column("Share", true),
        ],
        rows,
        wrap: false,
    }
}
