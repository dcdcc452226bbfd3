//! `ENABLE_TOOL_SEARCH` and the kill switch → mode (seed 000's table; seed 003's order).

use crate::model::{Given, Outcome, RunSettings, Step};

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
    pub evidence: &'static str,
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
        let (input, evidence) = (self.input.clone(), self.evidence.to_owned());
        Step {
            name: "mode",
            input,
            assumed: self.assumed,
            outcome,
            evidence,
        }
    }
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

/// The kill switch as a step: set, it forces standard, whatever else is set.
pub fn kill_switch(settings: &RunSettings) -> Step {
    let given = settings.env(KILL);
    let (input, assumed, pass, evidence) = match given {
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
    let outcome = if pass { Outcome::Pass } else { Outcome::Fail };
    Step {
        name: "kill-switch",
        input,
        assumed,
        outcome,
        evidence: evidence.to_owned(),
    }
}

/// Reads the mode from a run's settings.
pub fn mode(settings: &RunSettings, default_percent: u64) -> ModeReading {
    let unset = |input: String, assumed| ModeReading {
        mode: Some(Mode::Tst),
        input,
        assumed,
        evidence: "unset means tst, always defer",
        explicit: false,
    };
    match settings.env(ENABLE) {
        Given::Assumed => unset(format!("{ENABLE} assumed unset"), true),
        Given::Unset => unset(format!("{ENABLE} unset"), false),
        Given::Value(value) => {
            let (mode, evidence) = of_value(value, default_percent);
            // A value without meaning may be anything: it is not repeated.
            let input = match mode {
                Some(_) => format!("{ENABLE}={value}"),
                None => format!("{ENABLE} has a value without a documented meaning"),
            };
            ModeReading {
                mode,
                input,
                assumed: false,
                evidence,
                explicit: true,
            }
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
