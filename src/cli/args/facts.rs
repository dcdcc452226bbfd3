//! Flags of `facts`.

use super::Reading;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(in crate::cli) struct Facts {
    /// Captures: files, folders (walked, git-ignored files too), or - for standard input
    #[arg(value_name = "PATH", required_unless_present = "run")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Name a run: NAME=PATH
    #[arg(long, value_name = "NAME=PATH")]
    pub(in crate::cli) run: Vec<String>,
    /// What a row is
    #[arg(long, value_enum, value_name = "TABLE", default_value_t = Table::Requests)]
    pub(in crate::cli) table: Table,
    /// Ids of sessions as they were captured, instead of their hashes
    #[arg(long)]
    pub(in crate::cli) raw_ids: bool,
    /// Output format: ndjson, csv, parquet; default: by the ending of FILE, else ndjson
    #[arg(short, long, value_name = "FORMAT")]
    pub(in crate::cli) format: Option<String>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Say nothing of inputs that were skipped
    #[arg(short, long, conflicts_with = "verbose")]
    pub(in crate::cli) quiet: bool,
    /// Say every input that was skipped
    #[arg(short, long)]
    pub(in crate::cli) verbose: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
    /// A skipped input is exit 3
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Files with something skipped that --strict lets pass: N or P%
    #[arg(long, value_name = "N or P%", requires = "strict")]
    pub(in crate::cli) max_skipped: Option<String>,
}

/// A table by the name that it has in its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::cli) enum Table {
    Requests,
    RequestTools,
    Definitions,
}

impl Table {
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::RequestTools => "request_tools",
            Self::Definitions => "definitions",
        }
    }
}
