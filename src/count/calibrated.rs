//! A counter as captures with recorded sizes corrected it: other constants of models, and a slope where it reads high or low.

use super::Counter;
use crate::data::{Calibration, Models, is_claude, model_key};
use crate::model::{Count, Measure, Parts, RawTool, Source, Text, TextSize, Tokens, ToolCount};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the number of a slope stands in a scope; counters' own scopes are smaller.
const SLOPE: u32 = 16;

/// A counter with the slopes of models.
pub struct Calibrated {
    shipped: &'static dyn Counter,
    own: Option<Box<dyn Measure>>,
    slopes: Vec<f64>,
    /// Where the slope of a model stands, from 1 on.
    places: BTreeMap<String, u32>,
}

impl Calibrated {
    /// A counter with what a calibration says of it, and with the models it made.
    pub fn new(shipped: &'static dyn Counter, models: &Arc<Models>, by: &Calibration) -> Self {
        let corrected = by.model.iter().filter_map(|model| {
            let name = match shipped.counter() {
                "auto" if is_claude(&model.id) => "claude",
                "auto" => "chars",
                name => name,
            };
            Some((model_key(&model.id), model.slope(name)?))
        });
        let mut slopes = Vec::new();
        let mut places = BTreeMap::new();
        for (place, (id, slope)) in (1..1 << SLOPE).zip(corrected) {
            slopes.push(slope);
            places.insert(id, place);
        }
        Self {
            shipped,
            own: shipped.with_models(models),
            slopes,
            places,
        }
    }

    fn inner(&self) -> &dyn Measure {
        self.own.as_deref().unwrap_or(self.shipped)
    }

    /// The scope of the counter itself, and the slope.
    fn split(&self, scope: u32) -> (u32, Option<f64>) {
        let at = (scope >> SLOPE) as usize;
        let slope = at.checked_sub(1).and_then(|at| self.slopes.get(at));
        (scope & ((1 << SLOPE) - 1), slope.copied())
    }

    fn scaled(&self, scope: u32, count: impl FnOnce(&dyn Measure, u32) -> Count) -> Count {
        let (scope, slope) = self.split(scope);
        let count = count(self.inner(), scope);
        slope.map_or(count, |slope| Count {
            tokens: count.tokens.map(|tokens| scale(tokens, slope)),
            source: count.source.max(Source::Estimated),
            evidence: None,
            ..count
        })
    }
}

fn scale(tokens: Tokens, slope: f64) -> Tokens {
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate, far below 2^53 tokens; slopes are positive and `as` saturates"
    )]
    let scaled = (tokens.0 as f64 * slope).round() as u64;
    Tokens(scaled)
}

impl Measure for Calibrated {
    fn counter(&self) -> &'static str {
        self.inner().counter()
    }

    fn scope(&self, model: Option<&str>) -> u32 {
        let place = model.and_then(|model| self.places.get(&model_key(model)));
        self.inner().scope(model) | place.map_or(0, |place| place << SLOPE)
    }

    fn text(&self, scope: u32, text: Text<'_>) -> Count {
        self.scaled(scope, |inner, scope| inner.text(scope, text))
    }

    fn json(&self, scope: u32, raw: &str, size: TextSize) -> Count {
        self.scaled(scope, |inner, scope| inner.json(scope, raw, size))
    }

    fn call(&self, scope: u32, name: Text<'_>, input: Option<(&str, TextSize)>) -> Count {
        self.scaled(scope, |inner, scope| inner.call(scope, name, input))
    }

    fn result(&self, scope: u32, texts: &[Text<'_>], with_more: bool) -> Count {
        self.scaled(scope, |inner, scope| inner.result(scope, texts, with_more))
    }

    fn output_schema(&self, scope: u32, raw: &str) -> Count {
        self.scaled(scope, |inner, scope| inner.output_schema(scope, raw))
    }

    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount {
        let mut parts = None;
        let count = self.scaled(scope, |inner, scope| {
            let ToolCount { count, parts: own } = inner.tool(scope, tool);
            parts = own;
            count
        });
        if let (Some(slope), Some(own)) = (self.split(scope).1, parts) {
            let [name, description, schema] =
                [own.name, own.description, own.schema].map(|part| scale(Tokens(part), slope).0);
            let signed = |tokens| i64::try_from(tokens).unwrap_or(i64::MAX);
            let whole = count.tokens.map_or(0, |tokens| signed(tokens.0));
            parts = Some(Parts {
                name,
                description,
                schema,
                wrapper: whole - signed(name + description + schema),
            });
        }
        ToolCount { count, parts }
    }
}
