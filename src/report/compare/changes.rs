//! Tools and sections that changed.

use super::parts::{cells, columns};
use super::tools as number;
use crate::report::words::{delta, signed, thousands};
use crate::report::{Amount, Block, Bound, Cell, Note, Table, Tone};
use crate::view::{Pair, SectionDelta, ToolChange, ToolDelta};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many tools of one server with one fate stand in one row.
const GROUP: usize = 3;

/// A row of the table: one tool, or several of a server.
struct Row {
    name: String,
    change: ToolChange,
    pair: Pair,
    tools: u64,
}

/// The table of changed tools, what they come to, and sizes of descriptions.
pub(super) fn tools(deltas: &[ToolDelta], top: usize, min_delta: u64) -> Vec<Block> {
    let mut blocks = Vec::new();
    let changed: Vec<&ToolDelta> = deltas
        .iter()
        .filter(|row| row.change != ToolChange::Same || row.delta != Some(0))
        .collect();
    let rows = grouped(&changed, top);
    if !rows.is_empty() {
        blocks.push(Block::Table(table(rows, top, min_delta)));
    }
    blocks.push(Block::Text(sums(deltas)));
    let notes = changed.iter().filter_map(|row| detail(row));
    let notes: Vec<Note> = notes.take(top).collect();
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    blocks
}

fn pair(row: &ToolDelta) -> Pair {
    Pair {
        a: row.a,
        b: row.b,
        delta: row.delta,
        a_estimated: row.a_estimated,
        b_estimated: row.b_estimated,
        ..Pair::default()
    }
}

/// Tools of one server that share a fate in one row, where there are more rows than are shown.
fn grouped(changed: &[&ToolDelta], top: usize) -> Vec<Row> {
    let mut servers: BTreeMap<(&str, ToolChange), Vec<&ToolDelta>> = BTreeMap::new();
    if changed.len() > top {
        for row in changed {
            if let Some(server) = &row.server {
                servers.entry((server, row.change)).or_default().push(row);
            }
        }
        servers.retain(|_, rows| rows.len() >= GROUP);
    }
    let in_group = |row: &ToolDelta| {
        let server = row.server.as_deref();
        server.is_some_and(|server| servers.contains_key(&(server, row.change)))
    };
    let mut rows: Vec<Row> = changed
        .iter()
        .filter(|row| !in_group(row))
        .map(|row| Row {
            name: match row.duplicate {
                true => format!("{} #{}", row.name, row.ordinal),
                false => row.name.clone(),
            },
            change: row.change,
            pair: pair(row),
            tools: row.tools,
        })
        .collect();
    rows.extend(servers.iter().map(|((server, change), rows)| Row {
        name: format!("{server}  {}", number(rows.len() as u64)),
        change: *change,
        pair: sum(rows.iter().map(|row| pair(row))),
        tools: rows.len() as u64,
    }));
    rows.sort_by_key(|row| Reverse(row.pair.delta.map_or(u64::MAX, i64::unsigned_abs)));
    rows
}

fn sum(pairs: impl Iterator<Item = Pair>) -> Pair {
    pairs.reduce(Pair::plus).unwrap_or_default()
}

fn table(rows: Vec<Row>, top: usize, min_delta: u64) -> Table {
    let small = |row: &Row| {
        row.pair
            .delta
            .is_some_and(|delta| delta.unsigned_abs() < min_delta)
    };
    let (hidden, shown): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(small);
    let mut shown = shown;
    let rest: Vec<Row> = shown.split_off(shown.len().min(top));
    let rest: Vec<Row> = rest.into_iter().chain(hidden).collect();
    let mut cells_of: Vec<Vec<Cell>> = shown
        .iter()
        .map(|row| {
            let mut line = vec![
                Cell::Text(row.name.clone()),
                Cell::Text(row.change.word().to_owned()),
            ];
            line.extend(cells(row.pair));
            line
        })
        .collect();
    if !rest.is_empty() {
        let tools = rest.iter().map(|row| row.tools).sum();
        let mut line = vec![
            Cell::Text(format!("… and {} more", thousands(tools))),
            Cell::Blank,
        ];
        line.extend(cells(sum(rest.iter().map(|row| row.pair))));
        cells_of.push(line);
    }
    Table {
        columns: columns(&["Tool", "Change"]),
        rows: cells_of,
        wrap: false,
    }
}

/// What the changes come to, by kind.
fn sums(deltas: &[ToolDelta]) -> String {
    let rough = deltas.iter().any(|row| row.a_estimated || row.b_estimated);
    let signed = |tokens: i64| {
        delta(Amount {
            tokens: Some(tokens),
            estimated: rough && tokens != 0,
            bound: Bound::Whole,
        })
    };
    let of = |change: ToolChange| deltas.iter().filter(move |row| row.change == change);
    let kinds = [
        ToolChange::Changed,
        ToolChange::Deferred,
        ToolChange::Removed,
        ToolChange::Added,
        ToolChange::Loaded,
        ToolChange::Unknown,
    ];
    let mut said: Vec<String> = kinds
        .into_iter()
        .filter_map(|kind| {
            let tools: u64 = of(kind).map(|row| row.tools).sum();
            let known: Vec<i64> = of(kind).filter_map(|row| row.delta).collect();
            let unknown = of(kind).count() - known.len();
            let moved = signed(known.iter().sum());
            let moved = match (known.is_empty(), unknown) {
                (true, _) => "by an unknown amount".to_owned(),
                (false, 0) => moved,
                (false, n) => format!("{moved} without {n} of an unknown amount"),
            };
            (tools > 0).then(|| format!("{} {} {moved}", thousands(tools), kind.word()))
        })
        .collect();
    let same: u64 = of(ToolChange::Same).map(|row| row.tools).sum();
    if same > 0 {
        said.push(format!("{} the same", thousands(same)));
    }
    let moved = |sign: fn(&i64) -> bool| -> i64 {
        deltas.iter().filter_map(|row| row.delta).filter(sign).sum()
    };
    let (less, more) = (moved(|delta| *delta < 0), moved(|delta| *delta > 0));
    let unknown = deltas.iter().any(|row| row.delta.is_none());
    let mut text = format!("Tools: {}.", said.join(", "));
    if less != 0 || more != 0 {
        let together = if unknown {
            "The known ones"
        } else {
            "Together"
        };
        text.push_str(&format!(
            " {together} {} less and {} more: {}.",
            thousands(less.unsigned_abs()),
            thousands(more.unsigned_abs()),
            signed(less + more)
        ));
    }
    let re_counted = of(ToolChange::Same).filter(|row| row.delta.is_some_and(|delta| delta != 0));
    if re_counted.count() > 0 {
        text.push_str(
            " Tools that are the same and cost another number were counted in another way.",
        );
    }
    text
}

/// What of a definition changed: sizes of its description, each with its unit, and tokens by part.
fn detail(row: &ToolDelta) -> Option<Note> {
    let mut said = Vec::new();
    let size = |chars: Option<i64>, bytes: Option<i64>| {
        let chars = chars.map(|n| format!("{} characters", thousands(n.unsigned_abs())));
        chars.or_else(|| bytes.map(|n| format!("{} bytes", thousands(n.unsigned_abs()))))
    };
    let (chars, bytes) = (row.description_chars, row.description_bytes);
    let sides = size(chars.a, bytes.a).zip(size(chars.b, bytes.b));
    if let Some((a, b)) = sides.filter(|(a, b)| a != b) {
        said.push(format!("description {a} → {b}"));
    }
    if row.change == ToolChange::Changed
        && let Some(parts) = row.parts
    {
        let moved = [
            ("name", parts.name),
            ("description", parts.description),
            ("schema", parts.schema),
            ("wrapper", parts.wrapper),
        ];
        let moved = moved.into_iter().filter_map(|(name, pair)| {
            let delta = pair.delta.filter(|delta| *delta != 0)?;
            Some(format!("{name} {}", signed(delta)))
        });
        let moved: Vec<String> = moved.collect();
        if !moved.is_empty() {
            said.push(format!("{} tokens", moved.join(", ")));
        }
    }
    (!said.is_empty()).then(|| Note {
        tone: Tone::Plain,
        label: row.name.clone(),
        text: said.join("; "),
    })
}

/// Sections that differ.
pub(super) fn sections(deltas: &[SectionDelta]) -> Vec<Block> {
    let changed: Vec<&SectionDelta> = deltas.iter().filter(|row| row.changed).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let rows = changed.iter().map(|row| {
        let name = row.what.as_deref().unwrap_or(row.kind);
        let mut line = vec![
            Cell::Text(match row.by_itself {
                true => format!("{name} (changes by itself)"),
                false => name.to_owned(),
            }),
            row.owner.clone().map_or(Cell::Dash, Cell::Text),
        ];
        line.extend(cells(row.tokens));
        line
    });
    let table = Table {
        columns: columns(&["Section", "Owner"]),
        rows: rows.collect(),
        wrap: false,
    };
    vec![
        Block::Table(table),
        Block::Text(
            "Sections are parts of system and messages; one whose text alone differs shows 0."
                .to_owned(),
        ),
    ]
}
