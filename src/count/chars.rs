//! The client's own rule of thumb: 2.5 characters a token, characters being UTF-16 units.

use super::Counter;
use crate::model::{Count, Measure, Parts, RawTool, Text, TextSize, Tokens, ToolCount};

/// `floor(characters · 2 / 5)` of a text, or of name + description + schema of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chars;

/// Tokens of so many characters.
fn tokens(chars: u64) -> u64 {
    u64::try_from(u128::from(chars) * 2 / 5).unwrap_or(u64::MAX)
}

impl Measure for Chars {
    fn counter(&self) -> &'static str {
        "chars"
    }

    fn scope(&self, _model: Option<&str>) -> u32 {
        0
    }

    fn text(&self, _scope: u32, text: Text<'_>) -> Count {
        Count::estimated(Tokens(tokens(text.size().units)))
    }

    fn json(&self, _scope: u32, _raw: &str, size: TextSize) -> Count {
        Count::estimated(Tokens(tokens(size.units)))
    }

    fn tool(&self, _scope: u32, tool: &RawTool<'_>) -> ToolCount {
        let total = tokens(tool.sizes.chars.0);
        let [name, description, schema] = [
            tool.sizes.name,
            tool.sizes.description.unwrap_or_default(),
            tool.sizes.schema.unwrap_or_default(),
        ]
        .map(|chars| tokens(chars.0));
        // Each part is rounded down, so what is left over is 0, 1 or 2.
        let wrapper = i64::try_from(total - name - description - schema).unwrap_or(0);
        let parts = Parts {
            name,
            description,
            schema,
            wrapper,
        };
        ToolCount {
            count: Count::estimated(Tokens(total)),
            parts: Some(parts),
        }
    }
}

impl Counter for Chars {
    fn why_unknown(&self) -> &'static str {
        "the text was not captured whole"
    }

    fn about(&self) -> &'static str {
        // Measured on 254 definitions of eleven MCP servers against count_tokens of Opus 5, and on the first request
        // of one recorded trace of Sonnet 4 (known parts 23,232, recorded 15,036), 2026-11-30.
        "2.5 characters a token; on 254 tools counted by Opus 5 its error lay between −27 % and +20 % in 90 %, \
         before Opus 4.7 it reads about half too high"
    }

    fn about_estimates(&self) -> &'static str {
        "2.5 characters a token; before Opus 4.7 it reads about half too high"
    }
}
