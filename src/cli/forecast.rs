//! `forecast`: N turns under each mode, from what a capture tells.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::settle;
use super::work::{Depth, Gathered, gather_with};
use crate::config;
use crate::data::GivenPrices;
use crate::ingest::{Input, shown};
use crate::report;
use crate::view::{self, ForecastOptions, SkippedRow};
use std::io::Write;

pub(super) fn run(options: &args::Forecast, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &[])?;
    let turns = number("--turns", options.turns.as_deref(), 1)?;
    let discover = number("--discover", options.discover.as_deref(), 0)?;
    let cache_hit = options.cache_hit.as_deref().map(share).transpose()?;
    let prices = prices(options)?;
    let depth = Depth {
        by_turn: true,
        ..Depth::default()
    };
    let input = Input::unnamed(&options.path);
    let settled = settle(&options.reading)?;
    let model = settled.model.clone();
    let Gathered { data, outcome, .. } = gather_with(&[input], &options.reading, depth, settled)?;
    let place = shown(&options.path);
    let runs = outcome.runs.iter();
    let runs: Vec<_> = runs.filter(|(_, run)| run.first.is_some()).collect();
    let (run, summary) = match runs[..] {
        [only] => only,
        [] => {
            let nothing = || {
                exit::usage(format!(
                    "{place}: no main request in it: nothing to forecast from"
                ))
            };
            let unread = |skipped: &crate::model::Skipped| {
                exit::unread(format!(
                    "{}, {}: {}",
                    skipped.path, skipped.place, skipped.reason
                ))
            };
            return Err(outcome.skipped.first().map_or_else(nothing, unread));
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
    let asked = ForecastOptions {
        data: &data,
        prices: &prices,
        model: model.as_deref(),
        turns,
        discover,
        cache_hit,
        idealised: options.idealised,
        backtest: options.backtest,
    };
    let mut view = view::forecast(run, summary, &asked)
        .ok_or_else(|| exit::usage(format!("{place}: no main request in it")))?;
    view.skipped = outcome.skipped.iter().map(SkippedRow::from).collect();
    outputs.write(&report::forecast(view), out)?;
    Ok(ExitCode::Good)
}

fn prices(options: &args::Forecast) -> anyhow::Result<GivenPrices> {
    let Some(path) = &options.price else {
        return Ok(GivenPrices::default());
    };
    config::read_prices(path, &shown(path)).map_err(|e| exit::usage(format!("--price {e}")))
}

/// More turns or discoveries than any session has.
const MOST: u64 = 10_000;

fn number(flag: &str, text: Option<&str>, least: u64) -> anyhow::Result<Option<u64>> {
    let Some(text) = text else { return Ok(None) };
    let number = text.trim().parse::<u64>().ok();
    let number = number.filter(|number| (least..=MOST).contains(number));
    number.map(Some).ok_or_else(|| {
        exit::usage(format!(
            "{flag}: write a whole number from {least} to 10,000, as in {flag} 20"
        ))
    })
}

/// `93.5%` in hundredths of a percent.
fn share(text: &str) -> anyhow::Result<u64> {
    let share = config::percent(text).ok().filter(|share| *share <= 1.0);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 10,000"
    )]
    let hundredths = share.map(|share| (share * 10_000.0).round() as u64);
    hundredths.ok_or_else(|| {
        exit::usage("--cache-hit: write a percentage from 0% to 100%, as in --cache-hit 95%")
    })
}
