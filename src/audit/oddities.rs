//! What is odd about a tool of a list: how much it weighs, and what to do.

use crate::model::{Finding, Level, RequestFacts, Thread};

/// What is odd about the tools of a request. A list that a session sends again and again tells it once for all; what a
/// transcript keeps of a list has no place in its records that could be told.
pub(super) fn findings(request: &RequestFacts) -> impl Iterator<Item = Finding> {
    let list = &request.tools;
    let oddities = list.oddities.iter();
    let oddities = oddities.filter(|_| request.thread != Thread::Told);
    oddities.map(|(index, code, message)| {
        // Entries stand in the order of their places.
        let at = list.tools.partition_point(|tool| tool.index < *index);
        let subject = list.tools.get(at).filter(|tool| tool.index == *index);
        let subject = subject.map_or("", |tool| &tool.name);
        let (level, help) = weigh(code);
        Finding {
            code,
            level,
            message: message.clone(),
            origin: request.origin.clone(),
            pointer: format!("/tools/{index}"),
            subject: subject.to_owned(),
            help: help.to_owned(),
        }
    })
}

/// Level and cure of an oddity.
fn weigh(code: &str) -> (Level, &'static str) {
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
