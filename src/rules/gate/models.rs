//! Does the model take `tool_reference`?

use super::{GateInput, open, step};
use crate::data::{ModelRule, at_least_4_5};
use crate::model::Step;

/// By the list every model is able that it does not name; by the floor, the 4.5 generation and later.
/// Between the two, at versions where nobody says which holds, the answer is known where they agree.
pub(super) fn model(input: &GateInput<'_>) -> Step {
    let name = "model";
    let rule = &input.profile.models;
    let Some(model) = input.model else {
        return step(
            name,
            "model not captured",
            true,
            true,
            "a model counts as able until one is named",
        );
    };
    let lower = model.to_lowercase();
    let listed = input
        .profile
        .constants
        .unsupported_models
        .iter()
        .find(|part| lower.contains(part.as_str()));
    let by_list = listed.is_none();
    let by_floor = at_least_4_5(model);
    let source = &rule.source;
    match (rule.rule, by_floor) {
        (ModelRule::List, _) => {
            let evidence = match listed {
                Some(part) => {
                    format!("models with {part} in their id do not take tool_reference ({source})")
                }
                None => format!("not on the list of models without tool_reference ({source})"),
            };
            step(name, model, false, by_list, &evidence)
        }
        (ModelRule::Floor, Some(able)) => {
            let evidence = match able {
                true => format!("of the 4.5 generation or later ({source})"),
                false => {
                    format!("before the 4.5 generation, and no setting overrides that ({source})")
                }
            };
            step(name, model, false, able, &evidence)
        }
        (ModelRule::Unknown, Some(able)) if able == by_list => {
            step(name, model, false, able, "list and floor agree")
        }
        (ModelRule::Unknown, Some(_)) => open(name, model, source),
        (ModelRule::Floor | ModelRule::Unknown, None) => open(
            name,
            model,
            "its generation is not in the id, and the rule asks for it",
        ),
    }
}
