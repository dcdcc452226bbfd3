//! `report --merge`: reports that were written as JSON, joined.

use super::exit;
use crate::count::counter;
use crate::data::Data;
use crate::ingest::{is_stdin, shown};
use crate::view::{self, NamedReport, ReadError, Rows, RunsView};
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest report, in bytes: of a million requests a row each.
const MOST: u64 = 1 << 30;

/// Reads the reports and joins them.
pub(super) fn merged(paths: &[PathBuf], rows: &Rows) -> anyhow::Result<RunsView> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in paths {
        // Of one report twice every number would be twice as large.
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        if seen.contains(&real) {
            let path = shown(path);
            return Err(exit::usage(format!(
                "{path}: given twice; give each report once"
            )));
        }
        seen.push(real);
    }
    let mut texts: HashMap<u64, &Path> = HashMap::new();
    let reports = paths.iter().map(|path| {
        let name = shown(path);
        let text = text(path, &name)?;
        // So would they be of a copy. A hash is enough: two reports that differ in anything are two.
        let mut hash = DefaultHasher::new();
        text.hash(&mut hash);
        if let Some(first) = texts.insert(hash.finish(), path) {
            let first = shown(first);
            return Err(exit::usage(format!(
                "{name}: a copy of {first}; give each report once"
            )));
        }
        report(&name, &text)
    });
    let reports = reports.collect::<anyhow::Result<Vec<NamedReport>>>()?;
    let mut view = view::merge(reports, rows, &Data::embedded()?)
        .map_err(|error| exit::usage(error.to_string()))?;
    let about = counter(&view.settings.counter).map(|counter| counter.about_estimates());
    view.settings.about_estimates = about.unwrap_or_default().to_owned();
    Ok(view)
}

/// One report. What is another document is wrongly given; what is broken could not be read.
fn report(name: &str, text: &str) -> anyhow::Result<NamedReport> {
    NamedReport::parse(name, text).map_err(|error| match error {
        ReadError::NoReport { .. } | ReadError::OtherSchema { .. } => {
            exit::usage(error.to_string())
        }
        ReadError::NotJson { .. } | ReadError::Value { .. } => exit::unread(error.to_string()),
    })
}

/// The text of a file, a pipe or standard input.
fn text(path: &Path, name: &str) -> anyhow::Result<String> {
    if path.is_dir() {
        return Err(exit::usage(format!(
            "{name}: is a folder; give --merge the reports themselves"
        )));
    }
    let mut bytes = Vec::new();
    let read = match is_stdin(path) {
        true => std::io::stdin()
            .lock()
            .take(MOST + 1)
            .read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => exit::usage(format!("{name}: no such file")),
        kind => exit::unread(format!("{name}: {kind}; give a report that can be read")),
    })?;
    if bytes.len() as u64 > MOST {
        return Err(exit::unread(format!(
            "{name}: larger than 1 GiB; write it without --per-request"
        )));
    }
    String::from_utf8(bytes).map_err(|_| {
        exit::unread(format!(
            "{name}: not UTF-8; write it with toolcost report -f json -o FILE"
        ))
    })
}
