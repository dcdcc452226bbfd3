//! The files that are mutated and that fuzzing starts from: fixtures, shipped captures, cases, what the lints find, and every wrapping.

use std::fs;
use std::path::{Path, PathBuf};

/// A file to begin with.
pub(crate) struct Source {
    /// Its name, with the endings that say what it is.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

/// Where `cargo test --test formats` leaves the wrappings.
fn wrappings() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    target.join("tmp").join("wrappings")
}

/// All of them, in a fixed order.
///
/// # Errors
/// A folder that cannot be read, or no wrappings.
pub(crate) fn sources() -> Result<Vec<Source>, String> {
    let mut found = Vec::new();
    for folder in ["fixtures", "captures", "tests/cases", "tests/lints"] {
        walk(Path::new(folder), &mut found)?;
    }
    let wrapped = wrappings();
    if !wrapped.is_dir() {
        return Err("no wrappings yet: run cargo test --test formats first".to_owned());
    }
    walk(&wrapped, &mut found)?;
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<Source>) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(fail)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, found)?;
            continue;
        }
        let last = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // What stands beside captures is no capture.
        if ["args", "md", "toml"]
            .iter()
            .any(|ending| last.ends_with(ending))
            || last == "expected.json"
        {
            continue;
        }
        found.push(Source {
            name: last,
            bytes: fs::read(&path).map_err(fail)?,
        });
    }
    Ok(())
}
