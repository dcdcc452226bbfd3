//! Which deferred tools a session has loaded by now. The set only grows (seeds 000 and 003), until a compaction takes
//! the references away and keeps no list of them.

use super::link::Parents;
use crate::model::{
    Announcement, Boundary, Exchange, PLACEHOLDER, RequestFacts, Rewound, Role, Thread,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How and when a tool was discovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discovery {
    /// `search`, `server-search`, `addition`, `snapshot`; `sent` where only its flagged definition shows it.
    pub how: &'static str,
    /// The turn whose request shows it first.
    pub turn: u64,
}

/// A discovery, with the place of the exchange that showed it, and of the one that referred to it first.
#[derive(Debug, Clone, Copy)]
struct Shown {
    at: usize,
    /// The exchange from which on it was taken away.
    gone: Option<usize>,
    referenced: Option<usize>,
    discovery: Discovery,
}

impl Shown {
    /// Does it hold at an exchange?
    fn holds(&self, upto: usize) -> bool {
        self.at <= upto && self.gone.is_none_or(|gone| gone > upto)
    }
}

/// Discoveries by tool.
type Table = BTreeMap<Arc<str>, Shown>;

/// What was found as text, with the place of the exchange and its turn: nothing that the API expands.
type Texts = BTreeMap<Arc<str>, (usize, u64)>;

/// What was discovered between two compactions.
type Closed = (Arc<Table>, Arc<Texts>);

/// The discoveries of a session up to one of its exchanges. All of them since the last compaction share one table,
/// since the set only grows: one table each would cost the square of what a long session discovers.
#[derive(Debug, Clone, Default)]
pub struct Discovered {
    tools: Arc<Table>,
    texts: Arc<Texts>,
    /// The place of the exchange; what was discovered later it does not know.
    upto: usize,
}

impl Discovered {
    /// How a tool was discovered, where it was.
    pub fn get(&self, name: &str) -> Option<&Discovery> {
        let shown = self.tools.get(name)?;
        shown.holds(self.upto).then_some(&shown.discovery)
    }

    /// Do both know the same, of one table?
    pub fn same(&self, other: &Self) -> bool {
        let (from, to) = (self.upto.min(other.upto), self.upto.max(other.upto));
        let between = |at: usize| from < at && at <= to;
        let changes = |shown: &Shown| {
            let marks = [Some(shown.at), shown.gone, shown.referenced];
            marks.into_iter().flatten().any(between)
        };
        Arc::ptr_eq(&self.tools, &other.tools)
            && Arc::ptr_eq(&self.texts, &other.texts)
            && !self.tools.values().any(changes)
            && !self.texts.values().any(|(at, _)| between(*at))
    }

    /// Was it referred to, since the last compaction?
    pub fn referenced(&self, name: &str) -> bool {
        let shown = self.tools.get(name);
        let refers = |shown: &Shown| shown.referenced.is_some_and(|at| at <= self.upto);
        shown.is_some_and(|shown| shown.holds(self.upto) && refers(shown))
    }

    /// The turn that found a tool as text, where one did.
    pub fn as_text(&self, name: &str) -> Option<u64> {
        let (at, turn) = self.texts.get(name)?;
        (*at <= self.upto).then_some(*turn)
    }

    /// The tools by name, each with how it was discovered.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Discovery)> {
        let known = self.tools.iter();
        let known = known.filter(|(_, shown)| shown.holds(self.upto));
        known.map(|(name, shown)| (name, &shown.discovery))
    }
}

/// What a turn knows of the pool of its session.
#[derive(Debug, Clone, Default)]
pub struct TurnPool {
    /// Discoveries.
    pub discovered: Discovered,
    /// Announcements of earlier requests that still hold.
    pub carried: Carried,
    /// Tools that were called though a compaction had lost their discovery.
    pub lost_calls: Vec<Arc<str>>,
}

/// Announcements in their order.
type Announced = Arc<Vec<Arc<Announcement>>>;

/// Announcements that still hold of earlier requests: the beginning of a list that all turns of a session share.
#[derive(Debug, Clone, Default)]
pub struct Carried {
    all: Announced,
    upto: usize,
}

impl std::ops::Deref for Carried {
    type Target = [Arc<Announcement>];

    fn deref(&self) -> &Self::Target {
        self.all.get(..self.upto).unwrap_or_default()
    }
}

/// Who discovers: the session, and which subagent of it.
type Who = (u64, Option<u128>);

/// What is known of one conversation on the walk.
#[derive(Default)]
struct Known {
    /// Discoveries since the last compaction; those before it are closed.
    tools: Table,
    texts: Texts,
    closed: Vec<Closed>,
    announcements: Vec<Arc<Announcement>>,
    /// Lists of announcements that hold no longer.
    lists: Vec<Announced>,
    /// A request goes on from the newest list.
    list_is_used: bool,
    turn: u64,
    /// What a compaction lost, with the calls that the history holds of it all the same.
    lost: BTreeMap<Arc<str>, u64>,
    /// The whole body before: how many messages it had, and what it referred to.
    before: Option<(u64, Vec<Arc<str>>)>,
}

/// A turn on its way: its conversation, the numbers of its table and of its list of announcements, how much of that
/// list stood before it, and what of its calls was lost.
struct Placed {
    who: Who,
    table: usize,
    list: usize,
    carried: usize,
    lost_calls: Vec<Arc<str>>,
}

/// Walks the exchanges of one run, given in order with session and turn.
pub fn discover_tools(
    exchanges: &[(&Exchange, u64, Option<u64>)],
    parents: &dyn Parents,
) -> Vec<TurnPool> {
    let mut sessions: BTreeMap<Who, Known> = BTreeMap::new();
    let mut placed: Vec<Option<Placed>> = Vec::with_capacity(exchanges.len());
    for (at, (exchange, session, turn)) in exchanges.iter().enumerate() {
        let Some(request) = exchange.request() else {
            placed.push(None);
            continue;
        };
        // A subagent searches for itself; side requests repeat what their conversation knows.
        let of_its_own = request.agent.is_some() || request.role == Role::Subagent;
        let agent = of_its_own.then(|| agent(request, parents));
        let key = (*session, agent);
        let known = sessions.entry(key).or_default();
        known.turn = turn.unwrap_or(known.turn);
        let (carried, lost_calls) = known.walk(at, request);
        placed.push(Some(Placed {
            who: key,
            table: known.closed.len(),
            list: carried.0,
            carried: carried.1,
            lost_calls,
        }));
    }
    let known: BTreeMap<Who, (Vec<Closed>, Vec<Announced>)> = sessions
        .into_iter()
        .map(|(key, mut known)| {
            known.close_list();
            let mut tables = known.closed;
            tables.push((Arc::new(known.tools), Arc::new(known.texts)));
            (key, (tables, known.lists))
        })
        .collect();
    let placed = placed.into_iter().enumerate();
    let pools = placed.map(|(upto, placed)| {
        let placed = placed?;
        let (tables, lists) = known.get(&placed.who)?;
        let (tools, texts) = tables.get(placed.table)?.clone();
        Some(TurnPool {
            discovered: Discovered { tools, texts, upto },
            carried: Carried {
                all: lists.get(placed.list).cloned().unwrap_or_default(),
                upto: placed.carried,
            },
            lost_calls: placed.lost_calls,
        })
    });
    pools.map(Option::unwrap_or_default).collect()
}

/// Which subagent asks: by its id, else by the message its conversation begins with.
fn agent(request: &RequestFacts, parents: &dyn Parents) -> u128 {
    request.agent.unwrap_or_else(|| {
        let mut first = None;
        let mut here = request.prefix;
        while let Some(prefix) = here {
            let before = parents.parent(prefix);
            if before.is_some() {
                first = Some(prefix);
            }
            here = before;
        }
        first.map_or(0, |prefix| prefix.0)
    })
}

impl Known {
    /// Takes in a request; the list of announcements that it goes on from, with how much of it, and lost calls.
    fn walk(&mut self, at: usize, request: &RequestFacts) -> ((usize, usize), Vec<Arc<str>>) {
        if let Some(rewound) = &request.rewound {
            self.go_back(at, rewound);
        }
        for boundary in &request.boundaries {
            self.compact(at, boundary, request);
        }
        let mut found: Vec<(Arc<str>, &'static str)> = request
            .references
            .iter()
            .map(|r| (Arc::clone(&r.name), r.how.word()))
            .collect();
        let tools = &request.tools.tools;
        if tools.iter().any(|tool| &*tool.name == PLACEHOLDER) {
            // Newer clients send only discovered definitions beside the placeholder.
            let sent = tools
                .iter()
                .filter(|t| t.flags.defer.defers() && &*t.name != PLACEHOLDER);
            found.extend(sent.map(|tool| (Arc::clone(&tool.name), "sent")));
        }
        // Side requests are shorter anyway.
        let speaks = matches!(request.role, Role::Main | Role::Subagent);
        if request.thread == Thread::Whole && speaks {
            self.shrink(request);
        }
        if request.thread == Thread::Told {
            for name in &request.wire.removed {
                if let Some(shown) = self.tools.get_mut(name) {
                    shown.gone = shown.gone.or(Some(at));
                }
            }
        }
        for (name, how) in found {
            self.lost.remove(&name);
            self.discover(at, name, how);
        }
        for text in request.wire.prompted.iter().filter(|text| text.found) {
            let name = Arc::clone(&text.definition.name);
            self.lost.remove(&name);
            self.texts.entry(name).or_insert((at, self.turn.max(1)));
        }
        let called = request.calls.iter().filter(|(name, calls)| {
            let before = self.lost.get(name);
            before.is_some_and(|before| calls > before)
        });
        let lost_calls = called.map(|(name, _)| Arc::clone(name)).collect();
        if request.thread.goes_on() {
            // The next request tells only of calls that are new.
            self.lost.values_mut().for_each(|calls| *calls = 0);
        }
        if !request.thread.goes_on() {
            self.close_list();
        }
        let carried = (self.lists.len(), self.announcements.len());
        self.list_is_used |= request.thread.goes_on();
        self.announcements
            .extend(request.announcements.iter().cloned());
        (carried, lost_calls)
    }

    /// What was announced so far holds no longer.
    fn close_list(&mut self) {
        let list = std::mem::take(&mut self.announcements);
        // Bodies that hold their whole history go on from none.
        if std::mem::take(&mut self.list_is_used) {
            self.lists.push(Arc::new(list));
        }
    }

    fn discover(&mut self, at: usize, name: Arc<str>, how: &'static str) {
        let turn = self.turn.max(1);
        let referenced = (how != "sent").then_some(at);
        let new = Shown {
            at,
            gone: None,
            referenced,
            discovery: Discovery { how, turn },
        };
        let shown = self.tools.entry(name).or_insert(new);
        // What a list kept may be found again, and so may what was taken away.
        match shown.gone {
            Some(_) => *shown = new,
            None => shown.referenced = shown.referenced.or(referenced),
        }
    }

    /// The conversation goes on from an earlier point: what was discovered and announced then is what holds.
    fn go_back(&mut self, at: usize, rewound: &Rewound) {
        let before = std::mem::take(&mut self.tools);
        let texts = std::mem::take(&mut self.texts);
        for name in &rewound.discovered {
            let turn = self.turn.max(1);
            let how = "search";
            let known = before.get(name).copied().unwrap_or(Shown {
                at,
                gone: None,
                referenced: Some(at),
                discovery: Discovery { how, turn },
            });
            self.tools.insert(Arc::clone(name), known);
        }
        self.closed.push((Arc::new(before), Arc::new(texts)));
        self.close_list();
        self.announcements.clone_from(&rewound.announcements);
        self.lost.clear();
    }

    /// A boundary of a transcript: what is discovered after it is its list, and what is referred to from then on.
    fn compact(&mut self, at: usize, boundary: &Boundary, request: &RequestFacts) {
        for reference in &boundary.references {
            self.discover(at, Arc::clone(&reference.name), reference.how.word());
        }
        let before = std::mem::take(&mut self.tools);
        for name in boundary.snapshot.iter().flatten() {
            let known = before.get(name).map(|shown| shown.discovery.turn);
            let discovery = Discovery {
                how: "snapshot",
                turn: known.unwrap_or(self.turn.max(1)),
            };
            let shown = Shown {
                at,
                gone: None,
                referenced: None,
                discovery,
            };
            self.tools.insert(Arc::clone(name), shown);
        }
        let texts = std::mem::take(&mut self.texts);
        let all = before.keys().chain(texts.keys());
        // What is sent needs no discovery.
        let sent = request.tools.tools.iter().map(|tool| &tool.name);
        let sent: BTreeSet<&Arc<str>> = sent.collect();
        let gone = all.filter(|name| !self.tools.contains_key(*name) && !sent.contains(*name));
        // Calls that the next request tells of may have been made before.
        let calls = |name: &Arc<str>| {
            let own = boundary.calls.iter().find(|(called, _)| called == name);
            own.map_or(0, |(_, calls)| *calls)
        };
        self.lost
            .extend(gone.map(|name| (Arc::clone(name), calls(name))));
        self.closed.push((Arc::new(before), Arc::new(texts)));
        self.close_list();
    }

    /// A body whose history is shorter than that of the body before was compacted: references that are gone and
    /// whose tools are not sent any more are lost.
    fn shrink(&mut self, request: &RequestFacts) {
        let messages = request.shape.messages;
        let refers: Vec<Arc<str>> = request
            .references
            .iter()
            .map(|reference| Arc::clone(&reference.name))
            .collect();
        if let Some((before, referred)) = self.before.take()
            && messages < before
        {
            let sent = |name: &Arc<str>| request.tools.tools.iter().any(|tool| tool.name == *name);
            let gone = referred.into_iter();
            let gone = gone.filter(|name| !refers.contains(name) && !sent(name));
            self.lost.extend(gone.map(|name| {
                let calls = request.calls.iter().find(|(called, _)| *called == name);
                let calls = calls.map_or(0, |(_, calls)| *calls);
                (name, calls)
            }));
        }
        self.before = Some((messages, refers));
    }
}
