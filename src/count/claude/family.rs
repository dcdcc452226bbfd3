//! The three tokenizer families and what differs between them.

use super::automaton::Automaton;

/// A generation of Claude's tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Claude 3 to Opus 4.6 and Sonnet 4.6, Haiku 4.5.
    V3,
    /// Opus 4.7.
    V47,
    /// Opus 4.8, Sonnet 5, Opus 5, Fable 5 and, by assumption, later ones.
    V48,
}

static V3: &[u8] = include_bytes!("../../../data/claude/v3.bin");
static V47: &[u8] = include_bytes!("../../../data/claude/v47.bin");

// The values of the methods are those of data/claude/families.toml; a test compares them.
impl Family {
    /// All of them, oldest first.
    pub const ALL: [Self; 3] = [Self::V3, Self::V47, Self::V48];

    /// The name that data/models.toml uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::V3 => "v3",
            Self::V47 => "v47",
            Self::V48 => "v48",
        }
    }

    /// The family of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Does the frame before a message end in a begin-of-word marker, which the text continues?
    pub(super) fn opens_word(self) -> bool {
        self != Self::V48
    }

    /// Are curly quotes read as straight ones?
    pub(super) fn folds_quotes(self) -> bool {
        self == Self::V3
    }

    /// Code points from which on a word in capitals is marked as such and lowered; `None` = never.
    pub(super) fn capitals_from(self) -> Option<usize> {
        (self == Self::V3).then_some(4)
    }

    /// Tokens of a tool's line round its JSON: the tags of the line and its newline, as the API's numbers have them.
    ///
    /// They hold for JSON with the keys description, name and parameters. With `input_schema` in the place of
    /// `parameters`, whose text costs two more, the same numbers come out with two less here.
    pub(super) fn line_wrap(self) -> u64 {
        match self {
            Self::V3 => 6,
            Self::V47 | Self::V48 => 7,
        }
    }

    /// The pieces and byte prefixes.
    pub(super) fn vocabulary(self) -> Automaton {
        Automaton::new(match self {
            Self::V3 => V3,
            Self::V47 | Self::V48 => V47,
        })
    }
}
