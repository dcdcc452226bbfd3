//! Tools that are known by recorded counts: alone, or beside the request they count.

use super::pool::tool;
use super::{AuditContext, ToolAudit};
use crate::model::{
    Count, CountedBy, CountedPart, Kind, PLACEHOLDER, RecordedCounts, State, Tokens,
};
use crate::session::Turn;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tools that are known by their counts alone.
pub(super) fn counted(
    turn: &Turn,
    counts: &RecordedCounts,
    context: &AuditContext<'_>,
) -> Vec<ToolAudit> {
    let mut tools = Vec::new();
    let sizes = recorded_sizes(counts, context);
    let size = |name: &Arc<str>| sizes.get(&**name).copied().unwrap_or(Count::UNKNOWN);
    for part in &counts.parts {
        match part {
            CountedPart::Tool {
                name,
                description_chars,
                description_bytes,
                ..
            } => {
                let mut tool = tool(name, None, State::Loaded, None, turn, context);
                tool.description = (*description_chars, *description_bytes);
                tool.size = size(name);
                tool.in_prompt = tool.size;
                tools.push(tool);
            }
            CountedPart::Tools {
                name,
                tools: number,
                ..
            } => {
                let mut tool = tool(name, None, State::Loaded, None, turn, context);
                tool.kind = Kind::Group { tools: *number };
                tool.verdict.evidence =
                    "several tools counted together: their names are not known".to_owned();
                tool.size = size(name);
                tool.in_prompt = tool.size;
                tools.push(tool);
            }
            CountedPart::Placeholder(_) => {
                tools.push(tool(
                    &Arc::from(PLACEHOLDER),
                    None,
                    State::Placeholder,
                    None,
                    turn,
                    context,
                ));
            }
            CountedPart::Announced(names) => {
                tools.extend(
                    names
                        .iter()
                        .map(|name| tool(name, None, State::Announced, None, turn, context)),
                );
            }
            _ => {}
        }
    }
    tools
}

/// The recorded sizes by name. Counted one by one, each number holds the prelude once.
pub(super) fn recorded_sizes<'c>(
    counts: &'c RecordedCounts,
    context: &AuditContext<'_>,
) -> BTreeMap<&'c str, Count> {
    let id = context.model.or(counts.model.as_deref());
    let prelude = id
        .and_then(|id| context.data.models.get(id))
        .and_then(|model| model.prelude_auto);
    let size = |tokens: Tokens, times: u64| match (counts.method, prelude) {
        (CountedBy::Differences | CountedBy::Unstated, _) => Count::recorded(tokens),
        (CountedBy::OneByOne, Some(prelude)) => {
            let rest = tokens.0.checked_sub(prelude.saturating_mul(times));
            rest.map_or(Count::UNKNOWN, |rest| Count::recorded(Tokens(rest)))
        }
        (CountedBy::OneByOne, None) => Count::UNKNOWN,
    };
    let named = counts.parts.iter().filter_map(|part| match part {
        CountedPart::Tool { name, tokens, .. } => Some((&**name, size(*tokens, 1))),
        CountedPart::Tools {
            name,
            tokens,
            tools,
        } => Some((&**name, size(*tokens, *tools))),
        _ => None,
    });
    named.collect()
}
