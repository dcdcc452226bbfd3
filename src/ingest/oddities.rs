//! What is odd about a tool of a list: how much it weighs, and what to do.

use crate::model::Level;

/// Level and cure of an oddity.
pub(super) fn weigh(code: &str) -> (Level, &'static str) {
    match code {
        "defer-flag-not-boolean" => (
            Level::Error,
            "write `\"defer_loading\": true` or leave it out",
        ),
        "defer-flag-wrapped" => (
            Level::Info,
            "make sure that the gateway hoists `custom.defer_loading`",
        ),
        "tool-name-only" => (
            Level::Warn,
            "capture whole bodies, or give the definitions with --tools FILE",
        ),
        "tool-without-description" | "deep-schema" => {
            (Level::Info, "see whether the tool means it")
        }
        "duplicate-key" => (Level::Warn, "write the key once"),
        "search-tool-foreign" => (
            Level::Info,
            "see whether this is another program's tool: the signs of tool search are read for Claude Code",
        ),
        "set-in-a-set" => (Level::Error, "take the inner set out of the namespace"),
        "namespace-without-tools" => (Level::Error, "send an array of functions"),
        "toolset-flags-differ" => (Level::Error, "set the flag alike on all enabled members"),
        _ => (Level::Error, "send name, description and input_schema"),
    }
}
