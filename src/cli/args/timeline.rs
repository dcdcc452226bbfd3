//! The flags of `timeline`.

use super::{Output, Reading};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(in crate::cli) struct Timeline {
    /// Captures: a file, a folder, or - for standard input; all sessions of all runs in it
    #[arg(value_name = "PATH")]
    pub(in crate::cli) path: PathBuf,
    /// How prompts are known again: Anthropic's (tools, system, messages; deferred definitions left out), or a plain
    /// prefix cache (all definitions in the order sent)
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Cache::Anthropic)]
    pub(in crate::cli) cache: Cache,
    /// Tokens of a block of a prefix cache; only whole blocks are kept [default: 1]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) block: Option<String>,
    /// Tokens a second that its server reads: gives seconds for what is not kept
    #[arg(long, value_name = "TOK/S")]
    pub(in crate::cli) prefill: Option<String>,
    /// Turns of each session that the text shows
    #[arg(short = 'n', long, value_name = "N", default_value_t = 40)]
    pub(in crate::cli) top: usize,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Cache {
    Anthropic,
    Prefix,
}
