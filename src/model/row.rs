//! Rows of typed cells on their way from a table to a file: what writes them knows no table, what makes them no form.

use std::io;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Text.
    String,
    /// A whole number that is not negative.
    U64,
    /// A whole number.
    I64,
    /// True or false.
    Bool,
}

impl ColumnType {
    /// The word for documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::Bool => "bool",
        }
    }
}

/// A column. Names and types are part of the table's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub type_: ColumnType,
    /// A row may lack it.
    pub nullable: bool,
    /// What it means, with its unit.
    pub doc: &'static str,
}

impl Column {
    /// A column that every row has.
    pub const fn new(name: &'static str, type_: ColumnType, doc: &'static str) -> Self {
        Self {
            name,
            type_,
            nullable: false,
            doc,
        }
    }

    /// A column that a row may lack.
    pub const fn nullable(name: &'static str, type_: ColumnType, doc: &'static str) -> Self {
        Self {
            nullable: true,
            ..Self::new(name, type_, doc)
        }
    }
}

/// What a table looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// The version of the set of tables it belongs to.
    pub schema: &'static str,
    /// The name.
    pub name: &'static str,
    /// What a row is, in a sentence.
    pub doc: &'static str,
    /// The columns, in order.
    pub columns: &'static [Column],
}

impl Table {
    /// Is it a row of the table?
    pub fn fits(&self, cells: &[Cell<'_>]) -> bool {
        let mut pairs = cells.iter().zip(self.columns);
        cells.len() == self.columns.len() && pairs.all(|(cell, column)| cell.fits(column))
    }
}

/// A cell of a row, borrowed for the time of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Nobody knows, or there is no such thing.
    Null,
    /// Text, as it was captured.
    String(&'a str),
    /// A whole number that is not negative.
    U64(u64),
    /// A whole number.
    I64(i64),
    /// True or false.
    Bool(bool),
}

impl Cell<'_> {
    /// May it stand in a column?
    pub fn fits(self, column: &Column) -> bool {
        match self {
            Self::Null => column.nullable,
            Self::String(_) => column.type_ == ColumnType::String,
            Self::U64(_) => column.type_ == ColumnType::U64,
            Self::I64(_) => column.type_ == ColumnType::I64,
            Self::Bool(_) => column.type_ == ColumnType::Bool,
        }
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(text)
    }
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Self::U64(number)
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Self::I64(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, T::into)
    }
}

/// Where rows go.
pub trait RowSink {
    /// Begins a block: rows whose first cells are `shared`. Blocks of one number differ in nothing else, so a sink may
    /// write them from memory; then it answers true, and the rows are not handed in. A block ends where the next
    /// begins.
    ///
    /// # Errors
    /// What the writer behind it answers.
    fn block(&mut self, _number: Option<u64>, _shared: &[Cell<'_>]) -> io::Result<bool> {
        Ok(false)
    }

    /// Takes one row: a cell for each column, in order.
    ///
    /// # Errors
    /// What the writer behind it answers.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes what is left. Without it the output is not whole.
    ///
    /// # Errors
    /// What the writer behind it answers.
    fn finish(&mut self) -> io::Result<()>;
}
