//! `--price`: what a user pays.

use super::ConfigError;
use super::text_file::read_text;
use crate::data::GivenPrices;
use std::path::Path;

/// Larger files are no prices.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the file.
///
/// # Errors
/// A file that cannot be read, or holds something else.
pub fn read_prices(path: &Path, shown: &str) -> Result<GivenPrices, ConfigError> {
    let text = read_text(path, shown, (MOST_BYTES, "1 MiB"))?;
    GivenPrices::parse(&text).map_err(|message| ConfigError {
        place: shown.to_owned(),
        message,
    })
}
