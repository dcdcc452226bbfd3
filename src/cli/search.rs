//! `search`: a query against the tools of a capture, and recorded searches replayed.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::settle;
use super::work::{Depth, Gathered, gather_with};
use crate::ingest::{Input, shown};
use crate::report;
use crate::view::{self, SearchOptions, SkippedRow};
use std::io::Write;

pub(super) fn run(options: &args::Search, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    if options.query.is_none() && !options.all {
        return Err(exit::usage(
            "give a QUERY, as in \"slack send\" or select:NAME; or --all to replay recorded searches",
        ));
    }
    let depth = Depth {
        keep_texts: true,
        listings_as_requests: true,
        ..Depth::default()
    };
    let input = Input::unnamed(&options.path);
    let gathered = gather_with(&[input], &options.reading, depth, settle(&options.reading)?)?;
    let Gathered {
        data,
        outcome,
        settings,
        ..
    } = gathered;
    let place = shown(&options.path);
    let runs: Vec<_> = outcome
        .runs
        .iter()
        .filter(|(_, run)| run.first.is_some())
        .collect();
    let (run, summary) = match runs[..] {
        [only] => only,
        [] => {
            let why = outcome.skipped.first().map_or_else(
                || {
                    exit::usage(format!(
                        "{place}: no main request in it: there is nothing to search"
                    ))
                },
                |skipped| {
                    exit::unread(format!(
                        "{}, {}: {}",
                        skipped.path, skipped.place, skipped.reason
                    ))
                },
            );
            return Err(why);
        }
        _ => {
            let names: Vec<&str> = runs.iter().map(|(name, _)| &***name).collect();
            return Err(exit::usage(format!(
                "{place}: holds {} runs ({}); give the path of one",
                names.len(),
                names.join(", ")
            )));
        }
    };
    let mut view = view::search_view(
        run,
        summary,
        SearchOptions {
            builtins: &data.builtins,
            query: options.query.as_deref(),
            max_results: options.max_results,
            all: options.all,
            show_text: options.show_text,
            pending_servers: options.pending_servers.clone(),
            settings,
        },
    );
    view.skipped = outcome.skipped.iter().map(SkippedRow::from).collect();
    outputs.write(&report::search(view), out)?;
    Ok(ExitCode::Good)
}
