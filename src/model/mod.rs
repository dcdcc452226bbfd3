//! Plain data and the traits between layers. Nothing here reads, counts, decides or prints.

mod count;
mod counted;
mod facts;
mod finding;
mod gate;
mod hazards;
mod limit;
mod listing;
mod money;
mod origin;
mod prefix;
mod repair;
mod row;
mod search;
mod section;
mod settings;
mod stable;
mod sum;
mod text;
mod tokens;
mod tool;
mod transcript;
mod usage;
mod verdict;
mod wire;
mod word;

pub use count::{Count, Evidence, Source};
pub use counted::{CountedBy, CountedPart, RecordedCounts};
pub use facts::{
    Announcement, Answer, AnswerKeys, Asked, Channel, Exchange, Fragment, MessageShape, Reference,
    ReferenceHow, RequestFacts, Role, SystemBlock, Thinking, Thread, ToolChoice,
};
pub use finding::{Finding, Level};
pub use gate::{GateTrace, Layer, Observed, Outcome, Step, Threshold};
pub use hazards::{EarlyCall, Hazards, LargeResult, Orphan, SchemaFault, SchemaFaultKind};
pub use limit::{Growth, LimitScope, Limits, Most, Ratchet, RuleLevel, ToolLimit};
pub use listing::Listing;
pub use money::PicoUsd;
pub use origin::{Origin, Place, Skipped};
pub use prefix::{Prefix, PrefixNode, Shared};
pub use repair::{Repairs, Stripped};
pub use row::{Cell, Column, ColumnType, RowSink, Table};
pub use search::SearchCall;
pub use section::{SectionFacts, SectionKind};
pub use settings::{Given, RunSettings, host_of};
pub use stable::{Ids, StableId};
pub use sum::Sum;
pub use text::{Text, TextSize};
pub use tokens::{Chars, Signed, Tokens, thousands};
pub use tool::{
    DefId, DeferFlag, Definition, Flags, Kind, PLACEHOLDER, Parts, PromptedTool, RawTool,
    SEARCH_TOOLS, SearchTexts, Shape, ToolCount, ToolEntry, ToolList, ToolSizes, is_api_search,
};
pub use transcript::{Boundary, Rewound, TranscriptFacts, Trigger};
pub use usage::Usage;
pub use verdict::{Decision, State, Verdict};
pub use wire::{Api, Wire};
pub use word::{Word, by_word, word, word_or_null, words};

/// Who is told how far reading is.
pub trait Watch: Sync {
    /// So many bytes more of a file were read, packed ones as they are.
    fn read(&self, bytes: u64);
    /// Nothing more is read.
    fn done(&self);
}

/// A counter as the reader of captures sees it: text and tool definitions in, counts out.
///
/// Handed to the map stage, so that reading knows no counter. Implementations are pure: the same
/// content and scope give the same count, since counts are memoised by content.
pub trait Measure: Sync {
    /// The counter's name as users write it.
    fn counter(&self) -> &'static str;
    /// What besides the content decides a count: models of one scope count alike.
    fn scope(&self, model: Option<&str>) -> u32;
    /// Are messages counted at all? Where they are not, nothing of them need be measured.
    fn counts_messages(&self) -> bool {
        true
    }
    /// Content tokens of a text, without any frame.
    fn text(&self, scope: u32, text: Text<'_>) -> Count;
    /// Tokens of a JSON value (the input of a call) whose compact form has `size`.
    fn json(&self, scope: u32, raw: &str, size: TextSize) -> Count;
    /// Tokens of a call in the conversation: name, input as captured and the size of its compact form, and what
    /// the API writes round them.
    fn call(&self, scope: u32, name: Text<'_>, input: Option<(&str, TextSize)>) -> Count {
        let name = self.text(scope, name);
        let input = input.map(|(raw, size)| self.json(scope, raw, size));
        std::iter::once(name).chain(input).collect::<Sum>().count()
    }
    /// Tokens of what a call gave back, and what the API writes round it; `with_more`: not only texts.
    fn result(&self, scope: u32, texts: &[Text<'_>], _with_more: bool) -> Count {
        let texts = texts.iter().map(|text| self.text(scope, *text));
        texts.collect::<Sum>().count()
    }
    /// Tokens of the schema that an answer is asked to fit, and what the API writes round it.
    fn output_schema(&self, scope: u32, raw: &str) -> Count {
        self.text(scope, Text::Plain(raw))
    }
    /// Tokens that one definition adds to a request, without the prelude.
    fn tool(&self, scope: u32, tool: &RawTool<'_>) -> ToolCount;
    /// Tokens of a definition that stands as text in a prompt.
    fn tool_as_text(&self, scope: u32, text: Text<'_>) -> Count {
        self.text(scope, text)
    }
}
