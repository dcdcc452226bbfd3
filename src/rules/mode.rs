//! `ENABLE_TOOL_SEARCH` and the kill switch → mode (seed 000's table; seed 003's order).

use crate::model::{Given, RunSettings};

/// How tool search is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Always defer.
    Tst,
    /// Defer from a percentage of the window on.
    TstAuto {
        /// The percentage.
        percent: u64,
    },
    /// Never defer.
    Standard,
}

impl Mode {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tst => "tst",
            Self::TstAuto { .. } => "tst-auto",
            Self::Standard => "standard",
        }
    }
}

/// The mode with how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeReading {
    /// The mode; absent where no source says what the value does.
    pub mode: Option<Mode>,
    /// What was looked at.
    pub input: String,
    /// The input was not given.
    pub assumed: bool,
    /// Why.
    pub evidence: String,
    /// `ENABLE_TOOL_SEARCH` has a value that is not empty.
    pub explicit: bool,
    /// The kill switch decided.
    pub killed: bool,
}

/// The variable that sets the mode.
pub const ENABLE: &str = "ENABLE_TOOL_SEARCH";
/// The kill switch.
pub const KILL: &str = "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS";

/// Spellings of truth that environment variables use; anything else is no truth.
fn truthy(value: &str) -> bool {
    matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "1" | "true" | "yes" | "on"
    )
}

fn falsy(value: &str) -> bool {
    matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "0" | "false" | "no" | "off"
    )
}

/// Reads the mode from a run's settings.
pub fn mode(settings: &RunSettings, default_percent: u64) -> ModeReading {
    if let Given::Value(value) = settings.env(KILL)
        && truthy(value)
    {
        return ModeReading {
            mode: Some(Mode::Standard),
            input: format!("{KILL} is set"),
            assumed: false,
            evidence: "the kill switch forces standard, whatever else is set".to_owned(),
            explicit: false,
            killed: true,
        };
    }
    let reading = |mode, input: String, assumed, evidence: &str, explicit| ModeReading {
        mode,
        input,
        assumed,
        evidence: evidence.to_owned(),
        explicit,
        killed: false,
    };
    match settings.env(ENABLE) {
        Given::Assumed => reading(
            Some(Mode::Tst),
            format!("{ENABLE} assumed unset"),
            true,
            "unset means tst, always defer",
            false,
        ),
        Given::Unset => reading(
            Some(Mode::Tst),
            format!("{ENABLE} unset"),
            false,
            "unset means tst, always defer",
            false,
        ),
        Given::Value(value) => {
            let (mode, evidence) = of_value(value, default_percent);
            let shown = if mode.is_some() {
                format!("{ENABLE}={value}")
            } else {
                format!("{ENABLE} has another value")
            };
            reading(mode, shown, false, evidence, true)
        }
    }
}

fn of_value(value: &str, default_percent: u64) -> (Option<Mode>, &'static str) {
    if truthy(value) {
        return (Some(Mode::Tst), "true means tst, always defer");
    }
    if falsy(value) {
        return (Some(Mode::Standard), "false means standard, never defer");
    }
    if value == "auto" {
        return (
            Some(Mode::TstAuto {
                percent: default_percent,
            }),
            "auto means defer from a share of the window on",
        );
    }
    match value.strip_prefix("auto:").map(str::parse::<u64>) {
        Some(Ok(0)) => (Some(Mode::Tst), "auto:0 means tst, always defer"),
        Some(Ok(100)) => (Some(Mode::Standard), "auto:100 means standard, never defer"),
        Some(Ok(percent @ 1..=99)) => (
            Some(Mode::TstAuto { percent }),
            "auto:N means defer from N percent of the window on",
        ),
        _ => (None, "no source says what this value does"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(env: &[(&str, &str)]) -> ModeReading {
        let env = env
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        mode(
            &RunSettings {
                env,
                ..RunSettings::default()
            },
            10,
        )
    }

    #[test]
    fn each_value_of_the_switch_names_its_mode() {
        for (value, expected) in [
            ("true", Some(Mode::Tst)),
            ("1", Some(Mode::Tst)),
            ("auto:0", Some(Mode::Tst)),
            ("auto", Some(Mode::TstAuto { percent: 10 })),
            ("auto:1", Some(Mode::TstAuto { percent: 1 })),
            ("auto:5", Some(Mode::TstAuto { percent: 5 })),
            ("auto:99", Some(Mode::TstAuto { percent: 99 })),
            ("auto:100", Some(Mode::Standard)),
            ("false", Some(Mode::Standard)),
            ("0", Some(Mode::Standard)),
            ("auto:150", None),
            ("auto:x", None),
            ("maybe", None),
        ] {
            let reading = read(&[(ENABLE, value)]);
            assert_eq!(reading.mode, expected, "{value}");
            assert!(reading.explicit && !reading.assumed);
        }
    }

    #[test]
    fn unset_means_always_defer_and_says_whether_it_was_assumed() {
        assert_eq!((read(&[]).mode, read(&[]).assumed), (Some(Mode::Tst), true));
        let known = read(&[(ENABLE, "")]);
        assert_eq!(
            (known.mode, known.assumed, known.explicit),
            (Some(Mode::Tst), false, false)
        );
    }

    #[test]
    fn the_kill_switch_forces_standard() {
        let killed = read(&[(KILL, "1"), (ENABLE, "true")]);
        assert_eq!((killed.mode, killed.killed), (Some(Mode::Standard), true));
        assert_eq!(read(&[(KILL, "0"), (ENABLE, "true")]).mode, Some(Mode::Tst));
    }
}
