//! The flags of `search`.

use super::{Output, Reading};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(in crate::cli) struct Search {
    /// A capture of one run, or a tool listing
    #[arg(value_name = "PATH")]
    pub(in crate::cli) path: PathBuf,
    /// What to search: words, +required words, a name, `mcp__server`, or select:NAME,NAME
    #[arg(value_name = "QUERY")]
    pub(in crate::cli) query: Option<String>,
    /// Tools that are found at most
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(in crate::cli) max_results: u64,
    /// Replay every recorded search and compare
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Show recorded queries
    #[arg(long)]
    pub(in crate::cli) show_text: bool,
    /// MCP servers that are still connecting
    #[arg(long, value_name = "a,b", value_delimiter = ',')]
    pub(in crate::cli) pending_servers: Option<Vec<String>>,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
