//! A schema has `oneOf`, `anyOf` or `allOf` at its root.

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "schema-root-combinator",
    level: Level::Error,
    what: "a schema has oneOf, anyOf or allOf at its root",
    why: "the API answers 400 to every request with this list, not only to calls of the tool",
    cure: "move the alternatives into a property",
    source: "issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::RootCombinator, found);
}
