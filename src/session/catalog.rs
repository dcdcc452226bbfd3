//! Every definition seen anywhere, by name and content: what a name that was only announced stands for.

use crate::model::{DefId, Definition};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where a definition was found for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// In the request itself.
    Own,
    /// Elsewhere in its session.
    Session,
    /// Elsewhere in its run.
    Run,
    /// In another run of the same client version.
    OtherRun,
    /// In a `--tools` file.
    Listing,
}

impl Provenance {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Own => "request",
            Self::Session => "session",
            Self::Run => "run",
            Self::OtherRun => "other-run",
            Self::Listing => "listing",
        }
    }
}

/// Who asks: what is nearer to it counts first.
#[derive(Debug, Clone, Copy)]
pub struct Seeker<'a> {
    /// The run.
    pub run: &'a str,
    /// The session in it.
    pub session: u64,
    /// The client's version; unknown equals unknown.
    pub client_version: Option<&'a str>,
}

/// One content of a name, and where it was seen.
#[derive(Debug)]
struct Content {
    definition: Arc<Definition>,
    listed: bool,
    /// Sessions by run.
    sessions: BTreeMap<Arc<str>, BTreeSet<u64>>,
    /// Runs by client version; the empty text stands for an unknown one.
    runs: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
}

impl Content {
    fn nearest(&self, seeker: Seeker<'_>) -> Option<Provenance> {
        if let Some(sessions) = self.sessions.get(seeker.run) {
            let own = sessions.contains(&seeker.session);
            return Some(if own {
                Provenance::Session
            } else {
                Provenance::Run
            });
        }
        let version = seeker.client_version.unwrap_or_default();
        if self.runs.get(version).is_some_and(|runs| !runs.is_empty()) {
            return Some(Provenance::OtherRun);
        }
        self.listed.then_some(Provenance::Listing)
    }
}

/// The catalog. Complete before the first audit, not changed after.
#[derive(Debug, Default)]
pub struct Catalog {
    by_name: BTreeMap<Arc<str>, BTreeMap<DefId, Content>>,
    /// `alwaysLoad` of listed tools.
    always_load: BTreeMap<Arc<str>, bool>,
}

impl Catalog {
    /// Notes a definition of a request.
    pub fn add(
        &mut self,
        definition: &Arc<Definition>,
        run: &Arc<str>,
        session: u64,
        version: Option<&Arc<str>>,
    ) {
        let content = self.content(definition);
        content
            .sessions
            .entry(Arc::clone(run))
            .or_default()
            .insert(session);
        let version = version.cloned().unwrap_or_else(|| Arc::from(""));
        content
            .runs
            .entry(version)
            .or_default()
            .insert(Arc::clone(run));
    }

    /// Notes a definition of a `--tools` file.
    pub fn add_listing(&mut self, definition: &Arc<Definition>) {
        self.content(definition).listed = true;
    }

    /// Notes `alwaysLoad` of a listed tool; a `true` anywhere stays.
    pub fn mark(&mut self, name: &Arc<str>, always_load: bool) {
        *self.always_load.entry(Arc::clone(name)).or_default() |= always_load;
    }

    /// `alwaysLoad` of a tool, where a listing says it.
    pub fn always_load(&self, name: &str) -> Option<bool> {
        self.always_load.get(name).copied()
    }

    fn content(&mut self, definition: &Arc<Definition>) -> &mut Content {
        let contents = self
            .by_name
            .entry(Arc::clone(&definition.name))
            .or_default();
        contents.entry(definition.id).or_insert_with(|| Content {
            definition: Arc::clone(definition),
            listed: false,
            sessions: BTreeMap::new(),
            runs: BTreeMap::new(),
        })
    }

    /// Is there any definition of that name, near or far?
    pub fn knows(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The definition of a name: of its session, else its run, else a run of the same client version, else a
    /// listing. Where the nearest of these has several contents, nobody knows which one is meant.
    pub fn find(&self, name: &str, seeker: Seeker<'_>) -> Option<(Arc<Definition>, Provenance)> {
        let contents = self.by_name.get(name)?.values();
        let mut found: Vec<(Provenance, &Arc<Definition>)> = contents
            .filter_map(|content| Some((content.nearest(seeker)?, &content.definition)))
            .collect();
        found.sort_by_key(|(provenance, _)| *provenance);
        match found.as_slice() {
            [(first, _), (second, _), ..] if first == second => None,
            [(provenance, definition), ..] => Some((Arc::clone(definition), *provenance)),
            [] => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ToolCount, ToolSizes};

    fn definition(id: u128) -> Arc<Definition> {
        let sizes = ToolSizes::default();
        Arc::new(Definition {
            id: DefId(id),
            name: Arc::from("t"),
            sizes,
            tokens: ToolCount::UNKNOWN,
        })
    }

    #[test]
    fn the_nearest_definition_counts_and_two_contents_are_unknown() {
        let run = |name: &str| Arc::<str>::from(name);
        let version = run("2.1.240");
        let mut catalog = Catalog::default();
        let seeker = Seeker {
            run: "a",
            session: 1,
            client_version: Some("2.1.240"),
        };
        let found = |catalog: &Catalog| catalog.find("t", seeker).map(|(d, p)| (d.id.0, p));
        assert_eq!(found(&catalog), None);
        catalog.add_listing(&definition(9));
        assert_eq!(found(&catalog), Some((9, Provenance::Listing)));
        catalog.add(&definition(8), &run("b"), 1, None);
        assert_eq!(
            found(&catalog),
            Some((9, Provenance::Listing)),
            "another version does not count"
        );
        catalog.add(&definition(7), &run("b"), 1, Some(&version));
        assert_eq!(found(&catalog), Some((7, Provenance::OtherRun)));
        catalog.add(&definition(6), &run("c"), 1, Some(&version));
        assert_eq!(found(&catalog), None, "two other runs disagree");
        catalog.add(&definition(5), &run("a"), 2, Some(&version));
        assert_eq!(found(&catalog), Some((5, Provenance::Run)));
        catalog.add(&definition(4), &run("a"), 1, Some(&version));
        assert_eq!(found(&catalog), Some((4, Provenance::Session)));
    }
}
