//! Files of `calibrate`.

use super::ConfigError;
use crate::data::Calibration;
use std::path::Path;

/// Larger files are no calibrations.
const MOST_BYTES: u64 = 4 << 20;

/// Reads one.
///
/// # Errors
/// A file that cannot be read, or is no calibration.
pub fn read_calibration(path: &Path, shown: &str) -> Result<Calibration, ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let meta = std::fs::metadata(path).map_err(|e| error(e.kind().to_string()))?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(error("must be a regular file of at most 4 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| error(e.kind().to_string()))?;
    Calibration::parse(&text).map_err(error)
}
