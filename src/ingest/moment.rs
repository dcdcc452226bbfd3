//! Times as logs write them.

use super::scan::Raw;

/// A time as milliseconds since 1970: a number of seconds or milliseconds, told apart by size, or RFC 3339.
pub(super) fn moment(raw: Raw<'_>) -> Option<i64> {
    if let Some(text) = raw.string() {
        let named = text.parse::<jiff::Timestamp>().ok();
        let spaced = || text.replacen(' ', "T", 1).parse::<jiff::Timestamp>().ok();
        return named
            .or_else(spaced)
            .map(jiff::Timestamp::as_millisecond)
            .or_else(|| number(&text));
    }
    number(raw.text())
}

/// A number of seconds, milliseconds, microseconds or nanoseconds, told apart by its size.
fn number(text: &str) -> Option<i64> {
    let number = text.parse::<f64>().ok()?;
    let milliseconds = match number.abs() {
        size if size < 1e11 => number * 1000.0,
        size if size < 1e14 => number,
        size if size < 1e17 => number / 1e3,
        _ => number / 1e6,
    };
    #[allow(clippy::cast_possible_truncation, reason = "held to a range that fits")]
    (milliseconds.abs() < 1e17).then_some(milliseconds as i64)
}
