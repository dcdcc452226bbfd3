//! What the requests of one model say: its family, its escaping, its prelude, its block; and whether that is all.

use super::fit::{Point, fit};
use super::reading::{EXACT, Numbers, Reading};
use super::seen::{Seen, signed};
use super::{CLAUDE, Read};
use crate::data::{CalibratedModel, Data, Letter, MOST_TOKENS, NonAscii, is_claude};
use crate::model::ToolChoice;
use std::cmp::Ordering;

/// So many requests more must be exact before one family is told from the others.
const TELLING: u64 = 2;

/// So many requests of different sizes must agree before they stand against what the tables are sure of.
const SEVERAL: u64 = 3;

/// What was found of a model; `None` where none of its requests has a recorded size.
pub(super) fn model(id: &str, passes: &[Read], data: &Data) -> Option<CalibratedModel> {
    let shipped = passes.iter().filter(|pass| pass.tried.is_none());
    let observed = shipped.clone().find_map(|pass| pass.by_model.get(id))?;
    let complete = shipped
        .clone()
        .map(|pass| pass.seen(id).iter().filter(|seen| seen.complete).count());
    let mut model = CalibratedModel {
        id: id.to_owned(),
        requests: observed.requests,
        complete: complete.max().unwrap_or(0) as u64,
        checked: observed.newest.and_then(day),
        family: None,
        non_ascii: None,
        prelude_auto: None,
        prelude_any: None,
        prelude_agree: 0,
        deferral_block: None,
        exact: None,
        within_two: 0,
        notes: Vec::new(),
        counter: Vec::new(),
    };
    if is_claude(id) {
        constants(&mut model, passes, data);
    }
    let beside = model
        .prelude_auto
        .or_else(|| data.models.get(id)?.prelude_auto);
    let deferral = model
        .deferral_block
        .or(block(id, &switches(&model, data).0, data).map(|known| known.tokens));
    let deferral = deferral.map_or(0, signed);
    for pass in shipped {
        let chosen = chosen(&model, passes, data).filter(|_| pass.counter == CLAUDE);
        let (points, with_tools) = points(chosen.unwrap_or(pass).seen(id), deferral);
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
            "under three different requests of one kind: no error can be told; give more captures"
                .to_owned(),
        );
    }
    Some(model)
}

/// A number that the tables have.
#[derive(Debug, Clone, Copy)]
struct Known {
    tokens: u64,
    /// Several recordings or the documentation stand behind it.
    firm: bool,
}

/// The block that the tables have for a model, or for its family.
fn block(id: &str, family: &str, data: &Data) -> Option<Known> {
    let own = data.models.get(id).and_then(|row| row.deferral_block);
    let own = own.map(|tokens| Known { tokens, firm: true });
    own.or_else(|| {
        let family = data.models.family.iter().find(|row| row.id == family)?;
        let block = family.deferral_block?;
        Some(Known {
            tokens: block.tokens,
            firm: block.evidence < Letter::C,
        })
    })
}

/// Family, escaping, prelude and block of a model of Claude's.
fn constants(model: &mut CalibratedModel, passes: &[Read], data: &Data) {
    let tried: Vec<(&str, NonAscii, Reading)> = passes
        .iter()
        .filter_map(|pass| {
            let (family, non_ascii) = pass.tried?;
            let block = block(&model.id, family, data).map_or(0, |known| signed(known.tokens));
            Some((family, non_ascii, Reading::of(pass.seen(&model.id), block)))
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
            "tokenizer family not settled ({} of {} different requests would be exact as {family}, {} as another); read as {table_family}",
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
    let prelude =
        |found: Option<&(&str, NonAscii, Reading)>| found.and_then(|(.., r)| r.numbers.auto);
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
    model.complete = reading.complete;
    numbers(model, reading, &family, data);
    // Held against what stands now, which need not be what these requests would say.
    let id = model.id.as_str();
    let stands = |written: Option<u64>, known: Option<Known>, found: Option<i64>| {
        let table = known.map(|known| known.tokens);
        let settled = written.or(table);
        // A number of the tables can go wrong on each of these requests; one that they gave fits some by itself.
        let own = found.is_some() && settled.is_none_or(|tokens| Some(tokens) != table);
        (settled.map(signed).or(found), u64::from(own))
    };
    let [auto, any] = preludes(id, data);
    let found = reading.numbers;
    let auto = stands(model.prelude_auto, auto, found.auto);
    let any = stands(model.prelude_any, any, found.any);
    let own = stands(model.deferral_block, block(id, &family, data), found.block);
    let standing = Numbers {
        auto: auto.0,
        any: any.0,
        block: own.0,
    };
    let held = passes
        .iter()
        .find(|pass| pass.tried == Some((family.as_str(), non_ascii)));
    let seen = held.map_or(&[][..], |pass| pass.seen(id));
    model.prelude_agree = model.prelude_auto.map_or(0, |_| reading.agree[0]);
    let reading = Reading::with(seen, standing, 0, auto.1 + any.1 + own.1);
    model.exact = reading.is_exact();
    model.within_two = reading.exact;
    if model.exact.is_none() && reading.complete > 0 {
        model.notes.push(
            "each complete request was needed to find a number: nothing is left to check it with"
                .to_owned(),
        );
    }
}

/// Takes over what is found, where it may stand against what the tables know; says where not.
fn numbers(model: &mut CalibratedModel, reading: &Reading, family: &str, data: &Data) {
    let confirmed = reading.is_exact() == Some(true);
    let found = reading.numbers;
    let [auto, any] = preludes(&model.id, data);
    let block = block(&model.id, family, data);
    let [agree_auto, agree_any, agree_block] = reading.agree;
    let mut notes = Vec::new();
    let mut settle = |name: &str, found: Option<i64>, known: Option<Known>, agree: u64| {
        let found = u64::try_from(found?).ok()?;
        if found > MOST_TOKENS {
            notes.push(format!(
                "the {name} would be {found}: not taken over, since nothing of that size is added"
            ));
            return None;
        }
        let Some(known) = known else {
            if reading.is_exact() != Some(false) || !reading.mostly_off {
                return Some(found);
            }
            notes.push(format!(
                "the {name} would be {found}: not taken over, since most requests with tools do not fit it"
            ));
            return None;
        };
        let same = known.tokens == found;
        if confirmed && (same || !known.firm || agree >= SEVERAL) {
            return Some(found);
        }
        if known.tokens.abs_diff(found) > EXACT {
            let why = match confirmed {
                true => "since under three requests of different sizes agree on it",
                false => "since nothing confirms it",
            };
            notes.push(format!(
                "the {name} would be {found}, the tables say {}: not taken over, {why}",
                known.tokens
            ));
        }
        None
    };
    model.prelude_auto = settle("prelude", found.auto, auto, agree_auto);
    model.prelude_any = settle("prelude for any", found.any, any, agree_any);
    model.deferral_block = settle("deferral block", found.block, block, agree_block);
    model.notes.extend(notes);
}

/// The preludes for auto and for any that the tables have.
fn preludes(id: &str, data: &Data) -> [Option<Known>; 2] {
    let row = data.models.get(id);
    let auto = row.and_then(|row| {
        Some(Known {
            tokens: row.prelude_auto?,
            firm: row.prelude_evidence != Some(Letter::C),
        })
    });
    let any = row.and_then(|row| row.prelude_any);
    [auto, any.map(|tokens| Known { tokens, firm: true })]
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
fn chosen<'p>(model: &CalibratedModel, passes: &'p [Read], data: &Data) -> Option<&'p Read> {
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

#[allow(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
fn float(tokens: i64) -> f64 {
    tokens as f64
}

/// The day of a moment, in UTC.
fn day(millisecond: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(millisecond).ok()?;
    Some(moment.strftime("%F").to_string())
}
