//! Hazards that the reader or the audit tells by itself.

use super::{Check, Lint};
use crate::model::Level;

/// Whether it is told of every API, or of Messages alone.
const EVERYWHERE: bool = true;
const MESSAGES: bool = false;

const fn told(
    code: &'static str,
    level: Level,
    everywhere: bool,
    [what, why, cure, source]: [&'static str; 4],
) -> Lint {
    Lint {
        code,
        level,
        what,
        why,
        cure,
        source,
        check: Check::Told { everywhere },
    }
}

pub(super) const LOADED_AGAINST_RULES: Lint = told(
    "loaded-against-rules",
    Level::Warn,
    MESSAGES,
    [
        "a tool is loaded though tool search is on and the rules defer it",
        "it is paid for in every request without a reason that can be seen",
        "look for alwaysLoad in the server's settings and in the tool's _meta",
        "deferral rules; mcp page",
    ],
);

pub(super) const DEFER_FLAG: Lint = told(
    "defer-flag-not-boolean",
    Level::Error,
    MESSAGES,
    [
        "defer_loading is no boolean",
        "only the literal true defers; the API refuses other values",
        "write \"defer_loading\": true or leave it out",
        "tool search guide",
    ],
);

pub(super) const NOT_A_LIST: Lint = told(
    "tools-not-a-list",
    Level::Error,
    EVERYWHERE,
    [
        "tools is no array",
        "the API answers 400",
        "send an array of tools",
        "messages reference",
    ],
);

pub(super) const NOT_AN_OBJECT: Lint = told(
    "tool-not-an-object",
    Level::Error,
    EVERYWHERE,
    [
        "an entry of tools is no object",
        "the API answers 400",
        "send name, description and input_schema",
        "messages reference",
    ],
);

pub(super) const WITHOUT_NAME: Lint = told(
    "tool-without-name",
    Level::Error,
    EVERYWHERE,
    [
        "a tool has no name",
        "the API answers 400",
        "send name, description and input_schema",
        "messages reference",
    ],
);

pub(super) const WITHOUT_SCHEMA: Lint = told(
    "tool-without-schema",
    Level::Error,
    MESSAGES,
    [
        "a tool has no input schema",
        "the API answers 400",
        "send name, description and input_schema",
        "messages reference",
    ],
);

pub(super) const LONE_SURROGATES: Lint = told(
    "lone-surrogates",
    Level::Warn,
    EVERYWHERE,
    [
        "a text holds half of a character",
        "the API refuses such a body",
        "cut text between characters",
        "issue reports",
    ],
);

pub(super) const DUPLICATE_KEY: Lint = told(
    "duplicate-key",
    Level::Warn,
    EVERYWHERE,
    [
        "a key is written twice",
        "the last one counts, and readers differ",
        "write the key once",
        "JSON, RFC 8259",
    ],
);
