//! Announced names changed where they stand, before messages that were cached.

use super::{Check, Found, Lint, Looked};
use crate::model::{Announcement, Level, RequestFacts, Thread};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const LINT: Lint = Lint {
    code: "announcement-breaks-prefix",
    level: Level::Warn,
    what: "announced names changed where they stand, before messages that were cached",
    why: "all that follows them is read anew and written to the cache again",
    cure: "wait for servers before the first request, or use a client that appends what changed",
    source: "deferral article and notes on the client: the two channels; prompt caching page",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let before = looked.previous.and_then(|turn| turn.exchange.request());
    let Some(before) = before.filter(|_| looked.is_main()) else {
        return;
    };
    let now = looked.request;
    let whole = |request: &RequestFacts| request.thread == Thread::Whole;
    // A history that did not grow was compacted, or is another conversation's: all of it is new.
    if !(whole(before) && whole(now)) || now.shape.messages <= before.shape.messages {
        return;
    }
    let named = |request: &RequestFacts| -> Vec<Arc<Announcement>> {
        let all = request.announcements.iter();
        let named = all.filter(|own| !own.names.is_empty() || !own.removed.is_empty());
        named.cloned().collect()
    };
    let (then, here) = (named(before), named(now));
    let Some(at) = (0..then.len()).find(|&at| !alike(&then[at], here.get(at))) else {
        return;
    };
    let channel = then[at].channel.word();
    let names = |own: Option<&Arc<Announcement>>| -> BTreeSet<Arc<str>> {
        let own = own.into_iter();
        own.flat_map(|own| own.names.iter().cloned()).collect()
    };
    let (old, new) = (names(Some(&then[at])), names(here.get(at)));
    let (more, fewer) = (new.difference(&old).count(), old.difference(&new).count());
    let messages = now.messages.tokens.map_or_else(String::new, |tokens| {
        format!("; up to {} tokens of messages", tokens.0)
    });
    let message =
        format!("the {channel} list of names has {more} more and {fewer} fewer{messages}");
    found.tell(channel, "/messages", message);
}

fn alike(then: &Announcement, now: Option<&Arc<Announcement>>) -> bool {
    now.is_some_and(|now| {
        (then.channel, &then.names, &then.removed) == (now.channel, &now.names, &now.removed)
    })
}
