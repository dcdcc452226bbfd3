//! What a model id decides about its counts, folded into the number that counts are memoised by.

use super::Family;
use crate::count::line::Escaping;
use crate::data::{Letter, Models, NonAscii, generation, is_claude, nearest_family};
use crate::model::Evidence;
use std::sync::OnceLock;

/// How a model counts, and how well that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) family: Family,
    pub(super) family_evidence: Evidence,
    pub(super) escaping: Escaping,
    pub(super) escaping_evidence: Evidence,
    /// What a tool round costs beyond its texts, where that was recorded on the family.
    pub(super) round: Option<(i64, Evidence)>,
    /// The model is in no table: it is read as the nearest generation.
    pub(super) guessed: bool,
}

/// The scope of everything that is not Claude.
pub(in crate::count) const STRANGER: u32 = 0;

const EVIDENCE: [Evidence; 3] = [Evidence::A, Evidence::B, Evidence::C];

impl Scope {
    /// The scope of a model id. `None` where it is no model of Claude's, or none is named.
    pub(super) fn of(id: &str, own: Option<&Models>) -> Option<Self> {
        if !is_claude(id) {
            return None;
        }
        let known = match own {
            Some(own) => own.get(id),
            None => models().and_then(|models| models.get(id)),
        };
        let known = known.and_then(|model| {
            Some(Self {
                family: Family::named(&model.family)?,
                family_evidence: letter(model.family_evidence),
                escaping: match model.non_ascii {
                    NonAscii::Raw => Escaping::Raw,
                    NonAscii::Escaped => Escaping::Escaped,
                },
                escaping_evidence: letter(model.non_ascii_evidence),
                round: round(Family::named(&model.family)?),
                guessed: false,
            })
        });
        Some(known.unwrap_or_else(|| Self::nearest(id)))
    }

    /// The nearest generation: the limits are those of the models whose family and escaping are measured.
    fn nearest(id: &str) -> Self {
        let family = Family::named(nearest_family(id)).unwrap_or(Family::V48);
        Self {
            family,
            family_evidence: Evidence::C,
            escaping: match generation(id) {
                Some((..4, _) | (4, ..6)) => Escaping::Escaped,
                None if family == Family::V3 => Escaping::Escaped,
                _ => Escaping::Raw,
            },
            escaping_evidence: Evidence::C,
            round: round(family),
            guessed: true,
        }
    }

    /// As a number; never that of strangers.
    pub(super) fn code(self) -> u32 {
        let family = Family::ALL
            .into_iter()
            .zip(0..)
            .find(|(f, _)| *f == self.family);
        let class = |of| EVIDENCE.into_iter().zip(0..).find(|(e, _)| *e == of);
        let number = |found: Option<(_, u32)>| found.map_or(0, |(_, at)| at);
        1 | family.map_or(0, |(_, at)| at) << 1
            | number(class(self.family_evidence)) << 3
            | number(class(self.escaping_evidence)) << 5
            | u32::from(self.escaping == Escaping::Escaped) << 7
            | u32::from(self.guessed) << 8
    }

    /// From such a number.
    pub(super) fn decoded(code: u32) -> Option<Self> {
        let at = |shift: u32| (code >> shift & 3) as usize;
        (code != STRANGER).then_some(())?;
        let family = *Family::ALL.get(at(1))?;
        Some(Self {
            family,
            round: round(family),
            family_evidence: *EVIDENCE.get(at(3))?,
            escaping_evidence: *EVIDENCE.get(at(5))?,
            escaping: match code >> 7 & 1 {
                0 => Escaping::Raw,
                _ => Escaping::Escaped,
            },
            guessed: code >> 8 & 1 == 1,
        })
    }
}

/// The table, read when the first model is asked for.
fn models() -> Option<&'static Models> {
    static MODELS: OnceLock<Option<Models>> = OnceLock::new();
    MODELS.get_or_init(|| Models::embedded().ok()).as_ref()
}

/// What the table says of the family's tool rounds.
fn round(family: Family) -> Option<(i64, Evidence)> {
    let row = models()?
        .family
        .iter()
        .find(|row| row.id == family.name())?;
    row.round.map(|round| (round.tokens, round.evidence.into()))
}

fn letter(letter: Letter) -> Evidence {
    letter.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_survives_its_number() {
        for id in [
            "claude-opus-5",
            "claude-haiku-4-5",
            "claude-opus-4-7",
            "claude-9",
            "claude-v2",
        ] {
            let scope = Scope::of(id, None).unwrap();
            assert_eq!(Scope::decoded(scope.code()), Some(scope), "{id}");
        }
        assert_eq!(Scope::decoded(STRANGER), None);
    }

    #[test]
    fn unknown_models_of_claude_count_as_the_nearest_and_others_not_at_all() {
        for (id, family, escaping) in [
            ("claude-2.1", Family::V3, Escaping::Escaped),
            ("anthropic.claude-v2:1", Family::V3, Escaping::Escaped),
            ("claude-instant-1.2", Family::V3, Escaping::Escaped),
            ("claude-3-6-sonnet-20250101", Family::V3, Escaping::Escaped),
            ("claude-haiku-4-6", Family::V3, Escaping::Raw),
            ("claude-sonnet-4-7", Family::V47, Escaping::Raw),
            ("claude-sonnet-4-9", Family::V48, Escaping::Raw),
            ("claude-opus-7", Family::V48, Escaping::Raw),
            ("claude-next", Family::V48, Escaping::Raw),
        ] {
            let scope = Scope::of(id, None).unwrap();
            assert!(scope.guessed, "{id}");
            assert_eq!((scope.family, scope.escaping), (family, escaping), "{id}");
        }
        for id in ["gpt-5", "", "llama-3", "claudette"] {
            assert_eq!(Scope::of(id, None), None, "{id}");
        }
        let opus = Scope::of("us.anthropic.claude-opus-4-6-v1:0", None).unwrap();
        assert_eq!((opus.family, opus.escaping), (Family::V3, Escaping::Raw));
        assert_eq!(opus.escaping_evidence, Evidence::C);
    }
}
