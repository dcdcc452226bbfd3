//! The parts beside the modes: the idealised arithmetic, recorded sessions predicted, deferring by server, tools
//! that nobody calls.

use super::{column, money};
use crate::report::words::{percent, plural, signed, thousands};
use crate::report::{Amount, Block, Bound, Cell, Table};
use crate::view::{BacktestRow, ForecastView};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Rows of sessions that are shown.
const SESSIONS: usize = 20;

/// Servers that are named.
const SERVERS: usize = 5;

fn delta(number: Option<i64>) -> Cell {
    Cell::Delta(Amount {
        tokens: number,
        estimated: false,
        bound: Bound::Whole,
    })
}

fn tokens(number: Option<u64>) -> Cell {
    number.map_or_else(|| Cell::Text("?".to_owned()), Cell::Number)
}

fn or_unknown(number: Option<u64>) -> String {
    number.map_or_else(|| "?".to_owned(), thousands)
}

/// The arithmetic, and the way from it to the forecast.
pub(super) fn idealised(view: &ForecastView) -> Vec<Block> {
    let Some(ideal) = &view.idealised else {
        return Vec::new();
    };
    let line = |what: &str, cell: Cell| vec![Cell::Text(what.to_owned()), cell];
    let rows = vec![
        line("idealised", delta(ideal.saved)),
        line("tokens by the counter", delta(ideal.gap_counting)),
        line(
            "names and deferral block in every turn",
            delta(ideal.gap_names),
        ),
        line(
            "searches: prompts read again, definitions kept",
            delta(ideal.gap_searches),
        ),
        line("forecast of tst", delta(ideal.forecast_saved)),
    ];
    let stays = match ideal.stays_out {
        Some(share) => format!(
            " Of {} {} used: {} of their definitions stay out.",
            plural(ideal.deferrable, "deferrable tool", "deferrable tools"),
            match ideal.used {
                1 => "1 is".to_owned(),
                n => format!("{} are", thousands(n)),
            },
            percent(share)
        ),
        None => String::new(),
    };
    vec![
        Block::Heading("Idealised: tokens saved".to_owned()),
        Block::Table(Table {
            columns: vec![column("What", false), column("Tokens", true)],
            rows,
            wrap: false,
        }),
        Block::Text(format!(
            "Idealised: {} × ({} of all definitions − {} of loaded ones) − {} × {}, with 2.5 characters a token as the client reckons. The gap to the forecast is {}.{stays}",
            plural(ideal.turns, "turn", "turns"),
            or_unknown(ideal.all),
            or_unknown(ideal.loaded),
            plural(ideal.discoveries, "discovery", "discoveries"),
            thousands(ideal.per_discovery),
            ideal.gap.map_or_else(|| "?".to_owned(), signed),
        )),
    ]
}

fn error(share: Option<f64>) -> Cell {
    Cell::Text(share.map_or_else(
        || "?".to_owned(),
        |share| match share > 0.0 {
            true => format!("+{}", percent(share)),
            false => percent(share),
        },
    ))
}

/// Recorded sessions beside their predictions.
pub(super) fn backtest(view: &ForecastView) -> Vec<Block> {
    let Some(rows) = &view.backtest else {
        return Vec::new();
    };
    let line = |row: &BacktestRow| {
        vec![
            Cell::Number(row.session),
            Cell::Number(row.turns),
            tokens(row.prompt),
            tokens(row.predicted_prompt),
            error(row.prompt_error),
            money(row.usd.as_deref()),
            money(row.predicted_usd.as_deref()),
            error(row.usd_error),
        ]
    };
    let mut said = String::from(
        "Recorded money is recorded usage times the price. Predicted: the same number of turns from the first request alone;",
    );
    let of = |from: &str| rows.iter().filter(|row| row.from == from).count() as u64;
    let how = [
        (
            of("others"),
            "with growth, answers and cache of the other sessions",
        ),
        (
            of("mixed"),
            "with those of the other sessions as far as they tell",
        ),
        (
            of("assumed"),
            "with assumed growth, answers and cache, since no other session tells",
        ),
    ];
    let how = how.iter().filter(|(count, _)| *count > 0);
    let how: Vec<String> = how.map(|(count, how)| format!("{count} {how}")).collect();
    said.push_str(&format!(" {}.", how.join(", ")));
    if rows.len() > SESSIONS {
        let left = (rows.len() - SESSIONS) as u64;
        said.push_str(&format!(
            " {} are not shown.",
            plural(left, "session", "sessions")
        ));
    }
    let mut reasons: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.unknown.as_deref())
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        said.push_str(&format!(" ? {reason}."));
    }
    vec![
        Block::Heading("Recorded sessions, predicted".to_owned()),
        Block::Table(Table {
            columns: vec![
                column("Session", true),
                column("Turns", true),
                column("Prompts", true),
                column("Predicted", true),
                column("Error", true),
                column("Money", true),
                column("Predicted", true),
                column("Error", true),
            ],
            rows: rows.iter().take(SESSIONS).map(line).collect(),
            wrap: false,
        }),
        Block::Text(said),
    ]
}

/// Deferring by server, on what was discovered.
pub(super) fn granularity(view: &ForecastView) -> Vec<Block> {
    let Some(grain) = &view.granularity else {
        return Vec::new();
    };
    let line = |what: &str, one: crate::view::Grain| {
        vec![
            Cell::Text(what.to_owned()),
            tokens(one.definitions),
            Cell::Number(one.search_turns),
        ]
    };
    let spared = grain.search_tokens_spared;
    let net = match grain.net {
        None => "what that nets is not known".to_owned(),
        Some(net @ 0..) => format!(
            "by server would have cost {} tokens more",
            thousands(net.unsigned_abs())
        ),
        Some(net) => format!(
            "by server would have saved {} tokens",
            thousands(net.unsigned_abs())
        ),
    };
    vec![
        Block::Heading("Deferring by tool or by server, as recorded".to_owned()),
        Block::Table(Table {
            columns: vec![
                column("By", false),
                column("Definitions", true),
                column("Search turns", true),
            ],
            rows: vec![line("tool", grain.by_tool), line("server", grain.by_server)],
            wrap: false,
        }),
        Block::Text(format!(
            "{} discovered in {}. Had the first discovery brought its whole server, {} tokens of searches would have been spared: {net}.",
            plural(grain.discovered_tools, "tool was", "tools were"),
            plural(grain.sessions, "session", "sessions"),
            or_unknown(spared),
        )),
    ]
}

/// Tools that nobody calls, by server.
pub(super) fn never_used(view: &ForecastView) -> Option<Block> {
    let unused = view.never_used.as_ref().filter(|unused| unused.of > 0)?;
    let mut servers: BTreeMap<&str, (u64, Option<u64>)> = BTreeMap::new();
    for tool in &unused.names {
        let server = tool.server.as_deref().unwrap_or("without server");
        let (tools, tokens) = servers.entry(server).or_insert((0, Some(0)));
        *tools += 1;
        *tokens = tokens.zip(tool.tokens).map(|(sum, tokens)| sum + tokens.0);
    }
    let mut servers: Vec<(&str, (u64, Option<u64>))> = servers.into_iter().collect();
    servers.sort_by_key(|(name, (tools, tokens))| (Reverse(*tokens), Reverse(*tools), *name));
    let named = servers.iter().take(SERVERS);
    let named: Vec<String> = named
        .map(|(server, (tools, tokens))| {
            let tools = plural(*tools, "tool", "tools");
            format!("{server} {} ({tools})", or_unknown(*tokens))
        })
        .collect();
    let more = match servers.len().saturating_sub(SERVERS) {
        0 => "",
        _ => " and smaller ones",
    };
    let least = if unused.at_least && unused.tokens.is_some() {
        "≥"
    } else {
        ""
    };
    Some(Block::Text(format!(
        "Never called here: {} of {}, {least}{} tokens a turn where all is loaded, {} as sent{}{}{more}.",
        thousands(unused.tools),
        plural(unused.of, "MCP or custom tool", "MCP and custom tools"),
        or_unknown(unused.tokens.map(|tokens| tokens.0)),
        thousands(unused.loaded_tokens.0),
        if named.is_empty() { "" } else { ": " },
        named.join(", "),
    )))
}
