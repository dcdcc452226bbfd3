//! The view behind `advise`: what to change, what that would save, and the settings for it.

mod descriptions;
mod mode;
mod searched;
mod servers;
mod settings;
mod spent;

pub use settings::SettingsChange;

use super::{Settings, SkippedRow};
use crate::audit::ToolAudit;
use crate::data::Data;
use crate::model::{Api, Kind, SEARCH_TOOLS, thousands};
use crate::summary::RunSummary;
use serde::Serialize;
use spent::Spent;

/// `toolcost.advise/1`.
#[derive(Debug, Clone, Serialize)]
pub struct AdviseView {
    /// The name and version of this document's shape.
    pub schema: &'static str,
    /// Runs, each with its advice.
    pub runs: Vec<AdvisedRun>,
    /// Inputs that could not be read.
    pub skipped: Vec<SkippedRow>,
    /// What the numbers were made with.
    #[serde(skip)]
    pub settings: Settings,
}

/// The advice for one run.
#[derive(Debug, Clone, Serialize)]
pub struct AdvisedRun {
    /// The run.
    pub run: String,
    /// Conversations.
    pub sessions: u64,
    /// Main requests.
    pub requests: u64,
    /// Tokens of tools a session: definitions in the prompt, prelude, block, names, searches.
    pub tools_per_session: u64,
    /// That is a lower bound: requests show no tools, or sizes are not known.
    pub tools_at_least: bool,
    /// It rests on an estimate, or on thin evidence.
    pub tools_estimated: bool,
    /// US dollars that a million tokens of these prompts cost: by recorded usage, else at the list price.
    pub usd_per_million: Option<String>,
    /// Why there is no money, or why it is estimated at the list price.
    pub no_money: Option<String>,
    /// What to change, the largest saving first.
    pub advice: Vec<Advice>,
    /// What was looked at and is not worth it, or not known.
    pub left: Vec<Left>,
    /// The settings that the advice comes to, to be merged into the client's.
    pub change: SettingsChange,
}

/// One thing to change.
#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    /// remove-server, always-load, tool-search-on, tool-search-off, shorten-description, fix-proxy.
    pub kind: &'static str,
    /// The server, tool or variable.
    pub subject: String,
    /// What to do.
    pub what: String,
    /// Tokens of prompts that it saves a session.
    pub tokens_per_session: u64,
    /// It is that or more: something of it has no known size.
    pub at_least: bool,
    /// It rests on an estimate, or on thin evidence.
    pub estimated: bool,
    /// Turns that it saves a session.
    pub turns_per_session: f64,
    /// US dollars a session, at what the prompts of this run cost a token.
    pub usd_per_session: Option<String>,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What `explain` shows once the settings are changed; null where no setting does it.
    pub moves: Option<String>,
    /// The settings for it.
    #[serde(skip)]
    pub(super) change: SettingsChange,
}

/// Something that was looked at and left.
#[derive(Debug, Clone, Serialize)]
pub struct Left {
    /// As in [`Advice::kind`].
    pub kind: &'static str,
    /// The server, tool or variable.
    pub subject: String,
    /// Why.
    pub why: String,
}

/// What one kind of advice comes to.
#[derive(Default)]
struct Found {
    advice: Vec<Advice>,
    left: Vec<Left>,
}

/// A run as advice looks at it.
struct Advised<'a> {
    summary: &'a RunSummary,
    spent: Spent,
    data: &'a Data,
    sessions: u64,
    /// The captures are of Claude Code, whose settings these are.
    is_client: bool,
}

impl Advised<'_> {
    /// A number with its noun.
    fn counted(number: u64, one: &str, many: &str) -> String {
        match number {
            1 => format!("1 {one}"),
            n => format!("{} {many}", thousands(n)),
        }
    }

    /// A number of the run, for one session.
    fn per_session(&self, whole: u64) -> u64 {
        whole / self.sessions.max(1)
    }

    #[allow(clippy::cast_precision_loss, reason = "a mean with one digit")]
    fn turns(&self, whole: u64) -> f64 {
        (whole as f64 / self.sessions.max(1) as f64 * 10.0).round() / 10.0
    }

    /// One advice; `whole`: tokens that it saves over the run.
    fn advice(&self, kind: &'static str, subject: &str, what: String, whole: u64) -> Advice {
        let tokens = self.per_session(whole);
        Advice {
            kind,
            subject: subject.to_owned(),
            what,
            tokens_per_session: tokens,
            at_least: false,
            estimated: false,
            turns_per_session: 0.0,
            usd_per_session: self.spent.dollars(tokens),
            evidence: Vec::new(),
            moves: None,
            change: SettingsChange::default(),
        }
    }
}

/// Each kind of advice.
const KINDS: [fn(&Advised<'_>) -> Found; 4] = [
    servers::never_called,
    searched::searched_most,
    mode::mode,
    descriptions::long,
];

/// Builds the advice for a run; none without a main request.
pub fn advise(name: &str, summary: &RunSummary, data: &Data) -> Option<AdvisedRun> {
    summary.first.as_ref()?;
    let sessions = summary.sessions.len() as u64;
    let advised = Advised {
        summary,
        spent: Spent::of(summary, data),
        data,
        sessions,
        is_client: is_client(summary),
    };
    let mut advice = Vec::new();
    let mut left = Vec::new();
    for kind in KINDS {
        let found = kind(&advised);
        advice.extend(found.advice);
        left.extend(found.left);
    }
    advice.sort_by(|a: &Advice, b| {
        let size = b.tokens_per_session.cmp(&a.tokens_per_session);
        size.then_with(|| (a.kind, &a.subject).cmp(&(b.kind, &b.subject)))
    });
    let change = advice
        .iter()
        .fold(SettingsChange::default(), |sum, own| sum.merge(&own.change));
    Some(AdvisedRun {
        run: name.to_owned(),
        sessions,
        requests: summary.requests,
        tools_per_session: advised.per_session(summary.savings.as_sent().tokens.0),
        tools_at_least: summary.savings.as_sent().missing > 0,
        tools_estimated: summary.savings.as_sent().is_rough(),
        usd_per_million: advised.spent.dollars(1_000_000),
        no_money: advised.spent.missing(),
        advice,
        left,
        change,
    })
}

/// Do the captures show the client: its version, its search tool, or tools of its own?
fn is_client(summary: &RunSummary) -> bool {
    let facts = summary.first.as_ref();
    let facts = facts.and_then(|first| first.audit.gate_facts.as_ref());
    let messages = facts.is_none_or(|facts| facts.api == Api::Messages);
    let own = |tool: &ToolAudit| tool.kind == Kind::Builtin || SEARCH_TOOLS.contains(&&*tool.name);
    let mut tools = summary
        .tools
        .values()
        .filter_map(|totals| totals.first.as_ref());
    messages && (!summary.client_versions.is_empty() || tools.any(|(_, tool)| own(tool)))
}
