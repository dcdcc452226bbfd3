//! What a request is for: a turn, a subagent's turn, or one of the side requests that clients make.

use crate::data::{SideRequest, Wordings};
use crate::model::Role;

/// What telling roles needs of a request.
#[derive(Debug, Default)]
pub(super) struct Signs<'a> {
    /// `x-claude-code-request-class`.
    pub(super) class: Option<&'a str>,
    pub(super) subagent: bool,
    pub(super) url: Option<&'a str>,
    pub(super) max_tokens: Option<u64>,
    pub(super) tools: usize,
    pub(super) messages: u64,
    /// First words of the system blocks.
    pub(super) system: &'a [Box<str>],
    /// First words of the last user message.
    pub(super) last_user: &'a str,
    pub(super) json_output: bool,
    pub(super) model: Option<&'a str>,
}

/// The role, the client's own word first (request class, attribution), then the wordings.
pub(super) fn role(signs: &Signs<'_>, wordings: &Wordings) -> Role {
    match signs.class {
        Some("main") => return Role::Main,
        Some("subagent" | "workflow") => return Role::Subagent,
        Some("compaction") => return Role::Side("compaction"),
        Some("auxiliary") => return Role::Side(side_kind(signs, wordings).unwrap_or("auxiliary")),
        _ => {}
    }
    match side_kind(signs, wordings) {
        Some(kind) => Role::Side(kind),
        None if signs.subagent => Role::Subagent,
        None => Role::Main,
    }
}

fn side_kind(signs: &Signs<'_>, wordings: &Wordings) -> Option<&'static str> {
    wordings
        .side
        .iter()
        .find(|row| fits(row, signs))
        .map(|row| known_kind(&row.kind))
}

fn fits(row: &SideRequest, signs: &Signs<'_>) -> bool {
    let path = signs
        .url
        .map(|url| url.split(['?', '#']).next().unwrap_or_default());
    let holds = |given: Option<bool>| given.unwrap_or(true);
    holds(
        row.url_ends
            .as_ref()
            .map(|end| path.is_some_and(|path| path.ends_with(end.as_str()))),
    ) && holds(row.max_tokens.map(|n| signs.max_tokens == Some(n)))
        && holds(
            row.max_tokens_up_to
                .map(|n| signs.max_tokens.is_some_and(|m| m <= n)),
        )
        && holds(row.tools.map(|any| any == (signs.tools > 0)))
        && holds(row.messages.map(|n| signs.messages == n))
        && holds(
            row.system_begins
                .as_ref()
                .map(|begin| signs.system.iter().any(|s| s.starts_with(begin.as_str()))),
        )
        && holds(
            row.last_user_begins
                .as_ref()
                .map(|begin| signs.last_user.starts_with(begin.as_str())),
        )
        && holds(row.json_output.map(|json| json == signs.json_output))
        && holds(
            row.model_contains
                .as_ref()
                .map(|part| signs.model.is_some_and(|m| m.contains(part.as_str()))),
        )
}

/// Kinds are a closed set, so that facts need no allocation for them.
fn known_kind(kind: &str) -> &'static str {
    const KINDS: [&str; 7] = [
        "count-tokens",
        "quota",
        "count-fallback",
        "compaction",
        "title",
        "topic",
        "auxiliary",
    ];
    KINDS
        .iter()
        .find(|known| **known == kind)
        .copied()
        .unwrap_or("auxiliary")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    #[test]
    fn every_side_row_names_a_known_kind() {
        let wordings = Data::embedded().unwrap().wordings;
        for row in &wordings.side {
            assert_eq!(known_kind(&row.kind), row.kind);
        }
    }

    #[test]
    fn the_clients_own_word_comes_first() {
        let wordings = Data::embedded().unwrap().wordings;
        let plain = Signs {
            tools: 3,
            messages: 5,
            max_tokens: Some(32000),
            ..Signs::default()
        };
        assert_eq!(role(&plain, &wordings), Role::Main);
        assert_eq!(
            role(
                &Signs {
                    subagent: true,
                    tools: 3,
                    ..Signs::default()
                },
                &wordings
            ),
            Role::Subagent
        );
        assert_eq!(
            role(
                &Signs {
                    class: Some("workflow"),
                    ..Signs::default()
                },
                &wordings
            ),
            Role::Subagent
        );
        let quota = Signs {
            max_tokens: Some(1),
            messages: 1,
            ..Signs::default()
        };
        assert_eq!(role(&quota, &wordings), Role::Side("quota"));
        let count = Signs {
            url: Some("https://h/v1/messages/count_tokens?beta=true"),
            tools: 1,
            ..Signs::default()
        };
        assert_eq!(role(&count, &wordings), Role::Side("count-tokens"));
    }
}
