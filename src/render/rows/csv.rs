//! CSV with a line of names. No cell can be taken for a formula; what is not known is an empty cell, an empty text is
//! `""`.

use super::{Gather, RowFormat};
use crate::model::{Cell, RowSink, Table};
use crate::render::escape;
use std::io::{self, Write};

pub(super) struct Csv;

impl RowFormat for Csv {
    fn id(&self) -> &'static str {
        "csv"
    }

    fn sink<'w>(
        &self,
        table: &'static Table,
        out: &'w mut dyn Write,
    ) -> io::Result<Box<dyn RowSink + 'w>> {
        let mut text = Gather::new(out);
        for (at, column) in table.columns.iter().enumerate() {
            if at > 0 {
                text.bytes.push(b',');
            }
            text.bytes.extend_from_slice(column.name.as_bytes());
        }
        text.bytes.push(b'\n');
        Ok(Box::new(Sink { table, text }))
    }
}

struct Sink<'w> {
    table: &'static Table,
    text: Gather<'w>,
}

impl RowSink for Sink<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert!(self.table.fits(cells), "{}", self.table.name);
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.text.bytes.push(b',');
            }
            match *cell {
                Cell::Null => {}
                Cell::String(text) => field(&escape::sheet(text), &mut self.text.bytes),
                Cell::U64(number) => self.text.number(number),
                Cell::I64(number) => self.text.number(number),
                Cell::Bool(flag) => self.text.flag(flag),
            }
        }
        self.text.bytes.push(b'\n');
        self.text.row_ends()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.text.finish()
    }
}

/// A text as a field, in quotes where it needs them.
fn field(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let quoted = bytes.is_empty() || memchr::memchr3(b',', b'"', b'\n', bytes).is_some();
    if !quoted && !bytes.contains(&b'\r') {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    let mut from = 0;
    for at in memchr::memchr_iter(b'"', bytes) {
        out.extend_from_slice(&bytes[from..=at]);
        from = at;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}
