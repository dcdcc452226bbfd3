//! What lints of schemas share.

use super::{Found, Looked};
use crate::model::SchemaFaultKind;

/// Tells of each definition of the list that has the fault.
pub(super) fn tell(looked: &Looked<'_>, kind: SchemaFaultKind, found: &mut Found<'_>) {
    let what = match kind {
        SchemaFaultKind::RootCombinator => "the schema's root is a combinator",
        SchemaFaultKind::RootNotObject => "the schema's root is no object",
        SchemaFaultKind::PropertyKey => "a property's key is outside of the pattern",
        SchemaFaultKind::DanglingRef => "a $ref leads nowhere",
        SchemaFaultKind::RecursiveRef => "the schema refers to itself",
        SchemaFaultKind::RequiredWithoutProperty => "required names a property that is not there",
    };
    for tool in &looked.request.tools.tools {
        let Some(definition) = &tool.definition else {
            continue;
        };
        let faults = definition.faults.iter();
        for fault in faults.filter(|fault| fault.kind == kind) {
            let place = match fault.pointer.is_empty() {
                true => String::new(),
                false => format!(", at {}", fault.pointer),
            };
            let pointer = format!("/tools/{}/input_schema{}", tool.index, fault.pointer);
            found.tell(&tool.name, &pointer, format!("{what}{place}"));
        }
    }
}
