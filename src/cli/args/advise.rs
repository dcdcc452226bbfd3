//! The flags of `advise`.

use super::{Output, Reading};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(in crate::cli) struct Advise {
    /// Captures: files, folders, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
