//! Parquet: columns with dictionaries, packed with zstd. Rows are gathered to a row group; its bytes leave when it is
//! full, so that memory is bounded by a group and not by the file.

use super::RowFormat;
use crate::model::{Cell, ColumnType, RowSink, Table};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a group. Of the widest table it takes some tens of megabytes until it is written.
const GROUP: usize = 1 << 16;

/// Distinct texts of a column that are shared by its rows; more of them are no dictionary.
const SHARED: usize = 1 << 14;

pub(super) struct Parquet;

impl RowFormat for Parquet {
    fn id(&self) -> &'static str {
        "parquet"
    }

    fn is_binary(&self) -> bool {
        true
    }

    fn sink<'w>(
        &self,
        table: &'static Table,
        out: &'w mut dyn Write,
    ) -> io::Result<Box<dyn RowSink + 'w>> {
        let note = |key: &str, value: &str| KeyValue::new(key.to_owned(), Some(value.to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("toolcost version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![
                note("schema", table.schema),
                note("table", table.name),
            ]))
            .build();
        let schema = Arc::new(schema(table).map_err(cause)?);
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties));
        Ok(Box::new(Sink {
            file: file.map_err(cause)?,
            columns: table.columns.iter().map(Values::new).collect(),
            rows: 0,
            out,
        }))
    }
}

/// What stopped the writer, as the other forms would say it.
fn cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn schema(table: &Table) -> Result<Type, ParquetError> {
    let fields = table.columns.iter().map(|column| {
        let (physical, logical) = match column.type_ {
            ColumnType::String => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::U64 => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
            ColumnType::I64 => (PhysicalType::INT64, None),
            ColumnType::Bool => (PhysicalType::BOOLEAN, None),
        };
        let repetition = match column.nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    });
    Type::group_type_builder(table.name)
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()
}

struct Sink<'w> {
    file: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Values>,
    rows: usize,
    out: &'w mut dyn Write,
}

impl RowSink for Sink<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len());
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.add(*cell)?;
        }
        self.rows += 1;
        match self.rows == GROUP {
            true => self.group(),
            false => Ok(()),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.group()?;
        self.file.finish().map_err(cause)?;
        self.drain()?;
        self.out.flush()
    }
}

impl Sink<'_> {
    /// Writes the rows that were gathered as a group.
    fn group(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.file.next_row_group().map_err(cause)?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column().map_err(cause)? {
                column.write(&mut writer).map_err(cause)?;
                writer.close().map_err(cause)?;
            }
        }
        group.close().map_err(cause)?;
        self.drain()
    }

    /// Hands on what the writer has put into memory; it counts its bytes itself.
    fn drain(&mut self) -> io::Result<()> {
        self.file.flush()?;
        let bytes = self.file.inner_mut();
        let written = self.out.write_all(bytes);
        bytes.clear();
        written
    }
}

/// The values of a column in this group, and for each row whether it has one.
struct Values {
    there: Option<Vec<i16>>,
    typed: Typed,
}

enum Typed {
    /// Texts, each distinct one kept once.
    Strings(Vec<ByteArray>, HashMap<Box<str>, ByteArray>),
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
}

impl Values {
    fn new(column: &crate::model::Column) -> Self {
        Self {
            there: column.nullable.then(Vec::new),
            typed: match column.type_ {
                ColumnType::String => Typed::Strings(Vec::new(), HashMap::new()),
                ColumnType::U64 | ColumnType::I64 => Typed::Numbers(Vec::new()),
                ColumnType::Bool => Typed::Flags(Vec::new()),
            },
        }
    }

    fn add(&mut self, cell: Cell<'_>) -> io::Result<()> {
        let null = cell == Cell::Null;
        if let Some(there) = &mut self.there {
            there.push(i16::from(!null));
        }
        match (&mut self.typed, cell) {
            (_, Cell::Null) if self.there.is_some() => {}
            (Typed::Strings(values, known), Cell::String(text)) => {
                let value = match known.get(text) {
                    Some(value) => value.clone(),
                    None => {
                        if known.len() >= SHARED {
                            known.clear();
                        }
                        let value = ByteArray::from(text.as_bytes().to_vec());
                        known.insert(Box::from(text), value.clone());
                        value
                    }
                };
                values.push(value);
            }
            // A number without a sign is kept by its bits; the schema says how they are read.
            (Typed::Numbers(values), Cell::U64(number)) => values.push(number.cast_signed()),
            (Typed::Numbers(values), Cell::I64(number)) => values.push(number),
            (Typed::Flags(values), Cell::Bool(flag)) => values.push(flag),
            _ => return Err(io::Error::other("a cell is not of its column's type")),
        }
        Ok(())
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let there = self.there.as_deref();
        match &mut self.typed {
            Typed::Strings(values, _) => {
                let typed = writer.typed::<ByteArrayType>();
                typed.write_batch(values, there, None)?;
                values.clear();
            }
            Typed::Numbers(values) => {
                writer
                    .typed::<Int64Type>()
                    .write_batch(values, there, None)?;
                values.clear();
            }
            Typed::Flags(values) => {
                writer
                    .typed::<BoolType>()
                    .write_batch(values, there, None)?;
                values.clear();
            }
        }
        if let Some(there) = &mut self.there {
            there.clear();
        }
        Ok(())
    }
}
