//! `init`: a toolcost.toml whose limits are today's numbers plus headroom.

use super::args;
use super::check::{look, tolerates};
use super::exit::{self, ExitCode};
use super::output::write_file;
use crate::config::{self, PROJECT_CONFIG};
use crate::ingest::shown;
use crate::model::Limits;
use crate::report::thousands;
use crate::view::{Baseline, BaselineRun, CheckOptions};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

pub(super) fn run(options: &args::Init, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let headroom =
        config::percent(&options.headroom).map_err(|e| exit::usage(format!("--headroom {e}")))?;
    let to = options.output.clone();
    let to_stdout = to.as_deref().is_some_and(|file| file == "-");
    let file = PathBuf::from(to.as_deref().unwrap_or(PROJECT_CONFIG));
    if !to_stdout && file.exists() {
        return Err(exit::usage(format!(
            "{}: is there already; give another with --output FILE, or - to see it",
            shown(&file)
        )));
    }
    let mut reading = options.reading.clone();
    // A rule of thumb is no number for limits.
    reading.counter = reading.counter.or(Some(DEFAULT_COUNTER.to_owned()));
    let looked = look(&options.paths, &reading, true)?;
    if let (false, Some(skipped)) = (
        tolerates(&looked.gathered, None),
        looked.gathered.outcome.skipped.first(),
    ) {
        return Err(exit::unread(format!(
            "no limits were written: {}, {}: {}",
            skipped.path, skipped.place, skipped.reason
        )));
    }
    let limits = Limits::default();
    let gathered = &looked.gathered;
    let today = Baseline::of(
        &gathered.outcome,
        &CheckOptions {
            data: &gathered.data,
            settings: gathered.settings.clone(),
            limits: &limits,
            ratchet: None,
            listings: looked.listings,
            model_assumed: looked.model_assumed,
            tolerated: false,
        },
    );
    let text = text(&today, headroom, looked.listings);
    if to_stdout {
        out.write_all(text.as_bytes())?;
    } else {
        write_file(&file, text.as_bytes())
            .map_err(|e| exit::usage(format!("{}: {}", shown(&file), e.kind())))?;
        let paths = gathered.settings.paths.join(" ");
        writeln!(
            out,
            "{}: written. Next: toolcost check {}",
            shown(&file),
            crate::render::terminal(&paths)
        )?;
    }
    Ok(ExitCode::Good)
}

const DEFAULT_COUNTER: &str = "claude";

/// Some number and the headroom.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tokens, far below 2^53"
)]
fn more(tokens: u64, headroom: f64) -> u64 {
    (tokens as f64 * (1.0 + headroom)).ceil() as u64
}

/// The file.
fn text(today: &Baseline, headroom: f64, listings: bool) -> String {
    let mut out = String::new();
    let percent = headroom * 100.0;
    let _ = writeln!(
        out,
        "# Written by toolcost init {}: today's numbers plus {percent} %. Counter and model belong to the numbers.\n\
         # toolcost check reads this file; toolcost list lints names the rules.\n\
         counter = {}",
        today.toolcost,
        quoted(&today.counter)
    );
    if let Some(model) = &today.model {
        let _ = writeln!(out, "model = {}", quoted(model));
    }
    let _ = writeln!(
        out,
        "\n[limits]                       # of the first main request of each session"
    );
    type Pick = fn(&BaselineRun) -> Option<u64>;
    let scopes: [(&str, &str, Pick); 3] = [
        ("loaded", "definitions in the prompt", |run| run.loaded),
        ("all", "definitions of the pool, deferred or not", |run| {
            run.all
        }),
        ("request", "the whole request", |run| run.request),
    ];
    for (key, what, pick) in scopes {
        let known = today.runs.iter().map(pick).collect::<Option<Vec<u64>>>();
        let most = known.and_then(|known| known.into_iter().max());
        // Of a listing the request is its tools.
        match most.filter(|most| *most > 0) {
            _ if listings && key != "all" => {}
            Some(most) => {
                let _ = writeln!(
                    out,
                    "{key} = \"{} tokens\"   # {what}; today {}",
                    thousands(more(most, headroom)),
                    thousands(most)
                );
            }
            None => {
                let _ = writeln!(out, "# {key}: not wholly known today ({what})");
            }
        }
    }
    out.push_str(
        "\n[rules]                        # toolcost check PATH --rule default asks all of them\n",
    );
    for code in ["unresolved-tool-reference", "duplicate-tool-name"] {
        let _ = writeln!(out, "{code} = \"error\"");
    }
    let servers = servers(today);
    for (server, (tools, tokens)) in &servers {
        if *tools > 1 {
            let _ = writeln!(
                out,
                "\n[[limits.tool]]                # today {} in {tools} tools\n\
                 match = {}\ntotal = \"{} tokens\"\nscope = \"all\"",
                thousands(*tokens),
                quoted(&format!("mcp__{server}__*")),
                thousands(more(*tokens, headroom))
            );
        }
    }
    for (name, tokens) in tools(today) {
        let _ = writeln!(
            out,
            "\n[[limits.tool]]                # today {}\nmatch = {}\neach = \"{} tokens\"\nscope = \"all\"",
            thousands(tokens),
            quoted(&name),
            thousands(more(tokens, headroom))
        );
    }
    out
}

/// Names and their largest size; a name that holds a wildcard would limit others.
fn tools(today: &Baseline) -> BTreeMap<String, u64> {
    let mut most: BTreeMap<String, u64> = BTreeMap::new();
    for tool in today.runs.iter().flat_map(|run| &run.tools) {
        let plain = !tool.name.is_empty() && !tool.name.contains(['*', '?']);
        if let Some(size) = tool.size.filter(|_| plain) {
            let slot = most.entry(tool.name.clone()).or_default();
            *slot = size.max(*slot);
        }
    }
    most
}

/// Tools and tokens of MCP servers, in the run where they are most.
fn servers(today: &Baseline) -> BTreeMap<String, (u64, u64)> {
    let mut most: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for run in &today.runs {
        let mut own: BTreeMap<&str, (u64, Option<u64>)> = BTreeMap::new();
        for tool in &run.tools {
            let server = tool
                .name
                .strip_prefix("mcp__")
                .and_then(|rest| rest.split_once("__"));
            if let Some((server, _)) = server {
                let (tools, tokens) = own.entry(server).or_insert((0, Some(0)));
                *tools += 1;
                *tokens = tokens
                    .zip(tool.size)
                    .and_then(|(sum, size)| sum.checked_add(size));
            }
        }
        for (server, (tools, tokens)) in own {
            if let (Some(tokens), false) = (tokens, server.contains(['*', '?'])) {
                let slot = most.entry(server.to_owned()).or_default();
                if tokens > slot.1 {
                    *slot = (tools, tokens);
                }
            }
        }
    }
    most
}

/// A text as TOML writes it; what is not ASCII as an escape, so that a review shows what is there.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
