//! What captures with recorded sizes say of models: written by `calibrate`, read with `--calibration`.

use super::families::{Letter, NonAscii};
use super::models::{Model, Models, is_claude, model_key, nearest_family};
use serde::{Deserialize, Serialize};

/// `toolcost.calibration/1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The schema's name.
    pub schema: String,
    /// The version that wrote it.
    pub toolcost: String,
    /// The tables it was written with.
    pub data_version: String,
    /// Models, by id.
    #[serde(default)]
    pub model: Vec<CalibratedModel>,
}

/// What was found of one model. Absent = the captures do not tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibratedModel {
    /// Its id, as the API names it.
    pub id: String,
    /// Requests with a recorded size.
    pub requests: u64,
    /// Of those, requests whose parts are all known but for the prelude.
    pub complete: u64,
    /// The day of the newest of them (UTC).
    pub checked: Option<String>,
    /// The tokenizer family, where requests told it from the others.
    pub family: Option<String>,
    /// How letters beyond ASCII stand in definitions, where requests told.
    pub non_ascii: Option<NonAscii>,
    /// The prelude for `tool_choice` auto: the median of what the other parts leave.
    pub prelude_auto: Option<u64>,
    /// The same for any.
    pub prelude_any: Option<u64>,
    /// What deferring adds once, where requests with and without tell.
    pub deferral_block: Option<u64>,
    /// The other parts are exact within two tokens; absent where nothing is left to check that with.
    pub exact: Option<bool>,
    /// Complete requests within two tokens.
    pub within_two: u64,
    /// What the captures are too few for, in sentences.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How counters read on this model.
    #[serde(default)]
    pub counter: Vec<Fit>,
}

/// `recorded = slope · counted + intercept`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// The counter.
    pub counter: String,
    /// Requests it was fitted on.
    pub requests: u64,
    /// Recorded tokens for each counted one.
    pub slope: f64,
    /// Recorded tokens beside them.
    pub intercept: f64,
    /// Relative error of a request that the fit did not see: half lie within. Absent under three requests.
    pub median: Option<f64>,
    /// Nineteen of twenty lie within.
    pub p95: Option<f64>,
}

/// The schema's name.
pub const CALIBRATION: &str = "toolcost.calibration/1";

/// Slopes outside of this are no tokens of one text by two counters.
pub const SLOPES: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// A slope that differs by less from 1 changes no number that anyone sees.
const NO_SLOPE: f64 = 0.0005;

/// A line that half of the requests are farther from, or that nothing was held against, corrects nothing.
const WORTH: f64 = 0.25;

impl Calibration {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, with the line where it is known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let calibration: Self = toml::from_str(text).map_err(|e| {
            let line = e
                .span()
                .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            let place = line.map_or_else(String::new, |line| format!("line {line}: "));
            format!("{place}{}", e.message())
        })?;
        if calibration.schema != CALIBRATION {
            return Err(format!(
                "schema must be {CALIBRATION}; write the file anew with toolcost calibrate"
            ));
        }
        for model in &calibration.model {
            let own = |message: &str| Err(format!("model {}: {message}", model.id));
            if calibration
                .model
                .iter()
                .filter(|m| m.id == model.id)
                .count()
                > 1
            {
                return own("is there twice");
            }
            if let Some(family) = &model.family
                && !["v3", "v47", "v48"].contains(&family.as_str())
            {
                return own("family must be v3, v47 or v48");
            }
            for fit in &model.counter {
                if !SLOPES.contains(&fit.slope) || !fit.intercept.is_finite() {
                    return own(
                        "a slope must lie between 0.1 and 10, and an intercept be a number",
                    );
                }
            }
        }
        Ok(calibration)
    }

    /// The slope of a counter on a model, where it is not simply right and requests stood up for it.
    pub fn slope(&self, id: &str, counter: &str) -> Option<f64> {
        let model = self.model.iter().find(|model| model.id == id)?;
        let fit = model.counter.iter().find(|fit| fit.counter == counter)?;
        let right = counter == "claude" && model.exact != Some(false);
        let told = fit.median.is_some_and(|median| median <= WORTH);
        (told && !right && (fit.slope - 1.0).abs() >= NO_SLOPE).then_some(fit.slope)
    }
}

impl Models {
    /// Takes over what captures said of models of Claude's; other models have no constants here.
    pub fn calibrate(&mut self, calibration: &Calibration) {
        for found in &calibration.model {
            let Some(mut row) = self.row_for(&found.id) else {
                continue;
            };
            let checked = found.exact == Some(true);
            // Three requests that agree are several; fewer are not.
            let evidence = match checked && found.within_two >= 3 {
                true => Letter::B,
                false => Letter::C,
            };
            if let Some(family) = &found.family {
                row.family.clone_from(family);
                row.family_evidence = evidence.min(row.family_evidence);
            }
            if let Some(non_ascii) = found.non_ascii {
                row.non_ascii = non_ascii;
                row.non_ascii_evidence = evidence.min(row.non_ascii_evidence);
            }
            if let Some(prelude) = found.prelude_auto {
                row.prelude_auto = Some(prelude);
                row.prelude_evidence = Some(evidence);
                row.prelude_source = Some(CALIBRATION.to_owned());
            }
            row.prelude_any = found.prelude_any.or(row.prelude_any);
            row.deferral_block = found.deferral_block.or(row.deferral_block);
            if checked {
                row.checked = found.checked.clone().or(row.checked);
            }
            self.model.insert(0, row);
        }
    }

    /// Reads models of Claude's as of this family and this escaping, whatever the table says.
    pub fn read_as(&mut self, ids: &[String], family: &str, non_ascii: NonAscii) {
        for id in ids {
            if let Some(mut row) = self.row_for(id) {
                family.clone_into(&mut row.family);
                row.non_ascii = non_ascii;
                self.model.insert(0, row);
            }
        }
    }

    /// A row for this id alone: the table's, or one of the nearest generation.
    fn row_for(&self, id: &str) -> Option<Model> {
        let id = model_key(id);
        let near = |family: &str| {
            let of_family = |row: &&Model| row.family == family;
            let row = self.model.iter().find(of_family)?;
            Some(Model {
                family_evidence: Letter::C,
                non_ascii_evidence: Letter::C,
                checked: None,
                status: "unknown".to_owned(),
                source: "nearest generation".to_owned(),
                ..row.without_numbers()
            })
        };
        let known = self.get(&id).cloned();
        let row = known.or_else(|| is_claude(&id).then(|| near(nearest_family(&id)))?)?;
        Some(Model {
            id,
            aliases: Vec::new(),
            ..row
        })
    }
}
