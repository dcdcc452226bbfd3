//! What a request is reduced to while its bytes are there. Owned, small, free of message text.

use super::{
    Boundary, Count, Finding, Hazards, Listing, Origin, Prefix, RecordedCounts, Rewound,
    SearchCall, SectionFacts, Skipped, ToolList, TranscriptFacts, Usage, Wire,
};
use std::sync::Arc;

/// One block of a system prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemBlock {
    /// A hash of its text.
    pub content: u64,
    /// Its tokens.
    pub tokens: Count,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A turn of the conversation.
    Main,
    /// A turn of a subagent.
    Subagent,
    /// A request beside the conversation; the kind says which.
    Side(&'static str),
}

impl Role {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Subagent => "subagent",
            Self::Side(_) => "side",
        }
    }
}

/// `tool_choice`, which decides the prelude.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ToolChoice {
    /// `auto`, `none` or absent.
    #[default]
    Auto,
    /// `any`.
    Any,
    /// A named tool: the name costs a few tokens nobody documented.
    Tool,
    /// Something else.
    Other,
}

/// Whether the body holds the whole conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Thread {
    /// It does.
    #[default]
    Whole,
    /// Only what is new; the start is in an earlier request.
    Continue,
    /// There is no body: a transcript tells of the call. What it holds of references, calls and announcements is
    /// what is new since the call before.
    Told,
}

impl Thread {
    /// Does it leave the history to earlier requests?
    pub fn goes_on(self) -> bool {
        self != Self::Whole
    }
}

/// How names were announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// A message before all others, renewed with every request.
    Prepended,
    /// A reminder inside a user message.
    Reminder,
    /// A message of role `system`.
    SystemMessage,
}

impl Channel {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prepended => "prepended",
            Self::Reminder => "reminder",
            Self::SystemMessage => "system-message",
        }
    }
}

/// One announcement of deferred tools by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The names, in order.
    pub names: Vec<Arc<str>>,
    /// Names that it takes back.
    pub removed: Vec<Arc<str>>,
    /// Servers that are still connecting.
    pub pending: Vec<Arc<str>>,
    /// Where it stood.
    pub channel: Channel,
    /// Tokens of its text, the lead included.
    pub tokens: Count,
    /// Of these, tokens of the lines with names of an MCP server's tools.
    pub by_server: Vec<(Arc<str>, Count)>,
}

/// How a reference came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceHow {
    /// `tool_reference` in the result of the client's search tool.
    Search,
    /// `tool_reference` in the result of the API's own search.
    ServerSearch,
    /// A `tool_addition` in a system message.
    Addition,
    /// The list that a compaction kept.
    Snapshot,
}

impl ReferenceHow {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::ServerSearch => "server-search",
            Self::Addition => "addition",
            Self::Snapshot => "snapshot",
        }
    }
}

/// A reference to a tool, which puts its definition into the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The tool.
    pub name: Arc<str>,
    /// How it came about.
    pub how: ReferenceHow,
    /// JSON pointer into the body.
    pub pointer: Arc<str>,
}

/// How many messages there are, for the frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MessageShape {
    /// All of them.
    pub messages: u64,
    /// Messages after the first whose role differs from the one before, those of tool rounds not among them.
    pub other_role: u64,
    /// Messages after the first of the role of the one before.
    pub same_role: u64,
    /// Messages of role `system` that follow another role, or nothing.
    pub system: u64,
    /// The first message is the assistant's.
    pub assistant_first: bool,
    /// The last message is the assistant's, to be gone on with.
    pub prefilled: bool,
    /// Messages of the assistant that call tools.
    pub rounds: u64,
    /// Of those, messages that call more than one tool.
    pub parallel: u64,
    /// Of those, messages that follow results at once, without a word before the call.
    pub direct_calls: u64,
    /// Results that are marked as errors.
    pub failed_results: u64,
}

/// What a request asks of the answer, as far as it costs tokens of the prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// The thinking it asks for.
    pub thinking: Thinking,
    /// Tokens of the schema that the answer must fit, where one is given.
    pub output_schema: Option<Count>,
}

/// The kind of thinking a request asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Thinking {
    /// None, or `disabled`.
    #[default]
    Off,
    /// `enabled`, with a budget.
    Enabled,
    /// `adaptive`.
    Adaptive,
    /// Something else.
    Other,
}

/// What a request has in common with answers that are other records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnswerKeys {
    /// What the answer to it carries too.
    pub own: Option<u64>,
    /// The same of the answer before it in its session.
    pub previous: Option<u64>,
}

/// What one request is reduced to.
#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// Where it was read.
    pub origin: Origin,
    /// What it is for.
    pub role: Role,
    /// Session id as a hash, where the capture carries one.
    pub session: Option<u128>,
    /// The id of its session as it may be shown, where such ids are kept.
    pub session_id: Option<Arc<str>>,
    /// The subagent that asks, as a hash of its id.
    pub agent: Option<u128>,
    /// The id of its answer as a hash, where two captures may tell of one call.
    pub answer: Option<u128>,
    /// The conversation so far.
    pub prefix: Option<Prefix>,
    /// Milliseconds since 1970, where the capture says so.
    pub time: Option<i64>,
    /// What `--group-by` found in its record.
    pub group: Option<Arc<str>>,
    /// The model's id.
    pub model: Option<Arc<str>>,
    /// Version of the client, digits and dots only.
    pub client_version: Option<Arc<str>>,
    /// The captured URL's host is a first-party one; absent where there is no URL.
    pub first_party: Option<bool>,
    /// `tool_choice`.
    pub tool_choice: ToolChoice,
    /// Whether the body is whole.
    pub thread: Thread,
    /// The tool list.
    pub tools: Arc<ToolList>,
    /// Tokens of the system prompt.
    pub system: Count,
    /// Counted system blocks.
    pub system_blocks: u64,
    /// Each of them, in order; shared by requests with the same prompt.
    pub system_parts: Arc<[SystemBlock]>,
    /// Tokens of the messages' own text, expanded definitions not among them.
    pub messages: Count,
    /// Messages by role, for the frame.
    pub shape: MessageShape,
    /// What it asks of the answer.
    pub asked: Asked,
    /// Blocks of messages that no counter knows (images, documents, unknown shapes).
    pub uncounted_messages: u64,
    /// The same of the system prompt.
    pub uncounted_system: u64,
    /// Sections that were recognised in system and messages, in order.
    pub sections: Vec<Arc<SectionFacts>>,
    /// Announcements, in order.
    pub announcements: Vec<Arc<Announcement>>,
    /// Distinct references, first place of each.
    pub references: Vec<Reference>,
    /// Blocks that refer to a tool, repeats among them; `None` where there is no body.
    pub reference_blocks: Option<u64>,
    /// Calls in the history by tool name.
    pub calls: Vec<(Arc<str>, u64)>,
    /// Tools that its answer calls, where that was looked at.
    pub answered: Vec<Arc<str>>,
    /// Searches in the history: calls of the search tool and what came back, definitions left out.
    pub searches: Count,
    /// Searches with their answers, where texts are kept.
    pub search_calls: Vec<SearchCall>,
    /// The newest user message answers a search: this request would not exist without deferral.
    pub answers_search: bool,
    /// Recorded usage.
    pub usage: Option<Usage>,
    /// Its API, host and beta features.
    /// Shared by requests in a row that are alike.
    pub wire: Arc<Wire>,
    /// What tells of answers that are other records.
    pub answer_keys: AnswerKeys,
    /// Of listings put together: from which tool on they were read where. Empty for requests.
    pub listed: Vec<(usize, Origin)>,
    /// What the API would refuse of it, or a person would want to know.
    /// Shared by all of which nothing is to be told.
    pub hazards: Arc<Hazards>,
    /// What the reader found odd.
    pub findings: Vec<Finding>,
    /// Compactions since the request before, in order.
    pub boundaries: Vec<Boundary>,
    /// The conversation went back to an earlier point since the request before.
    pub rewound: Option<Box<Rewound>>,
}

impl RequestFacts {
    /// Gives back what its lists hold room for and do not need: it is kept until the last file is read.
    pub fn shrink(&mut self) {
        self.sections.shrink_to_fit();
        self.announcements.shrink_to_fit();
        self.references.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.answered.shrink_to_fit();
        self.search_calls.shrink_to_fit();
        self.findings.shrink_to_fit();
    }
}

/// A response whose request is another record.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Where it was read.
    pub origin: Origin,
    /// What it has in common with its request; `None` = it answers the request before it.
    pub key: Option<u64>,
    /// What it tells of tokens.
    pub usage: Option<Usage>,
    /// Its own id, hashed.
    pub id: Option<u128>,
}

/// What a record says.
#[derive(Debug, Clone)]
pub enum Fragment {
    /// A request, with its response where the record has it.
    Request(Box<RequestFacts>),
    /// A response by itself.
    Answer(Box<Answer>),
    /// Recorded counts.
    Counts(Box<RecordedCounts>),
    /// Tool definitions without a request.
    Listing(Box<Listing>),
    /// A transcript as a whole; its requests are fragments of their own.
    Transcript(Box<TranscriptFacts>),
    /// Something that could not be read.
    Skipped(Box<Skipped>),
}

/// A request and what is recorded of it.
#[derive(Debug, Clone)]
pub enum Exchange {
    /// A request, with counts where they were kept beside it.
    Captured(Box<RequestFacts>, Option<Box<RecordedCounts>>),
    /// Counts whose request was not captured.
    CountsOnly(Box<RecordedCounts>),
}

impl Exchange {
    /// The request, where it was captured.
    pub fn request(&self) -> Option<&RequestFacts> {
        match self {
            Self::Captured(request, _) => Some(request),
            Self::CountsOnly(_) => None,
        }
    }

    /// The request, where it was captured, to be told more.
    pub fn request_mut(&mut self) -> Option<&mut RequestFacts> {
        match self {
            Self::Captured(request, _) => Some(request),
            Self::CountsOnly(_) => None,
        }
    }

    /// The recorded counts, where there are any.
    pub fn counts(&self) -> Option<&RecordedCounts> {
        match self {
            Self::Captured(_, counts) => counts.as_deref(),
            Self::CountsOnly(counts) => Some(counts),
        }
    }

    /// Where it was read.
    pub fn origin(&self) -> &Origin {
        match self {
            Self::Captured(request, _) => &request.origin,
            Self::CountsOnly(counts) => &counts.origin,
        }
    }

    /// What it is for; counts alone describe a main request.
    pub fn role(&self) -> Role {
        self.request().map_or(Role::Main, |request| request.role)
    }

    /// The model, as the request or else its counts say.
    pub fn model(&self) -> Option<&Arc<str>> {
        let counted = || self.counts().and_then(|c| c.model.as_ref());
        self.request()
            .and_then(|r| r.model.as_ref())
            .or_else(counted)
    }

    /// The client's version, as the request or else its counts say.
    pub fn client_version(&self) -> Option<&Arc<str>> {
        let counted = || self.counts().and_then(|c| c.client_version.as_ref());
        self.request()
            .and_then(|r| r.client_version.as_ref())
            .or_else(counted)
    }
}
