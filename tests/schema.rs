//! Every JSON that the program writes fits its committed schema; every counts fixture fits the input's.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{root, toolcost};
use serde_json::Value;

fn validator(name: &str) -> jsonschema::Validator {
    let answer = toolcost(&["schema", name]);
    assert_eq!(answer.code, 0);
    jsonschema::validator_for(&answer.json()).unwrap()
}

fn check(validator: &jsonschema::Validator, value: &Value, what: &str) {
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

#[test]
fn reports_fit_their_schema() {
    let validator = validator("toolcost.report/1");
    let mut paths = vec!["captures".to_owned()];
    for entry in std::fs::read_dir(root().join("fixtures")).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            paths.push(format!("fixtures/{}", entry.file_name().to_string_lossy()));
        }
    }
    for path in paths {
        for flags in [&[][..], &["--per-request"]] {
            let args: Vec<&str> = ["report", &path, "-f", "json"]
                .iter()
                .chain(flags)
                .copied()
                .collect();
            check(&validator, &toolcost(&args).json(), &path);
        }
    }
}

#[test]
fn explanations_fit_their_schema() {
    let validator = validator("toolcost.explain/1");
    let numbers = ["explain", "-f", "json"];
    check(&validator, &toolcost(&numbers).json(), "no path");
    for path in [
        "captures",
        "fixtures/flags",
        "fixtures/bad-lines",
        "fixtures/sse",
    ] {
        for flags in [&[][..], &["--what-if", "ENABLE_TOOL_SEARCH=auto:5"]] {
            let args: Vec<&str> = ["explain", path, "-f", "json"]
                .iter()
                .chain(flags)
                .copied()
                .collect();
            check(&validator, &toolcost(&args).json(), path);
        }
    }
}

#[test]
fn timelines_fit_their_schema() {
    let validator = validator("toolcost.timeline/1");
    let mut paths = vec!["captures".to_owned()];
    for entry in std::fs::read_dir(root().join("fixtures")).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            paths.push(format!("fixtures/{}", entry.file_name().to_string_lossy()));
        }
    }
    for path in paths {
        for flags in [&[][..], &["--cache", "prefix", "--prefill", "100"]] {
            let args = [&["timeline", &path, "-f", "json"], flags].concat();
            check(&validator, &toolcost(&args).json(), &path);
        }
    }
}

#[test]
fn calibrations_fit_their_schema() {
    let validator = validator("toolcost.calibration/1");
    for path in ["fixtures/sse", "fixtures/responses-tool-search"] {
        let answer = toolcost(&["calibrate", path, "-f", "json"]);
        assert_eq!(answer.code, 0, "{}", answer.whole());
        check(&validator, &answer.json(), path);
    }
}

#[test]
fn advice_fits_its_schema() {
    let validator = validator("toolcost.advise/1");
    for path in ["captures", "fixtures/sse", "fixtures/prompted"] {
        let answer = toolcost(&["advise", path, "-f", "json"]);
        assert_eq!(answer.code, 0, "{}", answer.whole());
        check(&validator, &answer.json(), path);
    }
}

#[test]
fn forecasts_fit_their_schema() {
    let validator = validator("toolcost.forecast/1");
    let with_tools = ["captures/deferred", "--tools", "captures/vanilla"];
    for args in [
        &with_tools[..],
        &["captures/vanilla"],
        &["captures/deferred"],
        &["captures/plugin"],
        &["fixtures/sse"],
        &["fixtures/flags"],
        &["fixtures/server-search"],
        &["fixtures/mcp-toolset"],
        &["fixtures/responses-tool-search"],
    ] {
        for flags in [
            &[][..],
            &["--idealised", "--backtest", "--cache-hit", "90%"],
        ] {
            let answer = toolcost(&[&["forecast"], args, flags, &["-f", "json"]].concat());
            assert_eq!(answer.code, 0, "{}", answer.whole());
            check(&validator, &answer.json(), &args.join(" "));
        }
    }
}

#[test]
fn comparisons_fit_their_schema() {
    let validator = validator("toolcost.compare/1");
    for args in [
        &["vanilla", "snippet", "--in", "fixtures/seed-001"][..],
        &[
            "vanilla",
            "deferred",
            "plugin",
            "--in",
            "captures",
            "--max-growth",
            "tools=2%",
        ],
        &["fixtures/sse", "fixtures/flags"],
        &["full", "names", "--in", "fixtures/announced-old"],
    ] {
        let answer = toolcost(&[&["compare"], args, &["-f", "json"]].concat());
        assert!(answer.code == 0, "{}", answer.whole());
        check(&validator, &answer.json(), &args.join(" "));
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_name() {
    let validator = validator("report");
    let mut value = toolcost(&["report", "fixtures/sse", "-f", "json"]).json();
    assert!(validator.is_valid(&value));
    value["runs"][0]["surprise"] = 1.into();
    assert!(!validator.is_valid(&value));
}

#[test]
fn counts_fixtures_fit_their_schema() {
    let validator = validator("counts");
    for name in ["report-vanilla.json", "report-snippet.json"] {
        let text = std::fs::read_to_string(root().join("fixtures/seed-001").join(name)).unwrap();
        check(&validator, &serde_json::from_str(&text).unwrap(), name);
    }
}
