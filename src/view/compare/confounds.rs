//! What differs between two runs besides what was meant to.

use super::Side;
use super::turns::{first_row, main};
use crate::audit::ToolAudit;
use crate::data::Data;
use crate::model::{Source, State, ToolChoice};
use crate::summary::RunSummary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One difference, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confound {
    /// What differs.
    pub what: &'static str,
    /// On the side of the base.
    pub a: String,
    /// On the other.
    pub b: String,
}

/// One thing that may differ: its name, and what it is on a side.
type Look = (&'static str, fn(Side<'_>, &Data, Option<&str>) -> String);

const LOOKS: [Look; 10] = [
    ("model", model),
    ("tokenizer family", family),
    ("client version", |side, _, _| {
        list(&side.summary.client_versions)
    }),
    ("counter", counter),
    ("size of requests", whole),
    ("tool_choice", tool_choice),
    ("main requests", |side, _, _| {
        side.summary.requests.to_string()
    }),
    ("prelude", prelude),
    ("host", host),
    ("cache marks on tools", marks),
];

/// Everything that differs.
pub(super) fn confounds(
    a: Side<'_>,
    b: Side<'_>,
    data: &Data,
    given: Option<&str>,
) -> Vec<Confound> {
    let mut found: Vec<Confound> = LOOKS
        .iter()
        .map(|(what, look)| Confound {
            what,
            a: look(a, data, given),
            b: look(b, data, given),
        })
        .filter(|confound| confound.a != confound.b)
        .collect();
    found.extend(order(a.summary, b.summary));
    found
}

fn list(set: &BTreeSet<Arc<str>>) -> String {
    let names: Vec<&str> = set.iter().map(|name| &**name).collect();
    match names.is_empty() {
        true => "not known".to_owned(),
        false => names.join(", "),
    }
}

fn model(side: Side<'_>, _: &Data, given: Option<&str>) -> String {
    given.map_or_else(|| list(&side.summary.models), str::to_owned)
}

fn family(side: Side<'_>, data: &Data, given: Option<&str>) -> String {
    let ids: Vec<&str> = match given {
        Some(id) => vec![id],
        None => side.summary.models.iter().map(|id| &**id).collect(),
    };
    let families: BTreeSet<Arc<str>> = ids
        .into_iter()
        .map(|id| {
            let family = data.models.family_of_id(id);
            Arc::from(family.map_or("none of Claude's", |family| family.id.as_str()))
        })
        .collect();
    list(&families)
}

/// Where the sizes of tools come from: recorded ones are not to be held against estimates.
fn counter(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let tools = side
        .summary
        .first
        .iter()
        .flat_map(|first| &first.audit.tools);
    let sent = tools.filter(|tool| tool.state == State::Loaded && tool.size.tokens.is_some());
    let sources: BTreeSet<Source> = sent.map(|tool| tool.size.source).collect();
    let words: Vec<&str> = sources.into_iter().map(Source::word).collect();
    match words.is_empty() {
        true => "nothing counted".to_owned(),
        false => words.join(", "),
    }
}

/// A recorded whole holds what the parts of the other side may lack.
fn whole(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let (mut recorded, mut all) = (0, 0);
    for row in main(side.summary) {
        recorded += u64::from(row.parts.all_recorded());
        all += 1;
    }
    match recorded {
        0 => "the sum of its parts".to_owned(),
        n if n == all => "recorded".to_owned(),
        n => format!("recorded for {n} of {all} requests, else the sum of parts"),
    }
}

fn tool_choice(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let choice = first_row(side.summary).and_then(|row| row.tool_choice);
    match choice {
        None => "no tools captured",
        Some(ToolChoice::Auto) => "auto",
        Some(ToolChoice::Any) => "any",
        Some(ToolChoice::Tool) => "tool",
        Some(ToolChoice::Other) => "something else",
    }
    .to_owned()
}

/// What a residual says of the prelude: the tables know the newest one only.
fn prelude(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let older = |finding: &&(u64, crate::model::Finding, u64)| {
        finding.1.code == "residual"
            && finding
                .1
                .message
                .contains("likely an older tool-use prompt")
    };
    match side.summary.findings.values().find(older) {
        Some(_) => "likely an older one, by the residual",
        None => "as in the tables",
    }
    .to_owned()
}

fn host(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let hosts: BTreeSet<Option<bool>> = main(side.summary).map(|row| row.first_party).collect();
    let proxied = hosts.contains(&Some(false));
    match (proxied, hosts.contains(&Some(true))) {
        (true, true) => "a proxy for some requests",
        (true, false) => "a proxy, which may switch tool search off",
        (false, true) => "the API's own",
        (false, false) => "not captured",
    }
    .to_owned()
}

fn tools(run: &RunSummary) -> impl Iterator<Item = &ToolAudit> {
    let tools = run.first.iter().flat_map(|first| &first.audit.tools);
    tools.filter(|tool| tool.index.is_some())
}

fn marks(side: Side<'_>, _: &Data, _: Option<&str>) -> String {
    let marked: Vec<String> = tools(side.summary)
        .filter(|tool| tool.cache_mark)
        .filter_map(|tool| tool.index)
        .map(|index| format!("tool {}", index + 1))
        .collect();
    match marked.is_empty() {
        true => "none".to_owned(),
        false => marked.join(", "),
    }
}

/// Another order of the same tools is another prefix for the cache.
fn order(a: &RunSummary, b: &RunSummary) -> Option<Confound> {
    let names = |run: &RunSummary| -> Vec<Arc<str>> {
        tools(run).map(|tool| Arc::clone(&tool.name)).collect()
    };
    let (a, b) = (names(a), names(b));
    // Names that stand twice have no one place.
    let once = |list: &[Arc<str>]| -> BTreeSet<Arc<str>> {
        let mut seen: BTreeMap<&Arc<str>, u64> = BTreeMap::new();
        for name in list {
            *seen.entry(name).or_default() += 1;
        }
        let once = seen.into_iter().filter(|(_, times)| *times == 1);
        once.map(|(name, _)| Arc::clone(name)).collect()
    };
    let common: BTreeSet<Arc<str>> = once(&a).intersection(&once(&b)).cloned().collect();
    let own = |list: &[Arc<str>]| -> Vec<Arc<str>> {
        let common = list.iter().filter(|name| common.contains(*name));
        common.cloned().collect()
    };
    let (a, b) = (own(&a), own(&b));
    let (at, (x, y)) = a.iter().zip(&b).enumerate().find(|(_, (x, y))| x != y)?;
    let place = |name: &Arc<str>| format!("{name} at {} of the common ones", at + 1);
    Some(Confound {
        what: "cache order",
        a: place(x),
        b: place(y),
    })
}
