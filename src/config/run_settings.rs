//! `toolcost.run.toml`: the client's environment, provider and host for the captures of one folder.

use super::client_settings::read_client_settings;
use crate::model::RunSettings;
use std::collections::BTreeMap;
use std::path::Path;

/// The variable that changes the cap on MCP descriptions (change log 2.1.280).
pub const CAP_ENV: &str = "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH";

/// The environment variables that the gate and the rendering of listings read. Any other is left where it is.
pub const GATE_ENV: [&str; 8] = [
    "ENABLE_TOOL_SEARCH",
    "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_DISABLE_1M_CONTEXT",
    CAP_ENV,
];

const KEYS: [&str; 5] = ["env", "provider", "base_url", "client_version", "settings"];
/// Providers by the names users write.
pub const PROVIDERS: [&str; 5] = ["anthropic", "bedrock", "vertex", "foundry", "foundry-azure"];

/// Larger files are no settings.
const MOST_BYTES: u64 = 1 << 20;

/// A file or flag that cannot be used. Values are never repeated: they may be secrets.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ConfigError {
    /// File and line, or the flag.
    pub place: String,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Reads one file; `None` where there is none.
///
/// # Errors
/// A file that cannot be read, is no TOML, or has a key or value that means nothing here.
pub fn load(path: &Path, shown: &str) -> Result<Option<RunSettings>, ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(error(e.kind().to_string())),
    };
    // A pipe or a device would be read without end.
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(error("must be a regular file of at most 1 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| error(e.kind().to_string()))?;
    let (mut settings, client) = parse(&text, shown)?;
    if let Some(client) = client {
        let file = path.parent().unwrap_or(Path::new("")).join(client);
        read_client_settings(&file, &format!("{shown}, settings"), &mut settings)?;
    }
    Ok(Some(settings))
}

/// Reads the text of such a file: the settings, and the client's own file that they name.
///
/// # Errors
/// As [`load`].
pub fn parse(text: &str, shown: &str) -> Result<(RunSettings, Option<String>), ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        // The parser's own text quotes the line, which may hold a secret.
        let line = e
            .span()
            .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map_or_else(|| shown.to_owned(), |line| format!("{shown}, line {line}"));
        ConfigError {
            place,
            message: "not valid TOML".to_owned(),
        }
    })?;
    let mut settings = RunSettings::default();
    let mut client = None;
    for (key, value) in &table {
        let string = || {
            value
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| error(format!("{key} must be a string")))
        };
        match key.as_str() {
            "env" => {
                let env = value
                    .as_table()
                    .ok_or_else(|| error("env must be a table of strings".to_owned()))?;
                for (name, value) in env
                    .iter()
                    .filter(|(name, _)| GATE_ENV.contains(&name.as_str()))
                {
                    let value = match value {
                        toml::Value::String(text) => text.clone(),
                        toml::Value::Boolean(flag) => flag.to_string(),
                        toml::Value::Integer(number) => number.to_string(),
                        _ => return Err(error(format!("env.{name} must be a string"))),
                    };
                    settings.env.insert(name.clone(), value);
                }
            }
            "provider" => {
                let provider = string()?;
                if !PROVIDERS.contains(&provider.as_str()) {
                    return Err(error(format!(
                        "provider must be one of {}",
                        PROVIDERS.join(", ")
                    )));
                }
                settings.provider = Some(provider);
            }
            "base_url" => settings.base_url = Some(string()?),
            "settings" => client = Some(string()?),
            "client_version" => {
                let version = string()?;
                let plain = version.split('.').count() == 3
                    && version.split('.').all(|n| {
                        !n.is_empty() && n.len() <= 6 && n.bytes().all(|b| b.is_ascii_digit())
                    });
                if !plain {
                    return Err(error(
                        "client_version must be three numbers, as in 2.1.240".to_owned(),
                    ));
                }
                settings.client_version = Some(version);
            }
            unknown => return Err(error(unknown_key(unknown))),
        }
    }
    Ok((settings, client))
}

/// A key that is near a known one is a slip of the pen; any other may hold anything and is not repeated.
fn unknown_key(key: &str) -> String {
    let near = |known: &&&str| strsim::damerau_levenshtein(key, known) <= 2;
    match KEYS.iter().find(near) {
        Some(known) => format!("unknown key {key}; did you mean {known}?"),
        None => format!("unknown key; the keys are {}", KEYS.join(", ")),
    }
}

/// `KEY=VALUE` flags → environment. An empty value says: known to be unset.
///
/// # Errors
/// A flag without `=`, or a variable that the gate does not read.
pub fn parse_env(flags: &[String]) -> Result<BTreeMap<String, String>, ConfigError> {
    let error = |message: String| ConfigError {
        place: "--env".to_owned(),
        message,
    };
    flags
        .iter()
        .map(|flag| {
            let (name, value) = flag
                .split_once('=')
                .ok_or_else(|| error("write KEY=VALUE".to_owned()))?;
            if !GATE_ENV.contains(&name) {
                return Err(error(format!(
                    "the gate does not read this variable; it reads {}",
                    GATE_ENV.join(", ")
                )));
            }
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_gate_reads_is_kept() {
        let text = "provider = \"bedrock\"\n[env]\nENABLE_TOOL_SEARCH = true\nSECRET = \"x\"\n";
        let (settings, _) = parse(text, "f").unwrap();
        assert_eq!(settings.env.len(), 1);
        assert_eq!(settings.env["ENABLE_TOOL_SEARCH"], "true");
        assert_eq!(settings.provider.as_deref(), Some("bedrock"));
    }

    #[test]
    fn errors_name_the_place_and_the_cure_and_no_value() {
        for (text, expected) in [
            ("a = ", "f, line 1: not valid TOML"),
            (
                "secret = 1",
                "f: unknown key; the keys are env, provider, base_url, client_version, settings",
            ),
            (
                "base_ulr = \"x\"",
                "f: unknown key base_ulr; did you mean base_url?",
            ),
            (
                "provider = \"secret\"",
                "f: provider must be one of anthropic, bedrock, vertex, foundry, foundry-azure",
            ),
            (
                "client_version = \"secret\"",
                "f: client_version must be three numbers, as in 2.1.240",
            ),
            ("env = 3", "f: env must be a table of strings"),
        ] {
            assert_eq!(parse(text, "f").unwrap_err().to_string(), expected);
        }
    }
}
