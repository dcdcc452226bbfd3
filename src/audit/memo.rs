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
#[derive(Default)]
pub struct ToolsMemo<'t> {
    known: HashMap<(u64, *const ToolList), (&'t Turn, Audit)>,
}

impl<'t> ToolsMemo<'t> {
    /// The audit of a turn, at the depth of its tools.
    pub fn tools(&mut self, turn: &'t Turn, context: &AuditContext<'_>) -> &Audit {
        let list = turn.exchange.request().map(|request| &request.tools);
        let key = (turn.session, list.map_or(std::ptr::null(), Arc::as_ptr));
        if self.known.len() >= CAPACITY && !self.known.contains_key(&key) {
            self.known.clear();
        }
        let new = || (turn, audit(turn, context));
        let (before, known) = self.known.entry(key).or_insert_with(new);
        if !std::ptr::eq(*before, turn) {
            if shows_the_same(before, turn) {
                known.role = turn.exchange.role();
            } else {
                *known = audit(turn, context);
            }
            *before = turn;
        }
        known
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
