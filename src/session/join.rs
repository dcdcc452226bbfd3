//! Requests meet the counts that were kept beside them.

use super::link::Parents;
use super::order::natural;
use crate::model::{Exchange, Finding, Level, Prefix, RecordedCounts, Role, Thread};
use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};

/// Joins one run's requests and counts, in the order in which they were made.
///
/// Counts belong to the first request without counts of the file they name, else to the first such main
/// request of the run. Those whose request is not there stand alone. The second value holds counts of requests
/// that have counts already: to count the request twice would be wrong.
pub fn join(
    mut exchanges: Vec<Exchange>,
    counts: Vec<RecordedCounts>,
    parents: &dyn Parents,
) -> (Vec<Exchange>, Vec<RecordedCounts>) {
    sort(&mut exchanges, parents);
    if counts.is_empty() {
        return (exchanges, counts);
    }
    // What may take counts, by file and for those that name none: each is asked once, not once by every counts.
    let mut by_file: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    let mut mains = VecDeque::new();
    for (at, exchange) in exchanges.iter().enumerate() {
        let name = file_name(&exchange.origin().path).to_owned();
        by_file.entry(name).or_default().push_back(at);
        if exchange.role() == Role::Main {
            mains.push_back(at);
        }
    }
    let any_main = !mains.is_empty();
    let mut left = Vec::new();
    for counts in counts {
        let (fitting, taken) = match &counts.request {
            Some(name) => match by_file.get_mut(file_name(name)) {
                Some(fitting) => (fitting, true),
                None => (&mut VecDeque::new(), false),
            },
            None => (&mut mains, any_main),
        };
        while let Some(&at) = fitting.front()
            && exchanges[at].counts().is_some()
        {
            fitting.pop_front();
        }
        match fitting.front().and_then(|&at| exchanges.get_mut(at)) {
            Some(Exchange::Captured(_, slot)) => *slot = Some(Box::new(counts)),
            _ if taken => left.push(counts),
            _ => exchanges.push(Exchange::CountsOnly(Box::new(counts))),
        }
    }
    (exchanges, left)
}

/// By time where every request has one, else by file and place. The client's raw body files are named by chance
/// and hold no time: there the messages tell who goes on from whom.
fn sort(exchanges: &mut Vec<Exchange>, parents: &dyn Parents) {
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
    let by_chance = |exchange: &Exchange| is_uuid(file_name(&exchange.origin().path));
    if !timed && exchanges.iter().any(by_chance) {
        by_messages(exchanges, parents);
    }
    if timed && mark_clock_back(exchanges, parents) {
        by_messages(exchanges, parents);
    }
}

/// Tells of requests whose messages go on from a request that was made later, by the clock.
fn mark_clock_back(exchanges: &mut [Exchange], parents: &dyn Parents) -> bool {
    let end = |exchange: &Exchange| {
        let request = exchange.request()?;
        if request.thread == Thread::Told {
            return None;
        }
        // Without a session nobody knows what to put in order.
        Some((request.session?, request.prefix?))
    };
    let mut ends = BTreeMap::new();
    for (at, exchange) in exchanges.iter().enumerate() {
        if let Some(end) = end(exchange) {
            ends.entry(end).or_insert(at);
        }
    }
    let before = |at: usize| {
        let (session, prefix) = end(&exchanges[at])?;
        let mut here = parents.parent(prefix);
        while let Some(prefix) = here {
            if let Some(&found) = ends.get(&(session, prefix)) {
                return Some(found);
            }
            here = parents.parent(prefix);
        }
        None
    };
    let back: Vec<usize> = (0..exchanges.len())
        .filter(|&at| before(at).is_some_and(|before| before > at))
        .collect();
    let time = |at: usize| exchanges[at].request().and_then(|request| request.time);
    // Of equal times the messages tell the order, and nothing is wrong.
    let wrong: Vec<usize> = back
        .iter()
        .copied()
        .filter(|&at| before(at).is_some_and(|before| time(before) > time(at)))
        .collect();
    for at in wrong {
        if let Exchange::Captured(request, _) = &mut exchanges[at] {
            let message = "its time is before that of a request whose messages it goes on from: \
                           the messages decide the order";
            request.findings.push(Finding {
                code: "clock-runs-back",
                level: Level::Info,
                message: message.to_owned(),
                origin: request.origin.clone(),
                pointer: String::new(),
                subject: "time".to_owned(),
                help: "check the clock of the machine that captured".to_owned(),
            });
        }
    }
    !back.is_empty()
}

/// Within each session, a request comes after those whose messages it repeats; what begins anew (a compaction)
/// comes after what no answer stands before. Places of other sessions stay.
fn by_messages(exchanges: &mut Vec<Exchange>, parents: &dyn Parents) {
    let mut sessions: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
    for (at, exchange) in exchanges.iter().enumerate() {
        // Within a transcript the place decides.
        let request = exchange.request();
        let request = request.filter(|request| request.thread != Thread::Told);
        if let Some(id) = request.and_then(|request| request.session) {
            sessions.entry(id).or_default().push(at);
        }
    }
    let mut order: Vec<usize> = (0..exchanges.len()).collect();
    for places in sessions.into_values() {
        let request = |at: usize| exchanges[at].request();
        let ends: BTreeMap<Prefix, usize> = places
            .iter()
            .filter_map(|&at| Some((request(at)?.prefix?, at)))
            .collect();
        // The oldest request that it goes on from: the one its conversation began with.
        let root = |at: usize| {
            let mut root = at;
            let mut here = request(at).and_then(|request| request.prefix);
            while let Some(prefix) = here {
                root = ends.get(&prefix).copied().unwrap_or(root);
                here = parents.parent(prefix);
            }
            root
        };
        let key = |at: usize| {
            let root = root(at);
            let anew = request(root).is_some_and(|r| r.answer_keys.previous.is_some());
            let messages = request(at).map_or(0, |request| request.shape.messages);
            (anew, root, messages, at)
        };
        let mut sorted = places.clone();
        sorted.sort_by_cached_key(|&at| key(at));
        for (place, from) in places.into_iter().zip(sorted) {
            order[place] = from;
        }
    }
    let mut moving: Vec<Option<Exchange>> = exchanges.drain(..).map(Some).collect();
    exchanges.extend(order.into_iter().filter_map(|from| moving[from].take()));
}

/// A name that begins with 36 characters of a UUID.
fn is_uuid(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().as_bytes();
    stem.len() == 36
        && stem.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
