//! Files → turns in their sessions, and the catalog of all definitions: what stands before the first audit.

use super::group::by_group;
use super::listings::list_tools;
use super::map::map;
use super::shuffle::{Shuffled, Traffic, collect, move_counts, note_definitions, shuffle};
use super::{Outcome, ReadFile, Work};
use crate::ingest::{Context, PrefixTable};
use crate::model::{Fragment, Role};
use crate::session::Catalog;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was read, each thing in its place.
pub(super) struct Gathered {
    /// Runs by name.
    pub(super) runs: BTreeMap<Arc<str>, Shuffled>,
    /// Every definition seen.
    pub(super) catalog: Catalog,
    /// Which conversation goes on from which.
    pub(super) parents: PrefixTable,
}

/// Reads everything.
pub(super) fn gather(work: &Work<'_>, read: &ReadFile<'_>, outcome: &mut Outcome) -> Gathered {
    let context = Context {
        data: work.data,
        measure: work.measure,
        model: work.model,
        format: work.format,
        group_by: work.group_by,
        server: work.server,
        description_cap: work.description_cap,
        memo: work.memo,
        watch: work.watch,
        answers: work.by_turn,
        keep_texts: work.keep_texts,
        listing_model: work.listing_model,
        ids: work.ids,
    };
    let (facts, parents, remembered) = map(work.files, context, work.jobs, read);
    outcome.remembered = remembered;
    if let Some(watch) = work.watch {
        watch.done();
    }
    let mut catalog = Catalog::default();
    // Definitions name no model: they are counted for that of the requests.
    let mut requests = facts.iter().flat_map(|file| &file.fragments);
    let captured = requests.find_map(|fragment| match fragment {
        Fragment::Request(request) if request.role == Role::Main => request.model.clone(),
        _ => None,
    });
    let of_tools = Context {
        listing_model: captured.as_deref().or(context.listing_model),
        // The captures are read, and the line that told of them is gone.
        watch: None,
        ..context
    };
    list_tools(work, of_tools, read, &mut catalog, outcome);

    let mut by_run: BTreeMap<Arc<str>, Traffic> = BTreeMap::new();
    for (file, facts) in work.files.iter().zip(facts) {
        collect(work, file, facts, &mut by_run, outcome);
    }
    move_counts(&mut by_run, &mut outcome.skipped);
    let model = work.model.or(work.listing_model);
    let runs: BTreeMap<Arc<str>, Shuffled> = by_run
        .into_iter()
        .flat_map(|(run, traffic)| {
            let shuffled = shuffle(traffic, model, &parents, outcome);
            match work.group_by {
                Some(_) => by_group(shuffled),
                None => vec![(run, shuffled)],
            }
        })
        .collect();
    for (run, shuffled) in &runs {
        note_definitions(run, &shuffled.turns, &mut catalog);
    }
    Gathered {
        runs,
        catalog,
        parents,
    }
}
