//! Lints: hazards of deferral and cost, and what the API itself would refuse. One file and two lines each.

mod all_deferred;
mod announcement_prefix;
mod breakpoints;
mod dangling_ref;
mod defer_with_cache;
mod deferred_without_search;
mod denied_tool;
mod description_cut;
mod description_long;
mod duplicate_name;
mod early_call;
mod faults;
mod large_result;
mod lost_discovery;
mod many_tools;
mod name_length;
mod name_pattern;
mod names_shrink;
mod never_called;
mod order_flip;
mod orphan_call;
mod orphan_result;
mod property_key;
mod proxy;
mod reader;
mod recursive_ref;
mod reference_bare;
mod reference_siblings;
mod required_unknown;
mod root_combinator;
mod root_not_object;
mod search_for_few;
mod search_tool_deferred;
mod search_tool_gone;
mod server_twice;
mod tools_changed;
mod two_searches;
mod unresolved_reference;
mod withdrawn;

use crate::audit::{Audit, ToolAudit};
use crate::model::{
    Api, DefId, Finding, Hazards, Level, Origin, RequestFacts, Role, Shape, ToolEntry,
};
use crate::session::Turn;
use crate::summary::RunSummary;

/// Every lint.
pub const LINTS: &[&Lint] = &[
    &unresolved_reference::LINT,
    &deferred_without_search::LINT,
    &search_tool_gone::LINT,
    &two_searches::LINT,
    &search_tool_deferred::LINT,
    &all_deferred::LINT,
    &denied_tool::LINT,
    &proxy::LINT,
    &description_long::LINT,
    &description_cut::LINT,
    &server_twice::LINT,
    &duplicate_name::LINT,
    &never_called::LINT,
    &large_result::LINT,
    &many_tools::LINT,
    &search_for_few::LINT,
    &defer_with_cache::LINT,
    &name_pattern::LINT,
    &name_length::LINT,
    &property_key::LINT,
    &root_combinator::LINT,
    &root_not_object::LINT,
    &dangling_ref::LINT,
    &recursive_ref::LINT,
    &required_unknown::LINT,
    &breakpoints::LINT,
    &orphan_call::LINT,
    &orphan_result::LINT,
    &early_call::LINT,
    &order_flip::LINT,
    &tools_changed::LINT,
    &names_shrink::LINT,
    &announcement_prefix::LINT,
    &withdrawn::LINT,
    &lost_discovery::LINT,
    &reference_siblings::LINT,
    &reference_bare::LINT,
    &reader::LOADED_AGAINST_RULES,
    &reader::DEFER_FLAG,
    &reader::NOT_A_LIST,
    &reader::NOT_AN_OBJECT,
    &reader::WITHOUT_NAME,
    &reader::WITHOUT_SCHEMA,
    &reader::LONE_SURROGATES,
    &reader::DUPLICATE_KEY,
];

/// A hazard, and how it is found.
pub struct Lint {
    /// Stable kebab-case name.
    pub code: &'static str,
    /// How bad it is, unless a rule says otherwise.
    pub level: Level,
    /// What is so.
    pub what: &'static str,
    /// What comes of it.
    pub why: &'static str,
    /// What to do.
    pub cure: &'static str,
    /// Where this is known from.
    pub source: &'static str,
    check: Check,
}

/// How a hazard is looked for.
enum Check {
    /// In each request.
    Request(fn(&Looked<'_>, &mut Found<'_>)),
    /// In a whole run.
    Run(fn(&OfRun<'_>, &mut Found<'_>)),
    /// The reader or the audit tells it.
    Told {
        /// It holds for every API.
        everywhere: bool,
    },
}

/// What a lint looks at.
struct Looked<'a> {
    turn: &'a Turn,
    request: &'a RequestFacts,
    audit: &'a Audit,
    /// Characters after which the client cuts descriptions of MCP tools.
    description_cap: Option<u64>,
    /// The main request before it in its session.
    previous: Option<&'a Turn>,
}

/// A definition that is loaded: its name, and what tells it from another of that name.
type Sent<'a> = (&'a str, Option<DefId>);

/// An entry that stands for tools whose names the list does not tell.
fn is_set(tool: &ToolEntry) -> bool {
    let type_ = tool.server_type.as_deref();
    type_.is_some_and(|type_| matches!(type_, "mcp_toolset" | "mcp") || type_.contains("_toolset_"))
}

/// The loaded definitions of a request, in order: what the cached prefix holds.
fn loaded(request: &RequestFacts) -> Vec<Sent<'_>> {
    let tools = request.tools.tools.iter();
    let loaded = tools.filter(|tool| !tool.flags.defer.defers());
    loaded
        .map(|tool| (&*tool.name, tool.definition.as_ref().map(|own| own.id)))
        .collect()
}

/// What a lint of runs looks at.
struct OfRun<'a> {
    summary: &'a RunSummary,
}

impl Looked<'_> {
    fn is_main(&self) -> bool {
        self.audit.role == Role::Main
    }

    /// The main request before, where both show their tool lists.
    fn before(&self) -> Option<&RequestFacts> {
        let before = self.previous?.exchange.request()?;
        let shows = |request: &RequestFacts| request.tools.shape == Shape::List;
        (self.is_main() && shows(before) && shows(self.request)).then_some(before)
    }

    fn has_no_search(&self) -> bool {
        !self.has_search()
    }

    /// Is a search tool in the list, or written into the prompt?
    fn has_search(&self) -> bool {
        let sent = |tool: &ToolAudit| tool.index.is_some() || tool.kind.is_prompted();
        let mut tools = self.audit.tools.iter();
        tools.any(|tool| sent(tool) && tool.kind.is_search(&tool.name))
    }

    fn all_deferred(&self) -> bool {
        let tools = &self.request.tools.tools;
        !tools.is_empty() && tools.iter().all(|tool| tool.flags.defer.defers())
    }

    /// Where a tool stands in the body.
    fn pointer(&self, tool: &ToolAudit) -> String {
        self.below(tool, "")
    }

    fn below(&self, tool: &ToolAudit, tail: &str) -> String {
        let place = tool.index.map(|index| format!("/tools/{index}{tail}"));
        place.unwrap_or_default()
    }
}

/// Findings of one lint on their way.
struct Found<'a> {
    lint: &'a Lint,
    origin: &'a Origin,
    /// Listings that were put together, by their first tool.
    listed: &'a [(usize, Origin)],
    found: Vec<Finding>,
}

impl Found<'_> {
    fn tell(&mut self, subject: &str, pointer: &str, message: String) {
        self.tell_at(self.lint.level, subject, pointer, message);
    }

    /// Where a tool of a listing was read: its own listing, and its place there.
    fn placed(&self, pointer: &str) -> (Origin, String) {
        let whole = || (self.origin.clone(), pointer.to_owned());
        let Some(rest) = pointer.strip_prefix("/tools/") else {
            return whole();
        };
        let (index, tail) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let Ok(index) = index.parse::<usize>() else {
            return whole();
        };
        let own = self.listed.iter().rev().find(|(from, _)| *from <= index);
        own.map_or_else(whole, |(from, origin)| {
            (origin.clone(), format!("/tools/{}{tail}", index - from))
        })
    }

    fn tell_at(&mut self, level: Level, subject: &str, pointer: &str, message: String) {
        let (origin, pointer) = self.placed(pointer);
        self.found.push(Finding {
            code: self.lint.code,
            level,
            message: format!("{message}: {}", self.lint.why),
            origin,
            pointer,
            subject: Hazards::short(subject).into_owned(),
            help: self.lint.cure.to_owned(),
        });
    }
}

/// What the lints find in a request; `previous`: the main request before it in its session.
pub fn request(
    turn: &Turn,
    previous: Option<&Turn>,
    audit: &Audit,
    description_cap: Option<u64>,
) -> Vec<Finding> {
    let Some(request) = turn.exchange.request() else {
        return Vec::new();
    };
    // What other APIs refuse is not known here.
    let is_messages = request.wire.api == Api::Messages;
    let told = audit.findings.iter().filter(|finding| {
        let lint = LINTS.iter().find(|lint| lint.code == finding.code);
        lint.is_some_and(
            |lint| matches!(lint.check, Check::Told { everywhere } if everywhere || is_messages),
        )
    });
    let mut all: Vec<Finding> = told
        .map(|finding| Finding {
            subject: Hazards::short(&finding.subject).into_owned(),
            ..finding.clone()
        })
        .collect();
    if !is_messages {
        return all;
    }
    let looked = Looked {
        turn,
        request,
        audit,
        description_cap,
        previous,
    };
    for lint in LINTS {
        if let Check::Request(check) = lint.check {
            let mut found = Found {
                lint,
                origin: &request.origin,
                listed: &request.listed,
                found: Vec::new(),
            };
            check(&looked, &mut found);
            all.append(&mut found.found);
        }
    }
    all
}

/// What the lints find in a run.
pub fn run(summary: &RunSummary) -> Vec<Finding> {
    let Some(first) = &summary.first else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for lint in LINTS {
        if let Check::Run(check) = lint.check {
            let mut found = Found {
                lint,
                origin: &first.origin,
                listed: &[],
                found: Vec::new(),
            };
            check(&OfRun { summary }, &mut found);
            all.append(&mut found.found);
        }
    }
    all
}
