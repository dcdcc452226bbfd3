//! The document of `calibrate`: model by model what was settled, what the prelude is, and how counters read.

use super::runs::quoted;
use super::skipped::skipped;
use super::words::{percent, plural, thousands};
use super::{Block, Cell, Column, Note, Payload, Report, Table, Tone};
use crate::data::{CalibratedModel, Fit, NonAscii};
use crate::view::CalibrationView;

/// Builds the document.
pub fn calibrate(view: CalibrationView) -> Report {
    let models = &view.calibration.model;
    let requests = models.iter().map(|model| model.requests).sum();
    let mut blocks = vec![Block::Title(format!(
        "{} · {} · {} with a recorded size",
        view.paths.join(", "),
        plural(models.len() as u64, "model", "models"),
        plural(requests, "request", "requests"),
    ))];
    for model in models {
        blocks.push(Block::Heading(model.id.clone()));
        blocks.push(Block::Text(constants(model)));
        if !model.counter.is_empty() {
            blocks.push(Block::Table(table(&model.counter)));
        }
        let notes = model.notes.iter().map(|note| Note {
            tone: Tone::Warn,
            label: "too little".to_owned(),
            text: note.clone(),
        });
        let notes: Vec<Note> = notes.collect();
        if !notes.is_empty() {
            blocks.push(Block::Notes(notes));
        }
    }
    blocks.push(Block::Text(
        "Recorded tokens = slope × counted + beside, over different requests: copies of one confirm nothing. Error: of \
         requests that the fit did not see, half lie within the median, 19 of 20 within 95 %. Requests of one conversation resemble each other; a new one may err more."
            .to_owned(),
    ));
    let notes = skipped(&view.skipped, false);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    let typed: Option<Vec<String>> = view.paths.iter().map(|path| quoted(path)).collect();
    if let Some(paths) = typed.map(|paths| paths.join(" ")) {
        blocks.push(Block::Commands(vec![
            format!("toolcost calibrate {paths} -o toml=calibration.toml"),
            format!("toolcost report {paths} --calibration calibration.toml"),
        ]));
    }
    Report {
        blocks,
        payload: Payload::Calibration(Box::new(view)),
    }
}

/// What was settled, in sentences.
fn constants(model: &CalibratedModel) -> String {
    let mut said = vec![format!(
        "{} with a recorded size; {} with all parts known, copies left out.",
        plural(model.requests, "request", "requests"),
        plural(model.complete, "different one", "different ones")
    )];
    let mut found: Vec<String> = Vec::new();
    if let Some(family) = &model.family {
        found.push(format!("tokenizer family {family}"));
    }
    if let Some(non_ascii) = model.non_ascii {
        found.push(match non_ascii {
            NonAscii::Raw => "letters beyond ASCII raw".to_owned(),
            NonAscii::Escaped => "letters beyond ASCII escaped".to_owned(),
        });
    }
    let numbers = [
        ("prelude", model.prelude_auto),
        ("prelude for any", model.prelude_any),
        ("deferral block", model.deferral_block),
    ];
    let numbers = numbers
        .into_iter()
        .filter_map(|(name, tokens)| Some(format!("{name} {} tokens", thousands(tokens?))));
    found.extend(numbers);
    if !found.is_empty() {
        said.push(format!("Found: {}.", found.join(", ")));
    }
    match model.exact {
        Some(true) => said.push(format!(
            "With that, {} of these {} are within 2 tokens: claude is exact here.",
            thousands(model.within_two),
            thousands(model.complete)
        )),
        Some(false) => said.push(format!(
            "With that, {} of these {} are within 2 tokens: claude is not exact for each of them; see its line.",
            thousands(model.within_two),
            thousands(model.complete)
        )),
        None => {}
    }
    said.join(" ")
}

fn table(fits: &[Fit]) -> Table {
    let column = |head, right| Column {
        head,
        right,
        cut: false,
    };
    let share = |error: Option<f64>| {
        error.map_or_else(
            || Cell::Text("?".to_owned()),
            |error| Cell::Text(percent(error)),
        )
    };
    let rows = fits.iter().map(|fit| {
        vec![
            Cell::Text(fit.counter.clone()),
            Cell::Number(fit.requests),
            Cell::Text(format!("{:.3}", fit.slope)),
            Cell::Text(format!("{:.0}", fit.intercept)),
            share(fit.median),
            share(fit.p95),
        ]
    });
    Table {
        columns: vec![
            column("Counter", false),
            column("Requests", true),
            column("Slope", true),
            column("Beside", true),
            column("Median error", true),
            column("95 %", true),
        ],
        rows: rows.collect(),
        wrap: false,
    }
}
