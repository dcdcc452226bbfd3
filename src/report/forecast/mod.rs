//! The document of `forecast`: modes side by side, what saves how much, where it turns, and what it rests on.

mod modes;
mod parts;
mod sheet;

pub(super) use sheet::sheet;

use super::skipped::skipped;
use super::words::{plural, usd};
use super::{Block, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::view::{Basis, ForecastView, Input};

/// Builds the document.
pub fn forecast(view: ForecastView) -> Report {
    let mut blocks = vec![Block::Title(title(&view))];
    blocks.push(Block::Text(
        "A forecast: all but the first request is reckoned. ~ is projected from a capture of the other mode."
            .to_owned(),
    ));
    blocks.push(Block::Table(modes::costs(&view)));
    blocks.push(Block::Heading("Saved against standard".to_owned()));
    blocks.push(Block::Table(modes::savings(&view)));
    blocks.push(Block::Text(modes::turning(&view)));
    blocks.extend(parts::idealised(&view));
    blocks.extend(parts::backtest(&view));
    blocks.extend(parts::granularity(&view));
    blocks.extend(parts::never_used(&view));
    blocks.push(Block::Heading("Reckoned with".to_owned()));
    blocks.push(Block::Table(inputs(&view)));
    let mut notes = modes::notes(&view);
    notes.extend(skipped(&view.skipped, false));
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    Report {
        blocks,
        payload: Payload::Forecast(Box::new(view)),
    }
}

fn title(view: &ForecastView) -> String {
    let turns = view.inputs.turns.value.unwrap_or(0);
    let found = view.inputs.discoveries.value.unwrap_or(0);
    let model = view
        .model
        .as_deref()
        .map_or_else(String::new, |model| format!(" · {model}"));
    format!(
        "{} · {}, {}{model}",
        view.run,
        plural(turns, "turn", "turns"),
        plural(found, "discovery", "discoveries")
    )
}

fn inputs(view: &ForecastView) -> Table {
    let all = &view.inputs;
    let number = |name: &str, input: &Input<u64>| {
        let value = input
            .value
            .map_or_else(|| Cell::Text("?".to_owned()), Cell::Number);
        row(name, value, input.basis, &input.note)
    };
    let mut rows = vec![
        number("turns", &all.turns),
        number("growth a turn", &all.growth),
        number("answer", &all.output),
        number("discoveries", &all.discoveries),
        number("call and result of a search", &all.discovery),
        number("definitions a search brings", &all.definition),
        number("answer that asks a search", &all.search_output),
        number("search tool", &all.search_tool),
        number("deferral block", &all.deferral_block),
    ];
    let (hit, lifetime) = (&all.cache_hit, &all.cache_lifetime);
    rows.push(row(
        "cache hit",
        Cell::Share(hit.value),
        hit.basis,
        &hit.note,
    ));
    let kept = Cell::Text(lifetime.value.unwrap_or("?").to_owned());
    rows.push(row("cache lifetime", kept, lifetime.basis, &lifetime.note));
    Table {
        columns: vec![
            column("What", false),
            column("Value", true),
            column("From", false),
        ],
        rows,
        wrap: true,
    }
}

fn row(name: &str, value: Cell, basis: Basis, note: &str) -> Vec<Cell> {
    let from = match basis {
        Basis::Given => note.to_owned(),
        _ => format!("{}: {note}", basis.word()),
    };
    vec![Cell::Text(name.to_owned()), value, Cell::Text(from)]
}

fn column(head: &'static str, right: bool) -> Column {
    Column {
        head,
        right,
        cut: !right,
    }
}

fn note(label: &str, text: String) -> Note {
    Note {
        tone: Tone::Warn,
        label: label.to_owned(),
        text,
    }
}

fn money(text: Option<&str>) -> Cell {
    Cell::Text(usd(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_short_and_never_nothing() {
        for (text, shown) in [
            (Some("0"), "$0.0000"),
            (Some("0.00001"), "<$0.0001"),
            (Some("-0.012345"), "−$0.0123"),
            (Some("1234.567"), "$1,234.57"),
            (None, "?"),
        ] {
            assert_eq!(usd(text), shown);
        }
    }
}
