//! What the records of one file gave, held to a size whatever the file holds.

use super::discover::CaptureFile;
use super::transcript::Transcript;
use crate::model::{Fragment, Place, Skipped};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a file holds.
#[derive(Debug, Default)]
pub struct FileFacts {
    /// What its records say, and what could not be read, in order.
    pub fragments: Vec<Fragment>,
    /// No format claims anything in it.
    pub not_a_capture: bool,
    /// Records that are known to hold no request.
    pub asides: u64,
}

/// Places kept of records that fail alike; the rest is counted.
const APART: usize = 20;

/// Distinct reasons kept; the rest is counted as one.
const REASONS: usize = 200;

/// Records that fail, by reason.
#[derive(Debug, Default)]
struct Failures {
    by_reason: BTreeMap<String, (Vec<Place>, u64)>,
}

impl Failures {
    fn add(&mut self, place: Place, reason: String) {
        let full = self.by_reason.len() >= REASONS && !self.by_reason.contains_key(&reason);
        let reason = if full {
            "another fault".to_owned()
        } else {
            reason
        };
        let (places, more) = self.by_reason.entry(reason).or_default();
        if places.len() < APART {
            places.push(place);
        } else {
            *more += 1;
        }
    }

    fn into_lines(self) -> impl Iterator<Item = (Place, String)> {
        self.by_reason
            .into_iter()
            .flat_map(|(reason, (places, more))| {
                let last = places.len().saturating_sub(1);
                places.into_iter().enumerate().map(move |(at, place)| {
                    let told = at == last && more > 0;
                    let text = if told {
                        format!("{reason} ({more} more alike)")
                    } else {
                        reason.clone()
                    };
                    (place, text)
                })
            })
    }
}

/// What the records of one file gave.
#[derive(Default)]
pub(super) struct Collected {
    fragments: Vec<(Place, Fragment)>,
    refused: Failures,
    broken: Failures,
    /// Records that no format claims: how many, and where the first stands.
    strangers: Option<(u64, Place)>,
    asides: u64,
    /// The transcript that the file is, once a record shows it.
    pub(super) transcript: Option<Box<Transcript>>,
}

impl Collected {
    pub(super) fn take(&mut self, place: Place, fragment: Fragment) {
        // An answer without an id belongs to the request before it.
        if let Fragment::Answer(answer) = &fragment
            && answer.key.is_none()
            && let Some((_, Fragment::Request(request))) = self.fragments.last_mut()
            && request.usage.is_none()
        {
            request.usage = answer.usage;
            request.answer = request.answer.or(answer.id);
            return;
        }
        self.fragments.push((place, fragment));
    }

    /// A record that is known to hold no request.
    pub(super) fn aside(&mut self) {
        self.asides += 1;
    }

    /// A record that a format claims and that holds no request.
    pub(super) fn refuse(&mut self, place: Place, reason: String) {
        self.refused.add(place, reason);
    }

    /// A stretch that is no JSON.
    pub(super) fn break_at(&mut self, place: Place, reason: String) {
        self.broken.add(place, reason);
    }

    /// A record that no format claims.
    pub(super) fn unclaimed(&mut self, place: Place) {
        match &mut self.strangers {
            Some((count, _)) => *count += 1,
            None => self.strangers = Some((1, place)),
        }
    }

    /// The facts of the file. `loud`: it is a capture by its name, so that what breaks in it is told.
    pub(super) fn into_facts(mut self, file: &CaptureFile, loud: bool) -> FileFacts {
        let claimed = !self.fragments.is_empty() || !self.refused.by_reason.is_empty();
        let broken = !self.broken.by_reason.is_empty();
        if !(claimed || file.explicit || (loud && broken)) {
            return FileFacts {
                not_a_capture: true,
                ..FileFacts::default()
            };
        }
        if !claimed && !broken && self.strangers.is_none() {
            let reason = match self.asides {
                0 => "no record in it".to_owned(),
                n => format!("no request in it; {n} records of other traffic"),
            };
            self.refused.add(Place::Whole, reason);
        }
        let path = &file.shown;
        let skip = |(place, reason): (Place, String)| {
            (
                place,
                Fragment::Skipped(Box::new(Skipped {
                    path: Arc::clone(path),
                    place,
                    reason,
                })),
            )
        };
        let mut fragments = self.fragments;
        fragments.extend(self.refused.into_lines().map(skip));
        fragments.extend(self.broken.into_lines().map(skip));
        // Where nothing is claimed, what broke is the whole story.
        if let Some((count, place)) = self.strangers.filter(|_| claimed || fragments.is_empty()) {
            let reason = match count {
                1 => "no format claims this record".to_owned(),
                n => format!(
                    "no format claims this record, nor {} more of the file",
                    n - 1
                ),
            };
            fragments.push(skip((place, reason)));
        }
        fragments.sort_by_key(|(place, _)| *place);
        let mut fragments: Vec<Fragment> = fragments.into_iter().map(|(_, f)| f).collect();
        // They are kept until the last file is read, and most files hold one.
        fragments.shrink_to_fit();
        FileFacts {
            fragments,
            not_a_capture: false,
            asides: self.asides,
        }
    }
}
