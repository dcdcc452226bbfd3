//! Sizes of tools whose definition the API writes itself, as far as they were measured.

use super::pool::ToolAudit;
use super::rows::ModelRows;
use crate::data::Models;
use crate::model::{Count, Kind, State, Tokens};

/// Gives such tools the size that the table has for them.
pub(super) fn fill(tools: &mut [ToolAudit], rows: ModelRows<'_>, models: &Models) {
    let Some(family) = rows.family else { return };
    for tool in tools.iter_mut().filter(|tool| tool.size.tokens.is_none()) {
        let Kind::Server { type_, .. } = &tool.kind else {
            continue;
        };
        let Some(row) = models.server_tool(type_, &family.id) else {
            continue;
        };
        tool.size = Count::reconstructed(Tokens(row.tokens), row.evidence.into());
        if matches!(tool.state, State::Loaded | State::Discovered) {
            tool.in_prompt = tool.size;
        }
    }
}
