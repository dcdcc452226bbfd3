//! Which conversation of a file a record belongs to.

use super::super::hash;
use super::super::scan::{Pairs, Raw, Type};
use super::conversation::Conversation;
use super::{COMPACTING, Transcript};

impl Transcript {
    /// Which conversation a record belongs to: its agent's, else that of the record before it, else its session's.
    pub(super) fn conversation(&mut self, record: &Pairs<'_>, id: Option<u64>) -> usize {
        let text = |keys: [&str; 2]| {
            let found = keys.iter().find_map(|key| record.get(key)?.string());
            found.filter(|text| !text.is_empty())
        };
        let session = text(["sessionId", "session_id"]);
        // A file is a session of its own where its records name none.
        let session = session.map(|session| hash::content(session.as_bytes()));
        let own = || hash::content(self.facts.origin.path.as_bytes());
        let named = session.unwrap_or_else(own);
        let session = Some(named);
        let agent = text(["agentId", "agent_id"]);
        let side = record.get("isSidechain").is_some_and(Raw::is_true);
        let parent = record
            .get("parentUuid")
            .or_else(|| record.get("parent_uuid"));
        let parent = parent.filter(|raw| raw.type_of() == Type::String);
        let parent = parent.map(|raw| hash::id(raw.text().as_bytes()));
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
                        let key = hash::chain(named, number);
                        self.begin(session, Some(key))
                    }
                }
            }),
            (None, false) => before.unwrap_or_else(|| match self.main.get(&session) {
                Some(&at) => at,
                None => self.begin(session, None),
            }),
        };
        if let Some(id) = id {
            self.places.insert(id, at);
        }
        at
    }

    fn begin(&mut self, session: Option<u128>, agent: Option<u128>) -> usize {
        let at = self.conversations.len();
        let file = &self.facts.origin.path;
        self.conversations
            .push(Conversation::new(session, agent, file));
        match agent {
            None => drop(self.main.insert(session, at)),
            Some(_) => self.facts.agents += 1,
        }
        at
    }
}
