//! One conversation of a transcript: what the next call of the API was sent, as far as the transcript holds it.

use super::super::context::Context;
use super::super::hash;
use super::super::history::History;
use super::super::memo::Memo;
use super::super::message::{self, MessageFacts, ResultFacts, Speaker};
use super::super::prefix::PrefixTable;
use super::super::prompted;
use super::super::repair::ResultSign;
use super::super::scan::Raw;
use super::super::session_key::SessionKey;
use super::definitions::Definitions;
use super::shape::Shape;
use super::{Kept, Names};
use crate::model::{
    Announcement, Boundary, Channel, Count, Definition, Hazards, Prefix, Reference, Repairs,
    RequestFacts, Rewound, SearchCall, SectionFacts, Sum, Text, Thread, ToolEntry, Wire,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Sections that are kept of one conversation; what goes on is not told apart.
const MOST_SECTIONS: usize = 200;

/// Definitions that are kept of what searches found as text.
const MOST_FOUND: usize = 500;

/// What reading needs, borrowed from the reader.
pub(super) struct Tools<'r> {
    pub(super) context: &'r Context<'r>,
    pub(super) memo: &'r mut Memo,
    pub(super) prefixes: &'r mut PrefixTable,
}

/// A conversation on its way.
#[derive(Debug, Default, Clone)]
pub(super) struct Conversation {
    pub(super) session: SessionKey,
    pub(super) agent: Option<u128>,
    /// The time of the newest record.
    pub(super) time: Option<i64>,
    /// It is the agent that writes the summary of a compaction.
    pub(super) compacts: bool,
    /// Records since the last call, whose model is not known yet.
    pub(super) kept: Vec<Kept>,
    /// How texts are counted: as the last known model has it.
    pub(super) scope: u32,
    /// A call told its model.
    pub(super) scope_known: bool,
    /// What is set by the client, not said.
    definitions: Definitions,
    prefix: Prefix,
    /// The conversation since its last compaction.
    messages: Sum,
    uncounted: u64,
    shape: Shape,
    searches: Sum,
    search_ids: BTreeSet<u64>,
    asked: BTreeMap<u64, SearchCall>,
    answers_search: bool,
    sections: Vec<Arc<SectionFacts>>,
    /// Deferred tools that are discovered now: the list of the last compaction, and what was referred to since.
    pub(super) discovered: BTreeSet<Arc<str>>,
    referred: BTreeSet<Arc<str>>,
    /// Definitions that searches found as text.
    found: BTreeMap<Arc<str>, Arc<Definition>>,
    /// Definitions that stand as text in messages of role `system`.
    prompted: Vec<Arc<Definition>>,
    /// Every announcement since then.
    said: Vec<Arc<Announcement>>,
    /// What is new since the call before.
    new: New,
    /// Over the whole file.
    pub(super) ever: BTreeSet<Arc<str>>,
    pub(super) announced: BTreeSet<Arc<str>>,
    pub(super) pending_servers: Vec<Arc<str>>,
    pub(super) last_words: Arc<str>,
}

#[derive(Debug, Default, Clone)]
struct New {
    references: Vec<Reference>,
    calls: BTreeMap<Arc<str>, u64>,
    announcements: Vec<Arc<Announcement>>,
    search_calls: Vec<SearchCall>,
    inline: Vec<ToolEntry>,
    /// Discovered tools that were taken away.
    removed: Vec<Arc<str>>,
    boundaries: Vec<Boundary>,
    repairs: Repairs,
    rewound: Option<Rewound>,
}

impl Conversation {
    pub(super) fn new(session: SessionKey, agent: Option<u128>, file: &str) -> Self {
        let begins = hash::content(file.as_bytes());
        Self {
            session,
            agent,
            prefix: Prefix(hash::chain(begins, agent.unwrap_or_default())),
            last_words: Arc::from(""),
            ..Self::default()
        }
    }

    /// Reads what was kept, as the model of `scope` counts.
    pub(super) fn read_kept(&mut self, tools: &mut Tools<'_>) {
        for kept in std::mem::take(&mut self.kept) {
            match kept {
                Kept::Message(text) => {
                    if let Some(facts) = self.message(&text, tools) {
                        self.add_announcements(&facts.announcements);
                        self.fold(&facts, tools.prefixes);
                    }
                }
                Kept::Names(text, names) => self.add_names(text.as_deref(), names, tools),
                Kept::Uncounted => self.uncounted += 1,
                Kept::Prompt(text) => self.definitions.prompt(&text, self.scope, tools),
                Kept::Deferred(text) => self.definitions.deferred(&text, self.scope, tools),
            }
        }
    }

    fn message(&self, text: &str, tools: &mut Tools<'_>) -> Option<Arc<MessageFacts>> {
        let raw = Raw::parse(text).ok()?;
        Some(message::read(raw, self.scope, tools.context, tools.memo))
    }

    fn add_announcements(&mut self, announcements: &[Arc<Announcement>]) {
        for announcement in announcements {
            for name in &announcement.removed {
                self.announced.remove(name);
                self.withdraw(name);
            }
            self.announced.extend(announcement.names.iter().cloned());
            self.pending_servers.clone_from(&announcement.pending);
            self.said.push(Arc::clone(announcement));
            self.new.announcements.push(Arc::clone(announcement));
        }
    }

    /// A tool that is not there any more is not discovered any more: the client takes its references out.
    fn withdraw(&mut self, name: &Arc<str>) {
        self.found.remove(name);
        if self.discovered.remove(name) {
            self.referred.remove(name);
            self.new.references.retain(|own| own.name != *name);
            self.new.removed.push(Arc::clone(name));
        }
    }

    /// A list of names that the transcript keeps beside the text, which it may not hold.
    fn add_names(&mut self, text: Option<&str>, names: Names, tools: &mut Tools<'_>) {
        let facts = text.and_then(|text| self.message(text, tools));
        let said = facts.as_ref().and_then(|facts| facts.announcements.first());
        let tokens = match &facts {
            Some(facts) => facts.tokens,
            None => {
                // The words round the names are not there.
                let lines = names.added.join("\n");
                let count = tools.context.measure.text(self.scope, Text::Plain(&lines));
                self.messages.add(count);
                self.uncounted += 1;
                Count {
                    at_least: true,
                    ..count
                }
            }
        };
        let by_server = said.map(|said| said.by_server.clone()).unwrap_or_default();
        let mut own = |names: Vec<String>| -> Vec<Arc<str>> {
            names.iter().map(|name| tools.memo.name(name)).collect()
        };
        let announcement = Announcement {
            names: own(names.added),
            removed: own(names.removed),
            pending: match (names.pending.is_empty(), said) {
                (true, Some(said)) => said.pending.clone(),
                _ => own(names.pending),
            },
            channel: said.map_or(Channel::Reminder, |said| said.channel),
            tokens,
            by_server,
        };
        self.add_announcements(&[Arc::new(announcement)]);
        if let Some(facts) = facts {
            self.fold(&facts, tools.prefixes);
        }
    }

    /// Adds a message to what the next call is sent.
    fn fold(&mut self, facts: &MessageFacts, prefixes: &mut PrefixTable) {
        self.prefix = prefixes.extend(self.prefix, facts.content, facts.tokens);
        self.messages.add(facts.tokens);
        self.uncounted += facts.uncounted;
        self.shape.add(facts);
        let room = MOST_SECTIONS.saturating_sub(self.sections.len());
        let sections = facts.sections.iter().take(room);
        self.sections.extend(sections.cloned());
        for (name, how, tail) in &facts.references {
            self.ever.insert(Arc::clone(name));
            self.discovered.insert(Arc::clone(name));
            if self.referred.insert(Arc::clone(name)) {
                self.new.references.push(Reference {
                    name: Arc::clone(name),
                    how: *how,
                    pointer: Arc::from(format!("/message{tail}")),
                });
            }
        }
        for change in facts.withdrawals.iter().filter(|change| change.removed) {
            self.withdraw(&change.name);
        }
        self.new.inline.extend(facts.inline.iter().cloned());
        let room = MOST_FOUND.saturating_sub(self.prompted.len());
        self.prompted
            .extend(facts.prompted.iter().take(room).cloned());
        for call in &facts.calls {
            *self.new.calls.entry(Arc::clone(&call.name)).or_default() += 1;
            if call.search {
                self.search_ids.insert(call.id);
                self.searches.add(call.tokens);
            }
            if let Some((query, max_results)) = call.query.clone() {
                let asked = SearchCall {
                    id: call.id,
                    query,
                    max_results,
                    found: None,
                };
                self.asked.insert(call.id, asked);
            }
        }
        let mut answered = 0;
        for result in &facts.results {
            if result.has_references || self.search_ids.contains(&result.id) {
                self.searches.add(result.tokens);
                answered += 1;
            }
            // A result without an id answers nobody knows what.
            let answers = result.id != 0 && self.search_ids.contains(&result.id);
            if answers && self.found.len() < MOST_FOUND {
                let found = result.prompted.iter();
                let named = found.map(|own| (Arc::clone(&own.name), Arc::clone(own)));
                self.found.extend(named);
            }
            self.mended(result);
            self.answer(result, facts);
        }
        match facts.speaker {
            Speaker::User => self.answers_search = answered > 0 && answered == facts.results.len(),
            Speaker::Assistant => self.answers_search = false,
            Speaker::System | Speaker::Other => {}
        }
        if facts.speaker == Speaker::User {
            self.last_words = Arc::clone(&facts.opening);
        }
    }

    /// Errors that say why, and searches that found nothing; where they stand is another record.
    fn mended(&mut self, result: &ResultFacts) {
        let repairs = &mut self.new.repairs;
        match &result.sign {
            Some(ResultSign::NotSent) => repairs.not_sent.push(Arc::from("")),
            Some(ResultSign::Stripped(why)) => repairs.stripped.push((*why, Arc::from(""))),
            Some(ResultSign::Nothing(servers)) => repairs.pending.clone_from(servers),
            None if result.has_references => repairs.pending.clear(),
            None => {}
        }
    }

    fn answer(&mut self, result: &ResultFacts, facts: &MessageFacts) {
        if let Some(mut call) = self.asked.remove(&result.id) {
            let place = format!("/content/{}/", result.index);
            let own = facts.references.iter();
            let own = own.filter(|(_, _, tail)| tail.starts_with(&place));
            call.found = Some(own.map(|(name, ..)| Arc::clone(name)).collect());
            self.new.search_calls.push(call);
        }
    }

    /// A copy to go back to; what was ever discovered is not taken back.
    pub(super) fn checkpoint(&self) -> Self {
        let mut copy = self.clone();
        copy.ever.clear();
        copy
    }

    /// Becomes what `now` was at this point; `called`: what is new since then left with a call already.
    pub(super) fn go_back(&mut self, now: &Self, called: bool, tools: &mut Tools<'_>) {
        self.ever.extend(now.ever.iter().cloned());
        self.time = now.time;
        if called {
            self.scope = now.scope;
            self.scope_known = true;
            self.read_kept(tools);
            self.new = New {
                rewound: Some(Rewound {
                    discovered: self.discovered.iter().cloned().collect(),
                    announcements: self.said.clone(),
                }),
                ..New::default()
            };
        }
    }

    /// A summary takes the place of the conversation so far.
    pub(super) fn compact(&mut self, mut boundary: Boundary) {
        boundary.references = std::mem::take(&mut self.new.references);
        let calls = self.new.calls.iter();
        boundary.calls = calls.map(|(name, n)| (Arc::clone(name), *n)).collect();
        let snapshot = boundary.snapshot.iter().flatten().cloned();
        self.discovered = snapshot.collect();
        self.referred.clear();
        self.ever.extend(self.discovered.iter().cloned());
        self.announced.clear();
        self.pending_servers.clear();
        self.said.clear();
        self.new.announcements.clear();
        self.new.boundaries.push(boundary);
        // What follows goes on from nothing that was sent before.
        self.prefix = Prefix(hash::chain(
            self.prefix.0,
            self.new.boundaries.len() as u128,
        ));
        self.messages = Sum::default();
        self.uncounted = 0;
        self.shape = Shape::default();
        self.searches = Sum::default();
        self.search_ids.clear();
        self.answers_search = false;
        self.sections.clear();
        self.found.clear();
        self.prompted.clear();
    }

    /// What the call is sent whose answer comes now; what is new since the call before leaves with it.
    pub(super) fn call(&mut self, blank: RequestFacts) -> RequestFacts {
        let new = std::mem::take(&mut self.new);
        let (tools, system) = (self.definitions.tools(), self.definitions.system());
        let of_system = system.iter().flat_map(|system| &system.sections);
        let mut facts = RequestFacts {
            session: Some(self.session.hash),
            session_id: self.session.shown.clone(),
            agent: self.agent,
            prefix: Some(self.prefix),
            thread: Thread::Told,
            tools,
            system: system
                .as_ref()
                .map_or(Count::UNKNOWN, |system| system.tokens),
            system_blocks: system.as_ref().map_or(0, |system| system.blocks),
            system_parts: system.as_ref().map_or_else(
                || Arc::new([]) as Arc<[_]>,
                |system| Arc::clone(&system.parts),
            ),
            uncounted_system: system.as_ref().map_or(0, |system| system.uncounted),
            messages: self.messages.count(),
            shape: self.shape.messages(),
            uncounted_messages: self.uncounted,
            sections: of_system.chain(&self.sections).cloned().collect(),
            announcements: new.announcements,
            references: new.references,
            calls: new.calls.into_iter().collect(),
            searches: self.searches.count(),
            search_calls: new.search_calls,
            answers_search: self.answers_search,
            boundaries: new.boundaries,
            ..blank
        };
        let mut history = History {
            searches: facts.searches,
            inline: new.inline.clone(),
            prompted: self.prompted.clone(),
            found: self.found.values().cloned().map(|own| (0, own)).collect(),
            ..History::default()
        };
        let of_system = system.as_ref().map_or(&[][..], |system| &system.prompted);
        facts.wire = Arc::new(Wire {
            inline: new.inline,
            removed: new.removed,
            prompted: prompted::settle(of_system, &facts.tools, &mut history),
            ..Wire::default()
        });
        facts.searches = history.searches;
        facts.hazards = Hazards::shared(Hazards {
            repairs: new.repairs,
            ..Hazards::default()
        });
        facts.rewound = new.rewound.map(Box::new);
        facts
    }
}
