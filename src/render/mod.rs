//! Renderers: one document, several forms. They compute no numbers and decide nothing.

mod csv;
mod escape;
mod github;
mod json;
mod junit;
mod markdown;
mod ndjson;
mod rows;
mod sarif;
mod text;
mod toml;

use crate::report::Report;
use std::io::{self, Write};

/// Every renderer.
pub const RENDERERS: &[&dyn Renderer] = &[
    &text::Text,
    &json::Json,
    &ndjson::NdJson,
    &csv::Csv,
    &markdown::Markdown,
    &toml::Toml,
    &github::GitHub,
    &sarif::Sarif,
    &junit::JUnit,
];

/// How a terminal wants it.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Columns.
    pub width: usize,
}

/// A form of output.
pub trait Renderer: Sync {
    /// The name users write.
    fn id(&self) -> &'static str;
    /// Writes the document.
    ///
    /// # Errors
    /// What the writer answers.
    fn render(&self, report: &Report, style: &Style, out: &mut dyn Write) -> io::Result<()>;
}

/// The renderer of that name.
pub fn renderer(name: &str) -> Option<&'static dyn Renderer> {
    RENDERERS
        .iter()
        .find(|renderer| renderer.id() == name)
        .copied()
}

pub use escape::terminal;
pub use rows::{ROW_FORMATS, RowFormat, row_format};
