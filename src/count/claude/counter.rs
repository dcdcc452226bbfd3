//! Claude's tokenizers as a counter.

use super::scope::{STRANGER, Scope};
use super::{Family, content_tokens, round};
use crate::count::Counter;
use crate::count::line::Line;
use crate::data::Models;
use crate::model::{Count, Evidence, Measure, Parts, RawTool, Text, TextSize, Tokens, ToolCount};
use std::sync::Arc;

/// Counts as the API does, for models of Claude's only.
#[derive(Debug, Clone)]
pub(in crate::count) struct Claude {
    /// Models in the place of the embedded ones.
    models: Option<Arc<Models>>,
}

impl Claude {
    /// With the embedded models.
    pub(in crate::count) const SHIPPED: Self = Self { models: None };

    /// With these models.
    pub(in crate::count) fn with(&self, models: &Arc<Models>) -> Self {
        Self {
            models: Some(Arc::clone(models)),
        }
    }
}

impl Measure for Claude {
    fn counter(&self) -> &'static str {
        "claude"
    }

    fn scope(&self, model: Option<&str>) -> u32 {
        let scope = model.and_then(|model| Scope::of(model, self.models.as_deref()));
        scope.map_or(STRANGER, Scope::code)
    }

    fn text(&self, scope: u32, text: Text<'_>) -> Count {
        match Scope::decoded(scope) {
            Some(scope) => scope.count(content_tokens(scope.family, text), scope.family_evidence),
            None => Count::UNKNOWN,
        }
    }

    /// The JSON as it is captured: an estimate, since the API writes what it means in other words.
    fn json(&self, scope: u32, raw: &str, _size: TextSize) -> Count {
        let tokens = |scope: Scope| Tokens(content_tokens(scope.family, Text::Plain(raw)));
        Scope::decoded(scope).map_or(Count::UNKNOWN, |scope| Count::estimated(tokens(scope)))
    }

    fn call(&self, scope: u32, name: Text<'_>, input: Option<(&str, TextSize)>) -> Count {
        let input = input.map(|(raw, _)| raw);
        Scope::decoded(scope).map_or(Count::UNKNOWN, |scope| {
            round::call(scope, &name.decode(), input)
        })
    }

    fn result(&self, scope: u32, texts: &[Text<'_>], with_more: bool) -> Count {
        Scope::decoded(scope).map_or(Count::UNKNOWN, |scope| {
            round::result(scope, texts, with_more)
        })
    }

    fn output_schema(&self, scope: u32, raw: &str) -> Count {
        Scope::decoded(scope).map_or(Count::UNKNOWN, |scope| round::output_schema(scope, raw))
    }

    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount {
        let Some(scope) = Scope::decoded(scope) else {
            return ToolCount::UNKNOWN;
        };
        let Some(line) = Line::of(tool, scope.escaping) else {
            return ToolCount::UNKNOWN;
        };
        let (tokens, parts) = line_tokens(scope.family, &line);
        // The thinnest of what the number rests on.
        let mut evidence = scope.family_evidence;
        if line.non_ascii {
            evidence = evidence.max(scope.escaping_evidence);
        }
        if line.untested {
            evidence = Evidence::C;
        }
        ToolCount {
            count: scope.count(tokens, evidence),
            parts: Some(parts),
        }
    }
}

impl Scope {
    pub(super) fn count(self, tokens: u64, evidence: Evidence) -> Count {
        match self.guessed {
            true => Count::estimated(Tokens(tokens)),
            false => Count::reconstructed(Tokens(tokens), evidence),
        }
    }
}

/// Tokens of a tool's line in the prompt, and of its parts counted as texts of their own.
///
/// The line is `<function>` JSON `</function>` and a newline; the tags cost the same round every JSON object
/// (measured on 472 tools of MCP servers), so that the JSON is counted alone.
fn line_tokens(family: Family, line: &Line) -> (u64, Parts) {
    let part = |text: &str| match text {
        "" => 0,
        text => content_tokens(family, Text::Plain(text)),
    };
    let total = family.line_wrap() + part(&line.json);
    let [name, description, schema] = [line.name(), line.description(), line.schema()].map(part);
    let signed = |tokens| i64::try_from(tokens).unwrap_or(i64::MAX);
    let parts = Parts {
        name,
        description,
        schema,
        wrapper: signed(total) - signed(name + description + schema),
    };
    (total, parts)
}

impl Counter for Claude {
    fn why_unknown(&self) -> &'static str {
        "it counts for models of Claude only; name one with --model"
    }

    fn with_models(&self, models: &Arc<Models>) -> Option<Box<dyn Measure>> {
        Some(Box::new(self.with(models)))
    }

    fn about(&self) -> &'static str {
        // data of 2026-08-19: count_tokens of Opus 5 with and without each set of tools.
        "Claude's tokenizers, an unofficial reconstruction; on eleven tool sets (254 tools) counted by Opus 5 its error \
         was 0; models of Claude only"
    }
}
