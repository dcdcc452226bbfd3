//! `forecast`: what it says of the shipped captures, of a recorded log, and of input that does not tell enough.
#![cfg(feature = "claude")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, root, run, shared, toolcost};
use serde_json::{Value, json};

fn forecast(path: &str, flags: &[&str]) -> Value {
    let answer = toolcost(&[&["forecast", path], flags, &["-f", "json"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.whole());
    let schema = toolcost(&["schema", "forecast"]).json();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let view = answer.json();
    let faults: Vec<String> = schema.iter_errors(&view).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{path}: {faults:#?}");
    view
}

fn mode<'v>(view: &'v Value, name: &str) -> &'v Value {
    let modes = view["modes"].as_array().unwrap();
    modes.iter().find(|mode| mode["mode"] == name).unwrap()
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("{other} is no number")),
    }
}

fn within(share: f64, value: f64, expected: f64) {
    assert!(
        (value - expected).abs() <= share * expected.abs(),
        "{value} is not within {share} of {expected}"
    );
}

#[test]
fn the_idealised_arithmetic_gives_a_million_and_a_half_and_the_forecast_tells_the_gap() {
    let flags = ["--turns", "20", "--discover", "3", "--idealised"];
    let view = forecast("captures/vanilla", &flags);
    let ideal = &view["idealised"];
    within(0.05, number(&ideal["saved"]), 1_500_000.0);
    let held = number(&ideal["all"]) - number(&ideal["loaded"]);
    assert_eq!(number(&ideal["saved"]), 20.0 * held - 3.0 * 200.0);
    let tst = mode(&view, "tst");
    assert_eq!(ideal["forecast_saved"], tst["saved"]);
    let parts = ["gap_counting", "gap_names", "gap_searches"];
    let parts: f64 = parts.iter().map(|part| number(&ideal[*part])).sum();
    assert_eq!(parts, number(&ideal["gap"]));
    assert_eq!(number(&ideal["saved"]) + parts, number(&tst["saved"]));
    assert!(number(&ideal["gap"]) < 0.0, "searches are not free");
    // Reads are cheap: less of the money is saved than of the tokens.
    let (tokens, cached) = (&tst["saved_share"], &tst["saved_usd_cached_share"]);
    assert!(number(cached) < number(tokens), "{tst:#}");
    assert!(number(&tst["saved_usd_uncached_share"]) < number(tokens));
    let text = toolcost(&[&["forecast", "captures/vanilla"], &flags[..]].concat()).stdout;
    for said in ["The gap to", "Share", "searches: prompts read again"] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn the_forecast_is_the_sum_that_can_be_done_by_hand() {
    let flags = ["--turns", "3", "--discover", "1", "--cache-hit", "50%"];
    let view = forecast("captures/vanilla", &flags);
    let inputs = &view["inputs"];
    let input = |name: &str| inputs[name]["value"].as_u64().unwrap();
    let (growth, output) = (input("growth"), input("output"));
    let adds = input("discovery") + input("definition");
    let (standard, tst) = (mode(&view, "standard"), mode(&view, "tst"));
    let first = standard["first_prompt"].as_u64().unwrap();
    assert_eq!(standard["prompt"], 3 * first + 3 * growth);
    // 2 USD in, 2.5 written, 0.2 read, 10 out a million.
    let pico = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
    let without = pico(3 * first + 3 * growth, 2_000_000) + pico(3 * output, 10_000_000);
    let dollars = |pico: u128| {
        let text = format!(
            "{}.{:012}",
            pico / 1_000_000_000_000,
            pico % 1_000_000_000_000
        );
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    assert_eq!(standard["usd_uncached"], dollars(without));
    let mut with = pico(first, 2_500_000) + pico(3 * output, 10_000_000);
    for before in [first, first + growth] {
        let read = before / 2;
        with += pico(read, 200_000) + pico(before + growth - read, 2_500_000);
    }
    assert_eq!(standard["usd_cached"], dollars(with));
    // Turn 2 asks, is answered, and what was found stays.
    let first = tst["first_prompt"].as_u64().unwrap();
    let asks = first + growth;
    let prompts = first + asks + (asks + adds) + (asks + adds + growth);
    assert_eq!(tst["prompt"], prompts);
    assert_eq!(
        (&tst["requests"], &tst["search_turns"]),
        (&json!(4), &json!(1))
    );
}

#[test]
fn what_is_paid_for_tools_is_what_the_report_says() {
    for (name, flags) in [
        ("deferred", &["--tools", "captures/vanilla"][..]),
        ("vanilla", &["--tools", "captures/deferred"]),
        ("plugin", &["--tools", "captures/vanilla"]),
    ] {
        let path = format!("captures/{name}");
        let said = report(&path, flags);
        let modes = run(&said, name)["savings"]["modes"]
            .as_array()
            .unwrap()
            .clone();
        let view = forecast(&path, flags);
        for row in modes {
            let own = mode(&view, row["mode"].as_str().unwrap());
            let keys = ["percent", "enabled", "projected"];
            assert!(
                keys.iter().all(|key| row[*key] == own[*key]),
                "{name} {row}"
            );
            assert_eq!(row["as_sent"], own["tools"], "{name} {row}");
        }
    }
}

/// A body with so many tools of a server, of which the first ones were called.
fn body(tools: usize, called: usize) -> Value {
    let tool = |n: usize| {
        json!({"name": format!("mcp__big__tool_{n:03}"), "description": "Does a thing that is told here at some length, so that it weighs what tools weigh.",
        "input_schema": {"type": "object", "properties": {"first": {"type": "string", "description": "The first of two things that it needs."}, "second": {"type": "integer"}}}})
    };
    let call = |n: usize| {
        let id = format!("toolu_{n}");
        [
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": format!("mcp__big__tool_{n:03}"), "input": {}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "done"}]}),
        ]
    };
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    messages.extend((0..called).flat_map(call));
    json!({"model": "claude-sonnet-4-6", "max_tokens": 4096, "messages": messages, "tools": (0..tools).map(tool).collect::<Vec<_>>()})
}

#[test]
fn of_two_hundred_tools_of_which_ten_are_used_95_percent_stay_out() {
    let folder = Folder::new();
    let file = folder.file("body.json", body(200, 10).to_string());
    let flags = ["--idealised", "--turns", "20", "--discover", "10"];
    let view = forecast(file.to_str().unwrap(), &flags);
    let ideal = &view["idealised"];
    assert_eq!(
        (&ideal["deferrable"], &ideal["used"]),
        (&json!(200), &json!(10))
    );
    within(0.05, number(&ideal["stays_out"]), 0.95);
    assert_eq!(view["never_used"]["tools"], 190);
    let tst = mode(&view, "tst");
    assert!(
        number(&ideal["gap"]) < 0.0 && number(&tst["saved"]) > 0.0,
        "{view:#}"
    );
    assert!(number(&tst["saved_usd_cached_share"]) < number(&tst["saved_share"]));
}

/// A log of one request with its recorded usage.
fn log(body: &Value, usage: &Value) -> String {
    let request = json!({"method": "POST", "url": "https://api.anthropic.com/v1/messages", "headers": {}, "body": body});
    let response =
        json!({"status_code": 200, "headers": {}, "body": {"type": "message", "usage": usage}});
    let record =
        json!({"request": request, "response": response, "logged_at": "2026-11-30T00:00:00"});
    format!("{record}\n")
}

/// Recorded usage of the main requests of the log, told apart by what they hold: no other has more than one tool.
fn usages(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let main = records.filter(|record| {
        record["request"]["body"]["tools"]
            .as_array()
            .is_some_and(|tools| tools.len() > 1)
    });
    main.map(|record| {
        let mut usage = json!({});
        let raw = record["response"]["body_raw"].as_str().unwrap();
        for event in raw.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let event: Value = serde_json::from_str(event).unwrap();
            let told = [&event["message"]["usage"], &event["usage"]];
            for (key, value) in told.iter().filter_map(|usage| usage.as_object()).flatten() {
                usage[key] = value.clone();
            }
        }
        usage
    })
    .collect()
}

#[test]
fn a_recorded_session_costs_what_its_usage_says_and_is_predicted_with_an_error() {
    let Some(path) = shared("corpus/claude-trace/test-traffic.jsonl") else {
        return;
    };
    let view = forecast(path.to_str().unwrap(), &["--backtest"]);
    let rows = view["backtest"].as_array().unwrap();
    let usages = usages(&path);
    assert_eq!((rows.len(), usages.len()), (2, 16));
    // claude-sonnet-4: 3 in, 3.75 written, 0.3 read, 15 out.
    let money: f64 = usages
        .iter()
        .map(|usage| {
            let of = |key: &str, price: f64| number(&usage[key]) * price / 1e6;
            of("input_tokens", 3.0)
                + of("cache_creation_input_tokens", 3.75)
                + of("cache_read_input_tokens", 0.3)
                + of("output_tokens", 15.0)
        })
        .sum();
    let said: f64 = rows.iter().map(|row| number(&row["usd"])).sum();
    within(0.000_001, said, money);
    for row in rows {
        assert_eq!(row["from"], "others");
        let errors = [
            ("usd", "predicted_usd", "usd_error"),
            ("prompt", "predicted_prompt", "prompt_error"),
        ];
        for (recorded, predicted, error) in errors {
            let (a, b) = (number(&row[recorded]), number(&row[predicted]));
            assert!(
                (number(&row[error]) - (b - a) / a).abs() < 0.000_1,
                "{row:#}"
            );
        }
        assert!(number(&row["prompt_error"]).abs() < 0.25, "{row:#}");
    }
    let text = toolcost(&["forecast", path.to_str().unwrap(), "--backtest"]).stdout;
    assert!(
        text.contains("Error") && text.contains("growth, answers and cache of the"),
        "{text}"
    );
    let inputs = &view["inputs"];
    for name in ["turns", "growth", "output", "cache_hit", "cache_lifetime"] {
        assert_eq!(inputs[name]["basis"], "recorded", "{name}");
    }
}

#[test]
fn deferring_by_server_brings_whole_servers_to_what_was_discovered() {
    let view = forecast("captures/deferred", &["--tools", "captures/vanilla"]);
    let said = report(
        "captures/deferred",
        &["--tools", "captures/vanilla", "-n", "500"],
    );
    let tools = run(&said, "deferred")["tools"].as_array().unwrap().clone();
    let of = |server: &str, name: &str| -> u64 {
        let own = tools.iter().filter(|tool| tool["server"] == server);
        let own = own.filter(|tool| tool["name"].as_str().unwrap().ends_with(name));
        own.map(|tool| tool["size"].as_u64().unwrap()).sum()
    };
    // Found in turn 2 of 6 and in turn 4; both stay through the compaction.
    let grain = &view["granularity"];
    let by_tool = 5 * of("github", "__create_issue") + 3 * of("slack", "__post_message");
    let by_server = 5 * of("github", "") + 3 * of("slack", "");
    assert_eq!(
        grain["by_tool"],
        json!({"definitions": by_tool, "search_turns": 2})
    );
    assert_eq!(
        grain["by_server"],
        json!({"definitions": by_server, "search_turns": 2})
    );
    assert_eq!(grain["servers"], json!(["github", "slack"]));
    assert_eq!(grain["net"], by_server - by_tool);
}

/// A conversation in which two tools of one server are found one after the other.
fn two_searches() -> String {
    let tool = |name: &str, defer: bool| json!({"name": name, "description": "Sends something somewhere.", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}}, "defer_loading": defer});
    let tools = [
        tool("ToolSearch", false),
        tool("mcp__a__one", true),
        tool("mcp__a__two", true),
        tool("mcp__b__three", true),
    ];
    let search = |id: &str, name: &str| {
        [
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "ToolSearch", "input": {"query": name}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": [{"type": "tool_reference", "tool_name": name}]}]}),
        ]
    };
    let call = |id: &str, name: &str| {
        [
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": {"text": "x"}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "done"}]}),
        ]
    };
    let rounds = [
        search("t1", "mcp__a__one"),
        call("t2", "mcp__a__one"),
        search("t3", "mcp__a__two"),
        call("t4", "mcp__a__two"),
    ];
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    let mut lines = String::new();
    for round in [None, Some(0), Some(1), Some(2), Some(3)] {
        messages.extend(round.into_iter().flat_map(|at: usize| rounds[at].clone()));
        let body = json!({"model": "claude-sonnet-5", "max_tokens": 4096, "tools": tools, "messages": messages});
        lines.push_str(&format!("{body}\n"));
    }
    lines
}

#[test]
fn by_server_a_second_search_in_one_server_is_spared() {
    let folder = Folder::new();
    let file = folder.file("log.jsonl", two_searches());
    let path = file.to_str().unwrap();
    let view = forecast(path, &[]);
    let said = report(path, &["--per-request", "-n", "9"]);
    let said = &said["runs"][0];
    let size = |name: &str| common::tool(said, name)["size"].as_u64().unwrap();
    let (one, two) = (size("mcp__a__one"), size("mcp__a__two"));
    let rows = said["by_request"].as_array().unwrap();
    let prompt = rows[3]["tokens"]["request"].as_u64().unwrap();
    let grain = &view["granularity"];
    // Held by requests 2 to 5, and 4 and 5; by server by 2, 3 and 5, without the search of the fourth.
    assert_eq!(
        (
            &grain["by_tool"]["definitions"],
            &grain["by_tool"]["search_turns"]
        ),
        (&json!(4 * one + 2 * two), &json!(2))
    );
    assert_eq!(
        (
            &grain["by_server"]["definitions"],
            &grain["by_server"]["search_turns"]
        ),
        (&json!(3 * (one + two)), &json!(1))
    );
    let call = view["inputs"]["discovery"]["value"].as_u64().unwrap();
    assert_eq!(view["inputs"]["discovery"]["basis"], "recorded");
    let spared = prompt - one - two + call;
    assert_eq!(grain["search_tokens_spared"], spared);
    let net = i64::try_from(3 * (one + two)).unwrap()
        - i64::try_from(4 * one + 2 * two + spared).unwrap();
    assert_eq!(grain["net"], net);
    assert_eq!(
        view["inputs"]["turns"]["value"], 3,
        "two of five exist for a search"
    );
}

#[test]
fn a_price_of_ones_own_wins_and_is_all_there_is_for_a_model_without() {
    let folder = Folder::new();
    let prices = "[[model]]\nid = \"house-model\"\ninput = 1\noutput = 3\ncache_write_5m = 1\ncache_write_1h = 1\ncache_read = 0.5\n";
    let prices = folder.file("prices.toml", prices);
    let mut body = body(200, 2);
    body["model"] = json!("house-model");
    let usage = json!({"input_tokens": 40_000, "output_tokens": 100});
    let file = folder.file("log.jsonl", log(&body, &usage));
    let path = file.to_str().unwrap();
    let flags = ["--turns", "2", "--discover", "0"];
    let bare = forecast(path, &flags);
    assert!(bare["priced"].is_null());
    for name in ["standard", "tst"] {
        let row = mode(&bare, name);
        let money = [
            "usd_cached",
            "usd_uncached",
            "saved_usd_cached",
            "saved_usd_uncached",
        ];
        assert!(money.iter().all(|key| row[*key].is_null()), "{row:#}");
        assert!(
            row["unknown"].to_string().contains("--price FILE"),
            "{row:#}"
        );
    }
    let price = ["--price", prices.to_str().unwrap()];
    let view = forecast(path, &[&flags[..], &price].concat());
    assert_eq!(view["priced"], "given");
    let row = mode(&view, "standard");
    let expected = number(&row["prompt"]) / 1e6 + number(&row["output"]) * 3.0 / 1e6;
    within(1e-9, number(&row["usd_uncached"]), expected);
    // It wins over the table too.
    let sonnet = std::fs::read_to_string(&prices)
        .unwrap()
        .replace("house-model", "claude-sonnet-5");
    let sonnet = folder.file("sonnet.toml", sonnet);
    let price = ["--price", sonnet.to_str().unwrap()];
    let view = forecast("captures/vanilla", &[&flags[..], &price].concat());
    let row = mode(&view, "standard");
    let expected = number(&row["prompt"]) / 1e6 + number(&row["output"]) * 3.0 / 1e6;
    within(1e-9, number(&row["usd_uncached"]), expected);
}

#[test]
fn long_prompts_pay_their_own_price() {
    let folder = Folder::new();
    let mut body = body(900, 0);
    body["model"] = json!("claude-haiku-5-5");
    for (tokens, price) in [(100_000_u64, 0.1), (100_001, 0.5)] {
        let usage = json!({"input_tokens": tokens, "output_tokens": 5});
        let log = folder.file("log.jsonl", log(&body, &usage));
        let view = forecast(log.to_str().unwrap(), &["--turns", "1", "--discover", "0"]);
        let row = mode(&view, "standard");
        assert_eq!(row["prompt"], tokens);
        let expected = number(&row["prompt"]) * price / 1e6 + 5.0 * price * 5.0 / 1e6;
        within(1e-9, number(&row["usd_uncached"]), expected);
    }
}

#[test]
fn what_is_not_told_is_assumed_and_says_so() {
    let folder = Folder::new();
    let usage = json!({"input_tokens": 9000, "output_tokens": 40});
    let file = folder.file("log.jsonl", log(&body(60, 0), &usage));
    // One request, and usage without the fields of a cache.
    let view = forecast(file.to_str().unwrap(), &["--backtest"]);
    let inputs = &view["inputs"];
    for (name, basis) in [
        ("turns", "recorded"),
        ("growth", "assumed"),
        ("output", "recorded"),
        ("cache_hit", "assumed"),
        ("cache_lifetime", "assumed"),
        ("discovery", "assumed"),
    ] {
        assert_eq!(inputs[name]["basis"], basis, "{name}");
        assert_ne!(inputs[name]["note"], "", "{name}");
    }
    let row = &view["backtest"][0];
    assert_eq!(row["from"], "assumed");
    assert!(
        row["cache_hit"].is_null(),
        "its first request used no cache"
    );
    within(
        1e-9,
        number(&row["usd"]),
        (9000.0 * 3.0 + 40.0 * 15.0) / 1e6,
    );
    // Without any usage a session has no recorded cost, and none is made up.
    let bare = folder.file("body.json", body(60, 0).to_string());
    let view = forecast(bare.to_str().unwrap(), &["--backtest"]);
    let row = &view["backtest"][0];
    for key in [
        "prompt",
        "usd",
        "predicted_prompt",
        "predicted_usd",
        "prompt_error",
        "usd_error",
    ] {
        assert!(row[key].is_null(), "{row:#}");
    }
    assert_ne!(row["unknown"], Value::Null);
    // Definitions that nobody has leave standard unknown.
    let view = forecast("captures/deferred", &[]);
    let standard = mode(&view, "standard");
    assert!(standard["prompt"].is_null() && standard["usd_cached"].is_null());
    assert!(standard["unknown"].to_string().contains("--tools"));
    assert!(mode(&view, "tst")["usd_cached"].is_string());
    assert_eq!(view["break_even"]["turns"]["tokens"]["outcome"], "unknown");
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = Folder::new();
    let bad = folder.file("bad.toml", "[[model]]\nid = \"m\"\nprice = 1\n");
    let bad = bad.to_str().unwrap();
    for (args, expected) in [
        (
            &["captures/vanilla", "--turns", "0"][..],
            "--turns: write a whole number from 1",
        ),
        (&["captures/vanilla", "--turns", "-3"], "--turns: write"),
        (&["captures/vanilla", "--turns", "many"], "--turns: write"),
        (
            &["captures/vanilla", "--turns", "99999999999999999999"],
            "--turns: write",
        ),
        (
            &["captures/vanilla", "--discover", "-1"],
            "--discover: write a whole number from 0",
        ),
        (
            &["captures/vanilla", "--discover", "1.5"],
            "--discover: write",
        ),
        (
            &["captures/vanilla", "--cache-hit", "150%"],
            "--cache-hit: write a percentage",
        ),
        (
            &["captures/vanilla", "--cache-hit", "-3"],
            "--cache-hit: write",
        ),
        (
            &["captures/vanilla", "--cache-hit", "90"],
            "--cache-hit: write",
        ),
        (
            &["captures/vanilla", "--cache-hit", "often"],
            "--cache-hit: write",
        ),
        (
            &["captures/vanilla", "--price", "missing.toml"],
            "--price missing.toml",
        ),
        (&["captures/vanilla", "--price", bad], "price"),
        (&["captures"], "holds 3 runs"),
        (&["no-such"], "no-such"),
        (&["captures/vanilla", "-f", "sarif"], "--format sarif"),
    ] {
        let answer = toolcost(&[&["forecast"], args].concat());
        assert_eq!(answer.code, 2, "{args:?}: {}", answer.whole());
        assert!(
            answer.stderr.contains(expected),
            "{args:?}: {}",
            answer.stderr
        );
        assert_eq!(answer.stdout, "");
    }
    let answer = toolcost(&["forecast", "README.md"]);
    assert_eq!(answer.code, 3, "{}", answer.whole());
}

#[test]
fn text_fits_80_columns() {
    let paths = [
        "captures/vanilla",
        "captures/deferred",
        "fixtures/sse",
        "fixtures/seed-001",
        "fixtures/flags",
        "fixtures/server-search",
    ];
    for path in paths.into_iter().filter(|path| root().join(path).exists()) {
        let answer = toolcost(&["forecast", path, "--idealised", "--backtest"]);
        for line in answer.stdout.lines() {
            assert!(line.chars().count() <= 80, "{path}: {line}");
        }
    }
}

#[test]
fn the_figures_of_the_readme_come_from_a_run() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let call =
        "toolcost forecast captures/vanilla --tools captures/deferred --turns 20 --discover 3";
    let (_, after) = readme.split_once(call).unwrap();
    let block = after.split("```text\n").nth(1).unwrap();
    let block = block.split("\n```").next().unwrap();
    let args: Vec<&str> = call.split(' ').skip(1).collect();
    let text = toolcost(&args).stdout;
    assert!(text.contains(block), "{text}");
}

#[test]
fn each_session_searches_for_itself() {
    let folder = Folder::new();
    let tool = |name: &str| json!({"name": name, "description": "Does one thing.", "input_schema": {"type": "object"}});
    for session in 1..=4 {
        let id = format!("user_a_account_b_session_0c1d2e3f-0000-4000-8000-00000000000{session}");
        let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "mcp__db__q", "input": {}}]});
        let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]});
        let start = json!({"role": "user", "content": "go"});
        for (turn, messages) in [(1, vec![start.clone()]), (2, vec![start, call, result])] {
            let body = json!({"model": "claude-opus-4-6", "max_tokens": 9000, "metadata": {"user_id": id}, "tools": [tool("Read"), tool("mcp__db__q")], "messages": messages});
            folder.file(&format!("request-r-{session}{turn}.json"), body.to_string());
        }
    }
    let answer = toolcost(&["forecast", folder.path(), "-f", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    assert_eq!(answer.json()["inputs"]["discoveries"]["value"], 1);
}
