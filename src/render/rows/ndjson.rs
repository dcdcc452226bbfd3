//! JSON lines: one object a row, every column in every row.

use super::text::{TextForm, TextSink};
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
        let keys = Keys(keys.collect());
        Ok(Box::new(TextSink::new(table, keys, out)))
    }
}

struct Keys(Vec<Vec<u8>>);

impl TextForm for Keys {
    fn cells(&self, from: usize, cells: &[Cell<'_>], out: &mut Gather<'_>) {
        for (key, cell) in self.0.iter().skip(from).zip(cells) {
            out.bytes.extend_from_slice(key);
            match *cell {
                Cell::Null => out.bytes.extend_from_slice(b"null"),
                Cell::String(text) => escape::json_string(text, &mut out.bytes),
                Cell::U64(number) => out.number(number),
                Cell::I64(number) => out.number(number),
                Cell::Bool(flag) => out.flag(flag),
            }
        }
    }

    fn end(&self) -> &'static [u8] {
        b"}\n"
    }
}
