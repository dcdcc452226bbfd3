//! Where the wire contradicts the answer, the assumption that could flip it makes its step unknown.

use crate::data::Profile;
use crate::model::{Observed, Outcome, Step};

pub(super) fn doubt(steps: &mut [Step], observed: Observed, explicit: bool, profile: &Profile) {
    let failing = steps.iter().position(|step| step.outcome == Outcome::Fail);
    let open = steps.iter().any(|step| step.outcome == Outcome::Unknown);
    let assumed = |name: &str| {
        steps
            .iter()
            .position(|step| step.name == name && step.assumed)
    };
    let doubtful = match (observed, failing) {
        // The likeliest first: a switch nobody gave, a proxy nobody gave, the kill switch, a denied tool, a window.
        (Observed::Off, None) if !open => assumed("mode")
            .or_else(|| assumed("proxy").filter(|_| !explicit))
            .or_else(|| assumed("kill-switch"))
            .or_else(|| assumed("search-tool"))
            .or_else(|| assumed("provider"))
            .or_else(|| assumed("client"))
            .or_else(|| assumed("threshold")),
        // The proxy's answer rests on the switch being unset.
        (Observed::On, Some(at)) if steps[at].name == "proxy" => assumed("mode").map(|_| at),
        // Managed settings can override it, and no capture shows them.
        (Observed::On, Some(at))
            if steps[at].name == "kill-switch" && profile.managed_override.rule =>
        {
            steps[at].evidence = profile.managed_override.source.clone();
            Some(at)
        }
        (Observed::On, Some(at)) => Some(at).filter(|at| steps[*at].assumed),
        _ => None,
    };
    if let Some(step) = doubtful.and_then(|at| steps.get_mut(at)) {
        step.outcome = Outcome::Unknown;
        let seen = observed.word();
        step.evidence = format!(
            "{}; but the wire shows it {seen}, so the assumption may be wrong",
            step.evidence
        );
    }
}
