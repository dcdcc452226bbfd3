//! What a request shows of its API, its host and its beta features.

use super::{PromptedTool, ToolEntry};
use std::sync::Arc;

/// The API that a request is written for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Api {
    /// Anthropic's Messages.
    #[default]
    Messages,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions.
    ChatCompletions,
}

impl Api {
    /// The name for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Messages => "Messages",
            Self::Responses => "Responses",
            Self::ChatCompletions => "Chat Completions",
        }
    }
}

/// Signs on the wire beside the tools themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wire {
    /// The API.
    pub api: Api,
    /// The cloud provider, as the body or the URL's host shows it.
    pub provider: Option<Arc<str>>,
    /// Beta features that the request asked for, of those in the table; `None` = not captured.
    pub betas: Option<Vec<Arc<str>>>,
    /// Tools that were taken away in the middle of the conversation and not given back.
    pub removed: Vec<Arc<str>>,
    /// Definitions that stand in the messages, in order; two of one name stay two.
    pub inline: Vec<ToolEntry>,
    /// Tools that stand as text in system prompt and messages, one of a name, those of the list not among them.
    pub prompted: Vec<PromptedTool>,
}

impl Wire {
    /// Does it ask for a beta whose name begins so?
    pub fn asks_for(&self, beginning: &str) -> bool {
        let betas = self.betas.iter().flatten();
        betas.into_iter().any(|beta| beta.starts_with(beginning))
    }
}
