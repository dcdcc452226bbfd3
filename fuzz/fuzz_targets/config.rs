//! Bytes as `toolcost.run.toml`, as a client's settings, as flags, and as rows of formats that then read a capture.
#![no_main]

#[path = "../../examples/mutate/check.rs"]
mod check;

use check::{Flags, InMemory};
use libfuzzer_sys::fuzz_target;
use toolcost::config;
use toolcost::data::Data;
use toolcost::model::RunSettings;

/// Where a pointer may lead: objects, arrays, strings that hold JSON, and nowhere.
const RECORD: &str = r#"{"request":{"body":{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"name":"A","description":"d","input_schema":{}}]}},
"text":"{\"messages\":[]}","list":[{"key":"a","value":{"s":"{\"messages\":[]}"}},{"messages":[]}],"response":{"usage":{"input_tokens":5}},"flag":true,"n":5,"nothing":null}"#;

fuzz_target!(|input: &[u8]| {
    let [kind, bytes @ ..] = input else {
        return;
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match kind % 4 {
        0 => {
            if let Err(error) = config::parse(text, "f") {
                assert!(!error.to_string().is_empty());
            }
        }
        1 => {
            let mut settings = RunSettings::default();
            if let Err(error) = config::client_settings(text, "f", &mut settings) {
                assert!(!error.to_string().is_empty());
            }
        }
        2 => {
            let flags: Vec<String> = text.split('\n').map(str::to_owned).collect();
            let _ = config::parse_env(&flags);
        }
        _ => {
            let Ok(project) = config::parse_project(text, "f") else {
                return;
            };
            let mut data = Data::embedded().expect("the tables are tested");
            data.formats.put_first(project.formats);
            let files = [InMemory {
                name: "a.json".to_owned(),
                run: "r".to_owned(),
                explicit: true,
                bytes: RECORD.as_bytes().to_vec(),
            }];
            let flags = Flags {
                jobs: 1,
                ..Flags::default()
            };
            let read = check::read(&data, &files, &[], &flags);
            check::clean(&read).expect("clean");
            check::render(&data, &read.outcome, false);
        }
    }
});
