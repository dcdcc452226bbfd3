//! Modes side by side, and where deferring turns.

use super::{column, money, note};
use crate::report::words::{plural, thousands};
use crate::report::{Amount, Bound, Cell, Note, Table};
use crate::view::{Even, ForecastMode, ForecastView, Measures};

fn amount(number: Option<i64>, estimated: bool) -> Amount {
    Amount {
        tokens: number,
        estimated,
        bound: Bound::Whole,
    }
}

fn tokens(number: Option<u64>, estimated: bool) -> Cell {
    let number = number.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    Cell::Tokens(amount(number, estimated))
}

fn name(mode: &ForecastMode) -> Cell {
    let percent = mode
        .percent
        .map_or_else(String::new, |percent| format!(" {percent} %"));
    Cell::Text(format!("{}{percent}", mode.mode))
}

pub(super) fn costs(view: &ForecastView) -> Table {
    let rows = view.modes.iter().map(|mode| {
        vec![
            name(mode),
            tokens(mode.tools, mode.projected),
            tokens(mode.requests, false),
            tokens(mode.prompt, mode.projected),
            tokens(mode.output, false),
            money(mode.usd_cached.as_deref()),
            money(mode.usd_uncached.as_deref()),
        ]
    });
    Table {
        columns: vec![
            column("Mode", false),
            column("Tools", true),
            column("Requests", true),
            column("Prompts", true),
            column("Answers", true),
            column("With cache", true),
            column("Without", true),
        ],
        rows: rows.collect(),
        wrap: false,
    }
}

fn share(share: Option<f64>) -> Cell {
    share.map_or_else(
        || Cell::Text("?".to_owned()),
        |share| Cell::Share(Some(share)),
    )
}

pub(super) fn savings(view: &ForecastView) -> Table {
    let others = view.modes.iter().filter(|mode| mode.mode != "standard");
    let rows = others.map(|mode| {
        vec![
            name(mode),
            Cell::Tokens(amount(mode.saved, mode.projected)),
            share(mode.saved_share),
            money(mode.saved_usd_cached.as_deref()),
            share(mode.saved_usd_cached_share),
            money(mode.saved_usd_uncached.as_deref()),
            share(mode.saved_usd_uncached_share),
        ]
    });
    Table {
        columns: vec![
            column("Mode", false),
            column("Tokens", true),
            column("Share", true),
            column("With cache", true),
            column("Share", true),
            column("Without", true),
            column("Share", true),
        ],
        rows: rows.collect(),
        wrap: false,
    }
}

/// Where deferring begins to pay and what it bears.
pub(super) fn turning(view: &ForecastView) -> String {
    if view.deferrable_tools == Some(0) {
        // Tool search may be on all the same, and cost what it costs.
        return "The rules defer no tool of this capture: there is nothing to save.".to_owned();
    }
    let even = &view.break_even;
    if even.turns.tokens.outcome == "unknown" || view.deferrable_tools.is_none() {
        return "From where on deferring pays is not known.".to_owned();
    }
    let turns = view.inputs.turns.value.unwrap_or(0);
    let found = view.inputs.discoveries.value.unwrap_or(0);
    let from = |even: Even, most: u64| match (even.outcome, even.value) {
        ("at", Some(value)) => format!("from turn {} on", thousands(value)),
        ("never", _) => format!("never (within {} turns)", thousands(most)),
        _ => "?".to_owned(),
    };
    let bears = |even: Even, most: u64| match (even.outcome, even.value) {
        ("at", Some(value)) => thousands(value),
        ("never", _) => "none".to_owned(),
        ("beyond", _) => format!("more than {}", thousands(most)),
        _ => "?".to_owned(),
    };
    let begins = all(even.turns, &|one| from(one, even.most_turns));
    let most = all(even.discoveries, &|one| bears(one, even.most_discoveries));
    format!(
        "Deferring pays for {}: {begins}. Over {} it bears so many discoveries before it costs more: {most}; {} can be discovered.",
        plural(found, "discovery", "discoveries"),
        plural(turns, "turn", "turns"),
        plural(view.deferrable_tools.unwrap_or(0), "tool", "tools"),
    )
}

fn all(measures: Measures, said: &dyn Fn(Even) -> String) -> String {
    let each = [measures.tokens, measures.usd_cached, measures.usd_uncached];
    let [tokens, cached, uncached] = each.map(said);
    if tokens == cached && cached == uncached {
        return format!("{tokens}, in tokens as in money");
    }
    format!("{tokens} in tokens, {cached} in money with a cache, {uncached} without")
}

/// What is missing, and what goes beyond what is reckoned.
pub(super) fn notes(view: &ForecastView) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for mode in &view.modes {
        for reason in &mode.unknown {
            // One reason for all modes is told once.
            let told = notes.iter().any(|note| note.text == *reason);
            if !told {
                notes.push(note("unknown", reason.clone()));
            }
        }
    }
    if let (Some(model), false) = (&view.model, view.other_models.is_empty()) {
        let others = view.other_models.join(", ");
        let text = format!("priced as {model}; the capture has {others} too");
        notes.push(note("model", text));
    }
    if let Some(step) = view.kept_off_by {
        notes.push(note(
            "gate",
            format!("tool search would stay off here in any mode, by {step}: toolcost explain says why; deferring is reckoned all the same"),
        ));
    }
    let beyond: Vec<&str> = view
        .modes
        .iter()
        .filter(|mode| mode.beyond_window)
        .map(|mode| mode.mode)
        .collect();
    if !beyond.is_empty() {
        notes.push(note(
            "window",
            format!(
                "{}: the last prompts are beyond the window; the client would compact, which is not reckoned",
                beyond.join(", ")
            ),
        ));
    }
    notes
}
