//! Flags of `forecast`.

use super::{Output, Reading};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(in crate::cli) struct Forecast {
    /// A capture of one run
    #[arg(value_name = "PATH")]
    pub(in crate::cli) path: PathBuf,
    /// Turns of a session [default: of the capture]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(in crate::cli) turns: Option<String>,
    /// Discoveries of a session, each a request more [default: of the capture]
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub(in crate::cli) discover: Option<String>,
    /// What the cache gives of the prompt before [default: of the capture]
    #[arg(long, value_name = "P%", allow_hyphen_values = true)]
    pub(in crate::cli) cache_hit: Option<String>,
    /// The arithmetic of a fixed saving a turn, and what lies between it and the forecast
    #[arg(long)]
    pub(in crate::cli) idealised: bool,
    /// Predict every recorded session from its first request, and say how wrong that is
    #[arg(long)]
    pub(in crate::cli) backtest: bool,
    /// Prices by model, in USD a million tokens (TOML); they win over the table
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) price: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
