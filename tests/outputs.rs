//! Forms of output and where they go; names of strangers do no harm in any of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;

use common::{Folder, run_in, toolcost};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const FORMS: [&str; 5] = ["text", "json", "ndjson", "csv", "markdown"];

/// Names that somebody made to do harm.
fn hostile() -> Vec<String> {
    let mut names: Vec<String> = [
        "\u{1b}[31mred\u{1b}[0m\u{1b}]0;title\u{7}",
        "=cmd|'/c calc'!A1",
        "+1",
        "-2",
        "@SUM(A1)",
        " =1",
        "\t=1",
        "\r=1",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a|b\\|c",
        "`code` *bold* _it_ ~~no~~ [x](http://evil.example)",
        "@octocat #1 http://evil.example",
        "\u{202e}gnp.exe\u{200b}\u{2066}x\u{feff}",
        "line\nbreak\r\nand \"quotes\", commas",
        "\u{9b}2J\u{90}q\u{9c}",
        "\u{0}",
        "![x](y)",
        "$(rm -rf /) %PATH%",
        "{{7*7}} ${7*7}",
        "\u{fffd}\u{e000}\u{10ffff}",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect();
    names.push("x".repeat(1 << 20));
    names.push("日".repeat(1 << 18));
    names
}

fn capture(folder: &Folder) {
    let tools = hostile().into_iter().enumerate().map(|(at, name)| {
        let name = if at % 2 == 0 { name } else { format!("mcp__{name}__{name}") };
        json!({"name": name, "description": "d", "input_schema": {"type": "object"}, "defer_loading": at % 3 == 0})
    });
    let tools: Vec<Value> = tools.collect();
    let announced: Vec<String> = hostile()
        .into_iter()
        .filter(|name| name.len() < 1000)
        .collect();
    let text = format!(
        "<available-deferred-tools>\n{}\n</available-deferred-tools>",
        announced.join("\n")
    );
    let model = "=cmd()\u{1b}[2J<script>";
    let body =
        json!({"model": model, "messages": [{"role": "user", "content": text}], "tools": tools});
    folder.file("c/=run<b>\u{202e}.json", body.to_string());
}

#[test]
fn names_of_strangers_do_no_harm_in_any_output() {
    let folder = Folder::new();
    capture(&folder);
    let here = Path::new(folder.path());
    for call in [
        "report c",
        "report c --per-request -n 1000",
        "report c --sort name --filter *",
        "explain c",
        "timeline c",
        "timeline c --cache prefix",
    ] {
        for form in FORMS {
            let args: Vec<&str> = call.split(' ').chain(["-f", form]).collect();
            let answer = run_in(here, &args, b"");
            assert_eq!(answer.code, 0, "{call} {form}: {}", answer.stderr);
            let out = answer.stdout;
            // No control character but the line feed, no direction mark: nothing for a terminal to act on.
            let unsafe_char = out.chars().find(|&c| {
                (c.is_control() && c != '\n') || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
            });
            // RFC 4180 ends the records of a CSV file with CR LF; the writer of ours with LF.
            assert_eq!(unsafe_char, None, "{call} -f {form}");
            match form {
                "text" => {
                    let wide = out
                        .lines()
                        .find(|line| unicode_width::UnicodeWidthStr::width(*line) > 80);
                    assert_eq!(wide, None, "{call}");
                }
                "json" => drop(serde_json::from_str::<Value>(&out).unwrap()),
                "ndjson" => {
                    for line in out.lines() {
                        let row: Value = serde_json::from_str(line).unwrap();
                        assert!(row["type"].is_string());
                    }
                }
                "csv" => {
                    let mut reader = csv::Reader::from_reader(out.as_bytes());
                    let rows: Vec<csv::StringRecord> =
                        reader.records().map(Result::unwrap).collect();
                    assert!(!rows.is_empty());
                    for cell in rows.iter().flatten() {
                        assert!(
                            !cell
                                .trim_start()
                                .starts_with(['=', '+', '-', '@', '|', '%']),
                            "{call}: {cell}"
                        );
                    }
                }
                _ => {
                    assert!(
                        out.chars().count() < 65_536,
                        "a comment of a pull request takes 65,536 characters"
                    );
                    let plain = out.split("```").step_by(2).collect::<String>();
                    assert!(
                        !plain.contains("<script")
                            && !plain.contains("<img")
                            && !plain.contains("@octocat")
                    );
                    assert!(
                        !plain.contains("http://evil") && !plain.replace("\\]", "").contains("](")
                    );
                    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
                    let tables = plain
                        .lines()
                        .filter(|line| line.starts_with('|'))
                        .map(columns);
                    let widths: BTreeSet<usize> = tables.collect();
                    assert!(widths.len() <= 4, "no name makes a column: {widths:?}");
                }
            }
        }
    }
}

#[test]
fn every_command_has_every_form() {
    for call in [
        "report captures/vanilla",
        "explain captures/vanilla",
        "timeline captures/vanilla",
        "list formats",
        "list rules",
    ] {
        for form in FORMS {
            let args: Vec<&str> = call.split(' ').chain(["-f", form]).collect();
            let answer = toolcost(&args);
            assert_eq!(answer.code, 0, "{}", answer.whole());
            assert!(answer.stdout.len() > 100, "{}", answer.whole());
        }
        let mut args: Vec<&str> = call.split(' ').collect();
        args.extend(["-f", "xml"]);
        let answer = toolcost(&args);
        assert_eq!(answer.code, 2);
        assert_eq!(
            answer.stderr,
            "toolcost: --format xml: write one of text, json, ndjson, csv, markdown\n"
        );
    }
}

#[test]
fn flat_forms_say_what_the_json_says() {
    let of = |form: &str| toolcost(&["report", "captures", "-f", form]).stdout;
    let report: Value = serde_json::from_str(&of("json")).unwrap();
    let expected: BTreeSet<(String, String, u64)> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|run| {
            let name = run["run"].as_str().unwrap().to_owned();
            run["tools"].as_array().unwrap().iter().map(move |tool| {
                (
                    name.clone(),
                    tool["name"].as_str().unwrap().to_owned(),
                    tool["size"].as_u64().unwrap(),
                )
            })
        })
        .collect();
    assert!(expected.len() > 300);
    let csv = of("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let rows: BTreeSet<(String, String, u64)> = reader
        .records()
        .map(Result::unwrap)
        .map(|row| {
            (
                row[at("run")].to_owned(),
                row[at("tool")].to_owned(),
                row[at("size")].parse().unwrap(),
            )
        })
        .collect();
    assert_eq!(rows, expected);
    let lines: Vec<Value> = of("ndjson")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let tools = lines.iter().filter(|line| line["type"] == "tool");
    let rows: BTreeSet<(String, String, u64)> = tools
        .map(|row| {
            (
                row["run"].as_str().unwrap().to_owned(),
                row["name"].as_str().unwrap().to_owned(),
                row["size"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(lines[0]["type"], "report");
    assert_eq!(lines[0]["schema"], "toolcost.report/1");
    assert_eq!(lines.iter().filter(|line| line["type"] == "run").count(), 3);
}

#[test]
fn files_are_written_whole_and_beside_standard_output() {
    let folder = Folder::new();
    let file = |name: &str| format!("{}/{name}", folder.path());
    let (json, csv, md) = (
        format!("json={}", file("a.out")),
        format!("csv={}", file("b")),
        file("c.md"),
    );
    let beside = toolcost(&["report", "captures/vanilla", "-o", &json, "-o", &csv]);
    assert_eq!(beside.code, 0, "{}", beside.whole());
    assert_eq!(
        beside.stdout,
        toolcost(&["report", "captures/vanilla"]).stdout
    );
    for (form, name) in [("json", "a.out"), ("csv", "b")] {
        let text = std::fs::read_to_string(file(name)).unwrap();
        assert_eq!(
            text,
            toolcost(&["report", "captures/vanilla", "-f", form]).stdout
        );
    }
    let instead = toolcost(&["report", "captures/vanilla", "-o", &md, "--color", "always"]);
    assert_eq!((instead.code, instead.stdout.as_str()), (0, ""));
    assert!(
        std::fs::read_to_string(file("c.md"))
            .unwrap()
            .starts_with("## ")
    );
    let text = file("d");
    let colour = toolcost(&[
        "report",
        "captures/vanilla",
        "-o",
        &text,
        "--color",
        "always",
    ]);
    assert_eq!(colour.code, 0);
    assert!(!std::fs::read_to_string(&text).unwrap().contains('\u{1b}'));
    // Nothing half written is left.
    let names: BTreeSet<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, ["a.out", "b", "c.md", "d"].map(str::to_owned).into());
}

#[test]
fn a_file_that_cannot_be_written_is_told_first() {
    let folder = Folder::new();
    let nowhere = format!("{}/none/a.json", folder.path());
    for (output, expected) in [
        (nowhere.as_str(), "its folder is not there"),
        (folder.path(), "is a folder"),
        ("", "write FILE or FORMAT=FILE"),
    ] {
        let answer = toolcost(&["report", "captures/vanilla", "-o", output]);
        assert_eq!(answer.code, 2, "{}", answer.whole());
        assert!(answer.stderr.contains(expected), "{}", answer.whole());
    }
    let twice = format!("{}/a", folder.path());
    let answer = toolcost(&["report", "captures/vanilla", "-o", &twice, "-o", &twice]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("given twice"));
}
