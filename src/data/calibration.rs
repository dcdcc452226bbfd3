//! What captures with recorded sizes say of models: written by `calibrate`, read with `--calibration`.

use super::families::{Letter, NonAscii};
use super::models::{Model, Models, is_claude, model_key, nearest_family};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    /// Requests with a recorded size, copies of one request included.
    pub requests: u64,
    /// Different ones of those whose parts are all known but for the prelude.
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
    /// Requests of different sizes that agree on `prelude_auto`.
    #[serde(default)]
    pub prelude_agree: u64,
    /// What deferring adds once, where requests with and without tell.
    pub deferral_block: Option<u64>,
    /// The other parts are exact within two tokens; absent where nothing is left to check that with.
    pub exact: Option<bool>,
    /// Different complete requests within two tokens.
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
    /// Different requests it was fitted on; of many, evenly chosen ones.
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

/// Nothing adds more tokens than this once.
pub const MOST_TOKENS: u64 = 1_000_000;

/// No line passes zero farther away than this.
pub const MOST_BESIDE: f64 = 1e9;

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
        let mut ids = BTreeSet::new();
        for model in &calibration.model {
            let fault = match ids.insert(model_key(&model.id)) {
                true => model.fault(),
                false => Some("is there twice".to_owned()),
            };
            if let Some(fault) = fault {
                return Err(format!("model {}: {fault}", model.id));
            }
        }
        Ok(calibration)
    }
}

impl CalibratedModel {
    /// What no calibration writes.
    fn fault(&self) -> Option<String> {
        if let Some(family) = &self.family
            && !["v3", "v47", "v48"].contains(&family.as_str())
        {
            return Some("family must be v3, v47 or v48".to_owned());
        }
        let tokens = [
            ("prelude_auto", self.prelude_auto),
            ("prelude_any", self.prelude_any),
            ("deferral_block", self.deferral_block),
        ];
        for (key, tokens) in tokens {
            if tokens.is_some_and(|tokens| tokens > MOST_TOKENS) {
                return Some(format!("{key} must be at most 1,000,000 tokens"));
            }
        }
        if self.checked.as_deref().is_some_and(|day| !is_day(day)) {
            return Some("checked must be a day, as in 2026-11-30".to_owned());
        }
        self.counter.iter().find_map(|fit| {
            let fault = fit.fault()?;
            Some(format!("counter {}: {fault}", fit.counter))
        })
    }

    /// The slope of a counter, where it is not simply right and requests stood up for it.
    pub fn slope(&self, counter: &str) -> Option<f64> {
        let fit = self.counter.iter().find(|fit| fit.counter == counter)?;
        let right = counter == "claude" && self.exact != Some(false);
        let told = fit.median.is_some_and(|median| median <= WORTH);
        (told && !right && (fit.slope - 1.0).abs() >= NO_SLOPE).then_some(fit.slope)
    }
}

impl Fit {
    fn fault(&self) -> Option<&'static str> {
        let error = |error: Option<f64>| error.is_none_or(|e| e.is_finite() && e >= 0.0);
        if !SLOPES.contains(&self.slope) {
            return Some("slope must lie between 0.1 and 10");
        }
        if self.intercept.is_nan() || self.intercept.abs() > MOST_BESIDE {
            return Some("intercept must lie between -1,000,000,000 and 1,000,000,000");
        }
        if !error(self.median) || !error(self.p95) {
            return Some("median and p95 must be numbers from 0 on");
        }
        None
    }
}

/// A day of the calendar, in the one form that sorts.
fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

impl Models {
    /// Takes over what captures said of models of Claude's; other models have no constants here.
    pub fn calibrate(&mut self, calibration: &Calibration) {
        let rows = calibration.model.iter().filter_map(|found| {
            let mut row = self.row_for(&found.id)?;
            let checked = found.exact == Some(true);
            // Three different requests that agree are several; fewer are not.
            let letter = |agree| match checked && agree >= 3 {
                true => Letter::B,
                false => Letter::C,
            };
            let evidence = letter(found.within_two);
            if let Some(family) = &found.family {
                row.family.clone_from(family);
                row.family_evidence = evidence.min(row.family_evidence);
            }
            if let Some(non_ascii) = found.non_ascii {
                row.non_ascii = non_ascii;
                row.non_ascii_evidence = evidence.min(row.non_ascii_evidence);
            }
            if let Some(prelude) = found.prelude_auto {
                let evidence = letter(found.prelude_agree);
                let same = row.prelude_auto == Some(prelude);
                // What the table says already is not weaker for being seen again.
                let known = |known: Option<Letter>| known.unwrap_or(Letter::B) <= evidence;
                if !same || !known(row.prelude_evidence) {
                    row.prelude_auto = Some(prelude);
                    row.prelude_evidence = Some(evidence);
                    row.prelude_source = Some(CALIBRATION.to_owned());
                }
            }
            row.prelude_any = found.prelude_any.or(row.prelude_any);
            row.deferral_block = found.deferral_block.or(row.deferral_block);
            if checked {
                row.checked = found.checked.clone().max(row.checked);
            }
            Some(row)
        });
        let rows: Vec<Model> = rows.collect();
        self.put_first(rows);
    }

    /// Reads models of Claude's as of this family and this escaping, whatever the table says.
    pub fn read_as(&mut self, ids: &[String], family: &str, non_ascii: NonAscii) {
        let rows = ids.iter().filter_map(|id| {
            let mut row = self.row_for(id)?;
            family.clone_into(&mut row.family);
            row.non_ascii = non_ascii;
            Some(row)
        });
        let rows: Vec<Model> = rows.collect();
        self.put_first(rows);
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
