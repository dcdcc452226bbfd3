//! What was read of the files, put together by run: requests with their answers and counts, in their sessions.

use super::{Outcome, Work};
use crate::ingest::{CaptureFile, FileFacts, PrefixTable};
use crate::model::{
    Answer, Exchange, Fragment, Listing, RecordedCounts, RequestFacts, RunSettings, Skipped,
    Thread, ToolList, TranscriptFacts,
};
use crate::session::{self, Catalog, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The requests and counts of one run, with the folder each file came from.
#[derive(Default)]
pub(super) struct Traffic {
    /// Requests, their counts not yet beside them.
    exchanges: Vec<Exchange>,
    counts: Vec<RecordedCounts>,
    answers: Vec<Answer>,
    /// Listings that are read as one request of the run.
    listings: Vec<Listing>,
    transcripts: Vec<TranscriptFacts>,
    settings: BTreeMap<Arc<str>, Arc<RunSettings>>,
}

pub(super) fn collect(
    work: &Work<'_>,
    file: &CaptureFile,
    facts: FileFacts,
    by_run: &mut BTreeMap<Arc<str>, Traffic>,
    outcome: &mut Outcome,
) {
    outcome.not_captures += u64::from(facts.not_a_capture);
    outcome.asides += facts.asides;
    let mut listings = 0;
    for fragment in facts.fragments {
        match fragment {
            Fragment::Skipped(skipped) => outcome.skipped.push(*skipped),
            Fragment::Listing(listing) if work.listings_as_requests => {
                outcome.from_listings += 1;
                traffic(work, file, by_run).listings.push(*listing);
            }
            Fragment::Listing(_) => listings = 1,
            Fragment::Request(request) => {
                let own = Exchange::Captured(request, None);
                traffic(work, file, by_run).exchanges.push(own);
            }
            Fragment::Counts(counts) => traffic(work, file, by_run).counts.push(*counts),
            Fragment::Answer(answer) => traffic(work, file, by_run).answers.push(*answer),
            Fragment::Transcript(whole) => traffic(work, file, by_run).transcripts.push(*whole),
        }
    }
    outcome.listings += listings;
}

/// Counts name their run themselves: where that run has requests, it is where they belong.
pub(super) fn move_counts(by_run: &mut BTreeMap<Arc<str>, Traffic>, skipped: &mut Vec<Skipped>) {
    let mut moving: Vec<(Arc<str>, RecordedCounts)> = Vec::new();
    let with_requests: Vec<Arc<str>> = by_run
        .iter()
        .filter(|(_, traffic)| !traffic.exchanges.is_empty())
        .map(|(run, _)| Arc::clone(run))
        .collect();
    for (run, traffic) in by_run.iter_mut() {
        for counts in std::mem::take(&mut traffic.counts) {
            match counts
                .run
                .clone()
                .filter(|named| named != run && with_requests.contains(named))
            {
                Some(named) => moving.push((named, counts)),
                None => traffic.counts.push(counts),
            }
        }
    }
    for (run, counts) in moving {
        by_run.entry(run).or_default().counts.push(counts);
    }
    by_run.retain(|_, traffic| {
        let stays = !traffic.exchanges.is_empty()
            || !traffic.counts.is_empty()
            || !traffic.listings.is_empty()
            || !traffic.transcripts.is_empty();
        if !stays {
            skipped.extend(session::unanswering(std::mem::take(&mut traffic.answers)));
        }
        stays
    });
}

fn traffic<'t>(
    work: &Work<'_>,
    file: &CaptureFile,
    by_run: &'t mut BTreeMap<Arc<str>, Traffic>,
) -> &'t mut Traffic {
    // Groups cross files, so that answers and sessions are put together before they are told apart.
    let run = match work.group_by {
        Some(_) => Arc::from(""),
        None => Arc::clone(&file.run),
    };
    let traffic = by_run.entry(run).or_default();
    let settings = file
        .folders
        .iter()
        .find_map(|folder| work.settings.get(folder));
    let settings = settings.unwrap_or(&work.default_settings);
    traffic
        .settings
        .entry(Arc::clone(&file.shown))
        .or_insert_with(|| Arc::clone(settings));
    traffic
}

pub(super) fn shuffle(
    traffic: Traffic,
    model: Option<&str>,
    parents: &PrefixTable,
    outcome: &mut Outcome,
) -> Shuffled {
    let skipped = &mut outcome.skipped;
    let settings = traffic.settings;
    let mut exchanges = traffic.exchanges;
    let listed = RequestFacts::of_listings(traffic.listings, model).map(Box::new);
    exchanges.extend(listed.map(|request| Exchange::Captured(request, None)));
    let left = session::join_answers(&mut exchanges, traffic.answers, parents);
    skipped.extend(session::unanswering(left));
    let (mut exchanges, left) = session::join(exchanges, traffic.counts, parents);
    skipped.extend(left.into_iter().map(|counts| Skipped {
        path: counts.origin.path,
        place: counts.origin.place,
        reason: "counts of a request that has counts already".to_owned(),
    }));
    leave_captured(&mut exchanges, &mut outcome.told_twice);
    let links = session::link(&exchanges, parents);
    let walk: Vec<(&Exchange, u64, Option<u64>)> = exchanges
        .iter()
        .zip(&links)
        .map(|(exchange, link)| (exchange, link.session, link.turn))
        .collect();
    let pools = session::discover_tools(&walk, parents);
    let placed = exchanges.into_iter().zip(links).zip(pools);
    let turns = placed
        .map(|((exchange, link), pool)| Turn {
            settings: settings
                .get(&exchange.origin().path)
                .cloned()
                .unwrap_or_default(),
            exchange,
            session: link.session,
            turn: link.turn,
            repeats: link.repeats,
            shared: link.shared,
            discovered: pool.discovered,
            carried: pool.carried,
            lost_calls: pool.lost_calls,
        })
        .collect();
    let mut transcripts = traffic.transcripts;
    transcripts.sort_by(|a, b| session::natural(&a.origin.path, &b.origin.path));
    Shuffled {
        turns: once(turns, &mut outcome.told_twice),
        transcripts,
    }
}

/// A call that was captured and that a transcript tells of too is one call: the captured body says more.
fn leave_captured(exchanges: &mut Vec<Exchange>, told_twice: &mut u64) {
    let captured = exchanges.iter().filter(|own| told_answer(own).is_none());
    let captured = captured.filter_map(|own| own.request()?.answer);
    let captured: BTreeSet<u128> = captured.collect();
    let before = exchanges.len();
    exchanges.retain(|own| told_answer(own).is_none_or(|answer| !captured.contains(&answer)));
    *told_twice += (before - exchanges.len()) as u64;
}

/// The answer to a call that a transcript tells of.
fn told_answer(exchange: &Exchange) -> Option<u128> {
    let request = exchange.request()?;
    request.answer.filter(|_| request.thread == Thread::Told)
}

/// What became of the traffic of a run.
pub(super) struct Shuffled {
    pub(super) turns: Vec<Turn>,
    pub(super) transcripts: Vec<TranscriptFacts>,
}

/// A call that two transcripts tell of, since one session went on from the other, is one call.
fn once(mut turns: Vec<Turn>, told_twice: &mut u64) -> Vec<Turn> {
    let mut told = BTreeSet::new();
    let before = turns.len();
    turns.retain(|turn| told_answer(&turn.exchange).is_none_or(|answer| told.insert(answer)));
    *told_twice += (before - turns.len()) as u64;
    turns
}

pub(super) fn note_definitions(run: &Arc<str>, turns: &[Turn], catalog: &mut Catalog) {
    // Most requests of a session send the list of the one before, as the same allocation.
    let mut noted: BTreeMap<u64, (&Arc<ToolList>, Option<Arc<str>>)> = BTreeMap::new();
    for turn in turns {
        let Some(request) = turn.exchange.request() else {
            continue;
        };
        let given = turn.settings.client_version.as_deref().map(Arc::from);
        let version = turn.exchange.client_version().cloned().or(given);
        let list = (&request.tools, version.clone());
        let before = noted.insert(turn.session, list);
        let same =
            before.is_some_and(|(list, of)| Arc::ptr_eq(list, &request.tools) && of == version);
        let sent = request.tools.tools.iter().filter(|_| !same);
        let sent = sent.chain(&request.wire.inline);
        let sent = sent.filter_map(|tool| tool.definition.as_ref());
        let prompted = request.wire.prompted.iter().map(|tool| &tool.definition);
        for definition in sent.chain(prompted) {
            catalog.add(definition, run, turn.session, version.as_ref());
        }
    }
}
