//! `schema`: the committed JSON Schemas.

use super::args::Schema;
use super::exit::{self, ExitCode};
use std::io::Write;

/// Names and texts.
const SCHEMAS: [(&str, &str); 15] = [
    (
        "report",
        include_str!("../../schemas/toolcost.report-1.json"),
    ),
    ("check", include_str!("../../schemas/toolcost.check-1.json")),
    (
        "baseline",
        include_str!("../../schemas/toolcost.baseline-1.json"),
    ),
    (
        "compare",
        include_str!("../../schemas/toolcost.compare-1.json"),
    ),
    (
        "advise",
        include_str!("../../schemas/toolcost.advise-1.json"),
    ),
    (
        "timeline",
        include_str!("../../schemas/toolcost.timeline-1.json"),
    ),
    (
        "forecast",
        include_str!("../../schemas/toolcost.forecast-1.json"),
    ),
    (
        "search",
        include_str!("../../schemas/toolcost.search-1.json"),
    ),
    (
        "explain",
        include_str!("../../schemas/toolcost.explain-1.json"),
    ),
    (
        "calibration",
        include_str!("../../schemas/toolcost.calibration-1.json"),
    ),
    ("count", include_str!("../../schemas/toolcost.count-1.json")),
    (
        "counts",
        include_str!("../../schemas/toolcost.counts-1.json"),
    ),
    (
        "facts.requests",
        include_str!("../../schemas/toolcost.facts.requests-1.json"),
    ),
    (
        "facts.request_tools",
        include_str!("../../schemas/toolcost.facts.request_tools-1.json"),
    ),
    (
        "facts.definitions",
        include_str!("../../schemas/toolcost.facts.definitions-1.json"),
    ),
];

pub(super) fn run(options: &Schema, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let name = options
        .name
        .strip_prefix("toolcost.")
        .unwrap_or(&options.name);
    let name = name.split('/').next().unwrap_or_default();
    let (_, text) = SCHEMAS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| {
            let known: Vec<&str> = SCHEMAS.iter().map(|(name, _)| *name).collect();
            exit::usage(format!(
                "no schema of that name; there are {}",
                known.join(", ")
            ))
        })?;
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::Good)
}
