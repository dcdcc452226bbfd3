//! `list`: the program's own registries and tables.

use super::{Block, Cell, Column, ListRow, Note, Payload, Report, Table, Tone};
use crate::count::COUNTERS;
use crate::data::Data;
use crate::lint::LINTS;
use crate::rules::RULES;

fn list(rows: Vec<ListRow>) -> Report {
    let column = |head, cut| Column {
        head,
        right: false,
        cut,
    };
    let columns = vec![
        column("Name", false),
        column("What", true),
        column("Known from", true),
    ];
    let cells = |row: &ListRow| {
        [&row.name, &row.about, &row.source]
            .into_iter()
            .map(|text| Cell::Text(text.clone()))
            .collect()
    };
    let table = Table {
        columns,
        rows: rows.iter().map(cells).collect(),
        wrap: true,
    };
    Report {
        blocks: vec![Block::Table(table)],
        payload: Payload::List(rows),
    }
}

/// Capture formats, in the order in which they are tried.
pub fn formats(data: &Data) -> Report {
    let row = |format: &crate::data::FormatRow| ListRow {
        name: format.name.clone(),
        about: format.about.clone(),
        source: format.sure.clone(),
    };
    list(data.formats.format.iter().map(row).collect())
}

/// Counters, best first.
pub fn counters() -> Report {
    let row = |counter: &&dyn crate::count::Counter| ListRow {
        name: counter.counter().to_owned(),
        about: counter.about().to_owned(),
        source: String::new(),
    };
    list(COUNTERS.iter().map(row).collect())
}

impl Report {
    /// Of a list the row of that name, in full; `None` where there is none.
    pub fn only(self, name: &str) -> Option<Self> {
        let Payload::List(rows) = self.payload else {
            return None;
        };
        let rows: Vec<ListRow> = rows.into_iter().filter(|row| row.name == name).collect();
        let row = rows.first()?;
        let note = |label: &str, text: &str| Note {
            tone: Tone::Plain,
            label: label.to_owned(),
            text: text.to_owned(),
        };
        let mut notes = vec![note("what", &row.about)];
        if !row.source.is_empty() {
            notes.push(note("known from", &row.source));
        }
        Some(Self {
            blocks: vec![Block::Title(row.name.clone()), Block::Notes(notes)],
            payload: Payload::List(rows),
        })
    }
}

/// Lints: what they look for, what comes of it, what to do.
pub fn lints() -> Report {
    let row = |lint: &&crate::lint::Lint| ListRow {
        name: lint.code.to_owned(),
        about: format!(
            "{}: {}. {}. What to do: {}.",
            lint.level.word(),
            lint.what,
            lint.why,
            lint.cure
        ),
        source: lint.source.to_owned(),
    };
    list(LINTS.iter().map(row).collect())
}

/// The deferral checklist in order.
pub fn rules() -> Report {
    let row = |rule: &&dyn crate::rules::Rule| ListRow {
        name: rule.id().to_owned(),
        about: rule.about().to_owned(),
        source: "notes on the client's source; tool search deep dive, 2026-11".to_owned(),
    };
    let mut rows: Vec<ListRow> = RULES.iter().map(row).collect();
    rows.push(ListRow {
        name: "requested".to_owned(),
        about:
            "no rule of the checklist: other APIs and toolsets say in the request what is deferred"
                .to_owned(),
        source: "tool search guide (OpenAI); mcp-connector page".to_owned(),
    });
    list(rows)
}

/// Models.
pub fn models(data: &Data) -> Report {
    let row = |model: &crate::data::Model| ListRow {
        name: model.id.clone(),
        about: format!(
            "window {}, prelude {}, {}",
            model
                .window
                .map_or_else(|| "?".to_owned(), super::words::thousands),
            model
                .prelude_auto
                .map_or_else(|| "unknown".to_owned(), super::words::thousands),
            model.status
        ),
        source: model.source.clone(),
    };
    list(data.models.model.iter().map(row).collect())
}

/// Gate profiles: the two with names, and every change between client versions.
pub fn profiles(data: &Data) -> Report {
    let named = [
        ("legacy", "the notes on the client's source, to the letter"),
        ("current", "what the documentation says now"),
    ];
    let mut rows: Vec<ListRow> = Vec::new();
    for (name, about) in named {
        let source = data
            .profiles
            .get(name)
            .map(|profile| profile.models.source)
            .unwrap_or_default();
        rows.push(ListRow {
            name: name.to_owned(),
            about: about.to_owned(),
            source,
        });
    }
    rows.extend(data.profiles.change.iter().map(|change| ListRow {
        name: change.from.clone(),
        about: "changes from this version on".to_owned(),
        source: change.source.clone(),
    }));
    list(rows)
}

/// Licences of the program and of what is embedded in it, with the notices that must travel along.
pub fn licences() -> Report {
    let rows = Vec::from([
        ListRow {
            name: "toolcost".to_owned(),
            about: "MIT or Apache-2.0, as you choose".to_owned(),
            source: "LICENSE-MIT, LICENSE-APACHE".to_owned(),
        },
        #[cfg(feature = "claude")]
        ListRow {
            name: "Claude vocabulary".to_owned(),
            about: crate::count::claude::NOTICE.to_owned(),
            source: "data/claude/NOTICE".to_owned(),
        },
    ]);
    // A notice is too long for a cell: a section each, a block for each of its paragraphs.
    let mut blocks = Vec::new();
    for row in &rows {
        blocks.push(Block::Heading(row.name.clone()));
        let paragraphs = row.about.split("\n\n");
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        blocks.extend(paragraphs.map(|text| Block::Text(one_line(text))));
        blocks.push(Block::Text(format!("From {}.", row.source)));
    }
    Report {
        blocks,
        payload: Payload::List(rows),
    }
}
