//! Requests meet the counts that were kept beside them.

use super::order::natural;
use crate::model::{Exchange, Place, RecordedCounts, RequestFacts, Role};

/// Joins one run's requests and counts, in the order in which they were made.
///
/// Counts belong to the first request of the file they name, else to the first main request of the run;
/// those whose request is not there stand alone.
pub fn join(requests: Vec<RequestFacts>, counts: Vec<RecordedCounts>) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = requests
        .into_iter()
        .map(|request| Exchange::Captured(Box::new(request), None))
        .collect();
    sort(&mut exchanges);
    for counts in counts {
        let fits = |exchange: &&mut Exchange| match &counts.request {
            Some(name) => file_name(&exchange.origin().path) == file_name(name),
            None => exchange.role() == Role::Main,
        };
        match exchanges.iter_mut().find(fits) {
            Some(Exchange::Captured(_, slot @ None)) => *slot = Some(Box::new(counts)),
            _ => exchanges.push(Exchange::CountsOnly(Box::new(counts))),
        }
    }
    exchanges
}

/// By time where every request has one, else by file and place.
fn sort(exchanges: &mut [Exchange]) {
    let time = |exchange: &Exchange| exchange.request().and_then(|request| request.time);
    let timed = exchanges.iter().all(|exchange| time(exchange).is_some());
    exchanges.sort_by(|a, b| {
        let by_time = if timed {
            time(a).cmp(&time(b))
        } else {
            std::cmp::Ordering::Equal
        };
        let place = |exchange: &Exchange| -> Place { exchange.origin().place };
        by_time
            .then_with(|| natural(&a.origin().path, &b.origin().path))
            .then_with(|| place(a).cmp(&place(b)))
    });
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
