//! Fewer deferred tools are announced than in the request before.

use super::{Check, Found, Lint, Looked};
use crate::model::{Hazards, Level, RequestFacts};
use std::collections::BTreeSet;

pub(super) const LINT: Lint = Lint {
    code: "announced-names-shrink",
    level: Level::Info,
    what: "fewer deferred tools are announced than in the request before",
    why: "what is no longer announced cannot be found, though nobody took it away",
    cure: "see whether a server lost its connection, and whether the capture holds every announcement",
    source: "notes on the client: deltas; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let Some(before) = looked.before() else {
        return;
    };
    // A body that holds only what is new repeats no announcement.
    if looked.request.thread.goes_on() {
        return;
    }
    let (then, now) = (names(before), names(looked.request));
    let lost: Vec<&str> = then.difference(&now).copied().collect();
    // Tools that are sent now were not lost.
    let sent = |name: &&str| {
        looked
            .request
            .tools
            .tools
            .iter()
            .any(|tool| *tool.name == **name)
    };
    let lost: Vec<&str> = lost.into_iter().filter(|name| !sent(name)).collect();
    if let (Some(first), false) = (lost.first(), now.is_empty() && looked.has_no_search()) {
        let short = Hazards::short(first);
        let names = if lost.len() == 1 { "name" } else { "names" };
        let message = format!(
            "{} {names} fewer than before, {short} among them",
            lost.len()
        );
        found.tell(first, "/messages", message);
    }
}

fn names(request: &RequestFacts) -> BTreeSet<&str> {
    let announced = request.announcements.iter();
    let names = announced.flat_map(|announcement| &announcement.names);
    names.map(|name| &**name).collect()
}
