//! Laws: sums merge, parsing never panics, parts and residual make the whole, order and threads change nothing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, report, toolcost};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use toolcost::audit::{PartSums, SectionKey, SectionSum};
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{CaptureFile, Context, Reader};
use toolcost::model::{Count, Evidence, Ids, SectionKind, Sum, Tokens};
use toolcost::savings::SavingSums;

fn count() -> impl Strategy<Value = Count> {
    prop_oneof![
        Just(Count::UNKNOWN),
        (0..1_000_000u64).prop_map(|n| Count::recorded(Tokens(n))),
        (0..1_000_000u64).prop_map(|n| Count::estimated(Tokens(n))),
        (0..1_000_000u64).prop_map(|n| Count {
            at_least: true,
            ..Count::reconstructed(Tokens(n), Evidence::C)
        }),
    ]
}

fn sum() -> impl Strategy<Value = Sum> {
    prop::collection::vec(count(), 0..4).prop_map(|counts| counts.into_iter().collect())
}

fn parts() -> impl Strategy<Value = PartSums> {
    (prop::array::uniform7(sum()), any::<i32>(), 0..5u64).prop_map(|(sums, residual, requests)| {
        let [tools, prelude, deferral, system, messages, frame, recorded] = sums;
        let section = |(kind, tokens, content): (SectionKind, Sum, u64)| {
            let key = SectionKey {
                kind,
                what: None,
                owner: None,
            };
            let sum = SectionSum {
                tokens,
                content,
                by_itself: false,
            };
            (key, sum)
        };
        let sections = [
            (SectionKind::Names, tools, 7),
            (SectionKind::Search, frame, requests << 62),
        ]
        .map(section)
        .into();
        let (residual, unrecorded) = (i64::from(residual), Tokens(requests * 7));
        PartSums {
            tools,
            prelude,
            deferral,
            system,
            messages,
            frame,
            recorded,
            residual,
            requests,
            unrecorded,
            sections,
        }
    })
}

fn savings() -> impl Strategy<Value = SavingSums> {
    (prop::array::uniform8(sum()), 0..9u64).prop_map(|(sums, n)| {
        let [
            prelude,
            in_prompt,
            held,
            tool_search,
            block,
            names,
            extras,
            calls,
        ] = sums;
        SavingSums {
            prelude,
            in_prompt,
            held,
            tool_search,
            block,
            names,
            extras,
            calls,
            unknown_definitions: n,
            searches: n,
            reread: names,
        }
    })
}

proptest! {
    #[test]
    fn sums_merge_in_any_grouping_and_order(a in sum(), b in sum(), c in sum()) {
        prop_assert_eq!(a.merge(b).merge(c), a.merge(b.merge(c)));
        prop_assert_eq!(a.merge(b), b.merge(a));
        prop_assert_eq!(a.merge(Sum::default()), a);
    }

    #[test]
    fn an_unknown_part_makes_a_sum_a_lower_bound_and_never_zero(counts in prop::collection::vec(count(), 1..6)) {
        let sum = counts.iter().copied().collect::<Sum>().count();
        if counts.iter().all(|count| count.tokens.is_none()) {
            prop_assert_eq!(sum.tokens, None);
        } else {
            let lacks = counts.iter().any(|count| count.at_least || count.tokens.is_none());
            prop_assert_eq!(sum.at_least, lacks);
            prop_assert_eq!(sum.tokens.unwrap().0, counts.iter().filter_map(|c| c.tokens).map(|t| t.0).sum::<u64>());
        }
    }

    #[test]
    fn parts_of_requests_merge(a in parts(), b in parts(), c in parts()) {
        let grouped = a.clone().merge(&b.clone().merge(&c));
        prop_assert_eq!(a.clone().merge(&b).merge(&c), grouped);
        prop_assert_eq!(a.clone().merge(&PartSums::default()), a.clone());
        prop_assert_eq!(a.clone().merge(&b), b.merge(&a));
    }

    #[test]
    fn savings_merge(a in savings(), b in savings(), c in savings()) {
        prop_assert_eq!(a.merge(&b).merge(&c), a.merge(&b.merge(&c)));
        prop_assert_eq!(a.merge(&SavingSums::default()), a);
    }
}

fn read(bytes: &[u8]) -> usize {
    let data = Data::embedded().unwrap();
    let measure = counter("chars").unwrap();
    let context = Context {
        memo: true,
        watch: None,
        answers: false,
        data: &data,
        measure,
        model: None,
        format: None,
        group_by: None,
        server: None,
        description_cap: None,
        keep_texts: true,
        listing_model: None,
        ids: Ids::None,
    };
    let file = CaptureFile {
        path: PathBuf::from("x.json"),
        shown: Arc::from("x.json"),
        run: Arc::from("x"),
        folders: Arc::default(),
        explicit: true,
    };
    Reader::new(context)
        .read_bytes(bytes, &file)
        .fragments
        .len()
}

/// JSON of any shape, with the words of the formats in it.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("messages"),
        Just("tools"),
        Just("role"),
        Just("user"),
        Just("content"),
        Just("type"),
        Just("text"),
        Just("tool_use"),
        Just("tool_result"),
        Just("tool_reference"),
        Just("tool_name"),
        Just("name"),
        Just("input"),
        Just("input_schema"),
        Just("description"),
        Just("body"),
        Just("request"),
        Just("response"),
        Just("system"),
        Just("metadata"),
        Just("user_id"),
        Just("usage"),
        Just("input_tokens"),
        Just("defer_loading"),
        Just("custom"),
        Just("schema"),
        Just("toolcost.counts/1"),
        Just("parts"),
        Just("kind"),
        Just("model"),
        Just("function"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 120, 8, move |inner| {
        let key = prop_oneof![4 => word.clone().prop_map(str::to_owned), 1 => ".{0,6}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reading_any_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
    }

    #[test]
    fn reading_any_json_never_panics(value in any_json(), cut in 0..200usize) {
        let text = value.to_string();
        read(text.as_bytes());
        read(&text.as_bytes()[..cut.min(text.len())]);
        read(json!({"messages": value.clone(), "tools": value.clone(), "system": value.clone()}).to_string().as_bytes());
        read(json!({"messages": [{"role": "user", "content": value.clone()}], "tools": [value]}).to_string().as_bytes());
    }

    #[test]
    fn a_fixture_with_a_flipped_byte_never_panics(at in any::<prop::sample::Index>(), byte in any::<u8>(), which in 0..3usize) {
        let name = ["sse/trace.jsonl", "bad-lines/log.jsonl", "server-search/request-api-1.json"][which];
        let mut bytes = std::fs::read(common::root().join("fixtures").join(name)).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        read(&bytes);
    }
}

fn tool(name: u8, defer: Option<bool>, size: usize) -> Value {
    let mut tool = json!({"name": format!("mcp__s__t{name}"), "description": "d".repeat(size), "input_schema": {"type": "object"}});
    if let Some(defer) = defer {
        tool["defer_loading"] = defer.into();
    }
    tool
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn parts_and_residual_make_the_recorded_whole(
        tools in prop::collection::vec((0..9u8, prop::option::of(any::<bool>()), 0..400usize), 0..12),
        usages in prop::collection::vec((0..9000u64, 0..9000u64, 0..9000u64), 1..5),
        reference in 0..9u8,
    ) {
        let tools: Vec<Value> = tools.into_iter().map(|(name, defer, size)| tool(name, defer, size)).collect();
        let lines: Vec<String> = usages.iter().enumerate().map(|(turn, (input, write, cache))| {
            let mut messages = vec![json!({"role": "user", "content": "go"})];
            for step in 0..turn {
                messages.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": format!("c{step}"), "name": "ToolSearch", "input": {"query": "x"}}]}));
                messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("c{step}"), "content": [
                    {"type": "tool_reference", "tool_name": format!("mcp__s__t{reference}")}]}]}));
            }
            json!({"request": {"timestamp": turn, "body": {"model": "claude-sonnet-5", "max_tokens": 999, "tools": tools, "messages": messages}},
                "response": {"body": {"usage": {"input_tokens": input, "cache_creation_input_tokens": write, "cache_read_input_tokens": cache}}}}).to_string()
        }).collect();
        let folder = Folder::new();
        folder.file("log.jsonl", lines.join("\n"));
        let report = report(folder.path(), &["--per-request"]);
        let run = &report["runs"][0];
        let rows = run["by_request"].as_array().unwrap().iter().map(|row| &row["tokens"]);
        for tokens in rows.chain([&run["total"]]) {
            let Some(recorded) = tokens["recorded"].as_i64() else { continue };
            let names = ["tools", "prelude", "deferral", "system", "messages", "frame", "residual"];
            let sum: i64 = names.iter().map(|name| tokens[name].as_i64().unwrap_or(0)).sum();
            prop_assert_eq!(sum, recorded, "{:#}", tokens);
            prop_assert_eq!(&tokens["request"], &tokens["recorded"]);
        }
        // The rows of the first request add up to its tool part.
        let paid: i64 = run["tools"].as_array().unwrap().iter()
            .filter(|tool| tool["later"] == false && tool["state"] == "loaded")
            .map(|tool| tool["in_prompt"].as_i64().unwrap()).sum();
        if run["requests"].as_u64() > Some(0) {
            prop_assert_eq!(paid, run["first"]["tools"].as_i64().unwrap());
        }
    }
}

#[test]
fn threads_change_nothing() {
    for path in ["captures", "fixtures"] {
        let once = |jobs: &str| {
            toolcost(&["report", path, "-f", "json", "--per-request", "-j", jobs]).stdout
        };
        let one = once("1");
        assert!(one.len() > 1000);
        for jobs in ["2", "7", "64"] {
            assert!(one == once(jobs), "{path} with {jobs} threads");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// What is not known is left out of the full answer at random: the bound it leaves must hold.
    #[test]
    fn bounds_of_a_saving_hold_whatever_is_not_known(known in prop::collection::vec(any::<bool>(), 6), model in any::<bool>()) {
        let names: Vec<String> = (0..6).map(|n| format!("mcp__s__t{n}")).collect();
        let reminder = format!("<available-deferred-tools>\n{}\n</available-deferred-tools>", names.join("\n"));
        let body = |model: &str| json!({"model": model, "max_tokens": 999, "messages": [{"role": "user", "content": reminder}],
            "tools": [{"name": "DeferredToolPlaceholder", "description": "d", "input_schema": {}, "defer_loading": true},
                {"name": "ToolSearch", "description": "d", "input_schema": {}}]}).to_string();
        let listing = |keep: &dyn Fn(usize) -> bool| {
            let tools = names.iter().enumerate().filter(|(n, _)| keep(*n));
            Value::from(tools.map(|(n, name)| json!({"name": name, "description": "x".repeat(50 * n + 9), "input_schema": {}})).collect::<Vec<_>>()).to_string()
        };
        let folder = Folder::new();
        let all = folder.file("all.json", listing(&|_| true));
        let some = folder.file("some.json", listing(&|n| known[n]));
        folder.file("c/request-full-1.json", body("claude-sonnet-5"));
        folder.file("d/request-part-1.json", body(if model { "claude-sonnet-5" } else { "nobody-9" }));
        let saved = |path: &str, listing: &PathBuf| {
            let report = report(&format!("{}/{path}", folder.path()), &["--tools", listing.to_str().unwrap(), "--counter", "chars"]);
            report["runs"][0]["savings"].clone()
        };
        let full = saved("c", &all)["saved"].as_i64().unwrap();
        let part = saved("d", &some);
        let missing = known.iter().any(|known| !known);
        prop_assert_eq!(&part["at_least"], missing);
        prop_assert_eq!(&part["at_most"], !model);
        match (missing, model) {
            (false, true) => prop_assert_eq!(part["saved"].as_i64(), Some(full)),
            (true, true) => prop_assert!(part["saved"].as_i64().unwrap() <= full),
            (false, false) => prop_assert!(part["saved"].as_i64().unwrap() >= full),
            (true, false) => prop_assert!(part["saved"].is_null()),
        }
    }
}

#[test]
fn the_order_of_paths_changes_nothing() {
    let folder = Folder::new();
    for (name, size) in [("a", 3), ("b", 40), ("c", 9)] {
        let body = json!({"model": "claude-sonnet-5", "max_tokens": 999, "messages": [{"role": "user", "content": "x".repeat(size)}],
            "tools": [tool(1, None, size), tool(2, Some(true), size)]});
        folder.file(&format!("{name}/1.json"), body.to_string());
    }
    let at = |name: &str| format!("{}/{name}/1.json", folder.path());
    let runs = |order: [&str; 3]| {
        let named: Vec<String> = order
            .iter()
            .map(|name| format!("{name}={}", at(name)))
            .collect();
        let mut args = vec!["report", "-f", "json", "--per-request"];
        for named in &named {
            args.extend(["--run", named]);
        }
        toolcost(&args).json()["runs"].clone()
    };
    let first = runs(["a", "b", "c"]);
    assert_eq!(first.as_array().unwrap().len(), 3);
    for order in [["c", "b", "a"], ["b", "c", "a"], ["b", "a", "c"]] {
        assert_eq!(runs(order), first);
    }
}

#[test]
fn every_spelling_of_a_body_reports_the_same() {
    let report = report("fixtures/wrapped", &[]);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 7);
    let strip = |run: &Value| {
        let mut run = run.clone();
        for key in ["run", "paths"] {
            run[key] = Value::Null;
        }
        for place in ["first", "last"] {
            run["sums"][place] = Value::Null;
        }
        run
    };
    let first = strip(&runs[0]);
    for run in runs {
        assert_eq!(strip(run), first, "{}", run["run"]);
    }
}
