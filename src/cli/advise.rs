//! `advise`: what to change, ranked by what it saves.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::settle;
use super::work::{Depth, gather_with};
use crate::ingest::Input;
use crate::report;
use crate::view::{self, AdviseView, SkippedRow};
use std::io::Write;

pub(super) fn run(options: &args::Advise, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let inputs: Vec<Input> = options
        .paths
        .iter()
        .map(|path| Input::unnamed(path))
        .collect();
    let depth = Depth {
        by_request: true,
        by_turn: true,
        ..Depth::default()
    };
    let gathered = gather_with(&inputs, &options.reading, depth, settle(&options.reading)?)?;
    let runs: Vec<_> = gathered
        .outcome
        .runs
        .iter()
        .filter_map(|(name, summary)| view::advise(name, summary, &gathered.data))
        .collect();
    if runs.is_empty() {
        let skipped = gathered.outcome.skipped.first();
        return Err(match skipped {
            Some(skipped) => exit::unread(format!(
                "{}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            )),
            None => exit::usage("no main request in it: there is nothing to advise on"),
        });
    }
    let view = AdviseView {
        schema: "toolcost.advise/1",
        runs,
        skipped: gathered
            .outcome
            .skipped
            .iter()
            .map(SkippedRow::from)
            .collect(),
        settings: gathered.settings,
    };
    exit::ended(outputs.write(&report::advise(view), out), ExitCode::Good)
}
