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
    let mut neighbours = Neighbours::default();
    // A single space after an end of word: written only if no begin of word follows.
    let mut seam = false;
    while let Some(run) = next {
        next = runs.next();
        let here = Borders::of(family, &run, neighbours, next.as_ref());
        if std::mem::take(&mut seam) && !here.left {
            (stream.tile)(SPACE);
        }
        if run.kind == Kind::White {
            if neighbours.closed && run.text == " " {
                seam = true;
            } else {
                stream.flush();
                (stream.tile)(run.text.as_bytes());
            }
        } else {
            stream.run(&run, here);
        }
        neighbours = Neighbours {
            earlier: neighbours.before,
            before: Some(run),
            closed: here.right,
        };
    }
    if seam {
        (stream.tile)(SPACE);
    }
    stream.flush();
}

/// What stands before a run.
#[derive(Debug, Clone, Copy, Default)]
struct Neighbours<'a> {
    /// The run before the one before.
    earlier: Option<Run<'a>>,
    /// The run before.
    before: Option<Run<'a>>,
    /// The run before wrote an end of word.
    closed: bool,
}

/// Which markers a run writes.
#[derive(Debug, Clone, Copy)]
struct Borders {
    left: bool,
    right: bool,
}

impl Borders {
    fn of(family: Family, run: &Run<'_>, at: Neighbours<'_>, next: Option<&Run<'_>>) -> Self {
        match run.kind {
            Kind::White => Self {
                left: false,
                right: false,
            },
            Kind::Word => Self {
                left: !is_continued(run, at),
                right: true,
            },
            Kind::Stray => Self {
                left: true,
                right: next.is_none_or(|next| next.kind != Kind::Word),
            },
            _ => {
                let open = match at.before {
                    None => family.opens_word(),
                    Some(before) => before.ends_with_space(),
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
fn is_continued(word: &Run<'_>, at: Neighbours<'_>) -> bool {
    let Some(before) = at.before else {
        return false;
    };
    if before.kind == Kind::Stray {
        return true;
    }
    before.text == "'"
        && CONTRACTIONS.contains(&word.text)
        && !at
            .earlier
            .is_some_and(|earlier| earlier.closes_like_symbol())
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
