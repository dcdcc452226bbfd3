//! Sessions in memory, from a seed: a tool list that stays, messages that grow by one round a request.

use super::definitions::Definitions;
use std::path::PathBuf;
use std::sync::Arc;
use toolcost::ingest::CaptureFile;

/// Requests of one session.
pub(crate) const REQUESTS: usize = 12;

/// A capture and its bytes.
pub(crate) struct Capture {
    pub(crate) file: CaptureFile,
    pub(crate) bytes: Vec<u8>,
}

/// The inside of a JSON string, about so long, that looks like code: quotes and line ends are escaped.
fn escaped(definitions: &mut Definitions, bytes: usize) -> String {
    definitions
        .text(bytes)
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// The tools of all sessions.
fn tools(definitions: &mut Definitions, count: usize) -> String {
    let one = |at: usize| {
        let schema = definitions.text(1500);
        let schema = schema.lines().next().unwrap_or("{}").to_owned();
        format!(
            "{{\"name\":\"mcp__bench__tool_{at}\",\"description\":\"Tool {at}.\",\"input_schema\":{schema}}}"
        )
    };
    let all: Vec<String> = (0..count).map(one).collect();
    format!("[{}]", all.join(","))
}

/// One capture a session, a body on each line; the marker of the cache moves, as clients move it.
pub(crate) fn captures(sessions: usize) -> Vec<Capture> {
    let mut definitions = Definitions::new(0);
    let tools = tools(&mut definitions, 60);
    (0..sessions)
        .map(|session| {
            let mut lines = String::new();
            let mut rounds: Vec<String> = Vec::new();
            for turn in 0..REQUESTS {
                let text = escaped(&mut definitions, 4000);
                let ask = |cache: &str| {
                    let text = format!("{{\"type\":\"text\",\"text\":\"{text}\"{cache}}}");
                    format!("{{\"role\":\"user\",\"content\":[{text}]}}")
                };
                let last = ask(",\"cache_control\":{\"type\":\"ephemeral\"}");
                let messages: Vec<&str> = rounds.iter().map(String::as_str).chain([&*last]).collect();
                let messages = messages.join(",");
                lines.push_str(&format!(
                    "{{\"model\":\"claude-opus-4-5\",\"max_tokens\":1000,\"metadata\":{{\"user_id\":\"u_session_{session}\"}},\"tools\":{tools},\"messages\":[{messages}]}}\n"
                ));
                rounds.push(ask(""));
                let answer = escaped(&mut definitions, 400);
                rounds.push(format!(
                    "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"{turn} {answer}\"}}]}}"
                ));
            }
            let name = format!("s{session}.jsonl");
            Capture {
                file: CaptureFile {
                    path: PathBuf::from(&name),
                    shown: Arc::from(name.as_str()),
                    run: Arc::from("bench"),
                    folders: Arc::default(),
                    explicit: true,
                },
                bytes: lines.into_bytes(),
            }
        })
        .collect()
}
