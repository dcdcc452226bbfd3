//! Whole requests: recorded less counted, by kind and by model.

use crate::Spread;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{Input, discover};
use toolcost::model::{Ids, RunSettings};
use toolcost::pipeline::{self, TimeWindow, Work};
use toolcost::summary::RunSummary;

type Fault = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Row {
    model: String,
    request: Option<Box<RawValue>>,
    api_tokens: i64,
    #[serde(default)]
    inexact_parts: Vec<String>,
    residual: i64,
}

/// A counted request: recorded, known parts, and whether parts are missing.
struct Counted {
    recorded: i64,
    known: i64,
    at_least: bool,
}

impl Counted {
    fn residual(&self) -> i64 {
        self.recorded - self.known
    }
}

/// Runs the library over a folder or file.
fn read(path: &Path) -> Result<BTreeMap<Arc<str>, RunSummary>, Fault> {
    let data = Data::embedded()?;
    let measure = counter("claude").ok_or("the counter claude is not built in")?;
    let input = Input {
        alias: None,
        run: None,
        path: path.to_owned(),
    };
    let (files, _) = discover(&[input])?;
    let settings: BTreeMap<PathBuf, Arc<RunSettings>> = BTreeMap::new();
    let work = Work {
        description_cap: None,
        data: &data,
        measure,
        profile: None,
        files: &files,
        tools: &[],
        settings: &settings,
        default_settings: Arc::new(RunSettings::default()),
        model: None,
        context_window: None,
        format: None,
        group_by: None,
        window: TimeWindow::default(),
        server: None,
        jobs: 2,
        memo: true,
        watch: None,
        by_request: true,
        by_turn: false,
        lint: true,
        keep_texts: true,
        listing_model: None,
        listings_as_requests: false,
        ids: Ids::None,
    };
    Ok(pipeline::run(&work).runs)
}

/// What kind of request it is, and whether rows of the kind were used to find constants (REQUEST notes, section 7).
fn kind(row: &Row) -> (&'static str, &'static str) {
    let has = |part: &str| {
        row.inexact_parts
            .iter()
            .any(|known| known.starts_with(part))
    };
    let tools = row
        .request
        .as_ref()
        .is_some_and(|raw| raw.get().contains("\"tools\""));
    if has("!server")
        || has("!image")
        || has("!document")
        || has("!compaction")
        || has("!mcp")
        || has("!block")
    {
        return ("with parts that nobody knows", "–");
    }
    if has("!parallel") || has("!tool_addition") {
        return ("parallel calls, tool_addition", "yes");
    }
    match () {
        () if has("tool_reference") => ("references to deferred tools", "yes"),
        () if has("tool_use") || has("tool_result") => ("tool rounds", "yes"),
        () if has("deferred") => ("deferred tools, none discovered", "yes"),
        () if has("output_format") => ("a schema for the answer", "yes"),
        () if has("thinking") || has("!thinking") || has("adaptive") => ("thinking", "yes"),
        () if tools => ("tools", "no"),
        () => ("plain", "no"),
    }
}

fn table(rows: &BTreeMap<(String, &'static str), Spread>, head: &str) -> String {
    let mut text = format!(
        "\n| {head} | Used to find constants | Rows | Exact | Median error | 95 % within | Worst |\n| :-- | :-- | --: | --: | --: | --: | --: |\n"
    );
    for ((name, used), spread) in rows {
        let absolute = spread.absolute();
        let _ = writeln!(
            text,
            "| {name} | {used} | {} | {} | {} | {} | {} |",
            spread.count(),
            spread.zeros(),
            absolute.at(0.5),
            absolute.at(0.95),
            absolute.at(1.0)
        );
    }
    text
}

pub(crate) fn page(oracle: &str) -> Result<String, Fault> {
    let rows: Vec<Row> = oracle
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let folder = tempfile::tempdir()?;
    for (at, row) in rows.iter().enumerate() {
        if let Some(request) = &row.request {
            let model = serde_json::to_string(&row.model)?;
            let body = format!("{{\"model\":{model},{}", &request.get()[1..]);
            std::fs::write(folder.path().join(format!("r{at:03}.json")), body)?;
        }
    }
    let runs = read(folder.path())?;
    let (mut by_kind, mut by_model) = (BTreeMap::new(), BTreeMap::new());
    let (mut strict, mut exact_strict, mut bounds, mut hold) = (0, 0, 0, 0);
    for (at, row) in rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.request.is_some())
    {
        let run = runs
            .get(format!("r{at:03}").as_str())
            .ok_or("a row was not read")?;
        let parts = &run.by_request.first().ok_or("a row has no request")?.parts;
        let counted = Counted {
            recorded: row.api_tokens,
            known: i64::try_from(parts.request().0)?,
            at_least: parts.known().missing > 0,
        };
        let residual = counted.residual();
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        let value = residual as f64;
        let (kind, used) = kind(row);
        by_kind
            .entry((kind.to_owned(), used))
            .or_insert_with(Spread::default)
            .add(value);
        if row.inexact_parts.is_empty() && row.residual == 0 {
            strict += 1;
            exact_strict += usize::from(residual == 0);
        }
        if counted.at_least {
            bounds += 1;
            hold += usize::from(residual >= 0);
        }
        if kind != "with parts that nobody knows" {
            by_model
                .entry((row.model.clone(), "–"))
                .or_insert_with(Spread::default)
                .add(value);
        }
    }
    Ok(format!(
        "\n## Whole requests\n\nRecorded less counted, in tokens. {strict} strict rows (all parts known, no known trap in the recording): {exact_strict} exact.\n\
         {bounds} rows hold parts that are not known and are printed as lower bounds (≥): {hold} of these bounds hold.\n\
         Known traps among the rest: recordings made under an older tool prompt (−183, −274), recordings whose dashes were rewritten (+4 each).\n{}\n\
         By model, without the rows of parts that nobody knows:\n{}",
        table(&by_kind, "Kind"),
        table(&by_model, "Model")
    ))
}

/// A recorded session of a client, none of whose requests was used to find constants but for the text of an empty result.
pub(crate) fn session(path: &Path) -> Result<String, Fault> {
    let runs = read(path)?;
    let run = runs.values().next().ok_or("the session was not read")?;
    let mut rows = BTreeMap::new();
    for row in &run.by_request {
        let name = if row.parts.tools.tokens.0 > 0 {
            "with tools, 1 to 27 messages"
        } else {
            "without tools"
        };
        let recorded = i64::try_from(row.parts.recorded.tokens.0)?;
        let known = i64::try_from(row.parts.known().tokens.0)?;
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        rows.entry((name.to_owned(), "empty results only"))
            .or_insert_with(Spread::default)
            .add((recorded - known) as f64);
    }
    Ok(format!(
        "\nOne recorded session of a client (Sonnet 4, 64 requests, up to 25,106 tokens each):\n{}",
        table(&rows, "Requests")
    ))
}
