//! A report that was written as JSON, read again.

use super::RunsView;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::{Path, Segment};
use std::collections::BTreeSet;
use std::fmt;

/// The schema that can be read.
pub(super) const SCHEMA: &str = "toolcost.report/1";

/// Numbers above this stand in no report: every reader of JSON holds integers up to here exactly, and a thousand of
/// them add up without overflow.
const MOST: u64 = (1 << 53) - 1;

/// A report and the name of its file.
#[derive(Debug, Clone)]
pub struct NamedReport {
    /// The file as it was given.
    pub name: String,
    /// What it holds.
    pub view: RunsView,
}

/// Why a file is no report that can be joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is no JSON.
    #[error(
        "{name}: line {line}, column {column}: not valid JSON; write it again with toolcost report -f json"
    )]
    NotJson {
        /// The file.
        name: String,
        /// The line of the fault, from 1.
        line: usize,
        /// The column of the fault, from 1.
        column: usize,
    },
    /// It is JSON and no report.
    #[error("{name}: no report of toolcost; --merge joins what toolcost report -f json writes")]
    NoReport {
        /// The file.
        name: String,
    },
    /// Its shape is another command's or version's.
    #[error(
        "{name}: /schema: not {SCHEMA}; --merge joins what toolcost report -f json writes in that version"
    )]
    OtherSchema {
        /// The file.
        name: String,
    },
    /// Something in it is not as the schema has it.
    #[error("{name}: {pointer}: {message}; write the report again with this version of toolcost")]
    Value {
        /// The file.
        name: String,
        /// JSON pointer to what is wrong.
        pointer: String,
        /// What is wrong.
        message: String,
    },
}

/// What tells a report from other JSON.
#[derive(Deserialize)]
struct Head {
    schema: Option<Schema>,
}

/// The name of a schema, or anything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Schema {
    Name(String),
    Other(serde::de::IgnoredAny),
}

impl NamedReport {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// No JSON, no report, a report of another version, or one that is not as its schema has it.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReadError> {
        let own = || name.to_owned();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => ReadError::NoReport { name: own() },
            _ => ReadError::NotJson {
                name: own(),
                line: error.line(),
                column: error.column(),
            },
        })?;
        match head.schema {
            Some(Schema::Name(schema)) if schema == SCHEMA => {}
            Some(Schema::Name(schema)) if schema.starts_with("toolcost.") => {
                return Err(ReadError::OtherSchema { name: own() });
            }
            Some(Schema::Name(_) | Schema::Other(_)) | None => {
                return Err(ReadError::NoReport { name: own() });
            }
        }
        read::<Plain>(name, text)?;
        let mut view: RunsView = read(name, text)?;
        settle(name, &mut view)?;
        Ok(Self { name: own(), view })
    }
}

/// Reads a text as a type; of what does not fit, the place.
fn read<'de, T: Deserialize<'de>>(name: &str, text: &'de str) -> Result<T, ReadError> {
    let mut from = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut from).map_err(|error| ReadError::Value {
        name: name.to_owned(),
        pointer: pointer(error.path()),
        message: said(&error.inner().to_string()),
    })
}

/// A place as JSON pointer.
fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointer.push_str(&format!("/{key}"));
            }
            Segment::Unknown => {}
        }
    }
    match pointer.is_empty() {
        true => "the whole".to_owned(),
        false => pointer,
    }
}

/// What was wrong, without the value: whatever it is, it is nobody's to repeat.
fn said(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    if message.starts_with("unknown field") {
        return "a key that no report has".to_owned();
    }
    match message.rsplit_once(", expected ") {
        Some((_, "u64")) => "expected a whole number that is not negative".to_owned(),
        Some((_, "i64")) => "expected a whole number".to_owned(),
        Some((_, expected)) => format!("expected {expected}"),
        None => message.to_owned(),
    }
}

/// Fills in what is not written, and holds numbers against one another that say the same.
fn settle(name: &str, view: &mut RunsView) -> Result<(), ReadError> {
    let wrong = |pointer: String, message: &str| ReadError::Value {
        name: name.to_owned(),
        pointer,
        message: message.to_owned(),
    };
    let calibrated = view.settings.calibrated.take();
    view.settings.calibrated = calibrated.map(super::Calibrations::indexed);
    let mut seen = BTreeSet::new();
    for (at, run) in view.runs.iter_mut().enumerate() {
        if !seen.insert(run.run.clone()) {
            return Err(wrong(
                format!("/runs/{at}/run"),
                "a run of this name is there already",
            ));
        }
        let sizes = [
            ("distribution/request", &run.distribution.request),
            ("distribution/tools", &run.distribution.tools),
        ];
        for (key, sizes) in sizes {
            if sizes.count.checked_add(sizes.unknown) != Some(run.requests) {
                let message = "count and unknown are not the requests of the run";
                return Err(wrong(format!("/runs/{at}/{key}/count"), message));
            }
        }
        if run.sums.parts.requests != run.requests {
            let pointer = format!("/runs/{at}/sums/parts/requests");
            return Err(wrong(pointer, "not the requests of the run"));
        }
        run.total_unknown_definitions = run.sums.savings.unknown_definitions;
    }
    Ok(())
}

/// JSON in which no key stands twice and no number is out of range, whatever else it says.
struct Plain;

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PlainVisitor)
    }
}

/// The value of a key that stood before.
struct Twice;

impl<'de> Deserialize<'de> for Twice {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("a key stands twice"))
    }
}

struct PlainVisitor;

/// What is said of a number that is too large.
const TOO_LARGE: &str = "a number beyond 9007199254740991, which no report holds";

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_str<E>(self, _: &str) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Plain, E> {
        match number <= MOST {
            true => Ok(Plain),
            false => Err(E::custom(TOO_LARGE)),
        }
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Plain, E> {
        self.visit_u64(number.unsigned_abs())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Plain, E> {
        // An integer beyond 64 bits arrives here.
        #[allow(clippy::cast_precision_loss, reason = "53 bits are exact")]
        match number.abs() <= MOST as f64 {
            true => Ok(Plain),
            false => Err(E::custom(TOO_LARGE)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Plain, A::Error> {
        while list.next_element::<Plain>()?.is_some() {}
        Ok(Plain)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            // Asked as its value, so that the place of the error names the key.
            if !seen.insert(key) {
                map.next_value::<Twice>()?;
            }
            map.next_value::<Plain>()?;
        }
        Ok(Plain)
    }
}
