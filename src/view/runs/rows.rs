//! Which rows of tools are shown, and in which order.

use super::ToolRow;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use wildmatch::WildMatch;

/// What of the tools is shown: `--filter` and `--sort`.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Names to show, with `*` and `?`; none = all.
    pub filter: Vec<String>,
    /// The order; none = what the first request pays, then size.
    pub sort: Option<SortKey>,
}

/// An order of tools. Numbers stand largest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    /// What the first request pays for it, then its size.
    Cost,
    /// Tokens of its definition.
    Size,
    /// Its name.
    Name,
    /// Its server, then its size.
    Server,
    /// Its state, then its size.
    State,
    /// Calls over the run.
    Calls,
    /// Requests that held it.
    Turns,
}

impl Rows {
    /// Is anything but the default asked for?
    pub fn chosen(&self) -> bool {
        !self.filter.is_empty() || self.sort.is_some()
    }

    /// Marks what is shown and puts it in order.
    pub(super) fn arrange(&self, tools: &mut [ToolRow]) {
        let globs: Vec<WildMatch> = self
            .filter
            .iter()
            .map(|glob| WildMatch::new(glob))
            .collect();
        for tool in tools.iter_mut() {
            tool.shown = globs.is_empty() || globs.iter().any(|glob| glob.matches(&tool.name));
        }
        let size = |tool: &ToolRow| Reverse(tool.size.map_or(0, |tokens| tokens.0));
        match self.sort {
            // As they are.
            None | Some(SortKey::Cost) => {}
            Some(SortKey::Size) => tools.sort_by_key(size),
            Some(SortKey::Name) => tools.sort_by(|a, b| a.name.cmp(&b.name)),
            Some(SortKey::Server) => {
                tools.sort_by(|a, b| (&a.server, size(a)).cmp(&(&b.server, size(b))));
            }
            Some(SortKey::State) => tools.sort_by_key(|tool| (tool.state, size(tool))),
            Some(SortKey::Calls) => tools.sort_by_key(|tool| (Reverse(tool.calls), size(tool))),
            Some(SortKey::Turns) => tools.sort_by_key(|tool| (Reverse(tool.turns), size(tool))),
        }
    }
}

/// Writes the rows that are shown.
pub(super) fn shown_only<S: Serializer>(tools: &[ToolRow], to: S) -> Result<S::Ok, S::Error> {
    let shown: Vec<&ToolRow> = tools.iter().filter(|tool| tool.shown).collect();
    shown.serialize(to)
}
