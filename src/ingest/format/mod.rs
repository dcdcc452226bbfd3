//! Which format a record has, and where its parts are. Formats are rows of pointers; see `data/formats.toml`.

mod pointer;

pub(super) use pointer::Lookup;

use super::scan::Type;
use crate::data::{FormatMatch, FormatRow, Formats, ValueType};

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
                && (row.also.is_empty() || row.also.iter().any(|also| holds(record, also)))
        }),
    }
}

fn holds(record: &mut Lookup<'_>, condition: &FormatMatch) -> bool {
    let Some(raw) = record.get(&condition.pointer) else {
        return false;
    };
    let type_fits = match condition.type_ {
        None | Some(ValueType::Any) => true,
        Some(ValueType::Array) => raw.type_of() == Type::Array,
        Some(ValueType::Object) => raw.type_of() == Type::Object,
        Some(ValueType::String) => raw.type_of() == Type::String,
    };
    type_fits
        && condition
            .value
            .as_ref()
            .is_none_or(|value| raw.string().as_deref() == Some(value))
}
