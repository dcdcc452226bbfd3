//! One record → what it says: claimed by a format, opened at its pointers, read.

use super::answer_calls::answer_calls;
use super::answer_id::answer_id;
use super::around::{around, key, recorded};
use super::body::{self, Body};
use super::collected::Collected;
use super::converse;
use super::counts;
use super::discover::CaptureFile;
use super::format::{self, Lookup};
use super::group;
use super::listing;
use super::reader::Reader;
use super::scan::{self, Pairs, Raw, Type, Walked};
use super::transcript::Transcript;
use crate::data::{FormatKind, FormatRow};
use crate::model::{Answer, Fragment, Origin, Place};
use std::borrow::Cow;
use std::sync::Arc;

/// How often a body may be wrapped in a JSON string.
const MAX_WRAPS: usize = 4;

/// How deep containers may lie in containers.
const MOST_NESTED: usize = 8;

/// What a record is read as.
enum Said {
    Fragment(Fragment),
    /// It holds no request, and is known for that.
    Aside,
}

impl Reader<'_> {
    /// Reads one record of a file.
    pub(super) fn record(
        &mut self,
        (raw, opened): Walked<'_>,
        place: Place,
        file: &CaptureFile,
        collected: &mut Collected,
    ) {
        if let Some(mut opened) = opened {
            let ends = opened.take_ends();
            let record = Lookup::opened(raw, opened.noting(&ends));
            return self.claimed(raw, record, (place, file, 0), collected);
        }
        let wrapped = raw.type_of() == Type::String;
        unwrap(raw, MAX_WRAPS, &mut |raw| {
            if wrapped_on(raw) {
                collected.refuse(place, WRAPPED_ON.to_owned());
            } else if wrapped && raw.type_of() == Type::Array {
                for element in scan::elements(raw) {
                    self.raw_record(element, (place, file, 0), collected);
                }
            } else {
                self.raw_record(raw, (place, file, 0), collected);
            }
        });
    }

    fn raw_record(
        &mut self,
        raw: Raw<'_>,
        at: (Place, &CaptureFile, usize),
        collected: &mut Collected,
    ) {
        let record = Lookup::new(raw, &self.deep);
        self.claimed(raw, record, at, collected);
    }

    fn claimed(
        &mut self,
        raw: Raw<'_>,
        mut record: Lookup<'_>,
        (place, file, depth): (Place, &CaptureFile, usize),
        collected: &mut Collected,
    ) {
        let formats = &self.context.data.formats;
        let claim = format::claim(&mut record, formats, self.context.format);
        let Some(row) = claim else {
            // A pointer may lead through a string that holds JSON.
            let strings = record.met_json_string();
            let opened = strings.then(|| {
                let pointers = formats.format.iter().flat_map(FormatRow::pointers);
                format::unfolded(raw, &pointers.collect::<Vec<_>>())
            });
            let opened = opened.flatten();
            let Some(opened) = opened.as_deref().and_then(|text| Raw::parse(text).ok()) else {
                // A record of a transcript may show nothing but a type that nobody has seen.
                if collected.transcript.is_some() && record.get("/type").is_some() {
                    return self.transcript(raw, place, file, collected);
                }
                return collected.unclaimed(place);
            };
            let mut record = Lookup::new(opened, &self.deep);
            return match format::claim(&mut record, formats, self.context.format) {
                Some(row) => {
                    self.read_as(row, &mut record, opened, (place, file, depth), collected);
                }
                None => collected.unclaimed(place),
            };
        };
        let mut pointers = row.pointers();
        pointers.extend(self.context.group_by);
        for pointer in &pointers {
            record.get(pointer);
        }
        let opened = match record.met_json_string() {
            true => format::unfolded(raw, &pointers),
            false => None,
        };
        match opened.as_deref().and_then(|text| Raw::parse(text).ok()) {
            Some(opened) => {
                let mut record = Lookup::new(opened, &self.deep);
                self.read_as(row, &mut record, opened, (place, file, depth), collected);
            }
            None => self.read_as(row, &mut record, raw, (place, file, depth), collected),
        }
    }

    fn read_as(
        &mut self,
        row: &FormatRow,
        record: &mut Lookup<'_>,
        raw: Raw<'_>,
        (place, file, depth): (Place, &CaptureFile, usize),
        collected: &mut Collected,
    ) {
        if row
            .unless
            .iter()
            .any(|unless| format::holds(record, unless))
        {
            return collected.aside();
        }
        if row.kind == FormatKind::Container {
            let list = format::first(record, &row.body).unwrap_or(raw);
            if depth >= MOST_NESTED || list.type_of() != Type::Array {
                return collected.refuse(place, not_opened(row, depth));
            }
            let line = match place {
                Place::Whole => 1,
                Place::Line(line, _) | Place::Element(line, _) => line,
            };
            for (index, element) in scan::elements(list).into_iter().enumerate() {
                let place = Place::Element(line, index as u64);
                self.raw_record(element, (place, file, depth + 1), collected);
            }
            return;
        }
        if row.kind == FormatKind::Transcript {
            return self.transcript(raw, place, file, collected);
        }
        let origin = Origin {
            path: Arc::clone(&file.shown),
            place,
        };
        match self.fragment(row, record, origin, file) {
            Ok(Said::Fragment(fragment)) => collected.take(place, fragment),
            Ok(Said::Aside) => collected.aside(),
            Err(reason) => collected.refuse(place, reason),
        }
    }

    fn transcript(
        &mut self,
        raw: Raw<'_>,
        place: Place,
        file: &CaptureFile,
        collected: &mut Collected,
    ) {
        let (context, memo, prefixes) = (&self.context, &mut self.memo, &mut self.prefixes);
        let transcript = &mut collected.transcript;
        let transcript = transcript.get_or_insert_with(|| Box::new(Transcript::new(file)));
        if let Err(reason) = transcript.read(raw, place, context, memo, prefixes) {
            collected.refuse(place, reason);
        }
    }

    fn fragment(
        &mut self,
        row: &FormatRow,
        record: &mut Lookup<'_>,
        origin: Origin,
        file: &CaptureFile,
    ) -> Result<Said, String> {
        let body = row.body.0.iter().find_map(|pointer| {
            let found = record.get(pointer)?;
            (found.type_of() != Type::Null || row.body.0.len() == 1).then_some((pointer, found))
        });
        if row.kind == FormatKind::Aside {
            return Ok(Said::Aside);
        }
        if row.kind == FormatKind::Answer {
            let recorded = recorded(row, record);
            let key = key(row, record, file);
            return Ok(Said::Fragment(Fragment::Answer(Box::new(Answer {
                origin,
                key,
                usage: recorded.known(),
                id: format::first(record, &row.response).and_then(answer_id),
            }))));
        }
        let lacking = |pointer: &str| match &row.lacking {
            Some(help) => format!("{pointer}: no body there; {help}"),
            None => format!("{pointer}: nothing there, format {}", row.name),
        };
        let Some((pointer, body)) = body else {
            return match row.mixed {
                true => Ok(Said::Aside),
                false => Err(lacking(row.body.0.first().map_or("", String::as_str))),
            };
        };
        if body.type_of() == Type::Null && (row.mixed || row.lacking.is_some()) {
            return match row.mixed {
                true => Ok(Said::Aside),
                false => Err(lacking(pointer)),
            };
        }
        match row.kind {
            FormatKind::Counts => {
                let counts = counts::read(body, origin, &mut self.memo)?;
                Ok(Said::Fragment(Fragment::Counts(Box::new(counts))))
            }
            FormatKind::Summary => {
                let counts = counts::read_summary(body, origin, &mut self.memo)?;
                Ok(Said::Fragment(Fragment::Counts(Box::new(counts))))
            }
            FormatKind::Listing => {
                let listing = listing::read(body, origin, &self.context, &mut self.memo)?;
                Ok(Said::Fragment(Fragment::Listing(Box::new(listing))))
            }
            _ => self.exchange(row, record, (pointer, body), origin, file),
        }
    }

    fn exchange(
        &mut self,
        row: &FormatRow,
        record: &mut Lookup<'_>,
        (pointer, body): (&str, Raw<'_>),
        origin: Origin,
        file: &CaptureFile,
    ) -> Result<Said, String> {
        let mut around = around(row, record, file, &self.context, &mut self.memo);
        if self.context.answers {
            let response = format::first(record, &row.response);
            around.answer_calls = response.map(answer_calls).unwrap_or_default();
        }
        around.group = self
            .context
            .group_by
            .and_then(|at| group::group(record, at));
        let mut around = Some(around);
        // What a body lacks may stand beside it.
        let beside = [("model", &row.model), ("tools", &row.tools)]
            .map(|(key, pointers)| (key, format::first(record, pointers)));
        let mut facts = Err(cut(body));
        let mut read = |raw: Raw<'_>, body: &Pairs<'_>, messages: Option<&[Raw<'_>]>| {
            let around = around.take().unwrap_or_default();
            let (memo, prefixes) = (&mut self.memo, &mut self.prefixes);
            let converse = converse::as_messages(body);
            let rewritten = converse.as_deref().and_then(|text| Raw::parse(text).ok());
            let opened = rewritten.map(scan::pairs);
            let (raw, body, messages) = match (rewritten, &opened) {
                (Some(raw), Some(pairs)) => (raw, pairs, None),
                _ => (raw, body, messages),
            };
            let body = Body {
                raw,
                pairs: body,
                messages,
            };
            facts = body::read(body, origin.clone(), around, &self.context, memo, prefixes);
        };
        match record.object(pointer, "messages") {
            // Opened already: nothing of a large body is looked at again.
            Some((opened, messages))
                if body.type_of() == Type::Object
                    && beside
                        .iter()
                        .all(|(key, found)| found.is_none() || opened.get(key).is_some()) =>
            {
                read(body, opened, messages);
            }
            _ => unwrap(body, MAX_WRAPS, &mut |inner| {
                if inner.type_of() == Type::String {
                    return;
                }
                let mut pairs = match inner.type_of() {
                    // Messages by themselves.
                    Type::Array => Pairs(vec![(Cow::Borrowed("messages"), inner)]),
                    _ => scan::pairs(inner),
                };
                for (key, found) in beside {
                    if let (Some(found), None) = (found, pairs.get(key)) {
                        pairs.0.push((Cow::Borrowed(key), found));
                    }
                }
                let whole = pairs.get("messages").unwrap_or(inner);
                let raw = if inner.type_of() == Type::Array {
                    whole
                } else {
                    inner
                };
                read(raw, &pairs, None);
            }),
        }
        match facts {
            Ok(facts) => Ok(Said::Fragment(Fragment::Request(Box::new(facts)))),
            Err(_) if row.mixed => Ok(Said::Aside),
            Err(reason) => Err(match &row.lacking {
                Some(help) if !reason.contains("cut by") => format!("{reason}; {help}"),
                _ => reason,
            }),
        }
    }
}

/// What is told of strings in strings without end.
const WRAPPED_ON: &str = "JSON in a string in a string, more than 4 times; unwrap it first";

/// Is this, after every allowed unwrapping, a string that holds JSON?
fn wrapped_on(raw: Raw<'_>) -> bool {
    raw.type_of() == Type::String && raw.string().is_some_and(|text| Raw::parse(&text).is_ok())
}

/// Why a container's records are not read.
fn not_opened(row: &FormatRow, depth: usize) -> String {
    if depth >= MOST_NESTED {
        return format!("a container inside {MOST_NESTED} others; its records are not read");
    }
    let pointer = row.body.0.first().map_or("", String::as_str);
    format!("{pointer}: no array of records there, format {}", row.name)
}

/// Why a string that should be a body is none.
fn cut(body: Raw<'_>) -> String {
    let mut wrapped = false;
    unwrap(body, MAX_WRAPS, &mut |raw| wrapped = wrapped_on(raw));
    if wrapped {
        return WRAPPED_ON.to_owned();
    }
    let text = body.string().unwrap_or_default();
    if text.contains("[TRUNCATED") {
        return "the body was cut by the exporter; log whole bodies to files (OTEL_LOG_RAW_API_BODIES=file:DIR), or raise the limit on content".to_owned();
    }
    "the body is a string that holds no JSON".to_owned()
}

/// Opens JSON strings that hold JSON, up to `wraps` times; anything else is handed on as it is.
fn unwrap(raw: Raw<'_>, wraps: usize, then: &mut dyn FnMut(Raw<'_>)) {
    if raw.type_of() == Type::String && wraps > 0 {
        let inner = raw.string().unwrap_or_default();
        if let Ok(inner) = Raw::parse(&inner) {
            return unwrap(inner, wraps - 1, then);
        }
    }
    then(raw);
}
