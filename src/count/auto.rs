//! The best counter for each model: Claude's own for Claude's models, the client's rule of thumb for all others.

use super::Counter;
use super::chars::Chars;
use super::claude::{Claude, STRANGER};
use crate::model::{Count, Measure, RawTool, Text, TextSize, ToolCount};

/// Chooses by model. A model that nobody named is nobody's: it is estimated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Auto;

/// The counter of a scope.
fn of(scope: u32) -> &'static dyn Measure {
    match scope {
        STRANGER => &Chars,
        _ => &Claude,
    }
}

impl Measure for Auto {
    fn counter(&self) -> &'static str {
        "auto"
    }

    fn scope(&self, model: Option<&str>) -> u32 {
        Claude.scope(model)
    }

    fn text(&self, scope: u32, text: Text<'_>) -> Count {
        of(scope).text(scope, text)
    }

    fn json(&self, scope: u32, raw: &str, size: TextSize) -> Count {
        of(scope).json(scope, raw, size)
    }

    fn call(&self, scope: u32, name: Text<'_>, input: Option<(&str, TextSize)>) -> Count {
        of(scope).call(scope, name, input)
    }

    fn result(&self, scope: u32, texts: &[Text<'_>], with_more: bool) -> Count {
        of(scope).result(scope, texts, with_more)
    }

    fn output_schema(&self, scope: u32, raw: &str) -> Count {
        of(scope).output_schema(scope, raw)
    }

    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount {
        of(scope).tool(scope, tool)
    }
}

impl Counter for Auto {
    fn about(&self) -> &'static str {
        "what the API recorded, else claude for models of Claude, else chars"
    }

    fn about_estimates(&self) -> &'static str {
        Chars.about()
    }
}
