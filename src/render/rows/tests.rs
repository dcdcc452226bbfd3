use super::*;
use crate::model::{Cell, Column, ColumnType};

const TABLE: Table = Table {
    schema: "test/1",
    name: "test",
    doc: "A row.",
    columns: &[
        Column::new("text", ColumnType::String, "A text."),
        Column::nullable("more", ColumnType::String, "A text."),
        Column::new("count", ColumnType::U64, "A number."),
        Column::nullable("left", ColumnType::I64, "A number."),
        Column::nullable("flag", ColumnType::Bool, "A flag."),
    ],
};

fn written(form: &str, rows: &[[Cell<'_>; 5]]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sink = row_format(form).unwrap().sink(&TABLE, &mut out).unwrap();
    for row in rows {
        sink.row(row).unwrap();
    }
    sink.finish().unwrap();
    drop(sink);
    out
}

const ROWS: [[Cell<'static>; 5]; 2] = [
    [
        Cell::String("a"),
        Cell::Null,
        Cell::U64(u64::MAX),
        Cell::I64(i64::MIN),
        Cell::Bool(true),
    ],
    [
        Cell::String("=1,\"x\"\n\u{202e}é"),
        Cell::String(""),
        Cell::U64(0),
        Cell::Null,
        Cell::Null,
    ],
];

#[test]
fn every_column_is_in_every_line() {
    let text = String::from_utf8(written("ndjson", &ROWS)).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"text":"a","more":null,"count":18446744073709551615,"left":-9223372036854775808,"flag":true}"#,
            "\n",
            r#"{"text":"=1,\"x\"\n\u202eé","more":"","count":0,"left":null,"flag":null}"#,
            "\n"
        )
    );
}

#[test]
fn no_field_is_a_formula_or_ends_a_row() {
    let text = String::from_utf8(written("csv", &ROWS)).unwrap();
    assert_eq!(
        text,
        concat!(
            "text,more,count,left,flag\n",
            "a,,18446744073709551615,-9223372036854775808,true\n",
            "\"'=1,\"\"x\"\"\\n\\u{202e}é\",\"\",0,,\n"
        )
    );
}

/// Whatever the text, the fast way and the slow one say what serde says, and csv reads what was written.
#[test]
fn texts_are_read_as_they_were_written() {
    for text in [
        "",
        "plain",
        "\\",
        "\"",
        "a\"b\\c",
        "\u{0}\u{1f}\u{7f}\t\r\n\u{8}\u{c}",
        "é—😀\u{e0001}",
        "mcp__a__b",
        "line\u{2028}two",
    ] {
        let line = written(
            "ndjson",
            &[[
                Cell::String(text),
                Cell::Null,
                Cell::U64(1),
                Cell::Null,
                Cell::Null,
            ]],
        );
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["text"], text);
        let table = written(
            "csv",
            &[[
                Cell::String(text),
                Cell::Null,
                Cell::U64(1),
                Cell::Null,
                Cell::Null,
            ]],
        );
        let mut reader = ::csv::Reader::from_reader(table.as_slice());
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(record[0], *escape_of(text));
    }
}

fn escape_of(text: &str) -> std::borrow::Cow<'_, str> {
    crate::render::escape::sheet(text)
}

/// Rows that fill the buffer several times arrive whole and in order.
#[test]
fn many_rows_leave_in_large_pieces() {
    let name = "x".repeat(1000);
    let mut out = Vec::new();
    let mut sink = row_format("ndjson")
        .unwrap()
        .sink(&TABLE, &mut out)
        .unwrap();
    for at in 0..1000 {
        let row = [
            Cell::String(&name),
            Cell::Null,
            Cell::U64(at),
            Cell::Null,
            Cell::Null,
        ];
        sink.row(&row).unwrap();
    }
    sink.finish().unwrap();
    drop(sink);
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 1000);
    for (at, line) in text.lines().enumerate() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["count"], at);
    }
}
