//! Required names a property that the schema does not have.

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "required-without-property",
    level: Level::Warn,
    what: "required names a property that the schema does not have",
    why: "no call can be checked, and strict tools are refused",
    cure: "add the property, or take the name out of required",
    source: "JSON Schema 2020-12; strict tools page",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::RequiredWithoutProperty, found);
}
