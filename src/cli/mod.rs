//! The command line: flags in, documents out, exit codes. The only layer that prints.

mod advise;
mod args;
mod calibrate;
mod check;
mod compare;
mod completions;
mod count;
mod exit;
mod explain;
mod facts;
mod forecast;
mod init;
mod list;
mod merge;
mod output;
mod progress;
mod report;
mod schema;
mod search;
mod settled;
mod stream;
mod timeline;
mod work;

pub use exit::ExitCode;

use anstream::AutoStream;
use clap::Parser;
use std::io::Write;

/// Runs the program with the process's own arguments.
pub fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are answers; anything else is a wrong flag, and may repeat what was typed.
            if !error.use_stderr() {
                let _ = error.print();
                return ExitCode::Good;
            }
            let text = error.render().to_string();
            let mut err = AutoStream::new(std::io::stderr().lock(), anstream::ColorChoice::Auto);
            for line in text.lines() {
                let _ = writeln!(err, "{}", crate::render::terminal(line));
            }
            return ExitCode::Usage;
        }
    };
    let choice = args.color.choice();
    let mut out = AutoStream::new(std::io::stdout().lock(), choice);
    let result = match &args.command {
        args::Command::Report(options) => report::run(options, &mut out),
        args::Command::Check(options) => check::run(options, &mut out),
        args::Command::Compare(options) => compare::run(options, &mut out),
        args::Command::Advise(options) => advise::run(options, &mut out),
        args::Command::Explain(options) => explain::run(options, &mut out),
        args::Command::Calibrate(options) => calibrate::run(options, &mut out),
        args::Command::Count(options) => count::run(options, &mut out),
        args::Command::Facts(options) => facts::run(options, choice),
        args::Command::Forecast(options) => forecast::run(options, &mut out),
        args::Command::Search(options) => search::run(options, &mut out),
        args::Command::Timeline(options) => timeline::run(options, &mut out),
        args::Command::Init(options) => init::run(options, &mut out),
        args::Command::Completions(options) => completions::completions(options, &mut out),
        args::Command::Man => completions::man(&mut out),
        args::Command::List(options) => list::run(options, &mut out),
        args::Command::Schema(options) => schema::run(options, &mut out),
    };
    let result = result.and_then(|code| exit::ended(out.flush().map_err(Into::into), code));
    match result {
        Ok(code) => code,
        Err(error) if exit::is_broken_pipe(&error) => ExitCode::Good,
        Err(error) => {
            let mut err = AutoStream::new(std::io::stderr().lock(), choice);
            let text = format!("{error:#}");
            // A message that cannot be written has no other place to go.
            let _ = writeln!(err, "toolcost: {}", crate::render::terminal(&text));
            exit::of(&error)
        }
    }
}
