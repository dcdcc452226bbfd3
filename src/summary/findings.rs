//! Findings of a run, each kind once.

use crate::model::Finding;
use std::collections::BTreeMap;

/// Findings of a code and subject: the first, its rank, and how often it was seen.
pub type Findings = BTreeMap<(&'static str, String), (u64, Finding, u64)>;

/// Notes what was found in a request.
pub(super) fn note(findings: &mut Findings, rank: u64, found: &[Finding]) {
    for finding in found {
        let key = (finding.code, finding.subject.clone());
        let known = findings.entry(key);
        known.or_insert_with(|| (rank, finding.clone(), 0)).2 += 1;
    }
}

/// Joins what was found in two parts of a run.
pub(super) fn join(ours: &mut Findings, theirs: Findings) {
    for (key, (rank, finding, times)) in theirs {
        let known = ours
            .entry(key)
            .or_insert_with(|| (rank, finding.clone(), 0));
        if rank < known.0 {
            (known.0, known.1) = (rank, finding);
        }
        known.2 += times;
    }
}
