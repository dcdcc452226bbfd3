//! The best counter for each model: Claude's own for Claude's models, the client's rule of thumb for all others.

use super::Counter;
use super::chars::Chars;
use super::claude::{Claude, STRANGER};
use crate::data::Models;
use crate::model::{Count, Measure, RawTool, Text, TextSize, ToolCount};
use std::sync::Arc;

/// Chooses by model. A model that nobody named is nobody's: it is estimated.
#[derive(Debug, Clone)]
pub(super) struct Auto {
    claude: Claude,
}

impl Auto {
    /// With the embedded models.
    pub(super) const SHIPPED: Self = Self {
        claude: Claude::SHIPPED,
    };

    /// The counter of a scope.
    fn of(&self, scope: u32) -> &dyn Measure {
        match scope {
            STRANGER => &Chars,
            _ => &self.claude,
        }
    }
}

impl Measure for Auto {
    fn counter(&self) -> &'static str {
        "auto"
    }

    fn scope(&self, model: Option<&str>) -> u32 {
        self.claude.scope(model)
    }

    fn text(&self, scope: u32, text: Text<'_>) -> Count {
        self.of(scope).text(scope, text)
    }

    fn json(&self, scope: u32, raw: &str, size: TextSize) -> Count {
        self.of(scope).json(scope, raw, size)
    }

    fn call(&self, scope: u32, name: Text<'_>, input: Option<(&str, TextSize)>) -> Count {
        self.of(scope).call(scope, name, input)
    }

    fn result(&self, scope: u32, texts: &[Text<'_>], with_more: bool) -> Count {
        self.of(scope).result(scope, texts, with_more)
    }

    fn output_schema(&self, scope: u32, raw: &str) -> Count {
        self.of(scope).output_schema(scope, raw)
    }

    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount {
        self.of(scope).tool(scope, tool)
    }
}

impl Counter for Auto {
    fn why_unknown(&self) -> &'static str {
        Chars.why_unknown()
    }

    fn with_models(&self, models: &Arc<Models>) -> Option<Box<dyn Measure>> {
        Some(Box::new(Self {
            claude: self.claude.with(models),
        }))
    }

    fn about(&self) -> &'static str {
        "what the API recorded, else claude for models of Claude, else chars"
    }

    fn about_estimates(&self) -> &'static str {
        Chars.about_estimates()
    }
}
