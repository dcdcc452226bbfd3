//! The deferral checklist, in its strict order (seeds 000 and 003). The first rule that answers wins.

mod always_load;
mod communication;
mod default;
mod mcp;
mod requested;
mod should_defer;
mod tool_search;

use crate::data::Builtin;
use crate::model::{Decision, Kind, Verdict};

pub use always_load::{AlwaysLoad, always_load};
pub use requested::requested;

/// The checklist in order.
pub const RULES: &[&dyn Rule] = &[
    &always_load::Marked,
    &mcp::Mcp,
    &tool_search::ToolSearch,
    &communication::Communication,
    &should_defer::ShouldDefer,
    &default::Default,
];

/// What a rule may look at.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// What it is.
    pub kind: &'a Kind,
    /// Its row in the table of built-in tools.
    pub builtin: Option<&'a Builtin>,
    /// `alwaysLoad`, which is never on the wire: `None` = not visible, assumed unset.
    pub always_load: Option<AlwaysLoad>,
}

/// One rule of the checklist.
pub trait Rule: Sync {
    /// Stable name.
    fn id(&self) -> &'static str;
    /// What it says, in a sentence.
    fn about(&self) -> &'static str;
    /// The decision with its evidence, or `None`: ask the next rule.
    fn decide(&self, context: &Context<'_>) -> Option<(Decision, String)>;
}

/// Walks the checklist. The last rule always answers.
pub fn verdict(context: &Context<'_>) -> Verdict {
    let answers = RULES.iter().map(|rule| (rule.id(), rule.decide(context)));
    let first = answers
        .filter_map(|(rule, answer)| answer.map(|(decision, evidence)| (rule, decision, evidence)))
        .next();
    match first {
        Some((rule, decision, evidence)) => Verdict {
            decision,
            rule,
            evidence,
        },
        None => Verdict {
            decision: Decision::Unknown,
            rule: "default",
            evidence: "no rule answers".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
