//! A $ref leads nowhere.

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "dangling-ref",
    level: Level::Error,
    what: "a $ref leads nowhere",
    why: "the schema cannot be read; the API may answer 400",
    cure: "put the definition under $defs, or write it out",
    source: "JSON Schema 2020-12; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::DanglingRef, found);
}
