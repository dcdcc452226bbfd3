//! The document of `compare`: what else differs, the request by part, tools, sections, turns, the whole run.

mod changes;
mod parts;
mod turns;

use super::runs::{quoted, reconstructed};
use super::skipped::skipped;
use super::words::{delta, percent, plural, signed, thousands};
use super::{Block, Note, Payload, Report, Tone};
use crate::view::{CompareView, GrowthRow, Other};
use parts::difference;

/// What of a comparison is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComparisonShown {
    /// Rows of tools.
    pub top: Option<usize>,
    /// Smaller changes of tools are summed.
    pub min_delta: u64,
}

/// Tools in a row each, unless told otherwise.
const TOP: usize = 15;

/// Builds the document.
pub fn compare(view: CompareView, shown: ComparisonShown) -> Report {
    let mut blocks = vec![Block::Title(title(&view)), Block::Text(legend(&view))];
    if view.others.len() > 1 {
        blocks.push(Block::Table(parts::overview(&view)));
    }
    for other in &view.others {
        let heading = format!("A = {}, B = {} · first main request", view.base, other.run);
        blocks.push(Block::Heading(heading));
        blocks.push(Block::Table(parts::table(&other.tokens)));
        blocks.extend(
            Some(differs(other))
                .filter(|notes| !notes.is_empty())
                .map(Block::Notes),
        );
        if other.deltas.is_empty() {
            blocks.push(Block::Text("No tool was seen on either side.".to_owned()));
        } else {
            let top = shown.top.unwrap_or(TOP);
            blocks.extend(changes::tools(&other.deltas, top, shown.min_delta));
        }
        blocks.extend(changes::sections(&other.sections));
        blocks.extend(turns::turns(other));
        blocks.push(Block::Text(turns::whole(other)));
    }
    let growth: Vec<Note> = view.growth.iter().map(grown).collect();
    if !growth.is_empty() {
        blocks.push(Block::Notes(growth));
    }
    let notes = skipped(&view.skipped, false);
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    let typed: Option<Vec<String>> = view
        .settings
        .paths
        .iter()
        .map(|path| quoted(path))
        .collect();
    if let Some(paths) = typed {
        let paths = paths.join(" ");
        blocks.push(Block::Commands(vec![
            format!("toolcost compare {paths} --format markdown"),
            format!("toolcost compare {paths} --max-growth request=2%"),
        ]));
    }
    Report {
        blocks,
        payload: Payload::Compare(Box::new(view)),
    }
}

fn title(view: &CompareView) -> String {
    let others: Vec<&str> = view.others.iter().map(|other| other.run.as_str()).collect();
    format!("{} → {}", view.base, others.join(", "))
}

fn legend(view: &CompareView) -> String {
    let mut said = Vec::new();
    if view
        .others
        .iter()
        .any(|other| other.tokens.recorded != (false, false))
    {
        said.push("wholes are recorded where A or B have them".to_owned());
    }
    match view.settings.counter.as_str() {
        "auto" | "claude" => said.extend(reconstructed(&view.counted_for)),
        counter => said.push(format!("tools and texts by {counter}")),
    }
    if let Some(by) = &view.settings.calibrated {
        said.push(format!("calibrated with {}", by.file));
    }
    said.push(
        "~ is estimated, rests on thin evidence (class C), or is a difference of sums that lack parts on both sides"
            .to_owned(),
    );
    format!("Counts: {}.", said.join("; "))
}

/// What else differs, and whether the runs differ in more than their tools.
fn differs(other: &Other) -> Vec<Note> {
    let note = |label: &str, text: String| Note {
        tone: Tone::Warn,
        label: label.to_owned(),
        text,
    };
    let mut notes: Vec<Note> = other
        .confounds
        .iter()
        .map(|confound| {
            note(
                "differs",
                format!("{}: {} → {}", confound.what, confound.a, confound.b),
            )
        })
        .collect();
    let besides = other.tokens.besides_tools();
    match besides.delta {
        Some(0) => {}
        Some(_) => notes.push(note(
            "more",
            format!(
                "the runs differ in more than the tools: everything else moved by {} tokens{}; the request alone \
                 is no measure of the tools",
                delta(difference(besides)),
                of_deferral(other)
            ),
        )),
        None => notes.push(note(
            "unknown",
            "what the tools did to the request cannot be said: a number of one side is not known, or is no number of \
             the same kind"
                .to_owned(),
        )),
    }
    notes
}

/// What of that goes with deferring.
fn of_deferral(other: &Other) -> String {
    let kinds = [
        ("names", "announced names"),
        ("search", "searches"),
        ("discovered", "discovered definitions"),
    ];
    let named: Vec<String> = kinds
        .into_iter()
        .filter_map(|(kind, name)| {
            let rows = other.sections.iter().filter(|row| row.kind == kind);
            let sum: i64 = rows.filter_map(|row| row.tokens.delta).sum();
            (sum != 0).then(|| format!("{name} {}", signed(sum)))
        })
        .collect();
    match named.is_empty() {
        true => String::new(),
        false => format!(" ({} of it)", named.join(", ")),
    }
}

fn grown(row: &GrowthRow) -> Note {
    let amount = |value: f64| match row.unit {
        "share" => percent(value),
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a whole number of tokens, far below 2^53"
        )]
        _ => amount_of(value as i64),
    };
    let tone = match row.status {
        "passed" => Tone::Plain,
        "undecided" => Tone::Warn,
        _ => Tone::Bad,
    };
    let by = row.pair.delta.map_or_else(|| "?".to_owned(), signed);
    let grown = match (row.grown, row.pair.delta) {
        (Some(grown), _) if row.unit == "share" => format!("by {} ({by})", amount(grown)),
        (Some(_), _) => format!("by {by}"),
        (None, Some(_)) => format!("from nothing ({by})"),
        (None, None) => "by an unknown amount".to_owned(),
    };
    let unit = match (row.unit, row.key) {
        ("share", _) => "",
        (_, "wire_chars") => " characters",
        _ => " tokens",
    };
    let why = match row.status {
        "undecided" => ": parts are missing, so that nothing was decided",
        _ => "",
    };
    Note {
        tone,
        label: row.status.to_owned(),
        text: format!(
            "{}: {} grew {grown}, at most {}{unit} was allowed{why}",
            row.run,
            row.key,
            amount(row.limit)
        ),
    }
}

/// "1,234"
fn amount_of(number: i64) -> String {
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", thousands(number.unsigned_abs()))
}

/// "3 tools"
fn tools(number: u64) -> String {
    plural(number, "tool", "tools")
}
