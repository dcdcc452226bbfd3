//! `[limits]`, `[ratchet]` and `[rules]` of toolcost.toml, and the same as flags.

use super::project::unknown_key;
use crate::model::{Growth, Level, LimitScope, Limits, Most, Ratchet, RuleLevel, ToolLimit};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a project checks.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// Limits and rules.
    pub limits: Limits,
    /// Growth that is allowed.
    pub ratchet: Ratchet,
    /// The baseline's file.
    pub baseline: Option<PathBuf>,
}

/// `1200tokens`, `12 000 tokens`, `1.5k tokens` is not one.
///
/// # Errors
/// A number without its unit, or with another.
pub fn tokens(text: &str) -> Result<u64, String> {
    let number = text.trim().strip_suffix("tokens").map(str::trim);
    let number = number.and_then(|number| number.replace(['_', ',', ' '], "").parse().ok());
    number.ok_or_else(|| format!("{text}: write a number with its unit, as in 1200tokens"))
}

/// `50%`, `2.5 %`.
///
/// # Errors
/// Anything else.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').map(str::trim);
    let number = number.and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| number.is_finite() && (0.0..=100_000.0).contains(number));
    let number = number.ok_or_else(|| format!("{text}: write a percentage, as in 2%"))?;
    Ok(number / 100.0)
}

/// A scope by its word.
///
/// # Errors
/// The scopes there are.
pub fn scope(word: &str) -> Result<LimitScope, String> {
    let found = LimitScope::ALL
        .into_iter()
        .find(|scope| scope.word() == word.trim());
    let known: Vec<&str> = LimitScope::ALL.iter().map(|scope| scope.word()).collect();
    found.ok_or_else(|| unknown_key(word, &known))
}

/// The most of a scope, in its unit: a share in percent, everything else in tokens.
///
/// # Errors
/// The wrong unit.
pub fn most(scope: LimitScope, text: &str) -> Result<Most, String> {
    match scope {
        LimitScope::Share => percent(text).map(Most::Share),
        _ => tokens(text).map(Most::Tokens),
    }
}

/// A rule's level.
///
/// # Errors
/// The levels there are.
pub fn level(text: &str) -> Result<RuleLevel, String> {
    Ok(match text.trim() {
        "off" => RuleLevel::Off,
        "info" => RuleLevel::At(Level::Info),
        "warn" => RuleLevel::At(Level::Warn),
        "error" => RuleLevel::At(Level::Error),
        "default" => RuleLevel::Default,
        other => return Err(format!("{other}: write off, info, warn, error or default")),
    })
}

/// `[limits]`.
pub(super) fn limits(value: toml::Value, into: &mut Limits) -> Result<(), String> {
    let toml::Value::Table(table) = value else {
        return Err("limits must be a table: write [limits]".to_owned());
    };
    const KEYS: [&str; 7] = [
        "loaded", "deferred", "all", "request", "share", "over", "tool",
    ];
    for (key, value) in table {
        match (key.as_str(), value) {
            ("tool", toml::Value::Array(rows)) => {
                for (at, row) in rows.into_iter().enumerate() {
                    let row = tool(row).map_err(|e| format!("limits.tool {}: {e}", at + 1))?;
                    into.tools.push(row);
                }
            }
            ("tool", _) => {
                return Err(
                    "limits.tool must be a list of tables: write [[limits.tool]]".to_owned(),
                );
            }
            ("over", toml::Value::String(text)) => {
                into.every_request = match text.as_str() {
                    "every-request" => true,
                    "first-request" => false,
                    _ => {
                        return Err(format!(
                            "limits.over {text}: write first-request or every-request"
                        ));
                    }
                };
            }
            (key, toml::Value::String(text)) => {
                if !KEYS.contains(&key) {
                    return Err(format!("limits: {}", unknown_key(key, &KEYS)));
                }
                let scope = scope(key)?;
                let most = most(scope, &text).map_err(|e| format!("limits.{key} {e}"))?;
                into.scopes.insert(scope, most);
            }
            (key, _) if KEYS.contains(&key) => {
                return Err(format!(
                    "limits.{key} must be a text with its unit, as in \"12000 tokens\""
                ));
            }
            (key, _) => return Err(format!("limits: {}", unknown_key(key, &KEYS))),
        }
    }
    Ok(())
}

fn tool(value: toml::Value) -> Result<ToolLimit, String> {
    const KEYS: [&str; 5] = ["match", "each", "total", "scope", "reason"];
    let toml::Value::Table(table) = value else {
        return Err("must be a table".to_owned());
    };
    let mut limit = ToolLimit {
        glob: String::new(),
        each: None,
        total: None,
        scope: None,
        reason: None,
    };
    for (key, value) in table {
        if !KEYS.contains(&key.as_str()) {
            return Err(unknown_key(&key, &KEYS));
        }
        let toml::Value::String(text) = value else {
            return Err(format!("{key} must be a text"));
        };
        match key.as_str() {
            "match" => limit.glob = text,
            "each" => limit.each = Some(tokens(&text)?),
            "total" => limit.total = Some(tokens(&text)?),
            "scope" => {
                let scope = scope(&text)?;
                if matches!(scope, LimitScope::Request | LimitScope::Share) {
                    return Err("scope must be loaded, deferred or all".to_owned());
                }
                limit.scope = Some(scope);
            }
            _ => limit.reason = Some(text),
        }
    }
    if limit.glob.trim().is_empty() {
        return Err("match is missing".to_owned());
    }
    if limit.each.is_none() && limit.total.is_none() {
        return Err("each or total is missing: nothing would be limited".to_owned());
    }
    Ok(limit)
}

/// `[ratchet]`.
pub(super) fn ratchet(value: toml::Value, into: &mut Checks) -> Result<(), String> {
    const KEYS: [&str; 3] = ["baseline", "grow", "at_least"];
    let toml::Value::Table(table) = value else {
        return Err("ratchet must be a table: write [ratchet]".to_owned());
    };
    for (key, value) in table {
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("ratchet: {}", unknown_key(&key, &KEYS)));
        }
        let toml::Value::String(text) = value else {
            return Err(format!("ratchet.{key} must be a text with its unit"));
        };
        let place = |e: String| format!("ratchet.{key} {e}");
        match key.as_str() {
            "baseline" => into.baseline = Some(PathBuf::from(text)),
            "grow" => {
                into.ratchet.grow = Growth {
                    share: percent(&text).map_err(place)?,
                };
            }
            _ => into.ratchet.at_least = tokens(&text).map_err(place)?,
        }
    }
    if into.baseline.is_none() {
        return Err("ratchet.baseline is missing: growth is held against it".to_owned());
    }
    Ok(())
}

/// `[rules]`; whether a code exists is known elsewhere.
pub(super) fn rules(value: toml::Value) -> Result<BTreeMap<String, RuleLevel>, String> {
    let toml::Value::Table(table) = value else {
        return Err("rules must be a table: write [rules]".to_owned());
    };
    let rule = |(code, value): (String, toml::Value)| {
        let toml::Value::String(text) = value else {
            return Err(format!(
                "rules.{code} must be off, info, warn, error or default"
            ));
        };
        let level = level(&text).map_err(|e| format!("rules.{code} {e}"))?;
        Ok((code, level))
    };
    table.into_iter().map(rule).collect()
}
