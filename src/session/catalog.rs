//! Every definition seen anywhere, by name and content: what a name that was only announced stands for.

use crate::model::Definition;
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

/// What one place says of a name.
#[derive(Debug)]
enum Content {
    One(Arc<Definition>),
    /// Several contents: nobody knows which one is meant.
    Several,
}

impl Content {
    fn add(slot: &mut Option<Self>, definition: &Arc<Definition>) {
        match slot {
            None => *slot = Some(Self::One(Arc::clone(definition))),
            Some(Self::One(known)) if known.id != definition.id => *slot = Some(Self::Several),
            // Of one content, what a list writes is worth more than its text in some prompt, whichever came first.
            Some(Self::One(known)) if known.as_text && !definition.as_text => {
                *known = Arc::clone(definition);
            }
            Some(_) => {}
        }
    }

    fn one(&self) -> Option<Arc<Definition>> {
        match self {
            Self::One(definition) => Some(Arc::clone(definition)),
            Self::Several => None,
        }
    }
}

/// A name by place, so that however many contents it has, asking costs the same.
#[derive(Debug, Default)]
struct Seen {
    sessions: BTreeMap<(Arc<str>, u64), Option<Content>>,
    runs: BTreeMap<Arc<str>, Option<Content>>,
    /// By client version; the empty text stands for an unknown one.
    versions: BTreeMap<Arc<str>, Option<Content>>,
    listed: Option<Content>,
}

impl Seen {
    fn nearest(&self, seeker: Seeker<'_>) -> Option<(&Content, Provenance)> {
        let run: Arc<str> = Arc::from(seeker.run);
        let version = seeker.client_version.unwrap_or_default();
        let of_run = self.runs.get(&run).and_then(Option::as_ref);
        let of_session = of_run.and_then(|_| self.sessions.get(&(run, seeker.session))?.as_ref());
        // Where the own run has none, whatever has the version is of another run.
        let of_version = self.versions.get(version).and_then(Option::as_ref);
        [
            (of_session, Provenance::Session),
            (of_run, Provenance::Run),
            (of_version, Provenance::OtherRun),
            (self.listed.as_ref(), Provenance::Listing),
        ]
        .into_iter()
        .find_map(|(content, provenance)| Some((content?, provenance)))
    }
}

/// The catalog. Complete before the first audit, not changed after.
#[derive(Debug, Default)]
pub struct Catalog {
    by_name: BTreeMap<Arc<str>, Seen>,
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
        let seen = self.seen(definition);
        let session = seen.sessions.entry((Arc::clone(run), session));
        Content::add(session.or_default(), definition);
        Content::add(seen.runs.entry(Arc::clone(run)).or_default(), definition);
        let version = version.cloned().unwrap_or_else(|| Arc::from(""));
        Content::add(seen.versions.entry(version).or_default(), definition);
    }

    /// Notes a definition of a `--tools` file.
    pub fn add_listing(&mut self, definition: &Arc<Definition>) {
        Content::add(&mut self.seen(definition).listed, definition);
    }

    /// Notes `alwaysLoad` of a listed tool; a `true` anywhere stays.
    pub fn mark(&mut self, name: &Arc<str>, always_load: bool) {
        *self.always_load.entry(Arc::clone(name)).or_default() |= always_load;
    }

    /// `alwaysLoad` of a tool, where a listing says it.
    pub fn always_load(&self, name: &str) -> Option<bool> {
        self.always_load.get(name).copied()
    }

    fn seen(&mut self, definition: &Arc<Definition>) -> &mut Seen {
        let name = Arc::clone(&definition.name);
        self.by_name.entry(name).or_default()
    }

    /// Is there any definition of that name, near or far?
    pub fn knows(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The definition of a name: of its session, else its run, else a run of the same client version, else a
    /// listing. Where the nearest of these has several contents, nobody knows which one is meant.
    pub fn find(&self, name: &str, seeker: Seeker<'_>) -> Option<(Arc<Definition>, Provenance)> {
        let (content, provenance) = self.by_name.get(name)?.nearest(seeker)?;
        Some((content.one()?, provenance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DefId, ToolCount, ToolSizes};

    fn definition(id: u128) -> Arc<Definition> {
        let sizes = ToolSizes::default();
        Arc::new(Definition {
            id: DefId(id),
            name: Arc::from("t"),
            sizes,
            tokens: ToolCount::UNKNOWN,
            body: id,
            cut: false,
            texts: None,
            faults: Vec::new(),
            as_text: false,
            stable: None,
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

    #[test]
    fn of_one_content_a_list_is_worth_more_than_a_text() {
        let text = Arc::new(Definition {
            as_text: true,
            ..(*definition(1)).clone()
        });
        let run: Arc<str> = Arc::from("a");
        let seeker = Seeker {
            run: "a",
            session: 1,
            client_version: None,
        };
        for order in [[&text, &definition(1)], [&definition(1), &text]] {
            let mut catalog = Catalog::default();
            order
                .iter()
                .for_each(|definition| catalog.add(definition, &run, 1, None));
            assert!(!catalog.find("t", seeker).unwrap().0.as_text);
        }
    }
}
