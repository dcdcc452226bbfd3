//! `calibrate`: the captures read by every counter, and by every family, against what was recorded.

use super::args;
use super::exit::{self, ExitCode};
use super::output::Outputs;
use super::settled::{Settled, settle};
use super::work::{Depth, Gathered, gather_with};
use crate::count::{COUNTERS, Calibrated, Counter, counter};
use crate::data::{CALIBRATION, Calibration, DATA_VERSION};
use crate::ingest::{Input, is_stdin, shown};
use crate::report;
use crate::view::{self, CLAUDE, Pass, TRIALS};
use std::io::Write;
use std::sync::Arc;

pub(super) fn run(options: &args::Calibrate, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::settle(&options.output, &["toml"])?;
    if options.paths.iter().any(|path| is_stdin(path)) {
        return Err(exit::usage(
            "calibrate reads its captures several times; give files or folders",
        ));
    }
    let inputs: Vec<Input> = options
        .paths
        .iter()
        .map(|path| Input::unnamed(path))
        .collect();
    let reading = args::Reading {
        // What is being found out is not taken from an older file.
        calibration: None,
        counter: None,
        ..options.reading.clone()
    };
    let depth = Depth {
        by_request: true,
        ..Depth::default()
    };
    let read = |settled: Settled| gather_with(&inputs, &reading, depth, settled);
    let mut passes: Vec<Pass> = Vec::new();
    for counter in counters(options.reading.counter.as_deref())? {
        let settled = Settled {
            counter,
            calibrated: None,
            calibration: None,
            ..settle(&reading)?
        };
        let Gathered { outcome, .. } = read(settled)?;
        passes.push(Pass {
            counter: counter.counter(),
            tried: None,
            outcome,
        });
    }
    let ids = passes
        .first()
        .map_or_else(Vec::new, |pass| view::named_models(&pass.outcome));
    if let Some(claude) = counter(CLAUDE).filter(|_| passes.iter().any(|p| p.counter == CLAUDE)) {
        for (family, non_ascii) in TRIALS {
            let mut settled = settle(&reading)?;
            settled.data.models.read_as(&ids, family, non_ascii);
            let models = Arc::new(settled.data.models.clone());
            let settled = Settled {
                counter: claude,
                calibrated: Some(Calibrated::new(claude, &models, &nothing())),
                calibration: None,
                ..settled
            };
            let Gathered { outcome, .. } = read(settled)?;
            passes.push(Pass {
                counter: CLAUDE,
                tried: Some((family, non_ascii)),
                outcome,
            });
        }
    }
    let data = settle(&reading)?.data;
    let paths = options.paths.iter().map(|path| shown(path)).collect();
    let view = view::calibrate(&passes, &data, paths);
    if view.calibration.model.is_empty() {
        return Err(match view.skipped.first() {
            Some(skipped) => exit::unread(format!(
                "no request with a recorded size and a model in what could be read; {}, {}: {}",
                skipped.path, skipped.place, skipped.reason
            )),
            None => exit::usage(
                "no request with a recorded size and a model; calibrate needs captures that hold the usage of \
                 responses, or counts kept beside them",
            ),
        });
    }
    outputs.write(&report::calibrate(view), out)?;
    Ok(ExitCode::Good)
}

/// The counters to be tried: those that were named, else all but the one that chooses among them.
fn counters(named: Option<&str>) -> anyhow::Result<Vec<&'static dyn Counter>> {
    let Some(names) = named.filter(|names| *names != "auto") else {
        let all = COUNTERS.iter().copied();
        return Ok(all.filter(|counter| counter.counter() != "auto").collect());
    };
    super::count::counters(names)
}

fn nothing() -> Calibration {
    Calibration {
        schema: CALIBRATION.to_owned(),
        toolcost: String::new(),
        data_version: DATA_VERSION.to_owned(),
        model: Vec::new(),
    }
}
