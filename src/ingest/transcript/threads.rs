//! Which conversation of a file a record belongs to.

use super::super::hash;
use super::super::scan::{self, Pairs, Raw, Type};
use super::super::session_key::{SessionKey, session_key};
use super::conversation::{Conversation, Tools};
use super::{COMPACTING, Transcript};

impl Transcript {
    /// Which conversation a record belongs to: its agent's, else that of the record before it, else its session's.
    pub(super) fn conversation(
        &mut self,
        record: &Pairs<'_>,
        id: Option<u64>,
        tools: &mut Tools<'_>,
    ) -> usize {
        let text = |keys: [&str; 2]| {
            let found = keys.iter().find_map(|key| record.get(key)?.string());
            found.filter(|text| !text.is_empty())
        };
        let session = text(["sessionId", "session_id"]);
        // A file is a session of its own where its records name none.
        let session = session.map(|session| session_key(&session, tools.context, tools.memo));
        let own = || SessionKey {
            hash: hash::content(self.facts.origin.path.as_bytes()),
            shown: None,
        };
        let session = session.unwrap_or_else(own);
        let agent = text(["agentId", "agent_id"]);
        let side = record.get("isSidechain").is_some_and(Raw::is_true);
        let parent = parent(record);
        let before = parent.and_then(|parent| self.places.get(&parent).copied());
        self.facts.parentless += u64::from(parent.is_some() && before.is_none());
        let of_agent = |conversation: &Conversation| conversation.agent.is_some();
        let before = before.filter(|&at| of_agent(&self.conversations[at]) == side);
        let at = match (&agent, side) {
            (Some(agent), _) => {
                let key = hash::content(agent.as_bytes());
                let known = self.agents.get(&key).copied();
                let at = known.unwrap_or_else(|| self.begin(session, Some(key)));
                self.agents.insert(key, at);
                self.conversations[at].compacts = agent.starts_with(COMPACTING);
                at
            }
            // A subagent whose records stand among those of its session begins where nothing stands before it.
            (None, true) => before.unwrap_or_else(|| {
                let last = self.conversations.iter().rposition(of_agent);
                match (parent, last) {
                    (Some(_), Some(last)) => last,
                    _ => {
                        let number = self.conversations.len() as u128;
                        let key = hash::chain(session.hash, number);
                        self.begin(session, Some(key))
                    }
                }
            }),
            (None, false) => before.unwrap_or_else(|| match self.main.get(&Some(session.hash)) {
                Some(&at) => at,
                None => self.begin(session, None),
            }),
        };
        if let Some(id) = id {
            self.places.insert(id, at);
        }
        at
    }

    fn begin(&mut self, session: SessionKey, agent: Option<u128>) -> usize {
        let at = self.conversations.len();
        let file = &self.facts.origin.path;
        let hash = Some(session.hash);
        self.conversations
            .push(Conversation::new(session, agent, file));
        match agent {
            None => drop(self.main.insert(hash, at)),
            Some(_) => self.facts.agents += 1,
        }
        at
    }
}

/// The record that this one goes on from, by its id.
pub(super) fn parent(record: &Pairs<'_>) -> Option<u64> {
    let keys = ["parentUuid", "parent_uuid"];
    let parent = keys.iter().find_map(|key| record.get(key));
    parent
        .filter(|raw| is_id(*raw))
        .map(|raw| hash::id(raw.text().as_bytes()))
}

/// Words of the user's own: no result of a tool, and nothing that the client put in.
pub(super) fn is_prompt(record: &Pairs<'_>, message: &Pairs<'_>) -> bool {
    let marks = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];
    let marked = |key: &&str| record.get(key).is_some_and(Raw::is_true);
    let content = message.get("content").map(scan::elements);
    let mut blocks = content.into_iter().flatten();
    let result = |block: Raw<'_>| {
        let kind = scan::pairs(block).get("type").and_then(Raw::string);
        kind.as_deref() == Some("tool_result")
    };
    !marks.iter().any(marked) && !blocks.any(result)
}

/// An id is a text, and not an empty one.
pub(super) fn is_id(raw: Raw<'_>) -> bool {
    raw.type_of() == Type::String && raw.string().is_some_and(|id| !id.is_empty())
}
