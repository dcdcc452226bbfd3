//! The marked stream of a text, handed out in parts that can be tiled one by one.
//!
//! In every piece SHIFT, CAPS and BOW stand only in front and EOW only at the end, and white pieces are of one code
//! point repeated. So cutting before `[SHIFT|CAPS] BOW`, after EOW and round white runs changes no cost.

use super::family::Family;
use super::runs::{Kind, Run, Runs};
use super::tiling::marker;
use super::word;

/// Endings that follow an apostrophe as part of the word before it.
const CONTRACTIONS: [&str; 7] = ["s", "t", "d", "m", "ll", "re", "ve"];

const SPACE: &[u8] = b" ";

/// Writes the stream of a normalised text whose ends have been cut; `tile` gets the parts in order.
pub(super) fn parts(family: Family, text: &str, tile: impl FnMut(&[u8])) {
    let mut stream = Stream {
        family,
        tile,
        part: Vec::new(),
    };
    let mut runs = Runs::of(text);
    let mut next = runs.next();
    stream.head(next.as_ref(), runs);
    let mut before = Before::default();
    // A single space after an end of word: written only if no begin of word follows.
    let mut seam = false;
    while let Some(run) = next {
        next = runs.next();
        let here = Borders::of(family, &run, before, next.as_ref());
        if std::mem::take(&mut seam) && !here.left {
            (stream.tile)(SPACE);
        }
        if run.kind == Kind::White {
            if before.closed && run.text == " " {
                seam = true;
            } else {
                stream.flush();
                (stream.tile)(run.text.as_bytes());
            }
        } else {
            stream.run(&run, here);
        }
        before = before.after(&run, here);
    }
    if seam {
        (stream.tile)(SPACE);
    }
    stream.flush();
}

/// What stands before a run, as far as it matters.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    /// A run, not the start of the text.
    some: bool,
    /// White that ends with a space.
    space: bool,
    /// Marks that a word continues.
    stray: bool,
    /// An apostrophe alone.
    apostrophe: bool,
    /// It keeps a contraction after an apostrophe from joining.
    symbol: bool,
    /// The run before it does.
    earlier_symbol: bool,
    /// It wrote an end of word.
    closed: bool,
}

impl Before {
    /// What the run after `run` has before it.
    fn after(self, run: &Run<'_>, borders: Borders) -> Self {
        Self {
            some: true,
            space: run.ends_with_space(),
            stray: run.kind == Kind::Stray,
            apostrophe: run.text == "'",
            symbol: run.closes_like_symbol(),
            earlier_symbol: self.symbol,
            closed: borders.right,
        }
    }
}

/// Which markers a run writes.
#[derive(Debug, Clone, Copy)]
struct Borders {
    left: bool,
    right: bool,
}

impl Borders {
    fn of(family: Family, run: &Run<'_>, before: Before, next: Option<&Run<'_>>) -> Self {
        match run.kind {
            Kind::White => Self {
                left: false,
                right: false,
            },
            Kind::Word => Self {
                left: !is_continued(run, before),
                right: true,
            },
            Kind::Stray => Self {
                left: true,
                right: next.is_none_or(|next| next.kind != Kind::Word),
            },
            _ => {
                let open = match before.some {
                    true => before.space,
                    false => family.opens_word(),
                };
                let apostrophe = next.is_some_and(|next| is_opening_apostrophe(run, next));
                let followed = next.is_some_and(Run::starts_with_one_space);
                Self {
                    left: open && run.wishes_left() && !apostrophe,
                    right: followed && run.wishes_right(),
                }
            }
        }
    }
}

/// An apostrophe with a word behind it.
fn is_opening_apostrophe(run: &Run<'_>, next: &Run<'_>) -> bool {
    run.text == "'" && next.is_wordlike()
}

/// Does a word go on with what stands before it: marks, or a contraction's apostrophe?
fn is_continued(word: &Run<'_>, before: Before) -> bool {
    let contracted = || CONTRACTIONS.contains(&word.text) && !before.earlier_symbol;
    before.stray || before.apostrophe && contracted()
}

/// Collects a part until it may be cut.
struct Stream<F> {
    family: Family,
    tile: F,
    part: Vec<u8>,
}

impl<F: FnMut(&[u8])> Stream<F> {
    fn flush(&mut self) {
        if !self.part.is_empty() {
            (self.tile)(&self.part);
            self.part.clear();
        }
    }

    /// What joins the frame's begin of word to the first run.
    fn head(&mut self, first: Option<&Run<'_>>, mut rest: Runs<'_>) {
        if !self.family.opens_word() {
            return;
        }
        let alone = first.is_none_or(|run| match run.kind {
            Kind::Word | Kind::Stray | Kind::Punctuation => false,
            Kind::White => !run.text.starts_with(' '),
            _ => !run.wishes_left(),
        });
        if alone {
            self.part.push(marker::BOW);
        }
        let apostrophe = first.is_some_and(|run| {
            run.text == "'"
                && rest
                    .next()
                    .is_some_and(|next| is_opening_apostrophe(run, &next))
        });
        if apostrophe {
            (self.tile)(SPACE);
        }
    }

    /// A run that is not white.
    fn run(&mut self, run: &Run<'_>, borders: Borders) {
        if borders.left {
            self.flush();
        }
        match run.kind {
            Kind::Word if borders.left => word::write(self.family, run, &mut self.part),
            _ => {
                if borders.left {
                    self.part.push(marker::BOW);
                }
                self.part.extend_from_slice(run.text.as_bytes());
            }
        }
        if borders.right {
            self.part.push(marker::EOW);
            self.flush();
        }
    }
}
