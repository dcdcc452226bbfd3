//! The text of a file that a person wrote: held to a size, and never a device.

use super::run_settings::ConfigError;
use std::io::ErrorKind;
use std::path::Path;

/// Reads a regular file of at most `most` bytes, which are `in_words` to the person who gave it.
///
/// # Errors
/// No such file, no regular one, too large a one, or one that is no text.
pub(super) fn read_text(
    path: &Path,
    shown: &str,
    (most, in_words): (u64, &str),
) -> Result<String, ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let meta = std::fs::metadata(path).map_err(|e| {
        error(match e.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            kind => kind.to_string(),
        })
    })?;
    if !meta.is_file() || meta.len() > most {
        return Err(error(format!(
            "must be a regular file of at most {in_words}"
        )));
    }
    std::fs::read_to_string(path).map_err(|e| error(e.kind().to_string()))
}
