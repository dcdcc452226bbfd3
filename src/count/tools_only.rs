//! A counter that counts tools and nothing else: messages are most of the bytes, and some answers do not need them.

use crate::model::{Count, Measure, RawTool, Text, TextSize, ToolCount};

/// A counter, of which only what it says of definitions is asked. Of all other texts nobody knows the tokens.
#[derive(Clone, Copy)]
pub struct ToolsOnly<'a>(pub &'a dyn Measure);

impl Measure for ToolsOnly<'_> {
    fn counter(&self) -> &'static str {
        self.0.counter()
    }

    fn scope(&self, model: Option<&str>) -> u32 {
        self.0.scope(model)
    }

    fn counts_messages(&self) -> bool {
        false
    }

    fn text(&self, _scope: u32, _text: Text<'_>) -> Count {
        Count::UNKNOWN
    }

    fn json(&self, _scope: u32, _raw: &str, _size: TextSize) -> Count {
        Count::UNKNOWN
    }

    fn call(&self, _scope: u32, _name: Text<'_>, _input: Option<(&str, TextSize)>) -> Count {
        Count::UNKNOWN
    }

    fn result(&self, _scope: u32, _texts: &[Text<'_>], _with_more: bool) -> Count {
        Count::UNKNOWN
    }

    fn output_schema(&self, _scope: u32, _raw: &str) -> Count {
        Count::UNKNOWN
    }

    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount {
        self.0.tool(scope, tool)
    }

    fn tool_as_text(&self, scope: u32, text: Text<'_>) -> Count {
        self.0.tool_as_text(scope, text)
    }
}
