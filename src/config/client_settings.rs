//! A client's own settings files: of them only what the gate asks for is read.

use super::run_settings::{ConfigError, GATE_ENV};
use super::text_file::read_text;
use crate::model::{RunSettings, SEARCH_TOOLS};
use serde_json::Value;
use std::path::Path;

/// Larger files are no settings.
const MOST_BYTES: u64 = 4 << 20;

/// Reads `settings.json` or `.mcp.json` into a run's settings; what the run says itself stays.
///
/// # Errors
/// A file that cannot be read, is no JSON object, or has a gate's key with a value of another type. Values are
/// never repeated: they may be secrets.
pub fn read_client_settings(
    path: &Path,
    shown: &str,
    into: &mut RunSettings,
) -> Result<(), ConfigError> {
    let text = read_text(path, shown, (MOST_BYTES, "4 MiB"))?;
    client_settings(&text, shown, into)
}

/// Reads the text of such a file.
///
/// # Errors
/// As [`read_client_settings`].
pub fn client_settings(text: &str, shown: &str, into: &mut RunSettings) -> Result<(), ConfigError> {
    let error = |message: String| ConfigError {
        place: shown.to_owned(),
        message,
    };
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| {
        error(format!(
            "line {}, column {}: not valid JSON",
            e.line(),
            e.column()
        ))
    })?;
    let object = json
        .as_object()
        .ok_or_else(|| error("must be a JSON object".to_owned()))?;
    if let Some(env) = object.get("env") {
        let env = env
            .as_object()
            .ok_or_else(|| error("/env: must be an object of strings".to_owned()))?;
        for name in GATE_ENV {
            let value = match env.get(name) {
                None => continue,
                Some(Value::String(text)) => text.clone(),
                Some(Value::Bool(flag)) => flag.to_string(),
                Some(Value::Number(number)) => number.to_string(),
                Some(_) => return Err(error(format!("/env/{name}: must be a string"))),
            };
            into.env.entry(name.to_owned()).or_insert(value);
        }
    }
    let section = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(section)) => Ok(Some(section)),
        Some(_) => Err(error(format!("/{key}: must be an object"))),
    };
    if let Some(deny) = section("permissions")?.and_then(|permissions| permissions.get("deny")) {
        let deny = deny
            .as_array()
            .ok_or_else(|| error("/permissions/deny: must be an array".to_owned()))?;
        let rules = deny.iter().filter_map(Value::as_str);
        // A rule with brackets denies some calls and hides nothing.
        let whole = rules.clone().filter(|rule| !rule.contains('('));
        into.denied.extend(whole.map(str::to_owned));
        let denied = rules.into_iter().any(|rule| SEARCH_TOOLS.contains(&rule));
        into.deny_search = Some(denied || into.deny_search == Some(true));
    }
    for (server, settings) in section("mcpServers")?.into_iter().flatten() {
        if !settings.is_object() {
            return Err(error(format!("/mcpServers/{server}: must be an object")));
        }
        match settings.get("alwaysLoad") {
            None => {}
            Some(Value::Bool(flag)) => {
                into.always_load.entry(wire_name(server)).or_insert(*flag);
            }
            // The name of a server is shown in reports anyway; its value is not.
            Some(_) => {
                return Err(error(
                    "/mcpServers: alwaysLoad must be true or false".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

/// A server as it stands in tool names.
fn wire_name(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RunSettings, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, text).unwrap();
        let mut settings = RunSettings::default();
        read_client_settings(&path, "s", &mut settings).map_err(|e| e.to_string())?;
        Ok(settings)
    }

    #[test]
    fn only_the_gates_keys_are_read() {
        let settings = read(
            r#"{"env":{"ENABLE_TOOL_SEARCH":"auto:5","SECRET":"x"},"permissions":{"deny":["Bash(rm)","ToolSearch"]},
            "mcpServers":{"my db":{"alwaysLoad":true,"env":{"TOKEN":"x"}},"b":{"alwaysLoad":false},"c":{}},"model":"x"}"#,
        )
        .unwrap();
        assert_eq!(settings.env.len(), 1);
        assert_eq!(settings.deny_search, Some(true));
        assert_eq!(
            settings.always_load,
            [("my_db".to_owned(), true), ("b".to_owned(), false)].into()
        );
        assert_eq!(
            read(r#"{"permissions":{"deny":[]}}"#).unwrap().deny_search,
            Some(false)
        );
        assert_eq!(read("{}").unwrap().deny_search, None);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_pointer_and_no_value() {
        for (text, expected) in [
            ("{\"a\": secret", "s: line 1, column 7: not valid JSON"),
            ("[]", "s: must be a JSON object"),
            (
                r#"{"env":"secret"}"#,
                "s: /env: must be an object of strings",
            ),
            (
                r#"{"env":{"ENABLE_TOOL_SEARCH":["secret"]}}"#,
                "s: /env/ENABLE_TOOL_SEARCH: must be a string",
            ),
            (
                r#"{"permissions":{"deny":"secret"}}"#,
                "s: /permissions/deny: must be an array",
            ),
            (
                r#"{"mcpServers":{"a":{"alwaysLoad":"secret"}}}"#,
                "s: /mcpServers: alwaysLoad must be true or false",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }
}
