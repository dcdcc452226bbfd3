//! `completions` and `man`: what shells and manuals read.

use super::args::{self, Args};
use super::exit::ExitCode;
use clap::CommandFactory as _;
use std::io::Write;

pub(super) fn completions(
    options: &args::Completions,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut Args::command(), "toolcost", &mut text);
    out.write_all(&text)?;
    Ok(ExitCode::Good)
}

/// One page with all commands.
pub(super) fn man(out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let command = Args::command();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let named = sub
            .clone()
            .display_name(format!("toolcost-{}", sub.get_name()));
        clap_mangen::Man::new(named).render(&mut text)?;
    }
    out.write_all(&text)?;
    Ok(ExitCode::Good)
}
