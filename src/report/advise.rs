//! The document of `advise`: changes by what they save, what was left, and the settings to paste.

use super::sheet::{Field, Sheet};
use super::skipped::skipped;
use super::words::{plural, usd};
use super::{Amount, Block, Bound, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::view::{Advice, AdviseView, AdvisedRun, Left, SettingsChange};

/// Things that were left and are shown.
const LEFT: usize = 6;

/// Builds the document.
pub fn advise(view: AdviseView) -> Report {
    let mut blocks = vec![Block::Title(title(&view))];
    for run in &view.runs {
        blocks.push(Block::Heading(heading(run)));
        if run.advice.is_empty() {
            let text = match run.tools_per_session {
                0 if run.tools_at_least => "The captures show no definitions: nothing can be said.",
                _ => "Nothing to change that would save tokens, as far as the captures tell.",
            };
            blocks.push(Block::Text(text.to_owned()));
        } else {
            blocks.push(Block::Table(table(run)));
            blocks.push(Block::Notes(run.advice.iter().flat_map(evidence).collect()));
            if run.advice.len() > 1 {
                let each = "Each saving is by itself: what one change takes away, another cannot save again.";
                blocks.push(Block::Text(each.to_owned()));
            }
        }
        if let Some(why) = &run.no_money {
            let text = match run.usd_per_million {
                Some(_) => format!(
                    "Money is estimated (~): {why}, so prompts are priced as if no cache had read them."
                ),
                None => format!("No money: {why}."),
            };
            blocks.push(Block::Text(text));
        }
        if !run.left.is_empty() {
            blocks.push(Block::Notes(left(&run.left)));
        }
        if !run.change.is_empty() {
            blocks.push(Block::Text(
                "To merge into the client's settings (mcpServers into .mcp.json, the rest into \
                 .claude/settings.json):"
                    .to_owned(),
            ));
            blocks.push(Block::Lines(diff(&run.change)));
        }
    }
    let notes = skipped(&view.skipped, false);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Advise(Box::new(view)),
    }
}

fn title(view: &AdviseView) -> String {
    let advice = view.runs.iter().map(|run| run.advice.len() as u64).sum();
    format!(
        "{} · {} · {}",
        view.settings.paths.join(" "),
        plural(view.runs.len() as u64, "run", "runs"),
        plural(advice, "piece of advice", "pieces of advice"),
    )
}

/// Tokens of tools, with what is known of them.
fn tools(run: &AdvisedRun) -> String {
    let amount = Amount {
        tokens: Some(i64::try_from(run.tools_per_session).unwrap_or(i64::MAX)),
        estimated: run.tools_estimated,
        bound: match run.tools_at_least {
            true => Bound::AtLeast,
            false => Bound::Whole,
        },
    };
    format!("{amount} tokens")
}

fn heading(run: &AdvisedRun) -> String {
    let money = run.usd_per_million.as_ref();
    let rough = if run.no_money.is_some() { "~" } else { "" };
    let money = money.map_or_else(String::new, |money| {
        format!(" · {rough}{} a million tokens", usd(Some(money)))
    });
    format!(
        "{} · {}, {} · {} of tools a session{money}",
        run.run,
        plural(run.sessions, "session", "sessions"),
        plural(run.requests, "main request", "main requests"),
        tools(run),
    )
}

fn table(run: &AdvisedRun) -> Table {
    let column = |head, right| Column {
        head,
        right,
        cut: !right,
    };
    let rough = if run.no_money.is_some() { "~" } else { "" };
    let rows = run.advice.iter().zip(1u64..).map(|(advice, n)| {
        let tokens = i64::try_from(advice.tokens_per_session).unwrap_or(i64::MAX);
        vec![
            Cell::Number(n),
            Cell::Text(advice.what.clone()),
            Cell::Tokens(Amount {
                tokens: Some(tokens),
                estimated: advice.estimated,
                bound: match advice.at_least {
                    true => Bound::AtLeast,
                    false => Bound::Whole,
                },
            }),
            match &advice.usd_per_session {
                Some(money) => Cell::Text(format!("{rough}{}", usd(Some(money)))),
                None => Cell::Text("?".to_owned()),
            },
        ]
    });
    Table {
        columns: vec![
            column("", true),
            column("Change", false),
            column("Tokens a session", true),
            column("Money", true),
        ],
        rows: rows.collect(),
        wrap: true,
    }
}

fn evidence(advice: &Advice) -> Vec<Note> {
    let note = |label: &str, text: String| Note {
        tone: Tone::Plain,
        label: label.to_owned(),
        text,
    };
    let mut notes = vec![note(
        &advice.subject,
        format!("{}.", advice.evidence.join("; ")),
    )];
    if let Some(moves) = &advice.moves {
        notes.push(note("", format!("explain then shows: {moves}.")));
    }
    notes
}

fn left(left: &[Left]) -> Vec<Note> {
    let note = |left: &Left| Note {
        tone: Tone::Plain,
        label: "left".to_owned(),
        text: format!("{}: {}.", left.subject, left.why),
    };
    let mut notes: Vec<Note> = left.iter().take(LEFT).map(note).collect();
    if let more @ 1.. = left.len().saturating_sub(LEFT) {
        let more = plural(more as u64, "more that was left", "more that were left");
        notes.push(Note {
            tone: Tone::Plain,
            label: "left".to_owned(),
            text: format!("{more}: see --format json."),
        });
    }
    notes
}

/// The change as lines that are added.
fn diff(change: &SettingsChange) -> Vec<String> {
    let text = serde_json::to_string_pretty(change).unwrap_or_default();
    let bracket = |line: &str| matches!(line, "{" | "}");
    let line = |line: &str| match bracket(line) {
        true => format!(" {line}"),
        false => format!("+{line}"),
    };
    text.lines().map(line).collect()
}

/// The view as a flat table.
pub(super) fn sheet(view: &AdviseView) -> Sheet {
    const HEAD: &[&str] = &[
        "run",
        "kind",
        "subject",
        "what",
        "tokens_per_session",
        "at_least",
        "usd_per_session",
        "evidence",
    ];
    let rows = view.runs.iter().flat_map(|run| {
        run.advice.iter().map(|advice| {
            vec![
                run.run.as_str().into(),
                advice.kind.into(),
                advice.subject.as_str().into(),
                advice.what.as_str().into(),
                advice.tokens_per_session.into(),
                advice.at_least.into(),
                advice
                    .usd_per_session
                    .clone()
                    .map_or(Field::Blank, Field::Decimal),
                Field::Text(advice.evidence.join("; ")),
            ]
        })
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}
