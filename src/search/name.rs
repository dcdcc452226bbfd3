//! A tool's name in its parts.

/// A name, taken apart for searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// The parts, in small letters.
    pub(super) parts: Vec<String>,
    /// The name as it is, in small letters.
    pub(super) whole: String,
    /// It is a tool of an MCP server.
    pub(super) mcp: bool,
}

/// `mcp__slack__send_message` → slack, send, message; `NotebookEdit` → notebook, edit.
pub(super) fn parts(name: &str) -> Parts {
    let whole = name.to_lowercase();
    if let Some(rest) = whole.strip_prefix("mcp__") {
        let parts = rest.split('_').filter(|part| !part.is_empty());
        return Parts {
            parts: parts.map(str::to_owned).collect(),
            mcp: true,
            whole,
        };
    }
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before = ' ';
    for c in name.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    let spaced = spaced.to_lowercase();
    Parts {
        parts: spaced.split_whitespace().map(str::to_owned).collect(),
        mcp: false,
        whole,
    }
}
