//! What in a body the API would refuse, or a person would want to know, seen while its bytes are there.

use super::{Reference, Repairs, Tokens};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// What is wrong with a schema, the first of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// What.
    pub kind: SchemaFaultKind,
    /// Where, as a JSON pointer from the schema on.
    pub pointer: Arc<str>,
}

/// Kinds of faults of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchemaFaultKind {
    /// `oneOf`, `anyOf` or `allOf` at the root.
    RootCombinator,
    /// The root does not say `"type": "object"`.
    RootNotObject,
    /// A property's key is outside of the API's pattern.
    PropertyKey,
    /// A `$ref` leads nowhere.
    DanglingRef,
    /// A `$ref` leads back to where it stands.
    RecursiveRef,
    /// `required` names a property that is not there.
    RequiredWithoutProperty,
}

/// A call without its result, or a result without its call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    /// It is a result.
    pub is_result: bool,
    /// Where, as a JSON pointer into the body.
    pub pointer: Arc<str>,
}

/// A result that is large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeResult {
    /// The tool that was called, where the call was captured.
    pub tool: Option<Arc<str>>,
    /// Where, as a JSON pointer into the body.
    pub pointer: Arc<str>,
    /// Its tokens.
    pub tokens: Tokens,
}

/// A call of a deferred tool before anything referred to it, which came back as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyCall {
    /// The tool.
    pub tool: Arc<str>,
    /// Where the call stands, as a JSON pointer into the body.
    pub pointer: Arc<str>,
    /// Where its result stands.
    pub result: Arc<str>,
}

/// What a body shows. Lists hold the first ones only; numbers are whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hazards {
    /// Blocks and tools with a cache breakpoint.
    pub breakpoints: u64,
    /// The first of them, in the order tools, system, messages.
    pub breakpoint_pointers: Vec<Arc<str>>,
    /// Calls and results without a partner.
    pub orphans: Vec<Orphan>,
    /// Large results.
    pub large_results: Vec<LargeResult>,
    /// Calls before discovery.
    pub early_calls: Vec<EarlyCall>,
    /// Tools whose results referred to tools, where the call was captured.
    pub finders: Vec<Arc<str>>,
    /// Tools are added in the middle of the conversation.
    pub adds_tools: bool,
    /// References after the last compaction, where there is one: the API drops what stands before it.
    pub kept_references: Option<Vec<Reference>>,
    /// What the client mended.
    pub repairs: Repairs,
}

impl Hazards {
    /// A name or key as findings repeat it: of a long one the beginning.
    pub fn short(name: &str) -> Cow<'_, str> {
        const LONG: usize = 100;
        const SHORT: usize = 60;
        match (
            name.char_indices().nth(LONG),
            name.char_indices().nth(SHORT),
        ) {
            (Some(_), Some((end, _))) => Cow::Owned(format!("{}…", &name[..end])),
            _ => Cow::Borrowed(name),
        }
    }
}

impl Hazards {
    /// Ready to be kept: those of which nothing is to be told are one.
    pub fn shared(self) -> Arc<Self> {
        static NONE: LazyLock<Arc<Hazards>> = LazyLock::new(Arc::default);
        match self == **NONE {
            true => Arc::clone(&NONE),
            false => Arc::new(self),
        }
    }
}
