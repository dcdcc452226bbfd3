//! CSV: one flat table. No cell can be taken for a formula, and no text moves a terminal's cursor.

use super::{Renderer, Style, escape};
use crate::report::{Field, Report};
use std::io::{self, Write};

pub(super) struct Csv;

impl Renderer for Csv {
    fn id(&self) -> &'static str {
        "csv"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let sheet = report.payload.sheet();
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(sheet.head).map_err(cause)?;
        for row in &sheet.rows {
            let fields = row.iter().map(|field| match field {
                Field::Blank => String::new(),
                Field::Decimal(number) => number.clone(),
                Field::Text(text) => escape::sheet(text).into_owned(),
                Field::Number(number) => number.to_string(),
                Field::Signed(number) => number.to_string(),
                Field::Flag(flag) => flag.to_string(),
            });
            writer.write_record(fields).map_err(cause)?;
        }
        writer.flush()
    }
}

/// What stopped the writer: a pipe that was closed must be told from other faults.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
