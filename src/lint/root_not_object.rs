//! A schema's root does not say "type": "object".

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "schema-root-not-object",
    level: Level::Error,
    what: "a schema's root does not say \"type\": \"object\"",
    why: "the API answers 400 to every request with this list",
    cure: "write \"type\": \"object\" at the root",
    source: "define-tools page; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::RootNotObject, found);
}
