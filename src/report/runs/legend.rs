//! What the numbers are: what they equal, what their marks mean, how wrong they may be.

use crate::model::Source;
use crate::report::percent;
use crate::view::{Corrected, CountedModel, Known, RunsView};
use std::collections::BTreeMap;

/// Reasons that are named.
const MOST_REASONS: usize = 3;

/// The lines below the title.
pub(super) fn legend(view: &RunsView) -> String {
    let mut said: Vec<String> = Vec::new();
    if any(view, Source::Recorded) {
        said.push("plain numbers are recorded or documented".to_owned());
    }
    let ours = matches!(view.settings.counter.as_str(), "auto" | "claude");
    let rebuilt = ours && any(view, Source::Reconstructed);
    if rebuilt {
        said.extend(reconstructed(&view.counted_for));
    }
    if any(view, Source::Estimated) {
        let by = estimated(view, rebuilt).join(", and by ");
        said.push(format!("~ is estimated by {by}"));
    } else if rough(view) {
        let mut thin: Vec<&str> = Vec::new();
        for what in view.counted_for.iter().flat_map(|model| &model.thin) {
            if !thin.contains(what) {
                thin.push(what);
            }
        }
        thin.truncate(MOST_REASONS);
        let why = match thin.is_empty() {
            true => String::new(),
            false => format!(": {}", thin.join(", ")),
        };
        said.push(format!("~ rests on thin evidence (class C){why}"));
    }
    if let Some(by) = &view.settings.calibrated {
        said.push(format!("calibrated with {}", by.file));
    }
    if said.is_empty() {
        said.push("nothing was counted".to_owned());
    }
    format!("Counts: {}.", said.join("; "))
}

/// How wrong the sizes of tools may be, as measured.
fn band(view: &RunsView, counter: &str) -> Option<String> {
    let mut errors = view
        .counted_for
        .iter()
        .filter_map(|model| model.error.as_ref());
    let error = errors.find(|error| error.counter == counter)?;
    Some(format!(
        "half of the tools measured lay within {}, 19 of 20 within {}",
        percent(error.median),
        percent(error.p95)
    ))
}

/// The counters that estimate, with what is known of their errors: corrected ones, and the one in use for the rest.
fn estimated(view: &RunsView, rebuilt: bool) -> Vec<String> {
    let by = view.settings.calibrated.as_ref();
    let correction = |model: &CountedModel| by.and_then(|by| by.correction(&model.model));
    let mut worst: BTreeMap<&str, &Corrected> = BTreeMap::new();
    for found in view.counted_for.iter().filter_map(correction) {
        let slot = worst.entry(&found.counter).or_insert(found);
        if found.p95.unwrap_or(1.0) > slot.p95.unwrap_or(1.0) {
            *slot = found;
        }
    }
    let mut said: Vec<String> = worst
        .iter()
        .map(|(counter, found)| format!("{counter} ({})", corrected(found)))
        .collect();
    let mut others = view
        .counted_for
        .iter()
        .filter(|model| correction(model).is_none());
    let stranger = |model: &CountedModel| model.vocabulary == Known::Unknown;
    let rest = match view.settings.counter.as_str() {
        "auto" if others.clone().any(stranger) || !rebuilt && said.is_empty() => Some("chars"),
        // Claude's models that nothing corrects are rebuilt, not estimated.
        "auto" | "claude" if !said.is_empty() => None,
        counter if said.is_empty() || others.next().is_some() => Some(counter),
        _ => None,
    };
    said.extend(rest.map(|counter| {
        let about = &view.settings.about_estimates;
        match band(view, counter) {
            Some(band) => format!("{counter} ({about}; {band})"),
            None => format!("{counter} ({about})"),
        }
    }));
    said
}

/// How far requests were from what a corrected counter said of them.
fn corrected(by: &Corrected) -> String {
    match (by.median, by.p95) {
        (Some(median), Some(p95)) => format!(
            "corrected for {}; requests not fitted on were off by {} at the median, {} at 95 %",
            by.model,
            percent(median),
            percent(p95)
        ),
        _ => format!(
            "corrected for {}; too few requests to tell the error",
            by.model
        ),
    }
}

/// What the reconstruction equals, and where it cannot promise that.
pub(in crate::report) fn reconstructed(counted_for: &[CountedModel]) -> Vec<String> {
    let names = |models: &[&CountedModel]| {
        let names: Vec<&str> = models.iter().map(|model| model.model.as_str()).collect();
        names.join(", ")
    };
    let (sure, other): (Vec<&CountedModel>, Vec<&CountedModel>) = counted_for
        .iter()
        .filter(|model| model.vocabulary != Known::Unknown)
        .partition(|model| {
            model.vocabulary == Known::Verified
                && model.prelude == Known::Verified
                && model.checked.is_some()
        });
    let mut said = Vec::new();
    if let Some(first) = sure.first() {
        let checked = first.checked.as_deref().unwrap_or_default();
        said.push(format!(
            "reconstructed offline, equal to what the API counts for {} (checked {checked})",
            names(&sure)
        ));
    }
    said.extend(other.iter().map(|model| {
        let vocabulary = match model.vocabulary {
            Known::Verified => "vocabulary verified",
            _ => "vocabulary assumed",
        };
        let prelude = match model.prelude {
            Known::Verified => "prelude verified",
            Known::Documented => "prelude documented, not verified",
            Known::Assumed => "prelude seen once or twice",
            Known::Unknown => "prelude unknown",
        };
        format!("{}: {vocabulary}, {prelude}", model.model)
    }));
    said
}

fn any(view: &RunsView, source: Source) -> bool {
    view.runs.iter().any(|run| {
        let tools = run.tools.iter().filter(|tool| tool.size.is_some());
        let recorded = run
            .first
            .as_ref()
            .is_some_and(|first| first.recorded.is_some());
        (source == Source::Recorded && recorded)
            || run.total.source == source && source != Source::Recorded
            || tools.map(|tool| tool.source).any(|found| found == source)
    })
}

/// Does a number rest on thin evidence?
fn rough(view: &RunsView) -> bool {
    view.runs.iter().any(|run| {
        let first = run
            .first
            .as_ref()
            .is_some_and(|first| !first.estimated_parts.is_empty());
        first
            || !run.total.estimated_parts.is_empty()
            || run.tools.iter().any(crate::view::ToolRow::is_rough)
    })
}
