//! Requests one by one, for what keeps none of them: nothing is added up, and no row outlives its call.

use super::gather::{Gathered, gather};
use super::{Outcome, ReadFile, Work, audit_context, profiles};
use crate::audit::{Audit, AuditDepth, ToolsMemo, audit};
use crate::session::Turn;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A request in its run, audited.
#[derive(Clone, Copy)]
pub struct Audited<'t> {
    /// The run.
    pub run: &'t Arc<str>,
    /// Its rank in the run, from 0; one that a time window leaves out keeps its own.
    pub rank: u64,
    /// The request in its session.
    pub turn: &'t Turn,
    /// Its audit, as deep as was asked for.
    pub audit: &'t Audit,
    /// Requests of one number have the same tools; where nothing deeper was asked for.
    pub alike: Option<u64>,
}

/// Runs it and hands out each request, run by run in the order of their names, until it is told to stop. The rows and
/// lints that [`Work`] may ask for are not made.
pub fn run_each(
    work: &Work<'_>,
    depth: AuditDepth,
    read: &ReadFile<'_>,
    each: &mut dyn FnMut(Audited<'_>) -> ControlFlow<()>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let Gathered { runs, catalog, .. } = gather(work, read, &mut outcome);
    let by_version = profiles(work, &runs);
    let mut flow = ControlFlow::Continue(());
    let mut numbers = 0;
    for (run, shuffled) in &runs {
        let context = audit_context(work, (&by_version, &catalog), run, depth);
        let mut memo = ToolsMemo::counting(&mut numbers);
        let mut seen = !shuffled.transcripts.is_empty() || work.window.is_open();
        for (rank, turn) in shuffled.turns.iter().enumerate() {
            if !outcome.lets_in(turn, work.window) {
                continue;
            }
            seen = true;
            // The count of what is left out goes on.
            if flow.is_break() {
                continue;
            }
            let whole;
            let (audit, alike) = match depth {
                AuditDepth::Tools => {
                    let (audit, number) = memo.tools(turn, &context);
                    (audit, Some(number))
                }
                _ => {
                    whole = audit(turn, &context);
                    (&whole, None)
                }
            };
            flow = each(Audited {
                run,
                rank: rank as u64,
                turn,
                audit,
                alike,
            });
        }
        if seen {
            outcome.handed_out.insert(Arc::clone(run));
        }
    }
    outcome.skipped.sort();
    outcome
}
