//! Lines against what Python writes.

use super::*;
use crate::model::{Text, ToolSizes};

fn sorted(json: &str, escaping: Escaping) -> Option<String> {
    let mut writer = Writer::new(escaping);
    writer.sorted(json).map(|()| writer.text)
}

fn tool<'a>(name: &'a str, description: Option<&'a str>, schema: Option<&'a str>) -> RawTool<'a> {
    RawTool {
        name: Text::Literal(name),
        description: description.map(Text::Literal),
        schema,
        sizes: ToolSizes::default(),
    }
}

#[test]
fn keys_are_sorted_at_every_level_and_white_space_is_pythons() {
    for (json, expected) in [
        (
            r#"{"b":1,"a":[{"d":2,"c":3}, [ ]],"B":{}}"#,
            r#"{"B": {}, "a": [{"c": 3, "d": 2}, []], "b": 1}"#,
        ),
        (" [ true , false,null ] ", "[true, false, null]"),
        (r#""a\/b\u0041\u000a""#, r#""a/bA\n""#),
        (
            r#"{"a":1,"b":2,"a":{"z":1,"y":2}}"#,
            r#"{"a": {"y": 2, "z": 1}, "b": 2}"#,
        ),
        // U+FFFF before U+10000, unlike in UTF-16; an escaped key sorts as what it means.
        (
            r#"{"𐀀":1,"￿":2,"\u0061":3,"b":4}"#,
            r#"{"a": 3, "b": 4, "￿": 2, "𐀀": 1}"#,
        ),
        ("7", "7"),
    ] {
        assert_eq!(
            sorted(json, Escaping::Raw).as_deref(),
            Some(expected),
            "{json}"
        );
    }
}

#[test]
fn strings_are_escaped_as_the_model_sees_them() {
    let json = r#"{"é":"\ud83d\ude00 — \u2028 \u007f \ud83d \u0001\b\f"}"#;
    assert_eq!(
        sorted(json, Escaping::Escaped).unwrap(),
        r#"{"\u00e9": "\ud83d\ude00 \u2014 \u2028 \u007f \ud83d \u0001\b\f"}"#
    );
    assert_eq!(
        sorted(json, Escaping::Raw).unwrap(),
        "{\"é\": \"😀 — \u{2028} \u{7f} \u{fffd} \\u0001\\b\\f\"}"
    );
}

#[test]
fn numbers_are_printed_as_python_prints_them() {
    for (number, expected) in [
        ("9007199254740991", "9007199254740991"),
        (
            "-123456789012345678901234567890",
            "-123456789012345678901234567890",
        ),
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("0.25", "0.25"),
        ("1.0", "1.0"),
        ("1e5", "100000.0"),
        ("1E+2", "100.0"),
        ("1e15", "1000000000000000.0"),
        ("1e16", "1e+16"),
        ("1.5e300", "1.5e+300"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("123456789.123456789", "123456789.12345679"),
        ("2.50", "2.5"),
        ("5e-324", "5e-324"),
        ("1e999", "Infinity"),
        ("-1e999", "-Infinity"),
    ] {
        assert_eq!(sorted(number, Escaping::Raw).as_deref(), Some(expected));
    }
}

#[test]
fn a_line_leaves_out_what_is_missing_or_empty() {
    let line = |tool| Line::of(&tool, Escaping::Raw).unwrap();
    let whole = line(tool("n", Some(r#"a \"b\"\n"#), Some(r#"{"b":1,"a":2}"#)));
    assert_eq!(
        whole.json,
        r#"{"description": "a \"b\"\n", "name": "n", "parameters": {"a": 2, "b": 1}}"#
    );
    assert_eq!(whole.description(), r#"a \"b\"\n"#);
    assert_eq!((whole.name(), whole.schema()), ("n", r#"{"a": 2, "b": 1}"#));
    let bare = line(tool("n", Some(""), None));
    assert_eq!(bare.json, r#"{"name": "n"}"#);
    assert_eq!((bare.description(), bare.schema()), ("", ""));
    assert!(bare.untested && !whole.untested);
}

#[test]
fn what_is_no_json_has_no_line_and_does_no_harm() {
    for json in [
        "", "{", "]", "{}}", "[}", r#"{"a"}"#, r#"{"a":"#, r#"""#, r#""\"#, "1 2", r#"{1:2}"#, "é",
    ] {
        let _ = sorted(json, Escaping::Raw);
    }
    for json in ["", "{", "]", "{}}", "1 2", r#"{1:2}"#] {
        assert_eq!(sorted(json, Escaping::Raw), None, "{json}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(200_000), "]}".repeat(200_000));
    let written = sorted(&deep, Escaping::Escaped).unwrap();
    assert_eq!(written, deep.replace(':', ": "));
}
