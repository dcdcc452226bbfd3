//! Signs in the messages that the client mended what deferral would have broken (seed 003).

use std::sync::Arc;

/// Why references were taken out of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stripped {
    /// Tool search is off for this request: the model or the mode changed.
    SearchOff,
    /// The tools are not there any more.
    ToolsGone,
}

/// The signs of one request. Lists hold the first places only, as JSON pointers into the body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Messages whose references are followed by the text that ends their turn.
    pub boundary_texts: u64,
    /// Messages with references and no text at all.
    pub bare: Vec<Arc<str>>,
    /// Messages whose references stand beside other texts, though a later message could hold them.
    pub siblings: Vec<Arc<str>>,
    /// Results whose references were taken out.
    pub stripped: Vec<(Stripped, Arc<str>)>,
    /// Results that say that the schema of the tool was not sent.
    pub not_sent: Vec<Arc<str>>,
    /// Servers that were still connecting when the last search found nothing.
    pub pending: Vec<Arc<str>>,
}
