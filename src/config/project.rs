//! `toolcost.toml`: a project's defaults, and formats of its own.

use super::ConfigError;
use super::limits::{self, Checks};
use crate::data::{FormatKind, FormatRow};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The file's name.
pub const PROJECT_CONFIG: &str = "toolcost.toml";

const KEYS: [&str; 8] = [
    "counter",
    "model",
    "profile",
    "calibration",
    "limits",
    "ratchet",
    "rules",
    "format",
];

/// Keys of a `[[format]]` row.
const FORMAT_KEYS: [&str; 26] = [
    "name",
    "kind",
    "framing",
    "match",
    "with",
    "also",
    "unless",
    "continues",
    "body",
    "mixed",
    "lacking",
    "response",
    "encoding",
    "usage",
    "url",
    "path",
    "headers",
    "time",
    "id",
    "id_of_file",
    "session",
    "model",
    "tools",
    "about",
    "sure",
    "source",
];

/// Keys of a condition.
const MATCH_KEYS: [&str; 4] = ["pointer", "type", "value", "not"];

/// Larger files are no settings.
const MOST_BYTES: u64 = 1 << 20;

/// What a project sets for all commands; flags win over it.
#[derive(Debug, Default)]
pub struct Project {
    /// The counter.
    pub counter: Option<String>,
    /// The model, whatever a capture says.
    pub model: Option<String>,
    /// The gate's profile.
    pub profile: Option<String>,
    /// A file of `calibrate`, beside the settings or below.
    pub calibration: Option<PathBuf>,
    /// Limits, growth and rules.
    pub checks: Checks,
    /// Formats that are tried before the shipped ones.
    pub formats: Vec<FormatRow>,
}

/// The nearest `toolcost.toml`, from a folder upward.
pub fn nearest(from: &Path) -> Option<PathBuf> {
    from.ancestors()
        .map(|folder| folder.join(PROJECT_CONFIG))
        .find(|file| file.is_file())
}

/// Reads one.
///
/// # Errors
/// A file that cannot be read, is no TOML, or has a key or value that means nothing.
pub fn read_project(path: &Path, shown: &str) -> Result<Project, ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let meta = std::fs::metadata(path).map_err(|e| error(e.kind().to_string()))?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(error("must be a regular file of at most 1 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| error(e.kind().to_string()))?;
    let mut project = parse_project(&text, shown)?;
    let files = [&mut project.calibration, &mut project.checks.baseline];
    for file in files.into_iter().flatten() {
        if let Some(folder) = path.parent() {
            *file = folder.join(&*file);
        }
    }
    Ok(project)
}

/// Reads the text of one.
///
/// # Errors
/// See [`read_project`].
pub fn parse_project(text: &str, shown: &str) -> Result<Project, ConfigError> {
    let at = |span: Option<std::ops::Range<usize>>| {
        let line = span.map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        line.map_or_else(|| shown.to_owned(), |line| format!("{shown}, line {line}"))
    };
    let error = |place: String, message: String| ConfigError { place, message };
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        error(at(e.span()), format!("not valid TOML: {}", e.message()))
    })?;
    let mut project = Project::default();
    for (key, value) in table {
        let string = |value: toml::Value| match value {
            toml::Value::String(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(error(shown.to_owned(), format!("{key} must be a text"))),
        };
        match key.as_str() {
            "counter" => project.counter = Some(string(value)?),
            "model" => project.model = Some(string(value)?),
            "profile" => project.profile = Some(string(value)?),
            "calibration" => project.calibration = Some(PathBuf::from(string(value)?)),
            "limits" => {
                limits::limits(value, &mut project.checks.limits)
                    .map_err(|message| error(shown.to_owned(), message))?;
            }
            "ratchet" => limits::ratchet(value, &mut project.checks)
                .map_err(|message| error(shown.to_owned(), message))?,
            "rules" => {
                project.checks.limits.rules =
                    limits::rules(value).map_err(|message| error(shown.to_owned(), message))?;
            }
            "format" => {
                let toml::Value::Array(rows) = value else {
                    let message = "format must be a list of tables: write [[format]]".to_owned();
                    return Err(error(shown.to_owned(), message));
                };
                for (at, row) in rows.into_iter().enumerate() {
                    let row = format_row(row)
                        .map_err(|message| error(format!("{shown}, format {}", at + 1), message))?;
                    if project.formats.iter().any(|known| known.name == row.name) {
                        let message = format!("format {} is there twice", row.name);
                        return Err(error(shown.to_owned(), message));
                    }
                    project.formats.push(row);
                }
            }
            _ => return Err(error(shown.to_owned(), unknown_key(&key, &KEYS))),
        }
    }
    Ok(project)
}

/// One row, checked as strictly as a shipped one.
fn format_row(value: toml::Value) -> Result<FormatRow, String> {
    let toml::Value::Table(table) = &value else {
        return Err("must be a table".to_owned());
    };
    for key in table.keys() {
        if !FORMAT_KEYS.contains(&key.as_str()) {
            return Err(unknown_key(key, &FORMAT_KEYS));
        }
    }
    for key in ["name", "match"] {
        if !table.contains_key(key) {
            return Err(format!("{key} is missing"));
        }
    }
    let conditions = ["match", "with", "also", "unless", "continues"];
    let conditions = conditions.into_iter().filter_map(|key| table.get(key));
    for condition in conditions.flat_map(one_or_many) {
        let Some(condition) = condition.as_table() else {
            return Err(
                "a condition must be a table: { pointer = \"/kind\", value = \"x\" }".to_owned(),
            );
        };
        if let Some(key) = condition
            .keys()
            .find(|key| !MATCH_KEYS.contains(&key.as_str()))
        {
            return Err(unknown_key(key, &MATCH_KEYS));
        }
        if !condition.contains_key("pointer") {
            return Err("a condition needs a pointer".to_owned());
        }
    }
    let row = FormatRow::deserialize(value).map_err(|e| e.message().to_owned())?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if row.name.is_empty() || row.name.len() > 64 || !row.name.chars().all(plain) {
        return Err("name must be of letters, digits, - _ and ., 64 at most".to_owned());
    }
    for pointer in row.pointers() {
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(format!(
                "{pointer}: a JSON pointer begins with /, or is empty for the whole record"
            ));
        }
    }
    if matches!(row.kind, FormatKind::Exchange) && row.body.0.is_empty() {
        return Err("body is empty: say where the request is".to_owned());
    }
    Ok(row)
}

fn one_or_many(value: &toml::Value) -> &[toml::Value] {
    match value {
        toml::Value::Array(list) => list,
        other => std::slice::from_ref(other),
    }
}

/// An unknown key, and the nearest known one.
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    let near = known
        .iter()
        .min_by_key(|known| strsim::damerau_levenshtein(key, known))
        .filter(|known| strsim::damerau_levenshtein(key, known) <= 2 || known.contains(key));
    match near {
        Some(near) => format!("unknown key {key}; did you mean {near}?"),
        None => format!("unknown key {key}; the keys are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_row_and_the_nearest_key() {
        for (text, expected) in [
            ("counter = 1", "f: counter must be a text"),
            ("counter = ", "f, line 1: not valid TOML"),
            ("fromat = 1", "f: unknown key fromat; did you mean format?"),
            (
                "x = 1",
                "f: unknown key x; the keys are counter, model, profile, calibration, limits, ratchet, rules, format",
            ),
            (
                "[format]\nname = \"x\"",
                "f: format must be a list of tables",
            ),
            (
                "[[format]]\nmatch = { pointer = \"/a\" }",
                "f, format 1: name is missing",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { pointer = \"/a\" }\nbdoy = \"/b\"",
                "did you mean body?",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { pointr = \"/a\" }",
                "did you mean pointer?",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { value = \"a\" }",
                "a condition needs a pointer",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { pointer = \"/a\" }\nbody = \"b\"",
                "b: a JSON pointer begins with /",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { pointer = \"/a\" }\nbody = []",
                "body is empty",
            ),
            (
                "[[format]]\nname = \"a b\"\nmatch = { pointer = \"/a\" }",
                "name must be of letters",
            ),
            (
                "[[format]]\nname = \"x\"\nmatch = { pointer = \"/a\", type = \"number\" }",
                "unknown variant",
            ),
        ] {
            let message = parse_project(text, "f").unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        let twice = "[[format]]\nname = \"x\"\nmatch = { pointer = \"/a\" }\n".repeat(2);
        let message = parse_project(&twice, "f").unwrap_err().to_string();
        assert!(message.contains("twice"), "{message}");
    }
}
