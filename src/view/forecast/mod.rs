//! The view behind `forecast`: N turns under each mode, in tokens and money, from what the capture tells.

mod backtest;
mod break_even;
mod granularity;
mod idealised;
mod inputs;
mod modes;
mod observed;
mod pricing;
mod start;
mod unused;
mod walk;

pub use backtest::BacktestRow;
pub use break_even::{BreakEven, Even, Measures};
pub use granularity::{Grain, Granularity};
pub use idealised::Idealised;
pub use inputs::{Basis, Input, Inputs};
pub use modes::ForecastMode;
pub use unused::{NeverUsed, UnusedTool};

use super::SkippedRow;
use crate::data::{Data, GivenPrices};
use crate::model::{Observed, Outcome};
use crate::summary::{Placed, RunSummary};
use observed::Averages;
use pricing::Pricing;
use serde::Serialize;
use start::Start;

/// `toolcost.forecast/1`.
#[derive(Debug, Clone, Serialize)]
pub struct ForecastView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// The run.
    pub run: String,
    /// The model that prices are of.
    pub model: Option<String>,
    /// Other models of the run: they are priced as that one.
    pub other_models: Vec<String>,
    /// Where prices are from: table, given; null where there is none.
    pub priced: Option<&'static str>,
    /// Was tool search on in the first request?
    pub observed: Observed,
    /// The step of the gate that would keep tool search off here whatever the mode.
    pub kept_off_by: Option<&'static str>,
    /// Sessions of the run.
    pub sessions: u64,
    /// Tools that are deferred, or would be; null where the first request does not show its tools.
    pub deferrable_tools: Option<u64>,
    /// What it is reckoned with.
    pub inputs: Inputs,
    /// Each mode.
    pub modes: Vec<ForecastMode>,
    /// Where deferring begins and ends to pay.
    pub break_even: BreakEven,
    /// Tools that no request of the capture called; null where it does not show calls.
    pub never_used: Option<NeverUsed>,
    /// What deferring by server would have done to the recorded discoveries; null where there is none.
    pub granularity: Option<Granularity>,
    /// The arithmetic of the blog post; with `--idealised`.
    pub idealised: Option<Idealised>,
    /// Recorded sessions, predicted; with `--backtest`.
    pub backtest: Option<Vec<BacktestRow>>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
}

/// What the view is built from.
pub struct ForecastOptions<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// Prices by flag.
    pub prices: &'a GivenPrices,
    /// The model by flag.
    pub model: Option<&'a str>,
    /// `--turns`.
    pub turns: Option<u64>,
    /// `--discover`.
    pub discover: Option<u64>,
    /// `--cache-hit`, in hundredths of a percent.
    pub cache_hit: Option<u64>,
    /// `--idealised`.
    pub idealised: bool,
    /// `--backtest`.
    pub backtest: bool,
}

/// Builds the view of a run; `None` without a main request.
pub fn forecast(
    run: &str,
    summary: &RunSummary,
    options: &ForecastOptions<'_>,
) -> Option<ForecastView> {
    let first = summary.first.as_ref()?;
    let pricing = Pricing::new(options, first.model.as_deref());
    let sessions = observed::sessions(summary);
    let by = &options.data.assumptions;
    let averages = Averages::of(sessions.iter(), pricing.min_cacheable.unwrap_or(0));
    let start = start::start(summary, first, &sessions, &averages, by);
    let inputs = inputs::settle(options, &start, &averages, by);
    let modes = modes::rows(first, &start, &inputs, &pricing);
    let idealised = options
        .idealised
        .then(|| idealised::idealised(first, &start, &inputs, &modes, by));
    let backtest = options
        .backtest
        .then(|| backtest::rows(&sessions, &averages, &start, &pricing, by));
    Some(ForecastView {
        schema: "toolcost.forecast/1",
        run: run.to_owned(),
        model: pricing.model.map(str::to_owned),
        other_models: summary
            .models
            .iter()
            .filter(|model| Some(&***model) != pricing.model)
            .map(ToString::to_string)
            .collect(),
        priced: pricing.source(),
        observed: start.observed,
        kept_off_by: kept_off_by(first),
        sessions: sessions.len() as u64,
        deferrable_tools: start.pool_is_known.then_some(start.deferrable.len() as u64),
        break_even: break_even::break_even(&start, &inputs, &pricing),
        never_used: unused::never_used(summary),
        granularity: granularity::granularity(summary, &sessions),
        inputs,
        modes,
        idealised,
        backtest,
        skipped: Vec::new(),
    })
}

/// Steps of the gate that no choice of a mode gets round.
const WHATEVER_THE_MODE: [&str; 5] = ["client", "kill-switch", "provider", "proxy", "model"];

fn kept_off_by(first: &Placed) -> Option<&'static str> {
    let gate = first.audit.gate.as_ref()?;
    let failed = gate
        .steps
        .iter()
        .find(|step| step.outcome == Outcome::Fail && WHATEVER_THE_MODE.contains(&step.name));
    failed
        .map(|step| step.name)
        .filter(|_| gate.observed != Observed::On)
}

/// Money with its sign, in dollars.
fn difference(a: crate::model::PicoUsd, b: crate::model::PicoUsd) -> String {
    let sign = if a < b { "-" } else { "" };
    format!(
        "{sign}{}",
        crate::model::PicoUsd(a.0.abs_diff(b.0)).dollars()
    )
}

/// A part of a whole with four decimals; absent where there is no whole.
#[allow(clippy::cast_precision_loss, reason = "a share needs four digits")]
fn ratio(part: i128, whole: u128) -> Option<f64> {
    let share = part as f64 / whole as f64;
    (whole > 0).then(|| (share * 10_000.0).round() / 10_000.0)
}

/// `a − b`, held to the range.
fn less(a: u64, b: u64) -> i64 {
    let wide = i128::from(a) - i128::from(b);
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}
