//! Runs: stretches of normalised text whose code points belong together.

use super::class::{Class, Traits};

/// What a run is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, with marks after them.
    Word,
    /// Marks without a letter before them.
    Stray,
    /// White.
    White,
    /// Digits.
    Digits,
    /// Punctuation.
    Punctuation,
    /// Border symbols.
    Symbols,
    /// Numbers that are no ASCII or Arabic digits.
    Numbers,
    /// Isolated code points, and variation selectors on their own.
    Isolated,
}

/// A run, with what its neighbours ask of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Class of the first code point.
    pub(super) first: Class,
    /// Class of the last one.
    pub(super) last: Class,
    /// All code points are of the first one's class.
    pub(super) uniform: bool,
    /// Capitals of an ASCII word, without the first letter; for other runs meaningless.
    pub(super) later_capitals: usize,
}

impl Run<'_> {
    /// White that starts with exactly one space.
    pub(super) fn starts_with_one_space(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.kind == Kind::White && bytes[0] == b' ' && bytes.get(1) != Some(&b' ')
    }

    /// White that ends with a space.
    pub(super) fn ends_with_space(&self) -> bool {
        self.kind == Kind::White && self.text.ends_with(' ')
    }

    /// A word, or marks that will be one.
    pub(super) fn is_wordlike(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Stray)
    }

    /// Does it want a begin-of-word marker where its left is open?
    pub(super) fn wishes_left(&self) -> bool {
        self.wishes(self.first)
    }

    /// Does it want an end-of-word marker where its right is open?
    pub(super) fn wishes_right(&self) -> bool {
        self.wishes(self.last)
    }

    /// Does it keep a contraction after it from joining?
    pub(super) fn closes_like_symbol(&self) -> bool {
        self.wishes_right() || self.kind == Kind::Word && self.last == Class::SymbolLetter
    }

    fn wishes(&self, end: Class) -> bool {
        let borders = |class| matches!(class, Class::Symbol | Class::Variation);
        match self.kind {
            Kind::Punctuation => true,
            Kind::Digits => end == Class::ArabicDigit,
            Kind::Numbers if !borders(self.first) && !borders(self.last) => self.uniform,
            Kind::Symbols | Kind::Numbers | Kind::Isolated => borders(end),
            Kind::Word | Kind::Stray | Kind::White => false,
        }
    }
}

/// Cuts a normalised text into runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs<'a> {
    rest: &'a str,
}

impl<'a> Runs<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

/// The kind of run that a code point opens.
fn opens(class: Class) -> Kind {
    match class {
        Class::Letter | Class::SymbolLetter => Kind::Word,
        Class::Mark => Kind::Stray,
        Class::White => Kind::White,
        Class::Digit | Class::ArabicDigit => Kind::Digits,
        Class::Punctuation => Kind::Punctuation,
        Class::Symbol => Kind::Symbols,
        Class::Number | Class::OtherNumber => Kind::Numbers,
        Class::Isolated | Class::Variation => Kind::Isolated,
    }
}

/// Does a run of this kind go on with a code point of that class?
fn joins(kind: Kind, class: Class) -> bool {
    match class {
        Class::Mark => matches!(kind, Kind::Word | Kind::Stray),
        Class::Variation => matches!(kind, Kind::Symbols | Kind::Numbers | Kind::Isolated),
        _ => opens(class) == kind,
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        let text = self.rest;
        let bytes = text.as_bytes();
        let traits_at = |at: usize| -> Option<(Traits, usize)> {
            let &byte = bytes.get(at)?;
            if byte.is_ascii() {
                return Some((Traits::of_ascii(byte), 1));
            }
            let c = text.get(at..)?.chars().next()?;
            Some((Traits::of(c), c.len_utf8()))
        };
        let (traits, mut at) = traits_at(0)?;
        let first = traits.class();
        let kind = opens(first);
        let mut last = first;
        let mut uniform = true;
        let mut later_capitals = 0;
        while let Some((traits, length)) = traits_at(at) {
            let class = traits.class();
            if !joins(kind, class) {
                break;
            }
            at += length;
            last = class;
            uniform &= class == first;
            later_capitals += usize::from(traits.is_upper());
        }
        let (run, rest) = text.split_at(at);
        self.rest = rest;
        Some(Run {
            kind,
            text: run,
            first,
            last,
            uniform,
            later_capitals,
        })
    }
}
