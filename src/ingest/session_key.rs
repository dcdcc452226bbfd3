//! Which session a request belongs to, and which client wrote it. Ids are hashed at once.

use super::context::Context;
use super::hash;
use super::memo::Memo;
use super::scan::{self, Pairs, Raw};
use crate::model::Ids;
use std::borrow::Cow;
use std::sync::Arc;

/// A session's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SessionKey {
    /// Its hash in this process, which tells sessions apart.
    pub(super) hash: u128,
    /// What of it may be shown, where that was asked for; all requests of a session share it.
    pub(super) shown: Option<Arc<str>>,
}

/// Hashes an id.
pub(super) fn session_key(id: &str, context: &Context<'_>, memo: &mut Memo) -> SessionKey {
    SessionKey {
        hash: hash::content(id.as_bytes()),
        shown: match context.ids {
            Ids::None => None,
            Ids::Hashed => Some(memo.name(&hash::session(id))),
            Ids::Raw => Some(memo.name(id)),
        },
    }
}

/// The session part of `metadata.user_id` in both spellings. A user id without one is no session id.
pub(super) fn session<'a>(body: &Pairs<'a>) -> Option<Cow<'a, str>> {
    // Codex keeps its conversation's id here (Responses).
    let key = body.get("prompt_cache_key").and_then(Raw::string);
    if let Some(key) = key.filter(|key| !key.is_empty() && body.get("input").is_some()) {
        return Some(key);
    }
    let user_id = body
        .get("metadata")
        .map(scan::pairs)?
        .get("user_id")
        .and_then(Raw::string)?;
    if user_id.trim_start().starts_with('{') {
        let inner = Raw::parse(&user_id).ok()?;
        let session = scan::pairs(inner)
            .get("session_id")
            .and_then(Raw::string)
            .map(Cow::into_owned)?;
        return (!session.is_empty()).then_some(Cow::Owned(session));
    }
    let (_, session) = user_id.rsplit_once("_session_")?;
    (!session.is_empty()).then(|| Cow::Owned(session.to_owned()))
}

/// What the attribution block at the start of the system prompt says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attribution {
    pub(super) client_version: Option<String>,
    pub(super) subagent: bool,
    /// The answer before this request in its session, hashed as a file's name is.
    pub(super) previous_answer: Option<u64>,
}

/// The beginning of the block; it costs no tokens (44 recorded requests).
pub(super) const ATTRIBUTION: &str = "x-anthropic-billing-header:";

/// Reads the attribution block.
pub(super) fn attribution(text: &str) -> Attribution {
    let fields = text
        .strip_prefix(ATTRIBUTION)
        .unwrap_or_default()
        .split(';')
        .map(str::trim);
    let mut attribution = Attribution::default();
    for field in fields {
        match field.split_once('=') {
            Some(("cc_version", version)) => attribution.client_version = client_version(version),
            Some(("cc_is_subagent", "true")) => attribution.subagent = true,
            Some(("cc_prev_req", id)) if !id.is_empty() => {
                attribution.previous_answer = Some(hash::id(format!("\"{id}\"").as_bytes()));
            }
            _ => {}
        }
    }
    attribution
}

/// The version in `claude-cli/1.0.6 (external, cli)`.
pub(super) fn user_agent_version(user_agent: &str) -> Option<String> {
    client_version(user_agent.strip_prefix("claude-cli/")?)
}

/// The first three numbers of a version: nothing else of it may reach an output.
pub(super) fn client_version(text: &str) -> Option<String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let numbers: Vec<&str> = text[..end].split('.').take(3).collect();
    let plain = numbers.iter().all(|n| (1..=6).contains(&n.len()));
    (numbers.len() == 3 && plain).then(|| numbers.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(user_id: &str) -> Option<String> {
        let body = serde_json::json!({ "metadata": { "user_id": user_id } }).to_string();
        session(&scan::pairs(Raw::parse(&body).unwrap())).map(Cow::into_owned)
    }

    #[test]
    fn both_spellings_of_a_user_id_name_a_session() {
        assert_eq!(
            key("user_1_account_2_session_3"),
            key(r#"{"device_id":"1","session_id":"3"}"#)
        );
        assert_eq!(key("user_1_account_2_session_3").as_deref(), Some("3"));
        assert_eq!(key("0000000000"), None);
        assert_eq!(key(r#"{"device_id":"1"}"#), None);
    }

    #[test]
    fn a_version_is_digits_and_dots() {
        let block = "x-anthropic-billing-header: cc_version=2.1.269.d5c; cc_entrypoint=cli; cc_is_subagent=true;";
        let read = attribution(block);
        assert_eq!(
            (read.client_version.as_deref(), read.subagent),
            (Some("2.1.269"), true)
        );
        assert_eq!(
            user_agent_version("claude-cli/1.0.6 (external, cli)").as_deref(),
            Some("1.0.6")
        );
        assert_eq!(client_version("2.secret"), None);
        assert_eq!(client_version("2.1"), None);
    }
}
