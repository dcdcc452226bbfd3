//! What stands round a body in its record, at the pointers of its format.

use super::answer_id::answer_id;
use super::body::Around;
use super::context::Context;
use super::discover::CaptureFile;
use super::format::{self, Lookup};
use super::hash;
use super::memo::Memo;
use super::moment::moment;
use super::response;
use super::scan::{self, Raw, Type};
use super::session_key::session_key;
use super::unpack;
use crate::data::{FormatRow, Pointers};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What joins a request and an answer: an id of the record, or the file's name.
pub(super) fn key(row: &FormatRow, record: &mut Lookup<'_>, file: &CaptureFile) -> Option<u64> {
    if let Some(id) = format::first(record, &row.id) {
        return Some(hash::id(id.text().as_bytes()));
    }
    row.id_of_file.then(|| {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        hash::id(format!("\"{stem}\"").as_bytes())
    })
}

/// Usage of a response, or of where it stands by itself.
pub(super) fn recorded(row: &FormatRow, record: &mut Lookup<'_>) -> response::Recorded {
    let packed = row.encoding.as_ref().and_then(|at| record.get(at));
    let packed = packed.and_then(Raw::string).as_deref() == Some("base64");
    let of_response = format::first(record, &row.response).map(|raw| match packed {
        true => {
            let text = unpack::base64_text(&raw.string().unwrap_or_default());
            text.map_or_else(response::Recorded::default, |text| {
                response::usage_of_text(&text)
            })
        }
        false => response::usage(raw),
    });
    of_response
        .filter(|recorded| *recorded != response::Recorded::Nothing)
        .or_else(|| format::first(record, &row.usage).map(response::usage_object))
        .unwrap_or_default()
}

pub(super) fn around(
    row: &FormatRow,
    record: &mut Lookup<'_>,
    file: &CaptureFile,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Around {
    let text = |record: &mut Lookup<'_>, pointers: &Pointers| {
        format::first(record, pointers)
            .and_then(Raw::string)
            .map(Cow::into_owned)
    };
    let mut url = text(record, &row.url);
    if let Some(path) = &row.path {
        let path = record.get(path).and_then(Raw::string).unwrap_or_default();
        let base = url.unwrap_or_default();
        url = Some(format!("{}{path}", base.trim_end_matches('/')));
    }
    let time = format::first(record, &row.time).and_then(moment);
    let session = format::first(record, &row.session)
        // As the id stands in a body or a transcript, so that both tell of one session.
        .map(|raw| raw.string().unwrap_or(Cow::Borrowed(raw.text())))
        .filter(|text| !text.is_empty());
    let headers = row.headers.as_ref().and_then(|at| record.get(at));
    let headers = headers.map(scan::pairs).unwrap_or_default();
    let header = |name: &str| {
        let found = headers
            .0
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        // Some logs keep a list for each header.
        found.map(|(_, value)| match value.type_of() {
            Type::Array => scan::elements(*value)
                .into_iter()
                .filter_map(Raw::string)
                .collect::<Vec<_>>()
                .join(","),
            _ => value.string().unwrap_or_default().into_owned(),
        })
    };
    let id_of = |name: &str| header(name).filter(|id| !id.is_empty() && !is_redacted(id));
    // Sent with every request by newer clients (seen in third-party proxies, 2026).
    let session = session.or_else(|| id_of("x-claude-code-session-id").map(Cow::Owned));
    let captured = !headers.0.is_empty();
    let betas = captured.then(|| header("anthropic-beta").unwrap_or_default());
    let continues = !row.continues.is_empty()
        && row
            .continues
            .iter()
            .all(|condition| format::holds(record, condition));
    Around {
        url,
        betas,
        request_class: header("x-claude-code-request-class"),
        user_agent: header("user-agent"),
        time,
        group: None,
        session: session.map(|id| session_key(&id, context, memo)),
        agent: id_of("x-claude-code-agent-id").map(|id| hash::content(id.as_bytes())),
        continues,
        answer: key(row, record, file),
        answer_calls: BTreeSet::new(),
        answer_id: format::first(record, &row.response).and_then(answer_id),
        recorded: recorded(row, record),
    }
}

/// A log may have put stars, or a word in brackets, where an id was: all such requests are not one session.
fn is_redacted(id: &str) -> bool {
    id.starts_with(['*', '<', '[', '(']) || id.eq_ignore_ascii_case("redacted")
}
