//! CSV with a line of names. No cell can be taken for a formula; what is not known is an empty cell, an empty text is
//! `""`.

use super::text::{TextForm, TextSink};
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
        let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        let mut sink = TextSink::new(table, Fields, out);
        sink.line(&names.join(","));
        Ok(Box::new(sink))
    }
}

struct Fields;

impl TextForm for Fields {
    fn cells(&self, from: usize, cells: &[Cell<'_>], out: &mut Gather<'_>) {
        for (at, cell) in (from..).zip(cells) {
            if at > 0 {
                out.bytes.push(b',');
            }
            match *cell {
                Cell::Null => {}
                Cell::String(text) => field(&escape::sheet(text), &mut out.bytes),
                Cell::U64(number) => out.number(number),
                Cell::I64(number) => out.number(number),
                Cell::Bool(flag) => out.flag(flag),
            }
        }
    }

    fn end(&self) -> &'static [u8] {
        b"\n"
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
