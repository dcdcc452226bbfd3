//! The built-in tools: prose in our own words, and the reader of its format.
//! A tool starts at `=== Name`; its description runs up to the first `@` line, its parameters
//! from there to the next tool.

mod announced;
mod loaded_first;
mod loaded_second;
mod plugin;

use crate::prose::flow;
use crate::schema::{parse, schema};
use crate::tool::{Tool, units};

/// The built-ins of a request, `ToolSearch` among them, by name.
pub(crate) fn loaded() -> Result<Vec<Tool>, String> {
    let mut tools = read(loaded_first::TEXT, None)?;
    tools.extend(read(loaded_second::TEXT, None)?);
    Ok(tools)
}

/// The built-ins which tool search announces by name only.
pub(crate) fn announced() -> Result<Vec<Tool>, String> {
    read(announced::TEXT, None)
}

/// The built-ins whose descriptions the plugin shortens; the schemas stay as they are.
pub(crate) fn shortened() -> Result<Vec<Tool>, String> {
    read(loaded_first::TEXT, Some(plugin::SHORT))
}

/// The MCP tool which the plugin always loads.
pub(crate) fn second_opinion() -> Result<Tool, String> {
    let mut tools = read(plugin::REVIEW, None)?;
    tools.pop().ok_or_else(|| "no review tool".to_owned())
}

/// Name and length of the shortened descriptions, for the check at the end.
pub(crate) fn short_lengths() -> Vec<(&'static str, usize)> {
    entries(plugin::SHORT)
        .map(|(name, body)| (name, units(&flow(body))))
        .collect()
}

/// Reads the tools of `source`; with `instead`, only those it describes, in its words.
fn read(source: &str, instead: Option<&str>) -> Result<Vec<Tool>, String> {
    let mut tools = Vec::new();
    for (name, body) in entries(source) {
        let at = body.find("\n@ ").ok_or("a tool without parameters")?;
        let (prose, table) = body.split_at(at);
        let prose = match instead {
            None => prose,
            Some(short) => match entries(short).find(|entry| entry.0 == name) {
                Some((_, prose)) => prose,
                None => continue,
            },
        };
        let schema = schema(&parse(table)?)?;
        tools.push(Tool::new(name, &flow(prose), &schema));
    }
    Ok(tools)
}

fn entries(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source
        .split("=== ")
        .filter_map(|entry| entry.split_once('\n'))
        .filter(|(name, _)| !name.is_empty())
}
