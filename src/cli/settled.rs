//! Flags and a project's file, settled: counter, tables, profile, settings of the client.

use super::args::Reading;
use super::exit;
use crate::config;
use crate::count::{Calibrated, Counter, counter};
use crate::data::{Calibration, Data, Profile};
use crate::ingest::shown;
use crate::model::RunSettings;
use std::path::Path;
use std::sync::Arc;

/// Flags, settled.
pub(super) struct Settled {
    pub(super) data: Data,
    pub(super) counter: &'static dyn Counter,
    /// The counter as a calibration corrects it.
    pub(super) calibrated: Option<Calibrated>,
    /// The file it was read from, and what it says.
    pub(super) calibration: Option<(String, Calibration)>,
    pub(super) profile: Option<Profile>,
    /// The profile as it was asked for.
    pub(super) profile_name: Option<String>,
    /// The model to count for, whatever a capture says.
    pub(super) model: Option<String>,
    pub(super) context_window: Option<u64>,
    /// Settings that flags give, for every run.
    pub(super) given: RunSettings,
}

/// Settles the flags that all commands share.
pub(super) fn settle(reading: &Reading) -> anyhow::Result<Settled> {
    let mut data = Data::embedded()?;
    let project = project(reading.config.as_deref())?;
    let name = reading.counter.as_deref().or(project.counter.as_deref());
    let name = name.unwrap_or("auto");
    if name.contains(',') {
        return Err(exit::usage(format!(
            "--counter {name}: one counter here; report and count take several"
        )));
    }
    let counter = counter(name).ok_or_else(|| {
        exit::usage(format!(
            "--counter {name}: not known; see toolcost list counters"
        ))
    })?;
    let profile_name = reading.profile.clone().or(project.profile);
    let profile = profile_name
        .as_deref()
        .map(|name| profile(&data, name))
        .transpose()?;
    let calibration = calibration(
        reading.calibration.as_deref(),
        project.calibration.as_deref(),
    )?;
    let calibrated = calibration.as_ref().map(|(_, by)| {
        data.models.calibrate(by);
        Calibrated::new(counter, &Arc::new(data.models.clone()), by)
    });
    data.formats.put_first(project.formats);
    if let Some(name) = &reading.as_format
        && !data
            .formats
            .format
            .iter()
            .any(|format| format.name == *name)
    {
        return Err(exit::usage(format!(
            "--as {name}: not known; see toolcost list formats"
        )));
    }
    let context_window = reading.context_window.as_deref().map(window).transpose()?;
    let mut given = RunSettings {
        env: config::parse_env(&reading.env).map_err(|error| exit::usage(error.to_string()))?,
        ..RunSettings::default()
    };
    if let Some(provider) = &reading.provider {
        if !config::PROVIDERS.contains(&provider.as_str()) {
            let known = config::PROVIDERS.join(", ");
            return Err(exit::usage(format!("--provider: write one of {known}")));
        }
        given.provider = Some(provider.clone());
    }
    for path in &reading.settings {
        let place = format!("--settings {}", shown(path));
        config::read_client_settings(path, &place, &mut given)
            .map_err(|e| exit::usage(e.to_string()))?;
    }
    Ok(Settled {
        data,
        counter,
        calibrated,
        calibration,
        profile,
        profile_name,
        model: reading.model.clone().or(project.model),
        context_window,
        given,
    })
}

/// What `calibrate` wrote: the file that was named, else the project's.
pub(super) fn calibration(
    named: Option<&Path>,
    of_project: Option<&Path>,
) -> anyhow::Result<Option<(String, Calibration)>> {
    let Some(path) = named.or(of_project) else {
        return Ok(None);
    };
    // Where a project's file lies is nobody's business.
    let name = path
        .file_name()
        .map_or_else(|| shown(path), |name| name.to_string_lossy().into_owned());
    let place = if named.is_some() { shown(path) } else { name };
    let read = config::read_calibration(path, &place);
    let read = read.map_err(|e| exit::usage(format!("--calibration {e}")))?;
    Ok(Some((place, read)))
}

/// The project's own settings: the file that was named, else the nearest one upward.
pub(super) fn project(named: Option<&Path>) -> anyhow::Result<config::Project> {
    let found = match named {
        Some(path) => Some(path.to_owned()),
        None => std::env::current_dir()
            .ok()
            .and_then(|here| config::nearest(&here)),
    };
    let Some(path) = found else {
        return Ok(config::Project::default());
    };
    // One that was found shows its name alone: where it lies is nobody's business.
    let place = named.map_or_else(|| config::PROJECT_CONFIG.to_owned(), shown);
    config::read_project(&path, &place).map_err(|e| exit::usage(e.to_string()))
}

/// The profile of a name.
pub(super) fn profile(data: &Data, name: &str) -> anyhow::Result<Profile> {
    // What `claude --version` prints is a version too.
    let plain = name.trim().trim_start_matches('v');
    let plain = plain.split(' ').next().unwrap_or_default();
    data.profiles.get(plain).ok_or_else(|| {
        exit::usage(format!(
            "--profile {name}: write current, legacy, or a client version such as 2.1.87"
        ))
    })
}

/// `200000`, `200k`, `1m`.
pub(super) fn window(text: &str) -> anyhow::Result<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, times) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 1_000),
        Some(b'm') => (&lower[..lower.len() - 1], 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let number = digits
        .replace([',', '_'], "")
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(times));
    number
        .filter(|n| (1..=1_000_000_000).contains(n))
        .ok_or_else(|| exit::usage("--context-window: write tokens, as in 200000, 200k or 1m"))
}
