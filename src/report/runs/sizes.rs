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
    let requests = said(&run.distribution.request, " tokens")?;
    let tools = said(&run.distribution.tools, "");
    let tools = tools.map_or_else(String::new, |said| format!("; their definitions {said}"));
    Some(format!(
        "Sizes of {} requests: {requests}{tools} (half, 90 % and 99 % at most 3.2 % too high).",
        thousands(run.requests),
    ))
}

fn said(sizes: &SizesRow, unit: &str) -> Option<String> {
    let numbers = [sizes.min?, sizes.p50?, sizes.p90?, sizes.p99?, sizes.max?];
    let [least, p50, p90, p99, most] = numbers.map(thousands);
    let unknown = match sizes.unknown {
        0 => String::new(),
        n => format!(", of {} not known", plural(n, "request", "requests")),
    };
    Some(match numbers[0] == numbers[4] {
        true => format!("{least}{unit} each{unknown}"),
        false => format!(
            "{least} to {most}{unit}, half up to {p50}, 90 % up to {p90}, 99 % up to {p99}{unknown}"
        ),
    })
}
