//! What deferring would change in a request in which it is off, part by part.

use crate::model::{Chars, Count, Decision, State, Sum, Tokens};
use crate::summary::Placed;

/// The parts.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    /// Definitions that the rules load.
    pub kept: Sum,
    /// Definitions that they defer.
    pub put_off: Sum,
    /// How many these are.
    pub tools: u64,
    /// The search tool's definition.
    pub search: Count,
    /// What the API adds.
    pub block: Count,
    /// The list of names, by the client's rule of thumb; its lead is left out.
    pub names: Count,
}

impl Projection {
    /// What deferring adds to the prompt; nothing where nothing is deferred.
    pub fn added(&self) -> Sum {
        match self.tools {
            0 => Sum::default(),
            _ => [self.search, self.block, self.names].into_iter().collect(),
        }
    }
}

/// What the rules would load and defer, the search tool, the block, the names.
pub fn projection(first: &Placed) -> Projection {
    let audit = &first.audit;
    let (mut kept, mut put_off) = (Sum::default(), Sum::default());
    let (mut tools, mut names) = (0, Chars(0));
    for tool in audit
        .tools
        .iter()
        .filter(|tool| tool.state == State::Loaded && !tool.kind.is_search(&tool.name))
    {
        if tool.verdict.decision == Decision::Defer {
            names = names + Chars(tool.name.encode_utf16().count() as u64 + 1);
            put_off.add(tool.size);
            tools += 1;
        } else {
            kept.add(tool.size);
        }
    }
    Projection {
        kept,
        put_off,
        tools,
        search: audit.if_on.0,
        block: audit.if_on.1,
        names: Count::estimated(Tokens(names.0 * 2 / 5)),
    }
}
