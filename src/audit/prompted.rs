//! Tools whose definitions stand as text in the prompt: rows like any other, in no part a second time.

use super::pool::tool;
use super::{AuditContext, ToolAudit};
use crate::model::{Kind, RequestFacts, State};
use crate::session::{Provenance, Turn};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How such a tool was discovered.
const HOW: &str = "prompted";

/// Adds them behind what was sent.
pub(super) fn add(
    tools: &mut Vec<ToolAudit>,
    request: &RequestFacts,
    turn: &Turn,
    context: &AuditContext<'_>,
) {
    if request.wire.prompted.is_empty() {
        return;
    }
    let sent: BTreeSet<Arc<str>> = tools.iter().map(|tool| Arc::clone(&tool.name)).collect();
    let texts = request.wire.prompted.iter();
    for text in texts.filter(|text| !sent.contains(&text.definition.name)) {
        let state = match text.found {
            true => State::Discovered,
            false => State::Loaded,
        };
        let name = &text.definition.name;
        let own = (Arc::clone(&text.definition), Provenance::Own);
        // The verdict is by the name: a server's tool is one, however it is written.
        let mut row = tool(name, None, state, Some(own), turn, context);
        row.kind = Kind::Prompted {
            server: row.kind.server().cloned(),
        };
        if text.found {
            row.referenced = true;
            row.discovered = turn.discovered.as_text(name).map(|turn| (HOW, turn));
        }
        tools.push(row);
    }
}
