//! `ENABLE_TOOL_SEARCH` and the kill switch → mode.

use crate::data::{DefaultMode, Profile};
use crate::model::{Given, Layer, Outcome, RunSettings, Step};

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
    /// No public source says what this value does.
    pub undocumented: bool,
    /// `ENABLE_TOOL_SEARCH` has a value that is not empty.
    pub explicit: bool,
}

impl ModeReading {
    /// The reading as a step of the gate.
    pub fn step(&self) -> Step {
        let outcome = match self.mode {
            None => Outcome::Unknown,
            Some(Mode::Standard) => Outcome::Fail,
            Some(_) => Outcome::Pass,
        };
        Step {
            name: "mode",
            layer: Layer::Optimistic,
            input: self.input.clone(),
            assumed: self.assumed,
            undocumented: self.undocumented,
            outcome,
            evidence: self.evidence.clone(),
        }
    }
}

/// The variable that sets the mode.
pub const ENABLE: &str = "ENABLE_TOOL_SEARCH";
/// The kill switch.
pub const KILL: &str = "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS";

/// Spellings of truth that environment variables use; anything else is no truth.
pub(super) fn truthy(value: &str) -> bool {
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

/// Is the kill switch known to be set?
pub fn killed(settings: &RunSettings) -> bool {
    matches!(settings.env(KILL), Given::Value(value) if truthy(value))
}

/// The kill switch as a step: set, it forces standard, whatever else is set.
pub fn kill_switch(settings: &RunSettings) -> Step {
    let (input, assumed, pass, evidence) = match settings.env(KILL) {
        Given::Assumed => (
            format!("{KILL} assumed unset"),
            true,
            true,
            "beta features are allowed",
        ),
        Given::Value(value) if truthy(value) => (
            format!("{KILL} is set"),
            false,
            false,
            "the kill switch forces standard, whatever else is set",
        ),
        Given::Unset | Given::Value(_) => (
            format!("{KILL} is not set"),
            false,
            true,
            "beta features are allowed",
        ),
    };
    Step {
        name: "kill-switch",
        layer: Layer::Optimistic,
        input,
        assumed,
        undocumented: false,
        outcome: if pass { Outcome::Pass } else { Outcome::Fail },
        evidence: evidence.to_owned(),
    }
}

/// Reads the mode from a run's settings.
pub fn mode(settings: &RunSettings, profile: &Profile) -> ModeReading {
    let unset = |input: String, assumed| {
        let percent = profile.constants.default_percent;
        let (mode, meaning) = match profile.mode.rule {
            DefaultMode::Tst => (Some(Mode::Tst), "unset means tst, always defer"),
            DefaultMode::TstAuto => (
                Some(Mode::TstAuto { percent }),
                "unset means auto, defer from a share of the window on",
            ),
            DefaultMode::Standard => (Some(Mode::Standard), "this client has no tool search"),
            DefaultMode::Unknown => (None, "no source says what unset means in this version"),
        };
        let evidence = format!("{meaning} ({})", profile.mode.source);
        ModeReading {
            mode,
            input,
            assumed,
            evidence,
            undocumented: mode.is_none(),
            explicit: false,
        }
    };
    match settings.env(ENABLE) {
        Given::Assumed => unset(format!("{ENABLE} assumed unset"), true),
        Given::Unset => unset(format!("{ENABLE} unset"), false),
        Given::Value(value) => {
            let (mode, evidence) = of_value(value, profile);
            let seeds_only = profile.id != "legacy" && matches!(value, "auto:0" | "auto:100");
            // A value without meaning may be anything: it is not repeated.
            let input = match mode {
                Some(_) => format!("{ENABLE}={value}"),
                None if too_early(value, profile) => format!("{ENABLE}={value}"),
                None => format!("{ENABLE} has a value without a documented meaning"),
            };
            let undocumented = mode.is_none() || seeds_only;
            ModeReading {
                mode,
                input,
                assumed: false,
                evidence: evidence.to_owned(),
                undocumented,
                explicit: true,
            }
        }
    }
}

/// A percentage, in a version that did not know percentages yet.
fn too_early(value: &str, profile: &Profile) -> bool {
    let percent = value
        .strip_prefix("auto:")
        .and_then(|n| n.parse::<u64>().ok());
    !profile.auto_n.rule && percent.is_some_and(|percent| percent <= 100)
}

fn of_value(value: &str, profile: &Profile) -> (Option<Mode>, &'static str) {
    if truthy(value) {
        return (Some(Mode::Tst), "true means tst, always defer");
    }
    if falsy(value) {
        return (Some(Mode::Standard), "false means standard, never defer");
    }
    if value == "auto" {
        let percent = profile.constants.default_percent;
        return (
            Some(Mode::TstAuto { percent }),
            "auto means defer from a share of the window on",
        );
    }
    if too_early(value, profile) {
        return (
            None,
            "auto:N came with 2.1.9; what this version does with it no source says",
        );
    }
    let Some(percent) = value.strip_prefix("auto:") else {
        return (None, "no source says what this value does");
    };
    let digits = percent.bytes().all(|byte| byte.is_ascii_digit());
    match percent
        .parse::<u64>()
        .map_err(drop)
        .and_then(|n| digits.then_some(n).ok_or(()))
    {
        Ok(0) => (
            Some(Mode::Tst),
            "auto:0 means tst, always defer (notes on the client's source)",
        ),
        Ok(100) => (
            Some(Mode::Standard),
            "auto:100 means standard, never defer (notes on the client's source)",
        ),
        Ok(percent @ 1..=99) => (
            Some(Mode::TstAuto { percent }),
            "auto:N means defer from N percent of the window on",
        ),
        _ => (
            None,
            "no source says what a percentage outside 0 to 100 does",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    fn read(env: &[(&str, &str)], profile: &str) -> ModeReading {
        let env = env
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        let profile = Data::embedded().unwrap().profiles.get(profile).unwrap();
        mode(
            &RunSettings {
                env,
                ..RunSettings::default()
            },
            &profile,
        )
    }

    #[test]
    fn each_value_of_the_switch_names_its_mode() {
        for profile in ["legacy", "current"] {
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
                ("auto:+5", None),
                ("auto:", None),
                ("AUTO", None),
                ("maybe", None),
            ] {
                let reading = read(&[(ENABLE, value)], profile);
                assert_eq!(reading.mode, expected, "{value}");
                // The ends of the scale are known from the source notes alone.
                let ends = profile == "current" && matches!(value, "auto:0" | "auto:100");
                assert_eq!(reading.undocumented, expected.is_none() || ends, "{value}");
                assert!(reading.explicit && !reading.assumed);
            }
        }
    }

    #[test]
    fn unset_means_always_defer_and_says_whether_it_was_assumed() {
        let plain = read(&[], "legacy");
        assert_eq!((plain.mode, plain.assumed), (Some(Mode::Tst), true));
        let known = read(&[(ENABLE, "")], "current");
        assert_eq!(
            (known.mode, known.assumed, known.explicit),
            (Some(Mode::Tst), false, false)
        );
    }

    #[test]
    fn what_unset_means_depends_on_the_version() {
        let unset = |version| read(&[], version).mode;
        assert_eq!(unset("2.1.6"), Some(Mode::Standard));
        assert_eq!(unset("2.1.7"), Some(Mode::TstAuto { percent: 10 }));
        assert_eq!(unset("2.1.60"), None);
        assert_eq!(unset("2.1.240"), Some(Mode::Tst));
        assert_eq!(
            read(&[(ENABLE, "auto:5")], "2.1.8").mode,
            None,
            "auto:N came with 2.1.9"
        );
    }

    #[test]
    fn the_kill_switch_is_a_step_of_its_own() {
        let ask = |env: &[(&str, &str)]| {
            let env = env
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect();
            let step = kill_switch(&RunSettings {
                env,
                ..RunSettings::default()
            });
            (step.outcome, step.assumed)
        };
        assert_eq!(ask(&[]), (Outcome::Pass, true));
        assert_eq!(ask(&[(KILL, "")]), (Outcome::Pass, false));
        assert_eq!(ask(&[(KILL, "0")]), (Outcome::Pass, false));
        assert_eq!(
            ask(&[(KILL, "1"), (ENABLE, "true")]),
            (Outcome::Fail, false)
        );
    }
}
