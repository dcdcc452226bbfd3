//! The plan the captures keep to: numbers of tools and sums of tokens.
//! The documents quote figures of these runs, so a changed sentence which moves a sum out of its
//! range is an error here and not a surprise there.

use crate::catalog::{Catalog, SEARCH};
use crate::system::instructions;
use crate::texts::short_lengths;
use crate::tool::{Tool, units};

/// Tokens of the loaded built-ins together with `ToolSearch`.
const LOADED: (usize, usize) = (10_000, 11_000);
/// Tokens of the built-ins which are announced by name.
const ANNOUNCED: (usize, usize) = (4_500, 5_500);
/// Tokens of the tools of all MCP servers.
const MCP: (usize, usize) = (67_000, 69_000);
/// Tokens of everything but `ToolSearch`: what tool search off sends with every request.
const EVERYTHING: (usize, usize) = (82_000, 85_000);
/// UTF-16 units of the long instructions.
const INSTRUCTIONS: (usize, usize) = (13_500, 14_500);
/// Tokens of the tool which the plugin loads.
const SECOND_OPINION: (usize, usize) = (450, 550);
/// The mean length of the name of an MCP tool, in tenths.
const MEAN_NAME: (usize, usize) = (250, 339);

/// Number of tools and range of tokens for each server.
const SERVERS: [(&str, usize, (usize, usize)); 3] = [
    ("mcp__github__", 58, (28_300, 29_700)),
    ("mcp__slack__", 47, (20_400, 21_600)),
    ("mcp__jira__", 42, (17_400, 18_600)),
];

/// Range of tokens for single built-ins.
const SINGLE: [(&str, (usize, usize)); 5] = [
    ("Agent", (1_425, 1_575)),
    ("Bash", (1_140, 1_260)),
    ("Read", (660, 740)),
    ("ListAgents", (380, 420)),
    (SEARCH, (480, 560)),
];

/// UTF-16 units of the shortened descriptions.
const SHORT: [(&str, (usize, usize)); 3] = [
    ("Agent", (920, 980)),
    ("Bash", (830, 890)),
    ("Read", (420, 460)),
];

/// Numbers of tools: loaded with `ToolSearch`, announced, from MCP servers.
const COUNTS: (usize, usize, usize) = (12, 14, 147);

/// Says everything that has left the plan.
pub(crate) fn check(catalog: &Catalog) -> Result<(), String> {
    let mut report = Report::default();
    let loaded = tokens(catalog.loaded.iter());
    let announced = tokens(catalog.announced.iter());
    let mcp = tokens(catalog.mcp.iter());
    let search = tokens(catalog.loaded.iter().filter(|tool| tool.name == SEARCH));
    report.within("loaded built-ins", loaded, LOADED);
    report.within("announced built-ins", announced, ANNOUNCED);
    report.within("MCP tools", mcp, MCP);
    report.within("everything", loaded + announced + mcp - search, EVERYTHING);
    report.within("instructions", units(&instructions()), INSTRUCTIONS);
    report.within(
        "second opinion",
        catalog.second_opinion.tokens,
        SECOND_OPINION,
    );

    let length: usize = catalog.mcp.iter().map(|tool| tool.name.len()).sum();
    report.within(
        "mean name",
        length * 10 / catalog.mcp.len().max(1),
        MEAN_NAME,
    );
    for (prefix, count, range) in SERVERS {
        let own = || {
            catalog
                .mcp
                .iter()
                .filter(|tool| tool.name.starts_with(prefix))
        };
        report.within(prefix, tokens(own()), range);
        report.within(prefix, own().count(), (count, count));
    }
    for (name, range) in SINGLE {
        let one = tokens(catalog.loaded.iter().filter(|tool| tool.name == name));
        report.within(name, one, range);
    }
    for ((name, length), (wanted, range)) in short_lengths().into_iter().zip(SHORT) {
        report.within(name, length, range);
        report.holds(name == wanted, "the shortened tools");
    }
    let counts = (
        catalog.loaded.len(),
        catalog.announced.len(),
        catalog.mcp.len(),
    );
    report.holds(counts == COUNTS, "the numbers of tools");
    names(catalog, &mut report);
    report.close()
}

/// Names are unique and such as the API takes.
fn names(catalog: &Catalog, report: &mut Report) {
    let groups = catalog.loaded.iter().chain(&catalog.announced);
    let mut names: Vec<&str> = groups
        .chain(&catalog.mcp)
        .chain([&catalog.second_opinion, &catalog.placeholder])
        .map(|tool| tool.name.as_str())
        .collect();
    for name in &names {
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        report.holds(plain && (1..=64).contains(&name.len()), name);
    }
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    report.holds(names.len() == all, "unique names");
}

fn tokens<'a>(tools: impl Iterator<Item = &'a Tool>) -> usize {
    tools.map(|tool| tool.tokens).sum()
}

#[derive(Default)]
struct Report(Vec<String>);

impl Report {
    fn within(&mut self, what: &str, value: usize, (low, high): (usize, usize)) {
        if !(low..=high).contains(&value) {
            self.0
                .push(format!("{what}: {value} is not in {low}..={high}"));
        }
    }

    fn holds(&mut self, truth: bool, what: &str) {
        if !truth {
            self.0.push(format!("{what}: not as planned"));
        }
    }

    fn close(self) -> Result<(), String> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(self.0.join("; "))
        }
    }
}
