//! A schema refers to itself.

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "recursive-ref",
    level: Level::Info,
    what: "a schema refers to itself",
    why: "it is legal; models fill it in with varying luck",
    cure: "bound the depth if calls go wrong",
    source: "JSON Schema 2020-12",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::RecursiveRef, found);
}
