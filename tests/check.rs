//! `check`: verdicts and exit codes in every format, limits, growth, baselines, what CI systems read.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Answer, Folder, toolcost};
use serde_json::{Value, json};

const FORMATS: [&str; 8] = [
    "text", "json", "ndjson", "csv", "markdown", "github", "sarif", "junit",
];

fn check(args: &[&str]) -> Answer {
    toolcost(&[&["check"], args].concat())
}

fn view(args: &[&str]) -> Value {
    let answer = check(&[args, &["-f", "json"]].concat());
    assert!(answer.stderr.is_empty(), "{}", answer.whole());
    answer.json()
}

/// A listing of so many tools, their descriptions so many words long.
fn listing(tools: usize, words: usize) -> String {
    let tool = |n: usize| json!({"name": format!("tool_{n}"), "description": "finds something useful ".repeat(words), "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}}});
    json!({"tools": (0..tools).map(tool).collect::<Vec<_>>()}).to_string()
}

fn body(model: &str, words: usize) -> String {
    let tool = json!({"name": "Find", "description": "finds something useful ".repeat(words), "input_schema": {"type": "object", "properties": {}}});
    json!({"model": model, "max_tokens": 4096, "tools": [tool], "messages": [{"role": "user", "content": "x"}]}).to_string()
}

#[test]
fn a_listing_past_its_limit_fails_without_key_or_network() {
    let folder = Folder::new();
    let file = folder.file("tools.json", listing(40, 20));
    let file = file.to_str().unwrap();
    let args = [
        file,
        "--server",
        "github",
        "--limit",
        "all=600tokens",
        "--counter",
        "claude",
    ];
    let answer = check(&args);
    assert_eq!(answer.code, 1, "{}", answer.whole());
    let row = view(&args)["limits"][0].clone();
    assert_eq!(
        (&row["status"], &row["limit"], &row["unit"]),
        (&json!("failed"), &json!(600.0), &json!("tokens"))
    );
    assert_eq!(
        row["margin"].as_f64().unwrap(),
        600.0 - row["value"].as_f64().unwrap()
    );
    // Rendered as the client would: the names are longer than in the listing.
    let plain =
        view(&[file, "--limit", "all=600tokens", "--counter", "claude"])["limits"][0]["value"]
            .as_f64()
            .unwrap();
    assert!(row["value"].as_f64().unwrap() > plain);
    assert_eq!(
        check(&[file, "--limit", "all=60000tokens", "--counter", "claude"]).code,
        0
    );
    // A limit by name is of all tools there.
    let each = [
        "--server",
        "github",
        "--limit-tool",
        "mcp__github__*=10tokens",
        "--counter",
        "claude",
    ];
    let rows = view(&[&[file][..], &each].concat());
    assert_eq!(rows["limits"].as_array().unwrap().len(), 40);
}

#[test]
fn exit_codes_are_the_same_in_every_format() {
    let folder = Folder::new();
    let small = folder
        .file("small.json", body("claude-opus-5", 5))
        .to_str()
        .unwrap()
        .to_owned();
    let strange = folder
        .file("strange.json", body("claude-zeta-9", 5))
        .to_str()
        .unwrap()
        .to_owned();
    let unknown = folder
        .file("unknown.json", body("gpt-9", 5))
        .to_str()
        .unwrap()
        .to_owned();
    let none = folder.file("none.json", json!({"model": "claude-opus-5", "max_tokens": 4096, "messages": [{"role": "user", "content": "x"}]}).to_string()).to_str().unwrap().to_owned();
    let broken = folder
        .file("broken.json", "{\"model\": ")
        .to_str()
        .unwrap()
        .to_owned();
    let toml = folder
        .file("odd.toml", "[limts]\nloaded = \"1 tokens\"\n")
        .to_str()
        .unwrap()
        .to_owned();
    let bare = folder
        .file("bare.toml", "[limits]\nloaded = 12000\n")
        .to_str()
        .unwrap()
        .to_owned();
    let base = format!("{}/base.json", folder.path());
    assert_eq!(
        check(&[
            &small,
            "--baseline",
            &base,
            "--update-baseline",
            "--counter",
            "claude"
        ])
        .code,
        0
    );
    let report = toolcost(&["report", &small, "-f", "json"]).stdout;
    let auto = folder
        .file("auto.json", report)
        .to_str()
        .unwrap()
        .to_owned();
    let c = ["--counter", "claude"];
    for (args, code, expected) in [
        (vec![small.as_str(), "--limit", "loaded=5000tokens"], 0, ""),
        (vec![&small, "--limit", "loaded=5tokens"], 1, ""),
        (vec![&small, "--limit", "loaded=5"], 2, "1200tokens"),
        (
            vec![&small, "--limit", "loded=5tokens"],
            2,
            "did you mean loaded",
        ),
        (vec![&small, "--limit", "share=5tokens"], 2, "percentage"),
        (vec![&small, "--config", &toml], 2, "did you mean limits"),
        (vec![&small, "--config", &bare], 2, "with its unit"),
        (
            vec![&small, "--baseline", "no-such.json"],
            2,
            "--update-baseline",
        ),
        (vec![&small, "--baseline", &auto], 2, "auto"),
        (
            vec![&small, "--baseline", &small],
            2,
            "no output of toolcost",
        ),
        (vec![&small], 2, "nothing to check"),
        (vec![&none, "--limit", "all=5tokens"], 2, "no tools in it"),
        (vec![&broken, "--limit", "all=5tokens"], 2, "no tools in it"),
        (vec![&small, &broken, "--limit", "all=5000tokens"], 3, ""),
        (
            vec![
                &small,
                &broken,
                "--limit",
                "all=5000tokens",
                "--max-skipped",
                "1",
            ],
            0,
            "",
        ),
        // The vocabulary is assumed: near its limit a number decides nothing.
        (vec![&strange, "--limit", "all=60tokens"], 3, ""),
        (vec![&strange, "--limit", "all=6000tokens"], 0, ""),
        // No vocabulary at all: no number.
        (vec![&unknown, "--limit", "all=6000tokens"], 3, ""),
    ] {
        for format in FORMATS {
            let answer = check(&[&args[..], &c, &["-f", format]].concat());
            assert_eq!(answer.code, code, "{format} {args:?}: {}", answer.whole());
            assert!(
                answer.stderr.contains(expected),
                "{format} {args:?}: {}",
                answer.stderr
            );
        }
    }
    let other = check(&[&small, "--baseline", &base, "--counter", "chars"]);
    assert_eq!(other.code, 2);
    assert!(
        other
            .stderr
            .contains("the counter was claude, and is chars"),
        "{}",
        other.stderr
    );
    assert_eq!(
        check(&[&small, "--limit", "all=5tokens"]).code,
        2,
        "auto is refused"
    );
    assert_eq!(
        check(&[&small, "--rule", "default"]).code,
        0,
        "rules need no counter"
    );
    let elsewhere = check(&[&strange, "--baseline", &base, "--counter", "claude"]);
    assert_eq!(
        elsewhere.code,
        3,
        "the run is not in the baseline: {}",
        elsewhere.whole()
    );
}

#[test]
fn init_then_check_passes_and_growth_is_named() {
    let folder = Folder::new();
    let file = folder
        .file("main.json", body("claude-opus-5", 40))
        .to_str()
        .unwrap()
        .to_owned();
    let toml = format!("{}/toolcost.toml", folder.path());
    let written = toolcost(&["init", &file, "-o", &toml]);
    assert_eq!(written.code, 0, "{}", written.whole());
    assert_eq!(
        toolcost(&["init", &file, "-o", &toml]).code,
        2,
        "nothing is overwritten"
    );
    let with = ["--config", &toml];
    assert_eq!(check(&[&[file.as_str()][..], &with].concat()).code, 0);
    // The description grows by 30 %.
    let before = view(&[&[file.as_str()][..], &with].concat());
    folder.file("main.json", body("claude-opus-5", 52));
    let answer = check(&[&[file.as_str()][..], &with].concat());
    assert_eq!(answer.code, 1);
    for expected in ["main: Find", "failed"] {
        assert!(
            answer.stdout.contains(expected),
            "{expected}: {}",
            answer.stdout
        );
    }
    // Against a baseline the growth is told, in tokens and percent.
    folder.file("main.json", body("claude-opus-5", 40));
    let base = format!("{}/base.json", folder.path());
    check(&[
        &file,
        "--baseline",
        &base,
        "--update-baseline",
        "--counter",
        "claude",
    ]);
    assert_eq!(
        check(&[&file, "--baseline", &base, "--counter", "claude"]).code,
        0
    );
    folder.file("main.json", body("claude-opus-5", 52));
    let grown = view(&[&file, "--baseline", &base, "--counter", "claude"]);
    let row = grown["limits"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["match"] == "Find")
        .unwrap();
    let (base_tokens, value) = (
        row["base"].as_f64().unwrap(),
        row["value"].as_f64().unwrap(),
    );
    assert_eq!(row["status"], "failed");
    assert!(value > base_tokens);
    let percent = format!("{:+.1} %", (value - base_tokens) / base_tokens * 100.0);
    assert!(row["reason"].as_str().unwrap().contains(&percent), "{row}");
    for (flags, code) in [
        (["--max-growth", "all=1000%"], 1),
        (["--max-growth", "share=5%"], 2),
    ] {
        assert_eq!(
            check(
                &[
                    &[file.as_str(), "--baseline", &base, "--counter", "claude"][..],
                    &flags
                ]
                .concat()
            )
            .code,
            code
        );
    }
    let ratchet = folder.file("ratchet.toml", "counter = \"claude\"\n[ratchet]\nbaseline = \"base.json\"\ngrow = \"50 %\"\nat_least = \"10 tokens\"\n");
    assert_eq!(
        check(&[&file, "--config", ratchet.to_str().unwrap()]).code,
        0
    );
    // A base that is red already is no new failure, until it grows.
    folder.file("main.json", body("claude-opus-5", 40));
    let over = [
        file.as_str(),
        "--limit",
        "loaded=10tokens",
        "--baseline",
        &base,
        "--counter",
        "claude",
    ];
    assert_eq!(check(&over).code, 0);
    assert_eq!(
        view(&over)["limits"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["status"] == "already-over")
            .count(),
        1
    );
    folder.file("main.json", body("claude-opus-5", 41));
    assert_eq!(check(&over).code, 1);
    assert_eq!(before["passed"], true);
}

#[test]
fn a_baseline_is_sorted_and_a_diff_shows_one_line_a_tool() {
    let folder = Folder::new();
    let base = format!("{}/base.json", folder.path());
    let args = ["captures", "--baseline", &base, "--counter", "claude"];
    assert_eq!(check(&[&args[..], &["--update-baseline"]].concat()).code, 0);
    let first = std::fs::read_to_string(&base).unwrap();
    assert_eq!(check(&[&args[..], &["--update-baseline"]].concat()).code, 0);
    assert_eq!(std::fs::read_to_string(&base).unwrap(), first);
    let value: Value = serde_json::from_str(&first).unwrap();
    let schema = jsonschema::validator_for(&toolcost(&["schema", "baseline"]).json()).unwrap();
    assert!(schema.is_valid(&value));
    let tools = value["runs"][0]["tools"].as_array().unwrap();
    assert!(tools.len() > 100);
    assert_eq!(
        first
            .lines()
            .filter(|line| line.contains("\"name\""))
            .count(),
        value["runs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["tools"].as_array().unwrap().len())
            .sum::<usize>()
    );
    assert_eq!(check(&args).code, 0);
    // A report in JSON serves as well.
    let report = toolcost(&["report", "captures", "--counter", "claude", "-f", "json"]).stdout;
    let report = folder.file("report.json", report);
    let answer = check(&[
        "captures",
        "--baseline",
        report.to_str().unwrap(),
        "--counter",
        "claude",
    ]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    // One of another day's tables does not.
    let old = folder.file(
        "old.json",
        first.replace("\"data_version\": \"2026", "\"data_version\": \"2025"),
    );
    let answer = check(&[
        "captures",
        "--baseline",
        old.to_str().unwrap(),
        "--counter",
        "claude",
    ]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("the tables' day was 2025"),
        "{}",
        answer.stderr
    );
}

#[test]
fn limits_of_a_project_are_read_and_held() {
    let folder = Folder::new();
    let toml = folder.file(
        "toolcost.toml",
        r#"
counter = "claude"
[limits]
loaded = "70,000 tokens"
share = "95 %"
over = "every-request"
[[limits.tool]]
match = "mcp__github__*"
each = "900 tokens"
total = "6000 tokens"
scope = "all"
reason = "used in every session"
[[limits.tool]]
match = "mcp__nobody__*"
total = "1 tokens"
[rules]
many-loaded-tools = "error"
never-called = "off"
"#,
    );
    let view = view(&["captures", "--config", toml.to_str().unwrap()]);
    let status = |id: &str, run: &str| {
        let rows = view["limits"].as_array().unwrap().iter();
        let row = rows
            .filter(|row| row["id"] == id && row["run"] == run)
            .collect::<Vec<_>>();
        assert_eq!(row.len(), 1, "{id} {run}: {view:#}");
        row[0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status("loaded", "vanilla"), "failed");
    assert_eq!(status("loaded", "deferred"), "passed");
    assert_eq!(status("mcp__github__* total", "deferred"), "failed");
    let codes: Vec<(&str, &str)> = view["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["code"].as_str().unwrap(), f["level"].as_str().unwrap()))
        .collect();
    assert_eq!(
        codes,
        [
            ("many-loaded-tools", "error"),
            ("limit-matches-nothing", "warn")
        ]
    );
    let schema = jsonschema::validator_for(&toolcost(&["schema", "check"]).json()).unwrap();
    assert!(
        schema.is_valid(&view),
        "{:?}",
        schema
            .iter_errors(&view)
            .map(|e| e.to_string())
            .collect::<Vec<_>>()
    );
}

#[test]
fn sarif_and_junit_have_their_shapes() {
    let hostile = json!({"name": "a\u{1b}]0;x\u{7}<b>&\"'\u{202e}%0A::error::", "description": "x", "input_schema": {"type": "string"}});
    let folder = Folder::new();
    let file = folder.file("we ird,%.json", serde_json::to_string_pretty(&json!({"model": "claude-opus-5", "max_tokens": 4096, "tools": [hostile.clone(), hostile], "messages": [{"role": "user", "content": "x"}]})).unwrap());
    let file = file.to_str().unwrap();
    let broken = folder.file("broken.json", "{");
    let args = [
        file,
        broken.to_str().unwrap(),
        "--rule",
        "default",
        "--limit",
        "all=1tokens",
        "--counter",
        "claude",
    ];
    let run = |format: &str| check(&[&args[..], &["-f", format]].concat()).stdout;
    // SARIF 2.1.0: what the specification requires of the objects that are written.
    let sarif: Value = serde_json::from_str(&run("sarif")).unwrap();
    assert_eq!(
        (
            &sarif["version"],
            &sarif["runs"][0]["tool"]["driver"]["name"]
        ),
        (&json!("2.1.0"), &json!("toolcost"))
    );
    let rules: Vec<&str> = sarif["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 5, "{sarif:#}");
    for result in results {
        assert!(
            rules.contains(&result["ruleId"].as_str().unwrap()),
            "{result}"
        );
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
        for place in result["locations"].as_array().into_iter().flatten() {
            let uri = place["physicalLocation"]["artifactLocation"]["uri"]
                .as_str()
                .unwrap();
            assert!(
                uri.bytes().all(|b| b.is_ascii_graphic()) && !uri.contains(' '),
                "{uri}"
            );
            if let Some(region) = place["physicalLocation"].get("region") {
                assert!(region["startLine"].as_u64().unwrap() >= 1);
            }
        }
    }
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
    // JUnit: elements and attributes as the schema of Jenkins has them.
    let junit = run("junit");
    let document = roxmltree::Document::parse(&junit).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let known = |element: &str| -> &[&str] {
        match element {
            "testsuites" => &["name", "time", "tests", "failures", "disabled", "errors"],
            "testsuite" => &[
                "name",
                "tests",
                "failures",
                "errors",
                "time",
                "disabled",
                "skipped",
                "timestamp",
                "hostname",
                "id",
                "package",
            ],
            "testcase" => &["name", "assertions", "time", "classname", "status"],
            "failure" | "error" => &["type", "message"],
            other => panic!("{other}"),
        }
    };
    let mut cases = 0;
    for element in root.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        for attribute in element.attributes() {
            assert!(
                known(name).contains(&attribute.name()),
                "{name} {}",
                attribute.name()
            );
        }
        cases += usize::from(name == "testcase");
        if name == "testsuite" {
            let own = element
                .children()
                .filter(|child| child.has_tag_name("testcase"))
                .count();
            assert_eq!(element.attribute("tests").unwrap(), own.to_string());
        }
    }
    assert_eq!(root.attribute("tests").unwrap(), cases.to_string());
    // GitHub: one command a line, and no name ends one or begins another.
    let github = run("github");
    for line in github.lines() {
        let command = line.starts_with("::error ")
            || line.starts_with("::warning ")
            || line.starts_with("::notice ");
        assert!(
            command || line.starts_with("toolcost check:") || line.contains(" more of level "),
            "{line}"
        );
        assert!(!line.contains('\u{1b}') && !line.contains('\u{202e}'));
    }
    assert!(
        github
            .lines()
            .filter(|line| line.starts_with("::error"))
            .count()
            <= 10
    );
    // Line numbers of a pretty-printed capture.
    assert!(github.contains(",line="), "{github}");
}

#[test]
fn a_comment_begins_with_the_verdict_and_fits() {
    let folder = Folder::new();
    let tool = |n: usize| json!({"name": format!("tool {n} {}", "very long name ".repeat(20)), "description": "x", "input_schema": {"type": "string"}});
    let tools: Vec<Value> = (0..3000).map(tool).collect();
    let file = folder.file("many.json", json!({"model": "claude-opus-5", "max_tokens": 4096, "tools": tools, "messages": [{"role": "user", "content": "x"}]}).to_string());
    let answer = check(&[
        file.to_str().unwrap(),
        "--rule",
        "default",
        "--limit-tool",
        "*=1tokens",
        "--counter",
        "claude",
        "-f",
        "markdown",
    ]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.stdout.starts_with("## toolcost check: failed ("),
        "{}",
        &answer.stdout[..200]
    );
    assert!(
        answer.stdout.chars().count() < 65_536,
        "{}",
        answer.stdout.chars().count()
    );
    let passed = check(&[
        "captures",
        "--limit",
        "share=99%",
        "--counter",
        "claude",
        "-f",
        "markdown",
    ])
    .stdout;
    assert!(
        passed.contains("<details><summary>3 limits passed</summary>"),
        "{passed}"
    );
}

#[test]
fn the_shipped_captures_are_within_the_projects_own_baseline() {
    let args = [
        "captures",
        "--rule",
        "default",
        "--baseline",
        "toolcost.baseline.json",
        "--counter",
        "claude",
    ];
    let answer = check(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
}

#[test]
#[cfg(unix)]
fn the_action_writes_a_summary_and_outputs_and_ends_as_the_check() {
    let folder = Folder::new();
    let path = |name: &str| format!("{}/{name}", folder.path());
    for (args, code, result) in [
        ("--rule default", 0, "passed"),
        ("--limit all=5tokens", 1, "failed"),
        ("--limit all=5", 2, "error"),
    ] {
        let status = std::process::Command::new("bash")
            .arg("scripts/action")
            .current_dir(common::root())
            .env("TOOLCOST", env!("CARGO_BIN_EXE_toolcost"))
            .env("PATHS", "captures/vanilla\ncaptures/deferred")
            .env("COUNTER", "claude")
            .env("ARGS", args)
            .env("RUNNER_TEMP", folder.path())
            .env("GITHUB_OUTPUT", path("output"))
            .env("GITHUB_STEP_SUMMARY", path("summary"))
            .env("SARIF", path("check.sarif"))
            .output()
            .unwrap();
        assert_eq!(status.status.code(), Some(code), "{args}");
        let output = std::fs::read_to_string(path("output")).unwrap();
        assert!(
            output.contains(&format!("result={result}\ncode={code}\n")),
            "{output}"
        );
        if code < 2 {
            let summary = std::fs::read_to_string(path("summary")).unwrap();
            assert!(
                summary.contains(&format!("## toolcost check: {result}")),
                "{summary}"
            );
            serde_json::from_str::<Value>(&std::fs::read_to_string(path("check.sarif")).unwrap())
                .unwrap();
        }
        std::fs::remove_file(path("output")).unwrap();
    }
}

#[test]
fn listings_are_added_up_however_they_are_spread() {
    let folder = Folder::new();
    let whole: Value = serde_json::from_str(&listing(6, 3)).unwrap();
    let tools = whole["tools"].as_array().unwrap();
    let all = |args: &[&str]| {
        let args = [args, &["--limit", "all=1tokens", "--counter", "claude"]].concat();
        view(&args)["limits"][0]["value"].as_f64().unwrap()
    };
    let file = |name: &str, text: String| folder.file(name, text).to_str().unwrap().to_owned();
    let sum = all(&[&file("whole.json", whole.to_string())]);
    assert_eq!(all(&[&file("array.json", json!(tools).to_string())]), sum);
    assert_eq!(
        all(&[&file(
            "pretty.json",
            serde_json::to_string_pretty(&json!(tools)).unwrap()
        )]),
        sum
    );
    let pages: Vec<String> = tools
        .chunks(2)
        .map(|page| json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": page}}).to_string())
        .collect();
    assert_eq!(all(&[&file("pages.jsonl", pages.join("\n"))]), sum);
    std::fs::create_dir_all(format!("{}/spread", folder.path())).unwrap();
    for (at, tool) in tools.iter().enumerate() {
        folder.file(&format!("spread/sub/{at}.json"), tool.to_string());
    }
    assert_eq!(all(&[&format!("{}/spread", folder.path())]), sum);
    // Lints see the whole list, and tell where each tool was read.
    let twice = [tools.clone(), vec![tools[0].clone()]].concat();
    let pretty = file(
        "twice.json",
        serde_json::to_string_pretty(&json!(twice)).unwrap(),
    );
    let finding = view(&[&pretty, "--rule", "default"])["findings"][0].clone();
    let text = std::fs::read_to_string(&pretty).unwrap();
    let names: Vec<u64> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| line.contains("\"tool_"))
        .map(|(_, at)| at)
        .collect();
    assert_eq!(finding["code"], "duplicate-tool-name");
    // The last tool begins between the name before it and its own.
    let line = finding["line"].as_u64().unwrap();
    assert!(names[5] < line && line <= names[6], "{finding} {names:?}");
    // Captures beside a listing keep their own model.
    let mixed = Folder::new();
    mixed.file("tools.json", whole.to_string());
    mixed.file("cap.json", body("gpt-9", 5));
    let answer = check(&[
        mixed.path(),
        "--limit",
        "all=100000tokens",
        "--counter",
        "claude",
    ]);
    assert_eq!(answer.code, 3, "{}", answer.whole());
    let empty = folder.file("empty.json", "{\"tools\": []}");
    assert_eq!(
        check(&[empty.to_str().unwrap(), "--rule", "default"]).code,
        2
    );
}

/// A log of sessions, each with one request.
fn sessions(bodies: &[(Value, &str)]) -> String {
    let lines = bodies.iter().enumerate().map(|(at, (tools, text))| {
        let user = format!("user_a_account_b_session_{at:08}-0000-4000-8000-000000000000");
        json!({"model": "claude-opus-5", "max_tokens": 4096, "tools": tools, "metadata": {"user_id": user}, "messages": [{"role": "user", "content": text}]}).to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_session_counts_and_each_request_is_decided_by_itself() {
    let folder = Folder::new();
    let tool = |name: &str, words: usize| json!({"name": name, "description": "finds something useful ".repeat(words), "input_schema": {"type": "object", "properties": {}}});
    let write = |text: String| folder.file("log.jsonl", text).to_str().unwrap().to_owned();
    let small = json!([tool("Find", 5)]);
    let large = json!([tool("Find", 200), tool("More", 50)]);
    let log = write(sessions(&[(small.clone(), "a"), (large.clone(), "b")]));
    let c = ["--counter", "claude"];
    assert_eq!(
        check(&[&[log.as_str(), "--limit", "all=100tokens"][..], &c].concat()).code,
        1
    );
    assert_eq!(
        check(&[&[log.as_str(), "--limit-tool", "Find=100tokens"][..], &c].concat()).code,
        1
    );
    assert_eq!(
        check(&[&[log.as_str(), "--limit-tool", "More=100tokens"][..], &c].concat()).code,
        1
    );
    // A baseline is of every session, and so is init.
    let base = format!("{}/base.json", folder.path());
    write(sessions(&[(small.clone(), "a"), (small.clone(), "b")]));
    assert_eq!(
        check(
            &[
                &[log.as_str(), "--baseline", &base, "--update-baseline"][..],
                &c
            ]
            .concat()
        )
        .code,
        0
    );
    write(sessions(&[(small.clone(), "a"), (large.clone(), "b")]));
    assert_eq!(
        check(&[&[log.as_str(), "--baseline", &base][..], &c].concat()).code,
        1
    );
    let toml = format!("{}/limits.toml", folder.path());
    assert_eq!(toolcost(&["init", &log, "-o", &toml]).code, 0);
    let answer = check(&[&log, "--config", &toml]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    // What is certainly over is not hidden by what is not known.
    let announced = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nmcp__x__y\n</system-reminder>";
    let log = write(sessions(&[(small.clone(), announced), (large, "b")]));
    assert_eq!(
        check(&[&[log.as_str(), "--limit", "all=100tokens"][..], &c].concat()).code,
        1
    );
    assert_eq!(
        check(&[&[log.as_str(), "--limit", "all=100000tokens"][..], &c].concat()).code,
        3
    );
    // Two tools of one name are each held against their own.
    let twins = json!([tool("Same", 5), tool("Same", 80)]);
    let log = write(sessions(&[(twins, "a")]));
    assert_eq!(
        check(
            &[
                &[log.as_str(), "--baseline", &base, "--update-baseline"][..],
                &c
            ]
            .concat()
        )
        .code,
        0
    );
    assert_eq!(
        check(&[&[log.as_str(), "--baseline", &base][..], &c].concat()).code,
        0
    );
    // A run beside a conversation is told.
    let quota = json!({"model": "claude-opus-5", "max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]});
    folder.file("side.json", quota.to_string());
    let side = view(&[&[folder.path(), "--limit", "all=100000tokens"][..], &c].concat());
    assert!(
        side["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|f| f["code"] == "run-not-checked"),
        "{side:#}"
    );
}

#[test]
fn what_was_not_checked_is_not_green() {
    let folder = Folder::new();
    let small = folder
        .file("small.json", body("claude-opus-5", 5))
        .to_str()
        .unwrap()
        .to_owned();
    let c = ["--counter", "claude"];
    for glob in ["mcp__zz__*=5tokens", "[AB]=1tokens"] {
        let answer = check(&[&[small.as_str(), "--limit-tool", glob][..], &c].concat());
        assert_eq!(answer.code, 2, "{}", answer.whole());
        assert!(
            answer.stderr.contains("nothing was checked"),
            "{}",
            answer.stderr
        );
    }
    // Of a whole that lacks parts a share is this or less.
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let mut with_image: Value = serde_json::from_str(&body("claude-opus-5", 5)).unwrap();
    with_image["messages"][0]["content"] = json!([image]);
    let file = folder
        .file("image.json", with_image.to_string())
        .to_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        check(&[&[file.as_str(), "--limit", "share=50%"][..], &c].concat()).code,
        3
    );
    assert_eq!(
        check(&[&[file.as_str(), "--limit", "share=100%"][..], &c].concat()).code,
        0
    );
    // A baseline that nobody can trust is refused.
    let base = format!("{}/base.json", folder.path());
    assert_eq!(
        check(
            &[
                &[small.as_str(), "--baseline", &base, "--update-baseline"][..],
                &c
            ]
            .concat()
        )
        .code,
        0
    );
    let text = std::fs::read_to_string(&base).unwrap();
    let mut twice: Value = serde_json::from_str(&text).unwrap();
    let run = twice["runs"][0].clone();
    twice["runs"].as_array_mut().unwrap().push(run);
    let filtered = toolcost(&[
        "report",
        &small,
        "--counter",
        "claude",
        "--filter",
        "zzz",
        "-f",
        "json",
    ])
    .stdout;
    let huge = toolcost(&["report", &small, "--counter", "claude", "-f", "json"])
        .stdout
        .replace("\"size\": ", "\"size\": 1844674407370955");
    for (name, text) in [("twice", twice.to_string()), ("filtered", filtered)] {
        let file = folder.file(&format!("{name}.base"), text);
        let answer = check(
            &[
                &[small.as_str(), "--baseline", file.to_str().unwrap()][..],
                &c,
            ]
            .concat(),
        );
        assert_eq!(answer.code, 2, "{name}: {}", answer.whole());
    }
    let huge = folder.file("huge.base", huge);
    assert_ne!(
        check(
            &[
                &[small.as_str(), "--baseline", huge.to_str().unwrap()][..],
                &c
            ]
            .concat()
        )
        .code,
        101
    );
    // An input that cannot be read gives no baseline and no limits.
    let broken = folder
        .file("broken.json", "{\"model\": ")
        .to_str()
        .unwrap()
        .to_owned();
    let other = format!("{}/other.json", folder.path());
    assert_eq!(
        check(
            &[
                &[
                    small.as_str(),
                    &broken,
                    "--baseline",
                    &other,
                    "--update-baseline"
                ][..],
                &c
            ]
            .concat()
        )
        .code,
        3
    );
    assert!(!std::path::Path::new(&other).exists());
    assert_eq!(toolcost(&["init", &small, &broken, "-o", &other]).code, 3);
    // What is let pass is let pass in every form.
    let passed = view(
        &[
            &[
                small.as_str(),
                &broken,
                "--limit",
                "all=5000tokens",
                "--max-skipped",
                "1",
            ][..],
            &c,
        ]
        .concat(),
    );
    assert_eq!(passed["passed"], true);
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_keeps_the_verdict() {
    let script = format!(
        "set -o pipefail; '{}' check captures --limit all=5tokens --counter claude -f json | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_toolcost")
    );
    let status = std::process::Command::new("bash")
        .arg("-c")
        .arg(script)
        .current_dir(common::root())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}
