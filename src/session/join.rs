//! Requests meet the counts that were kept beside them.

use super::order::natural;
use crate::model::{Exchange, RecordedCounts, RequestFacts, Role};
use std::cmp::Ordering;

/// Joins one run's requests and counts, in the order in which they were made.
///
/// Counts belong to the first request without counts of the file they name, else to the first such main
/// request of the run. Those whose request is not there stand alone. The second value holds counts of requests
/// that have counts already: to count the request twice would be wrong.
pub fn join(
    requests: Vec<RequestFacts>,
    counts: Vec<RecordedCounts>,
) -> (Vec<Exchange>, Vec<RecordedCounts>) {
    let mut exchanges: Vec<Exchange> = requests
        .into_iter()
        .map(|request| Exchange::Captured(Box::new(request), None))
        .collect();
    sort(&mut exchanges);
    let mut left = Vec::new();
    for counts in counts {
        let fits = |exchange: &Exchange| match (&counts.request, exchange) {
            (_, Exchange::CountsOnly(_)) => false,
            (Some(name), _) => file_name(&exchange.origin().path) == file_name(name),
            (None, _) => exchange.role() == Role::Main,
        };
        let free = |exchange: &Exchange| fits(exchange) && exchange.counts().is_none();
        let taken = exchanges.iter().any(fits);
        match exchanges.iter_mut().find(|exchange| free(exchange)) {
            Some(Exchange::Captured(_, slot)) => *slot = Some(Box::new(counts)),
            _ if taken => left.push(counts),
            _ => exchanges.push(Exchange::CountsOnly(Box::new(counts))),
        }
    }
    (exchanges, left)
}

/// By time where every request has one, else by file and place.
fn sort(exchanges: &mut [Exchange]) {
    let time = |exchange: &Exchange| exchange.request().and_then(|request| request.time);
    let timed = exchanges.iter().all(|exchange| time(exchange).is_some());
    exchanges.sort_by(|a, b| {
        let by_time = if timed {
            time(a).cmp(&time(b))
        } else {
            Ordering::Equal
        };
        by_time
            .then_with(|| natural(&a.origin().path, &b.origin().path))
            .then_with(|| a.origin().place.cmp(&b.origin().place))
    });
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
