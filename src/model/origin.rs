//! Where a thing was read, and inputs that could not be read.

use std::fmt;
use std::sync::Arc;

/// A place inside a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The whole file.
    Whole,
    /// A line, from 1, and a column in bytes, from 1.
    Line(u64, u64),
    /// An element of the array that starts at this line: line, index from 0.
    Element(u64, u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole file"),
            Self::Line(line, 1) => write!(f, "line {line}"),
            Self::Line(line, column) => write!(f, "line {line}, column {column}"),
            Self::Element(line, index) => write!(f, "line {line}, element {index}"),
        }
    }
}

/// Where a thing was read. The path is the user's own PATH with what was found below it, `/` between.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file.
    pub path: Arc<str>,
    /// The record in it.
    pub place: Place,
}

/// An input that could not be read. It never stops a run and never goes unsaid.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The file.
    pub path: Arc<str>,
    /// The place in it.
    pub place: Place,
    /// Why, and what to do.
    pub reason: String,
}
