//! Bytes as a listing for `--tools`, beside a capture that announces names; the server's name is of the bytes too.
#![no_main]

#[path = "../../examples/mutate/check.rs"]
mod check;

use check::{Flags, InMemory};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use toolcost::data::Data;

static DATA: LazyLock<Data> = LazyLock::new(|| Data::embedded().expect("the tables are tested"));

const ANNOUNCING: &str = r#"{"model":"claude-sonnet-5","max_tokens":999,"tools":[
{"name":"ToolSearch","description":"d","input_schema":{}},{"name":"DeferredToolPlaceholder","description":"d","input_schema":{},"defer_loading":true}],
"messages":[{"role":"user","content":"<available-deferred-tools>\nmcp__s__t\nmcp__db__query\n</available-deferred-tools>"}]}"#;

fuzz_target!(|input: (Option<&str>, Option<u64>, &[u8])| {
    let (server, cap, bytes) = input;
    let file = |name: &str, bytes: &[u8]| InMemory {
        name: name.to_owned(),
        run: "r".to_owned(),
        explicit: true,
        bytes: bytes.to_vec(),
    };
    let captures = [file("a.json", ANNOUNCING.as_bytes())];
    let tools = [file("tools.json", bytes)];
    let flags = Flags {
        server,
        cap,
        jobs: 1,
        ..Flags::default()
    };
    let read = check::read(&DATA, &captures, &tools, &flags);
    check::clean(&read).expect("clean");
    assert!(
        read.outcome.listed_tools > 0 || !read.outcome.tools_skipped.is_empty(),
        "a listing that gives nothing is told"
    );
    check::render(&DATA, &read.outcome, false);
});
