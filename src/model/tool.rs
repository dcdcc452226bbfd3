//! Tools as a request carries them: definitions by content, flags, lists.

use super::{Chars, Count, SchemaFault, StableId, Text};
use std::sync::Arc;

/// Tools with which clients search for deferred ones.
pub const SEARCH_TOOLS: [&str; 2] = ["ToolSearch", "MCPSearch"];

/// Is it the type of a search tool of the API's own: Anthropic's two, OpenAI's one?
pub fn is_api_search(type_: &str) -> bool {
    type_.starts_with("tool_search_tool") || type_ == "tool_search"
}

/// The client's marker that tools are deferred.
pub const PLACEHOLDER: &str = "DeferredToolPlaceholder";

/// The identity of a definition: a hash of its name, description and schema with white space left out.
/// Good within one process only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u128);

/// Sizes of a definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolSizes {
    /// Name + description + `JSON.stringify(schema)`, as the client sums them.
    pub chars: Chars,
    /// Compact JSON of `{name, description, input_schema}`; keys that are absent are left out.
    pub wire_chars: Chars,
    /// UTF-8 bytes of that JSON.
    pub bytes: u64,
    /// The name alone.
    pub name: Chars,
    /// The description alone, when there is one.
    pub description: Option<Chars>,
    /// The schema alone, when there is one.
    pub schema: Option<Chars>,
    /// How deep the schema is nested.
    pub depth: u32,
    /// Surrogates without a partner, which the API refuses.
    pub lone_surrogates: u64,
}

/// A definition while its bytes are there.
#[derive(Debug, Clone, Copy)]
pub struct RawTool<'a> {
    /// The tool's name.
    pub name: Text<'a>,
    /// Its description, when there is one.
    pub description: Option<Text<'a>>,
    /// Its schema as captured, when there is one.
    pub schema: Option<&'a str>,
    /// Its sizes.
    pub sizes: ToolSizes,
}

/// Tokens of a definition by part; the parts sum to the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The name.
    pub name: u64,
    /// The description.
    pub description: u64,
    /// The schema.
    pub schema: u64,
    /// What is left: punctuation and frame. May be negative, since parts are rounded.
    pub wrapper: i64,
}

/// Tokens of a definition, with its parts where the counter can tell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolCount {
    /// The tool.
    pub count: Count,
    /// Its parts.
    pub parts: Option<Parts>,
}

impl ToolCount {
    /// No definition, no count.
    pub const UNKNOWN: Self = Self {
        count: Count::UNKNOWN,
        parts: None,
    };
}

/// What a search looks at besides the name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchTexts {
    /// The description.
    pub description: Option<Box<str>>,
    /// The hint (`_meta["anthropic/searchHint"]` of a listing).
    pub hint: Option<Box<str>>,
}

/// A tool's name, description and schema as sent, reduced to what audits need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Identity by content.
    pub id: DefId,
    /// The name.
    pub name: Arc<str>,
    /// Sizes.
    pub sizes: ToolSizes,
    /// Tokens, without the prelude.
    pub tokens: ToolCount,
    /// Hash of description and schema: the same tool under another name.
    pub body: u128,
    /// The client cut its description.
    pub cut: bool,
    /// Its description and its hint for searches, where texts are kept.
    pub texts: Option<Arc<SearchTexts>>,
    /// What is wrong with its schema.
    pub faults: Vec<SchemaFault>,
    /// It stands as text in a prompt, and `tokens` are those of the text.
    pub as_text: bool,
    /// Its id on every machine, where such ids are kept.
    pub stable: Option<Arc<StableId>>,
}

/// A tool whose definition stands as text in the prompt and in no list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptedTool {
    /// Its definition, counted as the text it is.
    pub definition: Arc<Definition>,
    /// A search brought it; else it stands in the system prompt.
    pub found: bool,
}

/// `defer_loading` as the wire has it: at the top level, else inside `custom` (then `wrapped`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeferFlag {
    /// Not there.
    #[default]
    Absent,
    /// The JSON literal `true`: the only value that defers.
    True {
        /// It stood inside `custom`.
        wrapped: bool,
    },
    /// The JSON literal `false`.
    False {
        /// It stood inside `custom`.
        wrapped: bool,
    },
    /// Something else: not deferred.
    NotBoolean {
        /// It stood inside `custom`.
        wrapped: bool,
    },
}

impl DeferFlag {
    /// Does the flag defer its tool?
    pub fn defers(self) -> bool {
        matches!(self, Self::True { .. })
    }
}

/// Flags of a tool beside its definition. None of them costs a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// `defer_loading`.
    pub defer: DeferFlag,
    /// `cache_control` is there and not null.
    pub cache_control: bool,
    /// `strict: true`.
    pub strict: bool,
    /// `eager_input_streaming` is there and not null.
    pub eager: bool,
    /// `_meta["anthropic/alwaysLoad"]`, in answers to tools/list; clients send no `_meta`.
    pub always_load: Option<bool>,
}

/// One entry of a request's tool list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolEntry {
    /// Its name; of a server tool without one, its type.
    pub name: Arc<str>,
    /// Its place in the list, from 0.
    pub index: usize,
    /// The type of a tool that the API defines itself (`web_search_…`, `mcp_toolset`).
    pub server_type: Option<Arc<str>>,
    /// Name, description, schema; absent for server tools and bare names.
    pub definition: Option<Arc<Definition>>,
    /// Flags.
    pub flags: Flags,
    /// What its API shows of it while it is deferred: name and description (OpenAI's functions).
    pub stub: Option<Count>,
    /// Bytes of the entry as it was captured, flags and white space among them. Of a set of tools the rows share the
    /// bytes of the set: a member with a text of its own has those, the first row has the rest.
    pub bytes: Option<u64>,
}

/// What stood under `tools`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shape {
    /// No such key.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// An array, perhaps empty.
    List,
    /// Something else.
    Other,
}

/// A request's tool list, shared by all requests that carry the same bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolList {
    /// What stood under `tools`.
    pub shape: Shape,
    /// The entries, in order; two of one name stay two.
    pub tools: Vec<ToolEntry>,
    /// It holds functions as Chat Completions writes them.
    pub functions: bool,
    /// What was odd: index, code, message.
    pub oddities: Vec<(usize, &'static str, String)>,
}

impl ToolList {
    /// Does it defer a tool, so that the API adds its block?
    pub fn defers(&self) -> bool {
        self.tools.iter().any(|tool| tool.flags.defer.defers())
    }
}

/// What a tool is, by its name and type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// In the table of the client's own tools.
    Builtin,
    /// `mcp__<server>__<tool>`.
    Mcp {
        /// The server part of the name.
        server: Arc<str>,
    },
    /// Defined by the API.
    Server {
        /// Its `type`.
        type_: Arc<str>,
    },
    /// Anything else with a definition.
    Custom,
    /// Written as text into the prompt: its tokens are the system prompt's or the messages' own.
    Prompted {
        /// The server part of its name, where it has one.
        server: Option<Arc<str>>,
    },
    /// The client's marker that tools are deferred.
    Placeholder,
    /// Several tools that were counted together.
    Group {
        /// How many they are.
        tools: u64,
    },
}

impl Kind {
    /// The word for reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Mcp { .. } => "mcp",
            Self::Server { .. } => "server",
            Self::Custom => "custom",
            Self::Prompted { .. } => "prompted",
            Self::Placeholder => "placeholder",
            Self::Group { .. } => "group",
        }
    }

    /// How many tools a row of this kind stands for.
    pub fn tools(&self) -> u64 {
        match self {
            Self::Group { tools } => *tools,
            _ => 1,
        }
    }

    /// Does its definition stand as text in the prompt, so that no part may count it again?
    pub fn is_prompted(&self) -> bool {
        matches!(self, Self::Prompted { .. })
    }

    /// Is it a tool that finds deferred ones?
    pub fn is_search(&self, name: &str) -> bool {
        match self {
            Self::Server { type_ } => is_api_search(type_),
            _ => SEARCH_TOOLS.contains(&name),
        }
    }

    /// The MCP server, where the name tells one.
    pub fn server(&self) -> Option<&Arc<str>> {
        match self {
            Self::Mcp { server } => Some(server),
            Self::Prompted { server } => server.as_ref(),
            _ => None,
        }
    }
}
