//! What headers, body parameters and settings say against the tools on the wire.

use super::Audit;
use super::findings::Told;
use crate::data::Data;
use crate::model::{Api, DeferFlag, Level, RequestFacts, State, ToolEntry};
use crate::rules;
use crate::session::Turn;

/// Adds the findings of a main request.
pub(super) fn add(
    turn: &Turn,
    request: &RequestFacts,
    data: &Data,
    audit: &Audit,
    told: &mut Told<'_>,
) {
    if request.wire.api == Api::Messages {
        killed(turn, request, told);
        betas(request, data, audit, told);
    }
    let wire = request.wire.provider.as_deref();
    if let (Some(given), Some(shown)) = (turn.settings.provider.as_deref(), wire)
        && given != shown
        // Foundry's two kinds of hosting look alike on the wire.
        && !given.starts_with(shown)
    {
        let message = format!(
            "the settings say {given}, the request shows {shown}; the gate is asked for {given}"
        );
        let help = "correct provider in toolcost.run.toml or --provider";
        told.tell(
            ("provider-differs", Level::Warn),
            ("provider", String::new()),
            message,
            help,
        );
    }
    for name in &request.wire.removed {
        let sent = audit.tools.iter().any(|tool| tool.name == *name);
        let message = match sent {
            true => {
                "taken away in the middle of the conversation: its definition stays where it was sent, and it cannot be called"
            }
            false => "taken away in the middle of the conversation, and never sent",
        };
        let help = "leave it out of the next conversation's tools";
        told.tell(
            ("tool-removed", Level::Info),
            (name, String::new()),
            message.to_owned(),
            help,
        );
    }
}

/// Fields that the kill switch takes off the tools.
fn killed(turn: &Turn, request: &RequestFacts, told: &mut Told<'_>) {
    if !rules::killed(&turn.settings) {
        return;
    }
    let has = |field: fn(&ToolEntry) -> bool| request.tools.tools.iter().any(field);
    let fields = [
        (
            "defer_loading",
            has(|tool| tool.flags.defer != DeferFlag::Absent),
        ),
        ("eager_input_streaming", has(|tool| tool.flags.eager)),
        ("strict", has(|tool| tool.flags.strict)),
        (
            "anthropic-beta",
            request
                .wire
                .betas
                .as_ref()
                .is_some_and(|betas| !betas.is_empty()),
        ),
    ];
    let stayed: Vec<&str> = fields
        .iter()
        .filter(|(_, stayed)| *stayed)
        .map(|(field, _)| *field)
        .collect();
    if stayed.is_empty() {
        return;
    }
    let message = format!(
        "the kill switch is set, and beta fields are on the wire all the same: {}",
        stayed.join(", ")
    );
    let help = "see whether the variable reached this client, or managed settings keep tool search on (2.1.227)";
    told.tell(
        ("fields-after-kill-switch", Level::Warn),
        ("tools", "/tools".to_owned()),
        message,
        help,
    );
}

/// The beta that once had to stand beside deferral, against what is deferred.
fn betas(request: &RequestFacts, data: &Data, audit: &Audit, told: &mut Told<'_>) {
    let Some(betas) = &request.wire.betas else {
        return;
    };
    let deferral = |id: &str| {
        data.wordings
            .beta
            .iter()
            .any(|row| row.deferral && row.id == id)
    };
    let asked = betas.iter().find(|id| deferral(id));
    let deferred = audit.tools.iter().any(|tool| {
        let deferred = matches!(
            tool.state,
            State::Deferred | State::Discovered | State::Placeholder
        );
        // What a search brought as text needs nothing of the API.
        deferred && !tool.kind.is_prompted()
    });
    let about = ("anthropic-beta", String::new());
    match (asked, deferred) {
        (None, true) => {
            let message = "tools are deferred, and the request asks for no beta of tool search: the Anthropic API needs none, older clouds and gateways may refuse the fields";
            let help = "see what the host answered";
            told.tell(
                ("deferral-without-beta", Level::Info),
                about,
                message.to_owned(),
                help,
            );
        }
        (Some(id), false) if !audit.signs_on() => {
            let message = format!(
                "the request asks for {id}, and no tool is deferred: the client could, and did not"
            );
            let help = "toolcost explain says which step decides";
            told.tell(("beta-without-deferral", Level::Info), about, message, help);
        }
        _ => {}
    }
}
