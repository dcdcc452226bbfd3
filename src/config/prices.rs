//! `--price`: what a user pays.

use super::ConfigError;
use crate::data::GivenPrices;
use std::path::Path;

/// Larger files are no prices.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the file.
///
/// # Errors
/// A file that cannot be read, or holds something else.
pub fn read_prices(path: &Path, shown: &str) -> Result<GivenPrices, ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let meta = std::fs::metadata(path).map_err(|e| {
        error(match e.kind() {
            std::io::ErrorKind::NotFound => "no such file".to_owned(),
            kind => kind.to_string(),
        })
    })?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(error("must be a regular file of at most 1 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| error(e.kind().to_string()))?;
    GivenPrices::parse(&text).map_err(error)
}
