//! JSON lines: one object a row, every column in every row.

use super::{Gather, RowFormat};
use crate::model::{Cell, RowSink, Table};
use crate::render::escape;
use std::io::{self, Write};

pub(super) struct NdJson;

impl RowFormat for NdJson {
    fn id(&self) -> &'static str {
        "ndjson"
    }

    fn sink<'w>(
        &self,
        table: &'static Table,
        out: &'w mut dyn Write,
    ) -> io::Result<Box<dyn RowSink + 'w>> {
        // What stands before each value is the same in every row.
        let keys = table.columns.iter().enumerate();
        let keys = keys.map(|(at, column)| {
            let open = if at == 0 { '{' } else { ',' };
            format!("{open}\"{}\":", column.name).into_bytes()
        });
        Ok(Box::new(Sink {
            keys: keys.collect(),
            text: Gather::new(out),
            table,
            before: Vec::new(),
            head: Vec::new(),
        }))
    }
}

struct Sink<'w> {
    table: &'static Table,
    keys: Vec<Vec<u8>>,
    text: Gather<'w>,
    /// The first cells of the row before.
    before: Vec<Kept>,
    /// The same, written.
    head: Vec<u8>,
}

/// The tools of a request share so many cells: what they say is of the request.
const SHARED: usize = 6;

/// A cell that outlives its row.
enum Kept {
    String(Box<str>),
    Other(Cell<'static>),
}

impl Kept {
    fn of(cell: Cell<'_>) -> Self {
        match cell {
            Cell::String(text) => Self::String(text.into()),
            Cell::Null => Self::Other(Cell::Null),
            Cell::U64(number) => Self::Other(Cell::U64(number)),
            Cell::I64(number) => Self::Other(Cell::I64(number)),
            Cell::Bool(flag) => Self::Other(Cell::Bool(flag)),
        }
    }

    fn is(&self, cell: Cell<'_>) -> bool {
        match self {
            Self::String(own) => matches!(cell, Cell::String(text) if text == &**own),
            Self::Other(own) => *own == cell,
        }
    }
}

impl Sink<'_> {
    fn cells(&mut self, from: usize, cells: &[Cell<'_>]) {
        for (key, cell) in self.keys.iter().zip(cells).skip(from) {
            self.text.bytes.extend_from_slice(key);
            match *cell {
                Cell::Null => self.text.bytes.extend_from_slice(b"null"),
                Cell::String(text) => escape::json_string(text, &mut self.text.bytes),
                Cell::U64(number) => self.text.number(number),
                Cell::I64(number) => self.text.number(number),
                Cell::Bool(flag) => self.text.flag(flag),
            }
        }
    }
}

impl RowSink for Sink<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert!(self.table.fits(cells), "{}", self.table.name);
        let shared = &cells[..cells.len().min(SHARED)];
        let mut known = self.before.iter().zip(shared);
        if self.before.len() == shared.len() && known.all(|(before, cell)| before.is(*cell)) {
            self.text.bytes.extend_from_slice(&self.head);
        } else {
            let start = self.text.bytes.len();
            self.cells(0, shared);
            self.head.clear();
            self.head.extend_from_slice(&self.text.bytes[start..]);
            self.before = shared.iter().map(|cell| Kept::of(*cell)).collect();
        }
        self.cells(shared.len(), cells);
        self.text.bytes.extend_from_slice(b"}\n");
        self.text.row_ends()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.text.finish()
    }
}
