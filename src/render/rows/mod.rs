//! Forms of rows: a stream of cells, several files' worth at reading speed. One file and two lines each.

mod csv;
mod ndjson;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

use crate::model::{RowSink, Table};
use std::io::{self, Write};

/// Every form of rows.
pub const ROW_FORMATS: &[&dyn RowFormat] = &[
    &ndjson::NdJson,
    &csv::Csv,
    #[cfg(feature = "parquet")]
    &parquet::Parquet,
];

/// A form of rows.
pub trait RowFormat: Sync {
    /// The name users write.
    fn id(&self) -> &'static str;
    /// Is it bytes that no terminal can show?
    fn is_binary(&self) -> bool {
        false
    }
    /// A sink that writes the rows of a table. Sinks gather what they write: the writer needs no buffer of its own.
    ///
    /// # Errors
    /// What the writer answers, or a table that the form cannot hold.
    fn sink<'w>(
        &self,
        table: &'static Table,
        out: &'w mut dyn Write,
    ) -> io::Result<Box<dyn RowSink + 'w>>;
}

/// The form of that name.
pub fn row_format(name: &str) -> Option<&'static dyn RowFormat> {
    ROW_FORMATS.iter().find(|form| form.id() == name).copied()
}

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 17;

/// Text on its way: rows are put together here and leave in large pieces.
struct Gather<'w> {
    bytes: Vec<u8>,
    out: &'w mut dyn Write,
}

impl<'w> Gather<'w> {
    fn new(out: &'w mut dyn Write) -> Self {
        Self {
            bytes: Vec::with_capacity(GATHERED + (GATHERED >> 3)),
            out,
        }
    }

    /// Writes what was gathered, once it is enough.
    fn row_ends(&mut self) -> io::Result<()> {
        match self.bytes.len() >= GATHERED {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let written = self.out.write_all(&self.bytes);
        self.bytes.clear();
        written
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()?;
        self.out.flush()
    }

    fn number(&mut self, number: impl itoa::Integer) {
        let mut digits = itoa::Buffer::new();
        self.bytes
            .extend_from_slice(digits.format(number).as_bytes());
    }

    fn flag(&mut self, flag: bool) {
        let word: &[u8] = if flag { b"true" } else { b"false" };
        self.bytes.extend_from_slice(word);
    }
}

#[cfg(test)]
mod tests;
