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

/// Rows that share their first two cells, and what stands after them.
fn blocks(form: &str, numbers: &[Option<u64>]) -> String {
    let mut out = Vec::new();
    let mut sink = row_format(form).unwrap().sink(&TABLE, &mut out).unwrap();
    for (at, number) in (0..).zip(numbers) {
        let text = format!("=request {at}");
        let shared = [Cell::String(&text), Cell::Null];
        if sink.block(*number, &shared).unwrap() {
            continue;
        }
        // What a number stands for; without one it is something else each time.
        let what = number.unwrap_or(100 + at);
        for row in 0..what % 4 {
            let own = [Cell::U64(what), Cell::I64(-7), Cell::Bool(row == 0)];
            sink.row(&[shared[0], shared[1], own[0], own[1], own[2]])
                .unwrap();
        }
    }
    sink.finish().unwrap();
    drop(sink);
    String::from_utf8(out).unwrap()
}

#[test]
fn rows_from_memory_are_the_rows_that_were_handed_in() {
    let numbers = [1, 3, 3, 1, 4, 3, 2, 4, 1].map(Some);
    for form in ["ndjson", "csv"] {
        let rows: Vec<[Cell<'_>; 5]> = Vec::new();
        let mut plain = written(form, &rows);
        for (at, number) in numbers.iter().flatten().enumerate() {
            let text = format!("=request {at}");
            let rows: Vec<[Cell<'_>; 5]> = (0..number % 4)
                .map(|row| {
                    let first = [Cell::String(&text), Cell::Null];
                    let own = [Cell::U64(*number), Cell::I64(-7), Cell::Bool(row == 0)];
                    [first[0], first[1], own[0], own[1], own[2]]
                })
                .collect();
            let head = written(form, &[]).len();
            plain.extend_from_slice(&written(form, &rows)[head..]);
        }
        let plain = String::from_utf8(plain).unwrap();
        assert_eq!(blocks(form, &numbers), plain, "{form}");
        // Blocks without a number are not remembered, and forget none.
        let mixed = [Some(1), None, Some(1), None, None];
        assert_eq!(blocks(form, &mixed).matches("100").count(), 0, "{form}");
        assert_eq!(
            blocks(form, &mixed).matches("=request 0").count(),
            1,
            "{form}"
        );
        assert_eq!(
            blocks(form, &mixed).matches("=request 2").count(),
            1,
            "{form}"
        );
    }
}
