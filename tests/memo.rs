//! The value memo changes no result: captures made to confuse it give the same facts with it and without, in any
//! order of files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{CaptureFile, Context, Reader};
use toolcost::model::Ids;

fn file(name: &str) -> CaptureFile {
    CaptureFile {
        path: PathBuf::from(name),
        shown: Arc::from(name),
        run: Arc::from("run"),
        folders: Arc::default(),
        explicit: true,
    }
}

fn context(data: &Data, memo: bool) -> Context<'_> {
    Context {
        memo,
        watch: None,
        answers: true,
        data,
        measure: counter("chars").unwrap(),
        model: None,
        format: None,
        group_by: None,
        server: None,
        description_cap: None,
        keep_texts: true,
        listing_model: None,
        ids: Ids::None,
    }
}

/// What a reader without any memory says of the bytes.
fn alone(data: &Data, bytes: &[u8], name: &str) -> String {
    let mut reader = Reader::new(context(data, false));
    format!("{:?}", reader.read_bytes(bytes, &file(name)))
}

/// Facts of captures in this order, by one reader that remembers, beside those of readers that do not.
fn agree(captures: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let data = Data::embedded().unwrap();
    let mut remembers = Reader::new(context(&data, true));
    for (at, bytes) in captures.iter().enumerate() {
        let name = format!("{at}.json");
        let known = format!("{:?}", remembers.read_bytes(bytes, &file(&name)));
        prop_assert_eq!(known, alone(&data, bytes, &name));
    }
    Ok(())
}

/// Messages that begin alike over more bytes than the memo looks at first, many of them equally long.
fn message() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        Just("a".repeat(300)),
        Just(format!("{}b{}", "a".repeat(150), "a".repeat(149))),
        Just(format!("{}b", "a".repeat(299))),
        Just("a".repeat(310)),
        Just(format!("{}\\n{}", "a".repeat(150), "é".repeat(74))),
        Just(format!("{}\\u00e9\\ud83d", "a".repeat(288))),
        Just(format!("{}\\\"]}}]}}", "a".repeat(290))),
    ];
    let tail = prop_oneof![
        Just(""),
        Just(r#","cache_control":{"type":"ephemeral"}"#),
        Just(r#", "x" : [ ] "#),
    ];
    let speaker = prop_oneof![Just("user"), Just("assistant")];
    (text, tail, speaker).prop_map(|(text, tail, role)| {
        format!(r#"{{"role":"{role}","content":[{{"type":"text","text":"{text}"{tail}}}]}}"#)
    })
}

fn tools() -> impl Strategy<Value = String> {
    let one = (0..4u32, prop_oneof![Just("x"), Just("y"), Just("zz")]).prop_map(|(n, mark)| {
        let long = "d".repeat(200);
        format!(
            r#"{{"name":"t{n}","description":"{long}{mark}","input_schema":{{"type":"object"}}}}"#
        )
    });
    prop::collection::vec(one, 0..4).prop_map(|tools| format!("[{}]", tools.join(",")))
}

/// A capture: a body by itself, in an envelope, on lines, or in an array.
fn capture() -> impl Strategy<Value = String> {
    let messages = prop::collection::vec(message(), 1..6);
    let body = (messages, tools()).prop_map(|(messages, tools)| {
        let messages = messages.join(",");
        format!(
            r#"{{"model":"claude-x","tools":{tools},"messages":[{messages}],"system":{tools}}}"#
        )
    });
    (prop::collection::vec(body, 1..4), 0..4u8).prop_map(|(bodies, form)| match form {
        0 => bodies[0].clone(),
        1 => bodies.join("\n"),
        2 => format!("[{}]", bodies.join(" ,\n")),
        _ => {
            let lines = bodies.iter().map(|body| {
                format!(r#"{{"request":{{"url":"u","body":{body}}},"response":null}}"#)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    })
}

/// A byte that is put somewhere else in, or nothing.
fn damage() -> impl Strategy<Value = Option<(prop::sample::Index, u8)>> {
    let byte = prop_oneof![Just(b'"'), Just(b'}'), Just(b' '), Just(0xff), Just(b'\\')];
    prop::option::of((any::<prop::sample::Index>(), byte))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_reader_that_remembers_says_what_one_that_does_not_says(
        captures in prop::collection::vec((capture(), damage()), 2..6),
        order in any::<prop::sample::Index>(),
    ) {
        let mut captures: Vec<Vec<u8>> = captures
            .into_iter()
            .map(|(text, damage)| {
                let mut bytes = text.into_bytes();
                if let Some((at, byte)) = damage {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
                bytes
            })
            .collect();
        // Each is met twice, so that the memo has something to say, and in more than one order.
        captures.extend(captures.clone());
        agree(&captures)?;
        let first = order.index(captures.len());
        captures.rotate_left(first);
        agree(&captures)?;
    }
}
