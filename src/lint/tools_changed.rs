//! Loaded definitions were added, removed or changed in mid-session.

use super::{Check, Found, Lint, Looked};
use crate::model::Level;
use std::collections::BTreeSet;

pub(super) const LINT: Lint = Lint {
    code: "tools-changed",
    level: Level::Warn,
    what: "loaded definitions were added, removed or changed in mid-session",
    why: "the cached prefix is lost from the first of them on, and everything after it is written anew",
    cure: "connect servers before the first request, or let late tools be deferred: deferred definitions are outside of the cached prefix",
    source: "prompt caching page; tool search guide",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    let Some(before) = looked.before() else {
        return;
    };
    let (then, now) = (super::loaded(before), super::loaded(looked.request));
    let names = |list: &[super::Sent<'_>]| -> BTreeSet<String> {
        list.iter().map(|(name, _)| (*name).to_owned()).collect()
    };
    let (old, new) = (names(&then), names(&now));
    let added: Vec<&String> = new.difference(&old).collect();
    let removed: Vec<&String> = old.difference(&new).collect();
    let known: BTreeSet<&super::Sent<'_>> = then.iter().collect();
    let changed = now
        .iter()
        .filter(|sent| old.contains(sent.0) && !known.contains(sent))
        .count();
    if added.is_empty() && removed.is_empty() && changed == 0 {
        return;
    }
    let kept = then.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let message = format!(
        "{} added, {} removed, {changed} changed since the request before; {kept} tools of the prefix are kept",
        added.len(),
        removed.len()
    );
    let first = added
        .first()
        .or(removed.first())
        .map_or("tools", |name| name.as_str());
    found.tell(first, &format!("/tools/{kept}"), message);
}
