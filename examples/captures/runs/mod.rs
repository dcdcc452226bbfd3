//! The three runs, and what they have in common: a folder, a manifest, numbered bodies.

mod deferred;
mod plugin;
mod vanilla;

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::catalog::Catalog;
use crate::json::{Json, record, text};
use crate::message::{Call, exchange};
use crate::{story, system};

/// One captured session.
pub(crate) struct Run {
    pub(crate) name: &'static str,
    /// The value of `ENABLE_TOOL_SEARCH`, and what the manifest says about it.
    search: (&'static str, &'static str),
    pub(crate) bodies: Vec<String>,
}

const UNSET: (&str, &str) = (
    "",
    "# Empty says: known to be unset, so the default applies.\n",
);

/// All runs in the order in which they are written.
pub(crate) fn all(catalog: &Catalog) -> Result<Vec<Run>, Box<dyn Error>> {
    Ok(vec![
        vanilla::run(catalog)?,
        deferred::run(catalog)?,
        plugin::run(catalog)?,
    ])
}

impl Run {
    /// Writes `<out>/<run>/request-<run>-<n>.json` and the manifest.
    pub(crate) fn write(&self, out: &Path) -> Result<(), Box<dyn Error>> {
        let folder = out.join(self.name);
        fs::create_dir_all(&folder)?;
        for (index, body) in self.bodies.iter().enumerate() {
            let file = format!("request-{}-{}.json", self.name, index + 1);
            fs::write(folder.join(file), format!("{body}\n"))?;
        }
        fs::write(folder.join("toolcost.run.toml"), self.manifest())?;
        Ok(())
    }

    fn manifest(&self) -> String {
        let (search, comment) = self.search;
        format!(
            "# A synthetic capture: nobody sent these requests.\n\
             # Written by `cargo run --example captures`; change examples/captures instead.\n\
             provider = \"anthropic\"\n\
             base_url = \"https://api.anthropic.com\"\n\
             client_version = \"2.1.240\"\n\
             \n\
             [env]\n\
             {comment}ENABLE_TOOL_SEARCH = \"{search}\"\n"
        )
    }
}

/// A request body; the session is the last digit of its identifier.
struct Body<'a> {
    session: u8,
    max_tokens: u64,
    system: Json,
    tools: Vec<Json>,
    messages: &'a [String],
}

/// A request of the main conversation.
fn main_body(session: u8, tools: Vec<Json>, messages: &[String]) -> String {
    let (max_tokens, system) = (32_000, system::prompt());
    Body {
        session,
        max_tokens,
        system,
        tools,
        messages,
    }
    .written()
}

impl Body<'_> {
    fn written(self) -> String {
        let messages = self.messages.iter().cloned().map(Json::Ready).collect();
        let user = record([
            ("device_id", text("synthetic")),
            ("account_uuid", text(&uuid(0))),
            ("session_id", text(&uuid(self.session))),
        ]);
        record([
            ("model", text("claude-sonnet-5")),
            ("max_tokens", Json::Whole(self.max_tokens)),
            ("stream", Json::Flag(true)),
            ("system", self.system),
            ("tools", Json::List(self.tools)),
            ("messages", Json::List(messages)),
            ("metadata", record([("user_id", text(&user.to_string()))])),
        ])
        .to_string()
    }
}

fn uuid(last: u8) -> String {
    format!("00000000-0000-4000-8000-{last:012}")
}

/// What a client adds to a conversation whose other tools are known by name only.
fn reminder(names: &[String]) -> String {
    format!(
        "<system-reminder>\nThe following deferred tools are now available via ToolSearch. Their \
         schemas are not loaded yet, so calling one directly fails; ToolSearch with \
         \"select:NAME\" loads the ones you need:\n{}\n</system-reminder>",
        names.join("\n")
    )
}

/// The exchange in which the parser is read.
fn read_parser(say: &str, id: &str) -> [String; 2] {
    let input = record([("file_path", text(story::FILE))]);
    let call = Call {
        say,
        id,
        tool: "Read",
        input,
    };
    exchange(call, text(&story::numbered()), None)
}

const ISSUE_TOOL: &str = "mcp__github__create_issue";
const POST_TOOL: &str = "mcp__slack__post_message";

/// The exchange in which the issue is filed.
fn file_issue(id: &str) -> [String; 2] {
    let input = record([
        ("owner", text("synthetic-org")),
        ("repo", text("tally")),
        ("title", text(story::ISSUE_TITLE)),
        ("body", text(story::ISSUE_BODY)),
        ("labels", Json::List(vec![text("bug")])),
    ]);
    let result = Json::List(vec![system::block(story::ISSUE_MADE)]);
    let (say, tool) = (story::FILING, ISSUE_TOOL);
    exchange(
        Call {
            say,
            id,
            tool,
            input,
        },
        result,
        None,
    )
}

/// The exchange in which the channel is told; `then` follows the result in the same message.
fn post_link(id: &str, then: Option<&str>) -> [String; 2] {
    let input = record([
        ("channel", text("C0SYNTH01")),
        ("text", text(story::SLACK_TEXT)),
    ]);
    let result = Json::List(vec![system::block(story::SLACK_SENT)]);
    let (say, tool) = (story::POSTING, POST_TOOL);
    exchange(
        Call {
            say,
            id,
            tool,
            input,
        },
        result,
        then,
    )
}
