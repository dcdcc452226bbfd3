//! A property's key is outside of the pattern [a-zA-Z0-9_.-]{1,64}.

use super::faults;
use super::{Check, Found, Lint, Looked};
use crate::model::{Level, SchemaFaultKind};

pub(super) const LINT: Lint = Lint {
    code: "property-key-pattern",
    level: Level::Error,
    what: "a property's key is outside of the pattern [a-zA-Z0-9_.-]{1,64}",
    why: "the API answers 400 to every request with this list",
    cure: "rename the property",
    source: "API message; issue reports",
    check: Check::Request(check),
};

fn check(looked: &Looked<'_>, found: &mut Found<'_>) {
    faults::tell(looked, SchemaFaultKind::PropertyKey, found);
}
