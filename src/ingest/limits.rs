//! How much of a kind one request may hold: a few bytes of a hostile record cost a few hundred in memory.

/// Tools of a request or a listing.
pub(super) const TOOLS: usize = 100_000;

/// Messages of a request.
pub(super) const MESSAGES: usize = 100_000;

/// Names that a request announces.
pub(super) const NAMES: usize = 100_000;

/// Refuses what is too much.
///
/// # Errors
/// The reason, for the record.
pub(super) fn within(found: usize, most: usize, what: &str) -> Result<(), String> {
    match found > most {
        true => Err(format!(
            "more than {most} {what} in one record; it is not read"
        )),
        false => Ok(()),
    }
}
