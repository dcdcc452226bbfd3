//! Rows of text. What a form adds is how its cells are written.
//!
//! The requests of a session have the same tools, and their rows differ in the first cells alone: what stands after
//! them is written once and then copied.

use super::Gather;
use crate::model::{Cell, RowSink, Table};
use std::collections::HashMap;
use std::io::{self, Write};

/// Bytes of blocks that are remembered. Beyond it all are forgotten, which costs time and changes no row.
const REMEMBERED: usize = 1 << 22;

/// How a form of text writes cells.
pub(super) trait TextForm {
    /// Writes cells of a row; `from`: how many stand before them.
    fn cells(&self, from: usize, cells: &[Cell<'_>], out: &mut Gather<'_>);
    /// What ends a row.
    fn end(&self) -> &'static [u8];
}

/// Writes the rows of a table.
pub(super) struct TextSink<'w, F> {
    table: &'static Table,
    form: F,
    text: Gather<'w>,
    /// The first cells of the block that is written, and how many they are.
    head: Vec<u8>,
    shared: usize,
    /// The block that is written, where it has a number.
    open: Option<(u64, Block)>,
    known: HashMap<u64, Block>,
    /// Bytes of the known blocks.
    bytes: usize,
}

/// What stands after the first cells of the rows of a block.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl<'w, F: TextForm> TextSink<'w, F> {
    pub(super) fn new(table: &'static Table, form: F, out: &'w mut dyn Write) -> Self {
        Self {
            table,
            form,
            text: Gather::new(out),
            head: Vec::new(),
            shared: 0,
            open: None,
            known: HashMap::new(),
            bytes: 0,
        }
    }

    /// Writes a line that is no row.
    pub(super) fn line(&mut self, line: &str) {
        self.text.bytes.extend_from_slice(line.as_bytes());
        self.text.bytes.push(b'\n');
    }

    /// Are the first cells of a row those of the block it is handed in for? They are not written from the row.
    fn begins_as_its_block(&mut self, cells: &[Cell<'_>]) -> bool {
        let start = self.text.bytes.len();
        let shared = cells.get(..self.shared).unwrap_or_default();
        self.form.cells(0, shared, &mut self.text);
        let same = self.text.bytes[start..] == *self.head;
        self.text.bytes.truncate(start);
        same
    }

    /// Remembers the block that was written.
    fn close(&mut self) {
        let Some((number, mut block)) = self.open.take() else {
            return;
        };
        if block.ends.is_empty() {
            return;
        }
        block.text.shrink_to_fit();
        block.ends.shrink_to_fit();
        let bytes = block.text.len() + size_of_val(&*block.ends);
        self.bytes += bytes;
        if self.bytes > REMEMBERED {
            self.known.clear();
            self.bytes = bytes;
        }
        self.known.insert(number, block);
    }
}

impl<F: TextForm> RowSink for TextSink<'_, F> {
    fn block(&mut self, number: Option<u64>, shared: &[Cell<'_>]) -> io::Result<bool> {
        self.close();
        let start = self.text.bytes.len();
        self.form.cells(0, shared, &mut self.text);
        self.head.clear();
        self.head.extend_from_slice(&self.text.bytes[start..]);
        self.text.bytes.truncate(start);
        self.shared = shared.len();
        let Some(number) = number else {
            return Ok(false);
        };
        let Some(block) = self.known.get(&number) else {
            self.open = Some((number, Block::default()));
            return Ok(false);
        };
        let mut from = 0;
        for &end in &block.ends {
            self.text.bytes.extend_from_slice(&self.head);
            self.text.bytes.extend_from_slice(&block.text[from..end]);
            self.text.row_ends()?;
            from = end;
        }
        Ok(true)
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert!(self.table.fits(cells), "{}", self.table.name);
        debug_assert!(self.begins_as_its_block(cells), "{}", self.table.name);
        self.text.bytes.extend_from_slice(&self.head);
        let start = self.text.bytes.len();
        let own = cells.get(self.shared..).unwrap_or_default();
        self.form.cells(self.shared, own, &mut self.text);
        self.text.bytes.extend_from_slice(self.form.end());
        if let Some((_, block)) = &mut self.open {
            block.text.extend_from_slice(&self.text.bytes[start..]);
            block.ends.push(block.text.len());
            // A list that is larger than all that is remembered would be remembered in vain.
            if block.text.len() > REMEMBERED {
                self.open = None;
            }
        }
        self.text.row_ends()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.text.finish()
    }
}
