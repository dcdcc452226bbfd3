//! What the requests of one model say: its family, its escaping, its prelude, its block; and whether that is all.

use super::fit::{Point, fit};
use super::seen::{Seen, signed};
use super::{CLAUDE, Pass};
use crate::data::{CalibratedModel, Data, NonAscii, is_claude};
use crate::model::ToolChoice;
use std::cmp::{Ordering, Reverse};

/// A request whose parts leave no more than this is exact.
const EXACT: u64 = 2;

/// So many requests more must be exact before one family is told from the others.
const TELLING: u64 = 2;

/// What a model's requests say when they are read in one way.
#[derive(Debug, Default)]
struct Reading {
    auto: Option<i64>,
    any: Option<i64>,
    block: Option<i64>,
    /// Complete requests.
    complete: u64,
    /// Of those, within [`EXACT`].
    exact: u64,
    /// What is left of each, sorted.
    misfits: Vec<u64>,
    /// Numbers that were found from the same requests.
    found: u64,
}

impl Reading {
    fn of(seen: &[Seen], block: i64) -> Self {
        let complete: Vec<&Seen> = seen.iter().filter(|seen| seen.complete).collect();
        let rests = |choice, defers| {
            let own = complete
                .iter()
                .filter(move |seen| seen.choice == Some(choice) && seen.defers == defers);
            own.map(|seen| seen.rest()).collect::<Vec<_>>()
        };
        let mut reading = Self {
            complete: complete.len() as u64,
            ..Self::default()
        };
        let mut both: Vec<i64> = Vec::new();
        let mut prelude = |choice| {
            let loaded = median(rests(choice, false));
            let deferring = rests(choice, true);
            if let Some(prelude) = loaded {
                both.extend(deferring.iter().map(|rest| rest - prelude));
            }
            loaded.or_else(|| median(deferring).map(|rest| rest - block))
        };
        reading.auto = prelude(ToolChoice::Auto);
        reading.any = prelude(ToolChoice::Any);
        reading.block = median(both);
        reading.found = [reading.auto, reading.any, reading.block]
            .iter()
            .flatten()
            .count() as u64;
        let block = reading.block.unwrap_or(block);
        let misfits = complete.iter().filter_map(|seen| {
            let prelude = match seen.choice {
                None => 0,
                Some(ToolChoice::Auto) => reading.auto?,
                Some(ToolChoice::Any) => reading.any?,
                // A named tool adds a few tokens that nobody knows.
                Some(_) => return None,
            };
            let block = if seen.defers { block } else { 0 };
            Some((seen.rest() - prelude - block).unsigned_abs())
        });
        reading.misfits = misfits.collect();
        reading.misfits.sort_unstable();
        let within = |misfit: &&u64| **misfit <= EXACT;
        reading.exact = reading.misfits.iter().filter(within).count() as u64;
        reading
    }

    /// Requests that could have gone wrong: what was found from them fits some by itself.
    fn checks(&self) -> u64 {
        (self.misfits.len() as u64).saturating_sub(self.found)
    }

    /// Nineteen of twenty are exact; `None` where nothing could have gone wrong.
    fn is_exact(&self) -> Option<bool> {
        let within = self.exact * 20 >= self.misfits.len() as u64 * 19;
        (self.checks() > 0).then_some(within)
    }

    /// Better first: more exact requests, then less that is left.
    fn rank(&self) -> (u64, Reverse<u64>) {
        let left = self.misfits.iter().fold(0_u64, |sum, misfit| {
            sum.saturating_add((*misfit).min(1_000))
        });
        (self.exact, Reverse(left))
    }
}

/// What was found of a model; `None` where none of its requests has a recorded size.
pub(super) fn model(id: &str, passes: &[Pass], data: &Data) -> Option<CalibratedModel> {
    let shipped = passes.iter().find(|pass| pass.tried.is_none())?;
    let seen = shipped.seen(id);
    if seen.is_empty() {
        return None;
    }
    let shipped = passes.iter().filter(|pass| pass.tried.is_none());
    let complete =
        shipped.map(|pass| pass.seen(id).iter().filter(|seen| seen.complete).count() as u64);
    let newest = seen.iter().filter_map(|seen| seen.time).max();
    let mut model = CalibratedModel {
        id: id.to_owned(),
        requests: seen.len() as u64,
        complete: complete.max().unwrap_or(0),
        checked: newest.and_then(day),
        family: None,
        non_ascii: None,
        prelude_auto: None,
        prelude_any: None,
        deferral_block: None,
        exact: None,
        within_two: 0,
        notes: Vec::new(),
        counter: Vec::new(),
    };
    let block = block(id, data);
    if is_claude(id) {
        constants(&mut model, passes, data, block);
    }
    let beside = model
        .prelude_auto
        .or_else(|| data.models.get(id)?.prelude_auto);
    for pass in passes.iter().filter(|pass| pass.tried.is_none()) {
        let chosen = chosen(&model, passes, data).filter(|_| pass.counter == CLAUDE);
        let seen = chosen.unwrap_or(pass).seen(id);
        let deferral = model.deferral_block.map_or(block, signed);
        let (points, with_tools) = points(&seen, deferral);
        let beside = if with_tools { beside.unwrap_or(0) } else { 0 };
        let found = fit(pass.counter, &points, float(signed(beside)));
        model.counter.extend(found);
    }
    if model.complete == 0 {
        model.notes.push(format!(
            "no request whose parts are all known ({} with a recorded size): unread blocks, \
             several calls in one message, or text that the capture leaves out",
            model.requests
        ));
    } else if model.counter.iter().all(|fit| fit.median.is_none()) {
        model.notes.push(
            "under three requests of one kind: no error can be told; give more captures".to_owned(),
        );
    }
    Some(model)
}

/// The block that the tables know of for a model.
fn block(id: &str, data: &Data) -> i64 {
    let family = data.models.family_of_id(id);
    let block = family.and_then(|family| family.deferral_block);
    block.map_or(0, |block| signed(block.tokens))
}

/// Family, escaping, prelude and block of a model of Claude's.
fn constants(model: &mut CalibratedModel, passes: &[Pass], data: &Data, block: i64) {
    let tried: Vec<(&str, NonAscii, Reading)> = passes
        .iter()
        .filter_map(|pass| {
            let (family, non_ascii) = pass.tried?;
            Some((family, non_ascii, Reading::of(&pass.seen(&model.id), block)))
        })
        .collect();
    let best = |of: &dyn Fn(&str, NonAscii) -> bool| {
        let own = tried.iter().filter(|(family, non, _)| of(family, *non));
        // Of equals the first: what the table says is put there.
        own.rev().max_by_key(|(.., reading)| reading.rank())
    };
    let row = data.models.get(&model.id);
    let table_family = data
        .models
        .family_of_id(&model.id)
        .map_or("", |family| family.id.as_str());
    let Some((family, ..)) = best(&|_, _| true) else {
        return;
    };
    let other = best(&|other, _| other != *family);
    let exact = |found: Option<&(&str, NonAscii, Reading)>| {
        found.map_or(0, |(.., reading)| {
            reading.exact.saturating_sub(reading.found)
        })
    };
    let own = best(&|own, _| own == *family);
    let most = own.is_some_and(|(.., reading)| reading.exact * 2 >= reading.misfits.len() as u64);
    if most && exact(own) >= exact(other) + TELLING {
        model.family = Some((*family).to_owned());
    } else {
        model.notes.push(format!(
            "tokenizer family not settled ({} of {} requests would be exact as {family}, {} as another); read as {table_family}",
            own.map_or(0, |(.., reading)| reading.exact),
            model.complete,
            other.map_or(0, |(.., reading)| reading.exact),
        ));
    }
    let family = model.family.as_deref().unwrap_or(table_family);
    let read = |non: NonAscii| best(&|own, other| own == family && other == non);
    let [raw, escaped] = [NonAscii::Raw, NonAscii::Escaped].map(read);
    model.non_ascii = match exact(raw).cmp(&exact(escaped)) {
        Ordering::Greater => Some(NonAscii::Raw),
        Ordering::Less => Some(NonAscii::Escaped),
        Ordering::Equal => None,
    };
    let prelude = |found: Option<&(&str, NonAscii, Reading)>| found.and_then(|(.., r)| r.auto);
    if model.non_ascii.is_none() && prelude(raw) != prelude(escaped) {
        // One list of tools everywhere: what escapes add cannot be told from the prelude, unless that is known.
        let known = row.and_then(|row| row.prelude_auto).map(signed);
        let fits = |found| {
            let apart = known.zip(prelude(found));
            apart.is_some_and(|(known, found)| known.abs_diff(found) <= EXACT)
        };
        match (fits(raw), fits(escaped)) {
            (true, false) => model.non_ascii = Some(NonAscii::Raw),
            (false, true) => model.non_ascii = Some(NonAscii::Escaped),
            _ => model.notes.push(
                "every request has the same tools: how their letters beyond ASCII stand cannot be told from the prelude"
                    .to_owned(),
            ),
        }
    }
    let (family, non_ascii) = switches(model, data);
    let Some((.., reading)) = best(&|own, other| own == family && other == non_ascii) else {
        return;
    };
    let whole = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    model.complete = reading.complete;
    model.prelude_auto = whole(reading.auto);
    model.prelude_any = whole(reading.any);
    model.deferral_block = whole(reading.block);
    model.exact = reading.is_exact();
    let known = row.and_then(|row| row.prelude_auto);
    if model.exact != Some(true)
        && let (Some(known), Some(found)) = (known, model.prelude_auto)
    {
        // What requests say that nothing confirms does not stand against what is known.
        model.prelude_auto = None;
        if known.abs_diff(found) > EXACT {
            model.notes.push(format!(
                "the prelude would be {found}, the tables say {known}: not taken over, since nothing confirms it"
            ));
        }
    }
    model.within_two = reading.exact;
    if model.exact.is_none() && reading.complete > 0 {
        model.notes.push(
            "each complete request was needed to find a number: nothing is left to check it with"
                .to_owned(),
        );
    }
}

/// Family and escaping of a model: as settled, else as the tables have them.
fn switches(model: &CalibratedModel, data: &Data) -> (String, NonAscii) {
    let row = data.models.get(&model.id);
    let family = data.models.family_of_id(&model.id);
    let family = model
        .family
        .clone()
        .or_else(|| family.map(|family| family.id.clone()));
    let non_ascii = model.non_ascii.or_else(|| row.map(|row| row.non_ascii));
    (
        family.unwrap_or_default(),
        non_ascii.unwrap_or(NonAscii::Raw),
    )
}

/// The pass that read the captures by a model's switches.
fn chosen<'p>(model: &CalibratedModel, passes: &'p [Pass], data: &Data) -> Option<&'p Pass> {
    let (family, non_ascii) = switches(model, data);
    passes.iter().find(|pass| {
        pass.tried
            .is_some_and(|(of, non)| of == family && non == non_ascii)
    })
}

/// Counted and recorded sizes of the largest group of complete requests that ask for tools alike, and whether it has any.
fn points(seen: &[Seen], block: i64) -> (Vec<Point>, bool) {
    let of = |choice: Option<ToolChoice>| {
        let own = seen
            .iter()
            .filter(move |seen| seen.complete && seen.choice == choice);
        let point = |seen: &Seen| {
            let block = if seen.defers { block } else { 0 };
            (
                float(signed(seen.counted)),
                float(signed(seen.recorded) - block),
            )
        };
        own.map(point).collect::<Vec<Point>>()
    };
    let with_tools = [Some(ToolChoice::Auto), Some(ToolChoice::Any)].map(of);
    let with_tools = with_tools.into_iter().max_by_key(Vec::len);
    match with_tools.filter(|points| !points.is_empty()) {
        Some(points) => (points, true),
        None => (of(None), false),
    }
}

fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
fn float(tokens: i64) -> f64 {
    tokens as f64
}

/// The day of a moment, in UTC.
fn day(millisecond: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(millisecond).ok()?;
    Some(moment.strftime("%F").to_string())
}
