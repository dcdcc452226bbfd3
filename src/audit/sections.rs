//! Sections of a request: of-which of system and messages, with the owner where a tool confirms it.

use super::pool::ToolAudit;
use crate::model::{Announcement, Count, RequestFacts, SectionKind, State, Sum, Thread, Tokens};
use crate::session::Turn;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which section.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SectionKey {
    /// What it is.
    pub kind: SectionKind,
    /// Its name among those of its kind, where there are several.
    pub what: Option<Arc<str>>,
    /// The server or plugin it belongs to; it stands in the name of a tool.
    pub owner: Option<Arc<str>>,
}

/// What there is of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SectionSum {
    /// Its tokens.
    pub tokens: Sum,
    /// Sum of the hashes of its texts: tells whether two are the same within one process.
    pub content: u64,
    /// It changes without anybody changing the set-up.
    pub by_itself: bool,
}

/// The name of the section of definitions that stand as text in the system prompt.
const PROMPTED: &str = "prompted-tools";

/// The sections of a request, or of several.
pub type SectionSums = BTreeMap<SectionKey, SectionSum>;

impl SectionSum {
    /// Joins two.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.merge(other.tokens),
            content: self.content.wrapping_add(other.content),
            by_itself: self.by_itself || other.by_itself,
        }
    }
}

/// The sections of a request; `discovered`: what references put into the conversation.
pub(super) fn of_request(
    turn: &Turn,
    request: &RequestFacts,
    tools: &[ToolAudit],
    discovered: Sum,
    schema: Sum,
) -> SectionSums {
    let mut sums = SectionSums::new();
    let mut add = |kind, what: Option<&Arc<str>>, owner: Option<&Arc<str>>, sum: SectionSum| {
        if sum.tokens.tokens.0 > 0 || sum.tokens.missing > 0 {
            let key = SectionKey {
                kind,
                what: what.cloned(),
                owner: owner.cloned(),
            };
            let slot: &mut SectionSum = sums.entry(key).or_default();
            *slot = slot.merge(sum);
        }
    };
    let plain = |tokens: Sum| SectionSum {
        tokens,
        ..SectionSum::default()
    };
    // What was announced before stands in the messages only where they are told from the start.
    let told = request.thread == Thread::Told;
    let carried = turn.carried.iter().filter(|_| told);
    for announcement in carried.chain(&request.announcements) {
        for (server, tokens) in &announcement.by_server {
            add(
                SectionKind::Names,
                None,
                Some(server),
                plain((*tokens).into()),
            );
        }
        add(SectionKind::Names, None, None, plain(rest(announcement)));
    }
    add(
        SectionKind::Search,
        None,
        None,
        plain(request.searches.into()),
    );
    add(SectionKind::Discovered, None, None, plain(discovered));
    add(SectionKind::OutputSchema, None, None, plain(schema));
    let prompted = Arc::from(PROMPTED);
    for tool in tools.iter().filter(|tool| tool.kind.is_prompted()) {
        let sum = SectionSum {
            tokens: tool.size.into(),
            content: tool.content(),
            by_itself: false,
        };
        match tool.state {
            State::Discovered => add(SectionKind::Discovered, None, None, sum),
            _ => add(SectionKind::Other, Some(&prompted), tool.kind.server(), sum),
        }
    }
    let owners = owners(tools);
    let mut above = None;
    for section in &request.sections {
        let owner = section.owner.as_ref().filter(|owner| owns(&owners, owner));
        let owner = match (section.kind, &section.owner) {
            (SectionKind::McpInstructions, None) => {
                above = None;
                None
            }
            // A heading that names no server stands in what the server above says of itself.
            (SectionKind::McpInstructions, Some(_)) => {
                above = owner.or(above);
                above
            }
            _ => owner,
        };
        let what = (section.kind.word() != &*section.what).then_some(&section.what);
        let sum = SectionSum {
            tokens: section.tokens.into(),
            content: section.content,
            by_itself: section.by_itself,
        };
        add(section.kind, what, owner, sum);
    }
    sums
}

/// What of an announcement belongs to no server: its lead, and the client's own tools.
fn rest(announcement: &Announcement) -> Sum {
    let owned: u64 = announcement
        .by_server
        .iter()
        .filter_map(|(_, count)| count.tokens)
        .map(|tokens| tokens.0)
        .sum();
    let left = |tokens: Tokens| Tokens(tokens.0.saturating_sub(owned));
    Sum::from(Count {
        tokens: announcement.tokens.tokens.map(left),
        ..announcement.tokens
    })
}

/// The servers in the names of tools.
fn owners(tools: &[ToolAudit]) -> BTreeSet<&str> {
    tools
        .iter()
        .filter_map(|tool| tool.kind.server().map(|server| &**server))
        .collect()
}

/// Does a tool have this server, or a server of this plugin, in its name?
fn owns(servers: &BTreeSet<&str>, owner: &str) -> bool {
    let of_plugin = |server: &&str| {
        let rest = server.strip_prefix("plugin_");
        let rest = rest.and_then(|rest| rest.strip_prefix(owner));
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    servers.contains(owner) || servers.iter().any(of_plugin)
}
