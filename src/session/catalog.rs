//! Every definition seen anywhere, by name and content: what a name that was only announced stands for.

use crate::model::{DefId, Definition};
use std::collections::BTreeMap;
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

#[derive(Debug)]
struct Sighting {
    definition: Arc<Definition>,
    run: Option<Arc<str>>,
    session: u64,
    client_version: Option<Arc<str>>,
}

/// Content, run, session, client version: what makes two sightings different.
type Place = (DefId, Option<Arc<str>>, u64, Option<Arc<str>>);

/// The catalog. Complete before the first audit, not changed after.
#[derive(Debug, Default)]
pub struct Catalog {
    by_name: BTreeMap<Arc<str>, BTreeMap<Place, Sighting>>,
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
        self.insert(definition, Some(Arc::clone(run)), session, version.cloned());
    }

    /// Notes a definition of a `--tools` file.
    pub fn add_listing(&mut self, definition: &Arc<Definition>) {
        self.insert(definition, None, 0, None);
    }

    fn insert(
        &mut self,
        definition: &Arc<Definition>,
        run: Option<Arc<str>>,
        session: u64,
        version: Option<Arc<str>>,
    ) {
        let key = (definition.id, run.clone(), session, version.clone());
        let sightings = self
            .by_name
            .entry(Arc::clone(&definition.name))
            .or_default();
        sightings.entry(key).or_insert_with(|| Sighting {
            definition: Arc::clone(definition),
            run,
            session,
            client_version: version,
        });
    }

    /// The definition of a name: of its session, else its run, else a run of the same client version, else a
    /// listing. Where the nearest of these has several contents, nobody knows which one is meant.
    pub fn find(&self, name: &str, seeker: Seeker<'_>) -> Option<(Arc<Definition>, Provenance)> {
        let sightings = self.by_name.get(name)?;
        let mut nearest: BTreeMap<Provenance, BTreeMap<DefId, &Arc<Definition>>> = BTreeMap::new();
        for sighting in sightings.values() {
            let provenance = match &sighting.run {
                None => Provenance::Listing,
                Some(run) if **run != *seeker.run => {
                    if sighting.client_version.as_deref() != seeker.client_version {
                        continue;
                    }
                    Provenance::OtherRun
                }
                Some(_) if sighting.session == seeker.session => Provenance::Session,
                Some(_) => Provenance::Run,
            };
            nearest
                .entry(provenance)
                .or_default()
                .insert(sighting.definition.id, &sighting.definition);
        }
        let (provenance, contents) = nearest.into_iter().next()?;
        let mut contents = contents.into_values();
        match (contents.next(), contents.next()) {
            (Some(only), None) => Some((Arc::clone(only), provenance)),
            _ => None,
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
