//! Tools of turns, worked out once for all turns of a session that show the same.
//!
//! A session sends one list turn by turn; what its rows say changes only with a discovery or an announcement. Where
//! nothing but the tools is asked for, looking whether that happened is most of the work.

use super::{Audit, AuditContext, audit};
use crate::model::{Announcement, Exchange, RequestFacts, Thread, ToolList};
use crate::session::Turn;
use std::collections::HashMap;
use std::sync::Arc;

/// Sessions and lists that are remembered; more than that are hardly ever interleaved.
const CAPACITY: usize = 64;

/// The audits of the last turns of one run, by session and list. Good for one context.
pub struct ToolsMemo<'t, 'n> {
    known: HashMap<(u64, *const ToolList), Known<'t>>,
    /// How many audits were made, by memos before too.
    made: &'n mut u64,
}

struct Known<'t> {
    /// The turn that showed it last.
    turn: &'t Turn,
    audit: Audit,
    number: u64,
}

impl<'t, 'n> ToolsMemo<'t, 'n> {
    /// A memo that numbers its audits on from those before.
    pub fn counting(made: &'n mut u64) -> Self {
        let known = HashMap::new();
        Self { known, made }
    }

    /// The audit of a turn, at the depth of its tools, and its number: audits of one number have the same tools.
    pub fn tools(&mut self, turn: &'t Turn, context: &AuditContext<'_>) -> (&Audit, u64) {
        let list = turn.exchange.request().map(|request| &request.tools);
        let key = (turn.session, list.map_or(std::ptr::null(), Arc::as_ptr));
        if self.known.len() >= CAPACITY && !self.known.contains_key(&key) {
            self.known.clear();
        }
        let mut new = || {
            *self.made += 1;
            Known {
                turn,
                audit: audit(turn, context),
                number: *self.made,
            }
        };
        let known = self.known.entry(key).or_insert_with(&mut new);
        if !std::ptr::eq(known.turn, turn) {
            if shows_the_same(known.turn, turn) {
                known.audit.role = turn.exchange.role();
                known.turn = turn;
            } else {
                *known = new();
            }
        }
        (&known.audit, known.number)
    }
}

/// Do two turns of one session, with one list, have the same rows of tools? Only the plain case is looked at.
fn shows_the_same(a: &Turn, b: &Turn) -> bool {
    let (Exchange::Captured(one, None), Exchange::Captured(other, None)) =
        (&a.exchange, &b.exchange)
    else {
        return false;
    };
    // What besides list, discoveries and announcements decides a row.
    let plain = |request: &RequestFacts| {
        request.thread == Thread::Whole
            && request.wire.inline.is_empty()
            && request.wire.prompted.is_empty()
    };
    let same = |a: &[Arc<Announcement>], b: &[Arc<Announcement>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
    };
    let references = one.references.iter().zip(&other.references);
    plain(one)
        && plain(other)
        && Arc::ptr_eq(&a.settings, &b.settings)
        && one.wire.api == other.wire.api
        && one.model == other.model
        && one.client_version == other.client_version
        && one.references.len() == other.references.len()
        && { references }.all(|(a, b)| a.name == b.name && a.how == b.how)
        && same(&one.announcements, &other.announcements)
        && same(&a.carried, &b.carried)
        && a.discovered.same(&b.discovered)
}
