//! Counters ranked by their error on sets of tools, and on each tool; raw, and scaled by the median ratio of the other sets.

use crate::Spread;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fmt::Write as _;
use toolcost::count::{COUNTERS, Counter};
use toolcost::model::{Chars, RawTool, Text, ToolSizes};

type Fault = Box<dyn std::error::Error>;

/// The prelude of Opus 5, once in each recorded number.
const PRELUDE: f64 = 286.0;

#[derive(Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    description: String,
    input_schema: Box<RawValue>,
}

#[derive(Deserialize)]
struct Row {
    model: String,
    kind: String,
    api_tokens: f64,
    #[serde(default)]
    tools: Vec<Tool>,
    /// Exact: the set's sum is what the API said.
    #[serde(default)]
    per_tool: Vec<f64>,
}

/// Characters as the client sums them.
fn sizes(tool: &Tool) -> ToolSizes {
    let units = |text: &str| Chars(text.encode_utf16().count() as u64);
    let compact: serde_json::Value =
        serde_json::from_str(tool.input_schema.get()).unwrap_or_default();
    let (name, description, schema) = (
        units(&tool.name),
        units(&tool.description),
        units(&compact.to_string()),
    );
    ToolSizes {
        chars: name + description + schema,
        name,
        description: Some(description),
        schema: Some(schema),
        ..ToolSizes::default()
    }
}

#[allow(clippy::cast_precision_loss, reason = "token counts of tools")]
fn count(counter: &dyn Counter, model: &str, tool: &Tool) -> Option<f64> {
    let raw = RawTool {
        name: Text::Plain(&tool.name),
        description: Some(Text::Plain(&tool.description)),
        schema: Some(tool.input_schema.get()),
        sizes: sizes(tool),
    };
    let counted = counter.tool(counter.scope(Some(model)), &raw);
    counted.count.tokens.map(|tokens| tokens.0 as f64)
}

/// One counter on all sets: counts of each tool, by set.
fn counts(counter: &dyn Counter, sets: &[Row]) -> Option<Vec<Vec<f64>>> {
    let set = |set: &Row| {
        set.tools
            .iter()
            .map(|tool| count(counter, &set.model, tool))
            .collect()
    };
    sets.iter().map(set).collect()
}

/// The median ratio of truth to count over all tools but those of one set.
fn ratio(counted: &[Vec<f64>], sets: &[Row], without: usize) -> f64 {
    let mut ratios = Spread::default();
    for (at, (counted, set)) in counted.iter().zip(sets).enumerate() {
        if at != without {
            counted
                .iter()
                .zip(&set.per_tool)
                .for_each(|(counted, truth)| ratios.add(truth / counted));
        }
    }
    ratios.at(0.5)
}

fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

pub(crate) fn page(oracle: &str) -> Result<String, Fault> {
    let rows: Vec<Row> = oracle
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let sets: Vec<Row> = rows
        .into_iter()
        .filter(|row| row.kind == "tools-delta")
        .collect();
    let tools: usize = sets.iter().map(|set| set.tools.len()).sum();
    let mut text = format!(
        "\n## Counters on tool definitions\n\n{} sets, {tools} tools, counted by the API for Opus 5. Errors relative to the truth; absolute values but for the range.\n\
         Calibrated: scaled by the median ratio of the tools of all other sets. Earlier models have another tokenizer, on which `chars`, `o200k` and the others read higher.\n\n\
         | Counter | | Tools: median | 95 % within | 90 % lie between | Sets: median | Worst set |\n| :-- | :-- | --: | --: | --: | --: | --: |\n",
        sets.len()
    );
    for counter in COUNTERS
        .iter()
        .filter(|counter| counter.counter() != "auto")
    {
        let Some(counted) = counts(*counter, &sets) else {
            let _ = writeln!(text, "| {} | | ? | ? | ? | ? | ? |", counter.counter());
            continue;
        };
        for (name, calibrated) in [("raw", false), ("calibrated", true)] {
            let (mut by_tool, mut by_set) = (Spread::default(), Spread::default());
            for (at, set) in sets.iter().enumerate() {
                let scale = if calibrated {
                    ratio(&counted, &sets, at)
                } else {
                    1.0
                };
                let scaled: Vec<f64> = counted[at].iter().map(|tokens| tokens * scale).collect();
                scaled
                    .iter()
                    .zip(&set.per_tool)
                    .for_each(|(counted, truth)| by_tool.add(counted / truth - 1.0));
                let truth = set.api_tokens - PRELUDE;
                by_set.add(scaled.iter().sum::<f64>() / truth - 1.0);
            }
            let (tool, set) = (by_tool.absolute(), by_set.absolute());
            let _ = writeln!(
                text,
                "| {} | {name} | {} | {} | {} to {} | {} | {} |",
                counter.counter(),
                percent(tool.at(0.5)),
                percent(tool.at(0.95)),
                percent(by_tool.at(0.05)),
                percent(by_tool.at(0.95)),
                percent(set.at(0.5)),
                percent(set.at(1.0))
            );
        }
    }
    Ok(text)
}
