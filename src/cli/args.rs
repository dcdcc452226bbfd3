//! Flags as typed. What they mean is settled by the command they belong to.

mod advise;
mod facts;
mod forecast;
mod merge;
mod search;
mod timeline;

pub(super) use advise::Advise;
pub(super) use facts::Facts;
pub(super) use forecast::Forecast;
pub(super) use search::Search;
pub(super) use timeline::{Cache, Timeline};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Shows what the tools of a coding agent cost in every request, which of them are deferred and why, and what
/// that saves. Reads captured API requests; nothing leaves the machine.
#[derive(Debug, Parser)]
#[command(
    name = "toolcost",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Colour: auto honours `NO_COLOR` and CLICOLOR
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Token cost of tools, run by run: who is loaded, who is deferred and why, what that saves
    Report(Box<Report>),
    /// Runs side by side: added, removed, changed, deferred; what each difference costs
    Compare(Box<Compare>),
    /// Limits, growth since a baseline and rules, for CI; of captures or tool listings
    Check(Box<Check>),
    /// Ranked changes with tokens and money, ending in settings to paste
    Advise(Box<Advise>),
    /// The gate and the deferral rules step by step, with the evidence; without a PATH the gate alone
    Explain(Box<Explain>),
    /// A session turn by turn: discoveries, announcements, the prefix that stayed equal, cache read and written
    Timeline(Box<Timeline>),
    /// N turns under standard, tst and tst-auto: tokens and money, with and without cache, break-even
    Forecast(Box<Forecast>),
    /// Replay a ToolSearch query against the tools of a capture, with the score of every term
    Search(Box<Search>),
    /// Tokens of texts, tools or whole requests with any counter
    Count(Count),
    /// Fit and test the counters against recorded usage
    Calibrate(Box<Calibrate>),
    /// Rows for a database or a data frame: a stream of requests, of their tools, or of definitions
    Facts(Box<Facts>),
    /// Write a toolcost.toml whose limits are today's numbers plus headroom
    Init(Box<Init>),
    /// What the program knows: formats, counters, rules, lints, models, profiles, licences
    List(List),
    /// The JSON Schema of an output or input
    Schema(Schema),
    /// Completions for a shell
    Completions(Completions),
    /// The manual pages, as roff
    #[command(hide = true)]
    Man,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(super) fn choice(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Where the answer goes, and in which form.
#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Output {
    /// Output format: text, json, ndjson, csv, markdown; of check also github, sarif, junit, of calibrate toml
    #[arg(short, long, value_name = "FORMAT")]
    pub(super) format: Option<String>,
    /// Write to FILE instead of standard output; FORMAT=FILE writes beside it (repeatable)
    #[arg(short, long, value_name = "[FORMAT=]FILE")]
    pub(super) output: Vec<String>,
    /// The answer alone: no remarks that ask for nothing, no commands to type next
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// More where there is more: of report every finding, skipped input and type of record
    #[arg(short, long)]
    pub(super) verbose: bool,
}

/// Which rows are shown.
#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Rows {
    /// Rows of tools shown for each run, a row each; without it servers are summed
    #[arg(short = 'n', long, value_name = "N")]
    pub(super) top: Option<usize>,
    /// Show only tools of these names (`*` and `?` stand for anything); sums stay whole
    #[arg(long, value_name = "GLOB")]
    pub(super) filter: Vec<String>,
    /// Order of tools
    #[arg(long, value_enum, value_name = "KEY")]
    pub(super) sort: Option<Sort>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Sort {
    Cost,
    Size,
    Name,
    Server,
    State,
    Calls,
    Turns,
}

/// What every command that reads captures takes.
#[derive(Debug, Clone, Default, PartialEq, ClapArgs)]
pub(super) struct Reading {
    /// Counter where nothing was recorded; several with commas stand side by side (see: toolcost list counters)
    /// [default: auto]
    #[arg(long, value_name = "NAME")]
    pub(super) counter: Option<String>,
    /// Model, whatever the capture says
    #[arg(long, value_name = "ID")]
    pub(super) model: Option<String>,
    /// Context window in tokens; 200k and 1m are accepted
    #[arg(long, value_name = "TOKENS")]
    pub(super) context_window: Option<String>,
    /// Gate rules: current, legacy, or a client version; default: the version a capture names, else current
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// Environment of the client; KEY= says: known to be unset
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) env: Vec<String>,
    /// anthropic, bedrock, vertex, foundry, foundry-azure
    #[arg(long, value_name = "NAME")]
    pub(super) provider: Option<String>,
    /// A settings file of the client (settings.json, .mcp.json); only what the gate asks for is read
    #[arg(long, value_name = "FILE")]
    pub(super) settings: Vec<PathBuf>,
    /// Tool definitions for names that are only announced: answers to tools/list, arrays of tools, captures
    #[arg(long, value_name = "FILE")]
    pub(super) tools: Vec<PathBuf>,
    /// Render listings (--tools, or PATHs of check) as this MCP server's tools: `mcp__NAME__tool`
    #[arg(long, value_name = "NAME")]
    pub(super) server: Option<String>,
    /// Read every input as this format (see: toolcost list formats)
    #[arg(long = "as", value_name = "FORMAT")]
    pub(super) as_format: Option<String>,
    /// Runs by what stands at this JSON pointer of a record, instead of by file
    #[arg(long, value_name = "POINTER")]
    pub(super) group_by: Option<String>,
    /// Only requests from this day or moment on (2026-11-30, or RFC 3339; days are UTC)
    #[arg(long, value_name = "TIME")]
    pub(super) since: Option<String>,
    /// Only requests before this moment, or up to the end of this day
    #[arg(long, value_name = "TIME")]
    pub(super) until: Option<String>,
    /// What `toolcost calibrate` found on captures with recorded usage: constants of models, slopes of counters
    #[arg(long, value_name = "FILE")]
    pub(super) calibration: Option<PathBuf>,
    /// Defaults and formats of a project; default: the nearest toolcost.toml upward from here
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Threads; default: all processors
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// Read every value anew, whether it was met before or not: slower, with the same results
    #[arg(long)]
    pub(super) no_memo: bool,
    /// No line on standard error that tells how far reading is
    #[arg(long)]
    pub(super) no_progress: bool,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Report {
    /// Captures: files, folders (walked, git-ignored files too), or - for standard input; without one this
    /// project's transcripts of the client
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Name a run: NAME=PATH
    #[arg(long, value_name = "NAME=PATH")]
    pub(super) run: Vec<String>,
    /// Join reports: PATHs are what report -f json wrote, of parts of the captures or of several machines
    #[arg(long, requires = "paths", conflicts_with_all = merge::READS)]
    pub(super) merge: bool,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Add a row for every request to the JSON
    #[arg(long)]
    pub(super) per_request: bool,
    #[command(flatten)]
    pub(super) rows: Rows,
    /// A skipped input or an uncounted tool is exit 3
    #[arg(long)]
    pub(super) strict: bool,
    /// Files with something skipped that --strict lets pass: N or P%
    #[arg(long, value_name = "N or P%", requires = "strict")]
    pub(super) max_skipped: Option<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Compare {
    /// Runs, the base first: files or folders, each one run; or names of runs with --in
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    pub(super) runs: Vec<String>,
    /// RUNs are names of runs in this file or folder
    #[arg(long = "in", value_name = "PATH")]
    pub(super) within: Option<PathBuf>,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Rows of tools shown, a row each; without it the tools of a server may share one
    #[arg(short = 'n', long, value_name = "N")]
    pub(super) top: Option<usize>,
    /// Sum tools that changed by less, as in 50tokens
    #[arg(long, value_name = "NUMBER")]
    pub(super) min_delta: Option<String>,
    /// Exit 1 where KEY of the first main request grew by more: tools=2%, request=500tokens (repeatable)
    #[arg(long, value_name = "KEY=MOST")]
    pub(super) max_growth: Vec<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Check {
    /// Captures, or answers to tools/list and arrays of tools
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// The most of a scope in the first main request of each session: loaded, deferred, all, request in tokens, share
    /// in percent (repeatable)
    #[arg(long, value_name = "SCOPE=MOST")]
    pub(super) limit: Vec<String>,
    /// The most that each tool of this name may have (repeatable)
    #[arg(long, value_name = "GLOB=MOST")]
    pub(super) limit_tool: Vec<String>,
    /// What growth is held against: a file of --update-baseline, or a report in JSON
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// How much a scope may grow since the baseline; default 0%, or ratchet.grow (repeatable)
    #[arg(long, value_name = "SCOPE=2%")]
    pub(super) max_growth: Vec<String>,
    /// Write the baseline from today's numbers instead of holding them against it
    #[arg(long)]
    pub(super) update_baseline: bool,
    /// Ask rules: default for all at their own level, CODE or CODE=off, info, warn, error (repeatable)
    #[arg(long, value_name = "RULE")]
    pub(super) rule: Vec<String>,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Files with something skipped that are let pass: N or P%
    #[arg(long, value_name = "N or P%")]
    pub(super) max_skipped: Option<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Explain {
    /// A capture; without it the gate alone is explained, for the numbers given
    #[arg(value_name = "PATH")]
    pub(super) path: Option<PathBuf>,
    /// Tools whose verdicts are shown; without it those that stand against the rules
    #[arg(value_name = "TOOL")]
    pub(super) names: Vec<String>,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Ask again with one thing changed: a variable of `--env`, `base_url`, `provider`, `model`,
    /// `context_window`, `profile`, `deny`
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) what_if: Vec<String>,
    /// Tokens of the tools to defer, without the tool prompt (without PATH)
    #[arg(long, value_name = "N", conflicts_with = "path")]
    pub(super) deferred_tokens: Option<u64>,
    /// Characters of the tools to defer, as the client sums them (without PATH)
    #[arg(long, value_name = "N", conflicts_with = "path")]
    pub(super) deferred_chars: Option<u64>,
    /// MCP servers that are still connecting (without PATH)
    #[arg(
        long,
        value_name = "a,b",
        value_delimiter = ',',
        conflicts_with = "path"
    )]
    pub(super) pending_servers: Option<Vec<String>>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Count {
    /// Texts: files, or - for standard input; their content alone, without any frame
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Tool definitions: what the set adds to a request, the prelude once and each tool
    #[arg(long, value_name = "FILE")]
    pub(super) tools: Vec<PathBuf>,
    /// Captured requests: each as a whole
    #[arg(long, value_name = "FILE")]
    pub(super) request: Vec<PathBuf>,
    /// A text a line: a JSON string, or an object with text and perhaps id
    #[arg(long, value_name = "FILE")]
    pub(super) jsonl: Vec<PathBuf>,
    /// Counters, with commas between them (see: toolcost list counters) [default: auto]
    #[arg(long, value_name = "NAME,…")]
    pub(super) counter: Option<String>,
    /// What `toolcost calibrate` found
    #[arg(long, value_name = "FILE")]
    pub(super) calibration: Option<PathBuf>,
    /// Model to count for; a request names its own
    #[arg(long, value_name = "ID")]
    pub(super) model: Option<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Calibrate {
    /// Captures with recorded usage: files, folders, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) reading: Reading,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Init {
    /// Captures, or answers to tools/list and arrays of tools
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// What is allowed beyond today's numbers
    #[arg(long, value_name = "PERCENT", default_value = "10%")]
    pub(super) headroom: String,
    /// Write to FILE instead of toolcost.toml; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<String>,
    #[command(flatten)]
    pub(super) reading: Reading,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Completions {
    /// bash, elvish, fish, powershell, zsh
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct List {
    /// What to list
    #[arg(value_enum)]
    pub(super) what: What,
    /// One of them, by its name
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum What {
    Formats,
    Counters,
    Rules,
    Lints,
    Models,
    Profiles,
    Licences,
}

#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Schema {
    /// report, compare, check, baseline, advise, timeline, forecast, search, explain, count, counts, calibration,
    /// facts.requests, `facts.request_tools` or facts.definitions
    pub(super) name: String,
}
