//! The document that every command answers with: blocks of typed cells, and a versioned payload.

use serde::Serialize;

use crate::view::{
    AdviseView, CalibrationView, CompareView, CountView, ExplainView, ForecastView, RunsView,
    SearchView, TimelineView,
};

/// A document.
#[derive(Debug, Clone)]
pub struct Report {
    /// What a person reads, in order.
    pub blocks: Vec<Block>,
    /// What a program reads.
    pub payload: Payload,
}

/// The machine-readable side of a document.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Payload {
    /// `toolcost.report/1`.
    Runs(Box<RunsView>),
    /// `toolcost.explain/1`.
    Explain(Box<ExplainView>),
    /// `toolcost.search/1`.
    Search(Box<SearchView>),
    /// `toolcost.advise/1`.
    Advise(Box<AdviseView>),
    /// `toolcost.timeline/1`.
    Timeline(Box<TimelineView>),
    /// `toolcost.forecast/1`.
    Forecast(Box<ForecastView>),
    /// `toolcost.count/1`.
    Count(Box<CountView>),
    /// `toolcost.calibration/1`.
    Calibration(Box<CalibrationView>),
    /// `toolcost.check/1`.
    Check(Box<super::CheckDocument>),
    /// `toolcost.compare/1`.
    Compare(Box<CompareView>),
    /// A list of the program's own tables.
    List(Vec<ListRow>),
}

/// A row of a list: name, and what there is to say of it.
#[derive(Debug, Clone, Serialize)]
pub struct ListRow {
    /// The name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Where it is known from, or how sure it is.
    pub source: String,
}

/// A piece of a document.
#[derive(Debug, Clone)]
pub enum Block {
    /// The first line.
    Title(String),
    /// Starts a section.
    Heading(String),
    /// Sentences, wrapped to the width.
    Text(String),
    /// Lines that belong together, each wrapped, with a word before it.
    Notes(Vec<Note>),
    /// A table.
    Table(Table),
    /// A table that may be folded away, under a line.
    Folded(String, Table),
    /// Lines to type, not wrapped.
    Commands(Vec<String>),
    /// Lines to paste as they are.
    Lines(Vec<String>),
}

/// One line of notes.
#[derive(Debug, Clone)]
pub struct Note {
    /// How loud it is.
    pub tone: Tone,
    /// A word before it.
    pub label: String,
    /// The line.
    pub text: String,
}

/// How loud a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Quiet.
    Plain,
    /// Worth a look.
    Warn,
    /// Wrong.
    Bad,
}

/// A table with typed cells.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Heads and alignment.
    pub columns: Vec<Column>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<Cell>>,
    /// Cells that are too wide are wrapped and not cut.
    pub wrap: bool,
}

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its head.
    pub head: &'static str,
    /// Numbers stand to the right.
    pub right: bool,
    /// Its cells may be cut when the table is too wide.
    pub cut: bool,
}

/// A cell. Strings may come from strangers: renderers escape them.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Blank,
    /// A text.
    Text(String),
    /// Not applicable.
    Dash,
    /// A plain number.
    Number(u64),
    /// Tokens with what is known of them.
    Tokens(Amount),
    /// A difference of tokens, with its sign.
    Delta(Amount),
    /// A share of one.
    Share(Option<f64>),
    /// A share of one that rests on an estimate.
    EstimatedShare(f64),
}

/// Tokens with what is known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// The number; `None` = unknown.
    pub tokens: Option<i64>,
    /// It comes from a rule of thumb, or rests on thin evidence.
    pub estimated: bool,
    /// What it is to the truth.
    pub bound: Bound,
}

/// What a number is to the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// All parts are in it.
    Whole,
    /// Parts are missing.
    AtLeast,
    /// Costs are missing.
    AtMost,
}
