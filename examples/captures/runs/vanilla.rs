//! Tool search off: every definition is sent with every request, six turns long.

use std::error::Error;

use super::{Run, file_issue, main_body, post_link, read_parser};
use crate::catalog::{Catalog, SEARCH, ordered};
use crate::json::{Json, record, text};
use crate::message::{Call, assistant, exchange, user};
use crate::story;
use crate::system::block;

pub(super) fn run(catalog: &Catalog) -> Result<Run, Box<dyn Error>> {
    let mut bodies = Vec::new();
    let mut history = vec![user(vec![block(story::QUESTION)])];
    for turn in turns() {
        bodies.push(main_body(1, tools(catalog), &history));
        history.extend(turn);
    }
    bodies.push(main_body(1, tools(catalog), &history));
    Ok(Run {
        name: "vanilla",
        search: ("false", ""),
        bodies,
    })
}

fn turns() -> [[String; 2]; 5] {
    let about = "Run the tests of the parser of durations";
    let testing = Call {
        say: story::TESTING,
        id: "toolu_synthetic_vanilla_2",
        tool: "Bash",
        input: record([
            ("command", text(story::TEST_COMMAND)),
            ("description", text(about)),
        ]),
    };
    [
        read_parser(story::READING, "toolu_synthetic_vanilla_1"),
        exchange(testing, text(story::TEST_RUN), None),
        file_issue("toolu_synthetic_vanilla_3"),
        post_link("toolu_synthetic_vanilla_4", None),
        [
            assistant(vec![block(story::DONE)]),
            user(vec![block(story::FOLLOW_UP)]),
        ],
    ]
}

fn tools(catalog: &Catalog) -> Vec<Json> {
    let groups = catalog.loaded.iter().chain(&catalog.announced);
    let all = groups.chain(&catalog.mcp);
    ordered(
        all.filter(|tool| tool.name != SEARCH)
            .map(|tool| (tool.name.as_str(), tool.loaded()))
            .collect(),
    )
}
