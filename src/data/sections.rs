//! How sections of system prompts and messages are recognised.

use crate::model::SectionKind;
use serde::Deserialize;

/// The sections.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sections {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// The rows.
    pub section: Vec<SectionWording>,
}

/// Where a section ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SectionEnd {
    /// At the first blank line after an entry, or after its first line where it has no entries.
    List,
    /// At the next heading of the first level.
    Heading,
    /// After its line.
    Line,
    /// At the closing tag of the reminder.
    Tag,
}

/// Where a wording counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// Inside a reminder.
    Reminder,
    /// Inside a reminder of a message of the user.
    UserReminder,
}

/// Where an entry names its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OwnerIn {
    /// Before the colon of `plugin:name`.
    Colon,
    /// The rest of the line.
    Heading,
}

/// One kind of section.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionWording {
    /// The kind.
    pub kind: SectionKind,
    /// A name for it among those of its kind.
    pub what: String,
    /// How its first line begins.
    #[serde(default)]
    pub begins: Vec<String>,
    /// What follows one word without blanks, at the beginning of its first line.
    #[serde(default)]
    pub after_word: Vec<String>,
    /// The rest of its first line holds a path.
    #[serde(default)]
    pub path: bool,
    /// Where it counts; anywhere a section may stand if absent.
    pub within: Option<Within>,
    /// Where it ends.
    pub ends: SectionEnd,
    /// It ends at a line that begins like this, too.
    #[serde(default)]
    pub closes: Vec<String>,
    /// How an entry begins.
    pub entry: Option<String>,
    /// Where an entry names its owner.
    pub owner: Option<OwnerIn>,
    /// It changes without anybody changing the set-up.
    #[serde(default)]
    pub by_itself: bool,
    /// Where this is known from.
    pub source: String,
}
