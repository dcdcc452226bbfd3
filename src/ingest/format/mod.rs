//! Which format a record has, and where its parts are. Formats are rows of pointers; see `data/formats.toml`.

mod pointer;
mod unfold;

pub(super) use pointer::Lookup;
pub(super) use unfold::unfolded;

use super::scan::{Raw, Type};
use crate::data::{FormatMatch, FormatRow, Formats, Pointers, ValueType, Wanted};

/// The first row that claims the record, or the one that is asked for by name.
pub(super) fn claim<'f>(
    record: &mut Lookup<'_>,
    formats: &'f Formats,
    named: Option<&str>,
) -> Option<&'f FormatRow> {
    match named {
        Some(name) => formats.format.iter().find(|row| row.name == name),
        None => formats.format.iter().find(|row| {
            holds(record, &row.match_)
                && row.with.iter().all(|with| holds(record, with))
                && (row.also.is_empty() || row.also.iter().any(|also| holds(record, also)))
        }),
    }
}

/// Does a condition hold?
pub(super) fn holds(record: &mut Lookup<'_>, condition: &FormatMatch) -> bool {
    let found = record.get(&condition.pointer);
    let fits = found.is_some_and(|raw| {
        let type_fits = match condition.type_ {
            None | Some(ValueType::Any) => true,
            Some(ValueType::Array) => raw.type_of() == Type::Array,
            Some(ValueType::Object) => raw.type_of() == Type::Object,
            Some(ValueType::String) => raw.type_of() == Type::String,
        };
        let value_fits = match &condition.value {
            None => true,
            Some(Wanted::Text(text)) => raw.string().as_deref() == Some(text),
            Some(Wanted::Flag(flag)) => raw.text() == if *flag { "true" } else { "false" },
        };
        type_fits && value_fits
    });
    fits != condition.not
}

/// What the first pointer that leads to something finds; null is nothing.
pub(super) fn first<'a>(record: &mut Lookup<'a>, pointers: &Pointers) -> Option<Raw<'a>> {
    pointers.0.iter().find_map(|pointer| {
        record
            .get(pointer)
            .filter(|raw| raw.type_of() != Type::Null)
    })
}
