//! What the reports were made with: what must be the same, and what may differ and is told.

use super::MergeError;
use crate::model::{Level, Word};
use crate::view::FindingRow;
use crate::view::runs::Settings;
use crate::view::runs::read::NamedReport;
use std::collections::BTreeSet;

/// The finding of reports that were made otherwise.
const DIFFER: &str = "reports-differ";

/// What differs but can be joined.
///
/// # Errors
/// A counter, model or calibration that differs: tokens by two measures have no sum.
pub(super) fn differences(reports: &[NamedReport]) -> Result<Vec<FindingRow>, MergeError> {
    let Some((first, others)) = reports.split_first() else {
        return Err(MergeError::Nothing);
    };
    for other in others {
        let (a, b) = (&first.view.settings, &other.view.settings);
        for (what, flag, same) in [
            ("the counter", "--counter", a.counter == b.counter),
            ("the model given by flag", "--model", a.model == b.model),
            (
                "the calibration",
                "--calibration",
                corrections(a) == corrections(b),
            ),
        ] {
            if !same {
                let (first, other) = (first.name.clone(), other.name.clone());
                return Err(MergeError::Differ {
                    what,
                    flag,
                    first,
                    other,
                });
            }
        }
    }
    let told = [
        (
            "data_version",
            distinct(reports, |r| r.view.data_version.to_owned()),
        ),
        (
            "toolcost",
            distinct(reports, |r| r.view.toolcost.to_owned()),
        ),
        (
            "profile",
            distinct(reports, |r| r.view.settings.profile.clone()),
        ),
        (
            "context_window",
            distinct(reports, |r| or_none(r.view.settings.context_window)),
        ),
        ("env", distinct(reports, |r| r.view.settings.env.join(" "))),
        (
            "listed_tools",
            distinct(reports, |r| r.view.settings.listed_tools.to_string()),
        ),
    ];
    let told = told.into_iter().filter(|(_, values)| values.len() > 1);
    Ok(told.map(|(what, values)| finding(what, &values)).collect())
}

/// What a calibration does to numbers, wherever its file lies.
fn corrections(settings: &Settings) -> Option<(&[String], &[crate::view::Corrected])> {
    let by = settings.calibrated.as_ref()?;
    Some((&by.models, &by.corrected))
}

fn or_none(number: Option<u64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

fn distinct(reports: &[NamedReport], of: impl Fn(&NamedReport) -> String) -> BTreeSet<String> {
    reports.iter().map(of).collect()
}

fn finding(what: &str, values: &BTreeSet<String>) -> FindingRow {
    let said: Vec<&str> = values
        .iter()
        .map(|value| match value.as_str() {
            "" => "none",
            value => value,
        })
        .collect();
    FindingRow {
        code: DIFFER,
        level: Level::Warn,
        message: format!(
            "the joined reports were made with different values ({})",
            said.join("; ")
        ),
        run: String::new(),
        path: String::new(),
        line: None,
        element: None,
        pointer: String::new(),
        subject: what.to_owned(),
        help: "report the captures again alike where it matters".to_owned(),
        times: 1,
    }
}

/// The settings of all reports together. What differs is null, or all of it.
pub(super) fn joined(reports: &[NamedReport]) -> Settings {
    let all = || reports.iter().map(|report| &report.view.settings);
    let first = all().next().cloned().unwrap_or_default();
    let profiles: BTreeSet<&str> = all().flat_map(|own| own.profile.split(", ")).collect();
    let env: BTreeSet<&String> = all().flat_map(|own| &own.env).collect();
    let same_window = all().all(|own| own.context_window == first.context_window);
    // Of several files of one calibration the first by name, whatever the order.
    let calibrated = all().filter_map(|own| own.calibrated.as_ref());
    let calibrated = calibrated.min_by(|a, b| a.file.cmp(&b.file)).cloned();
    Settings {
        profile: profiles.into_iter().collect::<Vec<_>>().join(", "),
        env: env.into_iter().cloned().collect(),
        context_window: first.context_window.filter(|_| same_window),
        listed_tools: all().map(|own| own.listed_tools).max().unwrap_or_default(),
        calibrated,
        ..first
    }
}

/// The oldest program and tables among those that made the reports.
pub(super) fn versions(reports: &[NamedReport]) -> (Word, Word) {
    let oldest = |of: fn(&NamedReport) -> Word| reports.iter().map(of).min().unwrap_or_default();
    (
        oldest(|report| report.view.toolcost),
        oldest(|report| report.view.data_version),
    )
}
