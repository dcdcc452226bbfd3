//! A baseline: the numbers of an earlier check, in a form that a diff shows well.

use super::measured::{Measured, numbered};
use super::{CheckOptions, Settings};
use crate::data::DATA_VERSION;
use crate::model::LimitScope;
use crate::pipeline::Outcome;
use crate::summary::ToolSize;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema's name.
const BASELINE: &str = "toolcost.baseline/1";

/// `toolcost.baseline/1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The schema's name.
    pub schema: String,
    /// The version that wrote it.
    pub toolcost: String,
    /// The tables it was made with.
    pub data_version: String,
    /// The counter.
    pub counter: String,
    /// The model given by flag.
    pub model: Option<String>,
    /// What a calibration corrected, in words.
    #[serde(default)]
    pub calibrated: Option<String>,
    /// Runs by name.
    pub runs: Vec<BaselineRun>,
}

/// A run of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineRun {
    /// Its name.
    pub run: String,
    /// Its models.
    pub models: Vec<String>,
    /// Definitions in the prompt.
    pub loaded: Option<u64>,
    /// Definitions held back.
    pub deferred: Option<u64>,
    /// Both.
    pub all: Option<u64>,
    /// The whole request.
    pub request: Option<u64>,
    /// Tools by name.
    pub tools: Vec<BaselineTool>,
}

/// A tool of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineTool {
    /// Its name.
    pub name: String,
    /// What the wire showed.
    pub state: String,
    /// Tokens of its definition.
    pub size: Option<u64>,
}

/// Why a baseline cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the baseline cannot be compared: {0}; write it anew with --update-baseline")]
pub struct BaselineError(pub String);

impl BaselineRun {
    /// The tool of a name, the n-th of it.
    pub(super) fn tool(&self, name: &str, at: usize) -> Option<&BaselineTool> {
        let mut own = self.tools.iter().filter(|tool| tool.name == name);
        own.nth(at)
    }

    pub(super) fn scope(&self, scope: LimitScope) -> Option<u64> {
        match scope {
            LimitScope::Loaded => self.loaded,
            LimitScope::Deferred => self.deferred,
            LimitScope::All => self.all,
            LimitScope::Request => self.request,
            LimitScope::Share => None,
        }
    }
}

impl Baseline {
    /// Reads the text of a file: a baseline, or a report in JSON.
    ///
    /// # Errors
    /// A file that is neither, or was made by `auto`.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let bad = |message: &str| BaselineError(message.to_owned());
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|e| BaselineError(format!("line {}: not valid JSON", e.line())))?;
        let baseline = match value["schema"].as_str() {
            Some(BASELINE) => serde_json::from_value(value)
                .map_err(|e| BaselineError(format!("not as {BASELINE} has it: {e}")))?,
            Some("toolcost.report/1") => of_report(&value).ok_or_else(|| {
                bad("the report lacks what a baseline needs, or was made with --filter")
            })?,
            Some(_) => {
                return Err(bad(
                    "its schema is neither toolcost.baseline/1 nor toolcost.report/1",
                ));
            }
            None => return Err(bad("it is no output of toolcost")),
        };
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = baseline.runs.iter().find(|run| !seen.insert(&run.run)) {
            return Err(BaselineError(format!(
                "the run {} is there twice",
                twice.run
            )));
        }
        if baseline.counter == "auto" {
            return Err(bad(
                "it was made by the counter auto, which may count otherwise tomorrow",
            ));
        }
        Ok(baseline)
    }

    /// Can the numbers of an outcome be held against it?
    ///
    /// # Errors
    /// What differs.
    pub(super) fn fits(&self, outcome: &Outcome, settings: &Settings) -> Result<(), BaselineError> {
        let differs = |what: &str, then: &str, now: &str| {
            Err(BaselineError(format!("{what} was {then}, and is {now}")))
        };
        if self.counter != settings.counter {
            return differs("the counter", &self.counter, &settings.counter);
        }
        if self.data_version != DATA_VERSION {
            return differs("the tables' day", &self.data_version, DATA_VERSION);
        }
        let model =
            |model: &Option<String>| model.clone().unwrap_or_else(|| "the capture's".to_owned());
        if self.model != settings.model {
            return differs("the model", &model(&self.model), &model(&settings.model));
        }
        let calibrated = calibrated(settings);
        if self.calibrated != calibrated {
            let none = || "none".to_owned();
            return differs(
                "the calibration",
                &self.calibrated.clone().unwrap_or_else(none),
                &calibrated.unwrap_or_else(none),
            );
        }
        for known in &self.runs {
            let Some(summary) = outcome.runs.get(known.run.as_str()) else {
                continue;
            };
            let now: Vec<&str> = summary.models.iter().map(|model| &**model).collect();
            if known.models != now {
                let what = format!("the model of {}", known.run);
                return differs(&what, &known.models.join(", "), &now.join(", "));
            }
        }
        Ok(())
    }

    /// The run of that name.
    pub(super) fn run(&self, name: &str) -> Option<&BaselineRun> {
        self.runs.iter().find(|run| run.run == name)
    }

    /// The numbers of an outcome, sorted.
    pub fn of(outcome: &Outcome, options: &CheckOptions<'_>) -> Self {
        let runs = outcome.runs.iter().filter(|(_, run)| run.first.is_some());
        let runs = runs.map(|(name, summary)| {
            let run = Measured::of(name, summary, options);
            let first = run.checked();
            // Of several sessions the largest; of tools of one name each by itself.
            let mut most: BTreeMap<(&str, usize), &ToolSize> = BTreeMap::new();
            for (at, tool) in run.rows.iter().flat_map(|row| numbered(row)) {
                let slot = most.entry((&tool.name, at)).or_insert(tool);
                if tool.size.tokens > slot.size.tokens {
                    *slot = tool;
                }
            }
            let tools = most.into_values().map(|tool| BaselineTool {
                name: tool.name.to_string(),
                state: tool.state.word().to_owned(),
                size: tool.size.tokens.map(|tokens| tokens.0),
            });
            let tools: Vec<BaselineTool> = tools.collect();
            BaselineRun {
                run: name.to_string(),
                models: summary.models.iter().map(ToString::to_string).collect(),
                loaded: first.loaded,
                deferred: first.deferred,
                all: first.all,
                request: first.request,
                tools,
            }
        });
        Self {
            schema: BASELINE.to_owned(),
            toolcost: env!("CARGO_PKG_VERSION").to_owned(),
            data_version: DATA_VERSION.to_owned(),
            counter: options.settings.counter.clone(),
            model: options.settings.model.clone(),
            calibrated: calibrated(&options.settings),
            runs: runs.collect(),
        }
    }

    /// The file's text: one line a tool, so that a diff shows what changed.
    ///
    /// # Errors
    /// None that a baseline of ours can have.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut bare = self.clone();
        for run in &mut bare.runs {
            run.tools.clear();
        }
        let mut text = serde_json::to_string_pretty(&bare)?;
        for run in &self.runs {
            let lines = run
                .tools
                .iter()
                .map(|tool| serde_json::to_string(tool).map(|line| format!("        {line}")))
                .collect::<serde_json::Result<Vec<_>>>()?;
            let list = match lines.is_empty() {
                true => "\"tools\":[]".to_owned(),
                false => format!("\"tools\": [\n{}\n      ]", lines.join(",\n")),
            };
            text = text.replacen("\"tools\": []", &list, 1);
        }
        Ok(plain(&text.replace("\"tools\":[]", "\"tools\": []")) + "\n")
    }
}

/// What is not ASCII as an escape: a diff shows what is there.
fn plain(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c.is_ascii() {
            true => out.push(c),
            false => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out
}

/// What a calibration corrected, so that it can be held against another.
fn calibrated(settings: &Settings) -> Option<String> {
    let corrected = settings.calibrated.as_ref()?.corrected.iter();
    let said: Vec<String> = corrected
        .map(|one| format!("{} {} x{}", one.model, one.counter, one.slope))
        .collect();
    Some(said.join(", "))
}

/// What of a report a baseline needs.
fn of_report(report: &serde_json::Value) -> Option<Baseline> {
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let run = |run: &serde_json::Value| {
        // A report with --filter does not hold every tool.
        if run["tools_left_out"].as_u64() != Some(0) {
            return None;
        }
        let tool = |tool: &serde_json::Value| {
            Some(BaselineTool {
                name: text(&tool["name"])?,
                state: text(&tool["state"])?,
                size: tool["size"].as_u64(),
            })
        };
        let tools: Vec<BaselineTool> = run["tools"]
            .as_array()?
            .iter()
            .filter(|tool| tool["later"] != true)
            .map(tool)
            .collect::<Option<_>>()?;
        let sum = |in_prompt: &[&str]| {
            let own = tools
                .iter()
                .filter(|tool| in_prompt.contains(&tool.state.as_str()));
            own.map(|tool| tool.size)
                .try_fold(0_u64, |sum, size| sum.checked_add(size?))
        };
        Some(BaselineRun {
            run: text(&run["run"])?,
            models: run["models"].as_array()?.iter().filter_map(text).collect(),
            loaded: sum(&["loaded", "discovered"]),
            deferred: sum(&["deferred", "announced"]),
            all: sum(&["loaded", "discovered", "deferred", "announced"]),
            request: run["first"]["request"].as_u64(),
            tools,
        })
    };
    Some(Baseline {
        schema: BASELINE.to_owned(),
        toolcost: text(&report["toolcost"])?,
        data_version: text(&report["data_version"])?,
        counter: text(&report["settings"]["counter"])?,
        model: text(&report["settings"]["model"]),
        calibrated: None,
        runs: report["runs"]
            .as_array()?
            .iter()
            .map(run)
            .collect::<Option<_>>()?,
    })
}
