//! Wordings by which announcements and side requests are recognised.

use serde::Deserialize;

/// The wordings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wordings {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    /// Announcements of deferred tools.
    pub announcement: Vec<AnnouncementWording>,
    /// Texts of repairs.
    pub repair: Vec<RepairWording>,
    /// Side requests, the first that fits wins.
    pub side: Vec<SideRequest>,
    /// Cloud providers.
    pub provider: Vec<ProviderSign>,
    /// Beta features that have to do with tools.
    pub beta: Vec<Beta>,
}

/// What a text of the client shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairSign {
    /// It ends the turn of a result with references.
    TurnBoundary,
    /// References were taken out: tool search is off.
    SearchOff,
    /// References were taken out: their tools are gone.
    ToolsGone,
    /// The schema of a called tool was not sent.
    NotSent,
    /// A search found nothing.
    Nothing,
}

/// A text that the client writes where it mends something.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairWording {
    /// What it shows.
    pub sign: RepairSign,
    /// The text, or how it begins.
    pub text: String,
    /// Where this is known from.
    pub source: String,
}

/// What shows a cloud provider on the wire.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSign {
    /// The provider, as `--provider` writes it.
    pub name: String,
    /// `anthropic_version` in the body begins so.
    pub version_begins: String,
    /// The URL's host ends so.
    pub host_ends: Vec<String>,
    /// Where this is known from.
    pub source: String,
}

/// A beta feature.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beta {
    /// Its id in `anthropic-beta`.
    pub id: String,
    /// It allows `defer_loading` and `tool_reference`.
    pub deferral: bool,
    /// Where this is known from.
    pub source: String,
}

/// Where the names of an announcement begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamesAfter {
    /// On the line after the opening words.
    Tag,
    /// On the line after the first one that ends in a colon.
    Colon,
    /// After the colon of the same line, with commas between.
    Inline,
}

/// What an announcement tells of its names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tells {
    /// Tools that can be searched now.
    #[default]
    Added,
    /// Tools that can be searched no longer.
    Removed,
    /// Servers that are still connecting.
    Pending,
}

/// One wording of an announcement.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncementWording {
    /// A name for it.
    pub id: String,
    /// Its first words.
    pub begins: String,
    /// Where the names begin.
    pub names_after: NamesAfter,
    /// What they are.
    #[serde(default)]
    pub tells: Tells,
    /// Where this is known from.
    pub source: String,
}

/// One kind of side request. Every condition that is given must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRequest {
    /// The kind.
    pub kind: String,
    /// The URL's path ends so.
    pub url_ends: Option<String>,
    /// `max_tokens` is this.
    pub max_tokens: Option<u64>,
    /// `max_tokens` is this or less.
    pub max_tokens_up_to: Option<u64>,
    /// There are tools, or there are none.
    pub tools: Option<bool>,
    /// So many messages.
    pub messages: Option<u64>,
    /// A block of the system prompt begins so.
    pub system_begins: Option<String>,
    /// A text of the last user message begins so.
    pub last_user_begins: Option<String>,
    /// A JSON schema for the answer is asked for, or is not.
    pub json_output: Option<bool>,
    /// The model's id holds this.
    pub model_contains: Option<String>,
    /// Where this is known from.
    pub source: String,
}
