//! Responses that were recorded apart meet their requests.

use super::link::Parents;
use crate::model::{Answer, Exchange, Place, Prefix, RequestFacts, Skipped, Usage};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Gives requests the usage of their answers; what is left answers no request here.
///
/// An answer belongs to the request that carries its key. Where requests carry none, the next request of the
/// session names the answer before it, and the messages tell which request that was. A single request and a single
/// answer that are left belong together.
pub fn join_answers(
    exchanges: &mut [Exchange],
    answers: Vec<Answer>,
    parents: &dyn Parents,
) -> Vec<Answer> {
    if answers.is_empty() {
        return answers;
    }
    let mut by_key: BTreeMap<u64, Answer> = BTreeMap::new();
    let mut left = Vec::new();
    for answer in answers {
        match answer.key {
            Some(key) => match by_key.get_mut(&key) {
                // A stream in pieces.
                Some(known) => known.usage = Usage::joined(known.usage, answer.usage),
                None => {
                    by_key.insert(key, answer);
                }
            },
            None => left.push(answer),
        }
    }
    let mut used = BTreeSet::new();
    let mut give = |request: &mut RequestFacts, key: u64| {
        if let Some(answer) = by_key.get(&key)
            && request.usage.is_none()
            && used.insert(key)
        {
            request.usage = answer.usage;
            request.answer = request.answer.or(answer.id);
        }
    };
    for request in exchanges.iter_mut().filter_map(Exchange::request_mut) {
        if let Some(key) = request.answer_keys.own {
            give(request, key);
        }
    }
    let ends: BTreeMap<(Option<u128>, Prefix), usize> = exchanges
        .iter()
        .enumerate()
        .filter_map(|(at, exchange)| {
            let request = exchange.request()?;
            Some(((request.session, request.prefix?), at))
        })
        .collect();
    let before: Vec<(usize, u64)> = exchanges
        .iter()
        .filter_map(|exchange| {
            let request = exchange.request()?;
            let key = request.answer_keys.previous?;
            Some((previous(request, &ends, parents)?, key))
        })
        .collect();
    for (at, key) in before {
        if let Some(request) = exchanges[at].request_mut() {
            give(request, key);
        }
    }
    // An answer that tells no usage is no loss.
    left.retain(|answer| answer.usage.is_some());
    left.extend(
        by_key
            .into_iter()
            .filter(|(key, answer)| !used.contains(key) && answer.usage.is_some())
            .map(|(_, answer)| answer),
    );
    let mut open = exchanges
        .iter_mut()
        .filter_map(Exchange::request_mut)
        .filter(|request| request.usage.is_none());
    if let ([answer], Some(request), None) = (left.as_slice(), open.next(), open.next())
        && answer.usage.is_some()
        && request.answer_keys.own.is_none()
    {
        request.usage = answer.usage;
        left.clear();
    }
    left
}

/// The request of the same session whose messages this one goes on from.
fn previous(
    request: &RequestFacts,
    ends: &BTreeMap<(Option<u128>, Prefix), usize>,
    parents: &dyn Parents,
) -> Option<usize> {
    let mut here = parents.parent(request.prefix?);
    while let Some(prefix) = here {
        if let Some(&at) = ends.get(&(request.session, prefix)) {
            return Some(at);
        }
        here = parents.parent(prefix);
    }
    None
}

/// Answers whose request is nowhere, a line for each file.
pub fn unanswering(left: Vec<Answer>) -> impl Iterator<Item = Skipped> {
    let mut files: BTreeMap<Arc<str>, (Place, u64)> = BTreeMap::new();
    for answer in left {
        let at = files
            .entry(answer.origin.path)
            .or_insert((answer.origin.place, 0));
        at.1 += 1;
    }
    files.into_iter().map(|(path, (place, count))| {
        let answers = match count {
            1 => "an answer whose request is not here".to_owned(),
            n => format!("{n} answers whose requests are not here"),
        };
        Skipped {
            path,
            place,
            reason: answers,
        }
    })
}
