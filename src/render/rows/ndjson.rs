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
        }))
    }
}

struct Sink<'w> {
    table: &'static Table,
    keys: Vec<Vec<u8>>,
    text: Gather<'w>,
}

impl RowSink for Sink<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert!(self.table.fits(cells), "{}", self.table.name);
        for (key, cell) in self.keys.iter().zip(cells) {
            self.text.bytes.extend_from_slice(key);
            match *cell {
                Cell::Null => self.text.bytes.extend_from_slice(b"null"),
                Cell::String(text) => escape::json_string(text, &mut self.text.bytes),
                Cell::U64(number) => self.text.number(number),
                Cell::I64(number) => self.text.number(number),
                Cell::Bool(flag) => self.text.flag(flag),
            }
        }
        self.text.bytes.extend_from_slice(b"}\n");
        self.text.row_ends()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.text.finish()
    }
}
