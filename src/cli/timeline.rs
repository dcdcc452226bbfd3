//! `timeline`: sessions turn by turn.

use super::args::{self, Cache};
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::settle;
use super::work::{Depth, gather_with};
use crate::ingest::{Input, shown};
use crate::report;
use crate::view::{self, CacheRule};
use std::io::Write;

pub(super) fn run(options: &args::Timeline, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let rule = rule(options)?;
    let depth = Depth {
        by_turn: true,
        ..Depth::default()
    };
    let input = Input::unnamed(&options.path);
    let gathered = gather_with(&[input], &options.reading, depth, settle(&options.reading)?)?;
    let view = view::timeline(&gathered.outcome, rule, gathered.settings);
    if view.sessions.is_empty() {
        return Err(match view.skipped.first() {
            Some(skipped) => exit::unread(format!(
                "{}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            )),
            None => exit::usage(format!(
                "{}: no main request in it: there is no turn to show",
                shown(&options.path)
            )),
        });
    }
    let verbose = options.output.verbose;
    outputs.write(&report::timeline(view, options.top, verbose), out)?;
    Ok(ExitCode::Good)
}

/// More tokens than any block has, or any server reads in a second.
const MOST: u64 = 1_000_000_000;

/// The cache as the flags say it.
fn rule(options: &args::Timeline) -> anyhow::Result<CacheRule> {
    if options.top == 0 {
        return Err(exit::usage("--top: write a number of turns, 1 or more"));
    }
    if options.cache == Cache::Anthropic {
        let given = [
            ("--block", options.block.is_some()),
            ("--prefill", options.prefill.is_some()),
        ];
        return match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(exit::usage(format!(
                "{flag} is of a plain prefix cache: give --cache prefix too"
            ))),
            None => Ok(CacheRule::Anthropic),
        };
    }
    let block = options.block.as_deref().map(|text| {
        let number = text.trim().replace(['_', ','], "").parse::<u64>().ok();
        let number = number.filter(|number| (1..=MOST).contains(number));
        number.ok_or_else(|| exit::usage("--block: write a whole number of tokens, 1 or more"))
    });
    let prefill = options.prefill.as_deref().map(|text| {
        let number = text.trim().replace(['_', ','], "").parse::<f64>().ok();
        #[allow(clippy::cast_precision_loss, reason = "a round number")]
        let number = number.filter(|number| *number >= 0.001 && *number <= MOST as f64);
        number.ok_or_else(|| {
            exit::usage("--prefill: write tokens a second, a number above 0, as in 850")
        })
    });
    Ok(CacheRule::Prefix {
        block: block.transpose()?.unwrap_or(1),
        prefill: prefill.transpose()?,
    })
}
