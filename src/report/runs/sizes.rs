//! How large the requests of a long run are, in one sentence.

use crate::report::words::{plural, thousands};
use crate::view::{RunRow, SizesRow};

/// Requests from which on a distribution says more than the first and the last.
const LEAST: u64 = 20;

/// The sentence; none for a short run.
pub(super) fn sizes(run: &RunRow) -> Option<String> {
    if run.requests < LEAST {
        return None;
    }
    let requests = said(&run.distribution.request)?;
    let tools = said(&run.distribution.tools).map(|said| format!("; definitions {said}"));
    Some(format!(
        "Of {} requests: tokens {requests}{} (the last three at most 3 % too high).",
        thousands(run.requests),
        tools.unwrap_or_default()
    ))
}

fn said(sizes: &SizesRow) -> Option<String> {
    let numbers = [sizes.min?, sizes.p50?, sizes.p90?, sizes.p99?, sizes.max?];
    let [least, p50, p90, p99, most] = numbers.map(thousands);
    let unknown = match sizes.unknown {
        0 => String::new(),
        n => format!(", of {} not known", plural(n, "request", "requests")),
    };
    Some(match numbers[0] == numbers[4] {
        true => format!("{least} each{unknown}"),
        false => format!(
            "{least} to {most}, half up to {p50}, 90 % up to {p90}, 99 % up to {p99}{unknown}"
        ),
    })
}
