use super::*;
use proptest::prelude::*;
use serde_json::value::RawValue;

fn proven(text: &[u8]) -> Option<usize> {
    let mut ends = Ends::of(text);
    prove(text, 0, &mut ends).map(|raw| raw.bytes().len())
}

/// What `serde_json` says of the value at the beginning.
fn parsed(text: &[u8]) -> Option<usize> {
    if text.first().is_none_or(u8::is_ascii_whitespace) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>();
    values.next()?.ok().map(|raw| raw.get().len())
}

/// The two may differ in what follows a number or a word by itself, which `serde_json` looks at.
fn agree(text: &[u8]) {
    let outermost = text.first().copied().unwrap_or(b' ');
    if matches!(outermost, b'{' | b'[' | b'"') {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(proven(text), parsed(text), "{shown}");
    }
}

#[test]
fn it_accepts_what_the_parser_accepts() {
    for text in [
        r#"{"a":1,"b":[true,false,null,-0.5e+10,0,"x\u00e9\n\\\"/"],"c":{}}  x"#,
        r#"{}"#,
        r#"[]"#,
        r#"[ ]"#,
        r#"{ }"#,
        r#"[1,]"#,
        r#"[,1]"#,
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{a:1}"#,
        r#"[01]"#,
        r#"[1.]"#,
        r#"[-]"#,
        r#"[1e]"#,
        r#"[.5]"#,
        r#"[+1]"#,
        r#"[tru]"#,
        r#"[truex]"#,
        r#"["\x"]"#,
        r#"["\u12g4"]"#,
        r#"["\ud800"]"#,
        r#"["\u12"#,
        "[\"\u{1}\"]",
        "[\"\u{7f}\"]",
        "[\"a\nb\"]",
        "[1}",
        "{\"a\":1]",
        "[[[[",
        "\"abc",
        "\"abc\"def",
        "[1 2]",
        "{\"a\" 1}",
        "[1\u{a0}]",
        "[\u{c}1]",
    ] {
        agree(text.as_bytes());
    }
    agree(b"[\"\xff\"]");
    agree(b"[\"\xed\xa0\x80\"]");
    agree(b"[\"\xc3\xa9\"]\xff");
    let deep = "[".repeat(MOST_DEEP + 1) + &"]".repeat(MOST_DEEP + 1);
    assert_eq!(proven(deep.as_bytes()), None, "left to the parser");
}

#[test]
fn long_values_are_noted_with_their_ends() {
    let long = "x".repeat(LONG);
    let text = format!(r#"{{"a":"{long}","b":[1,{{"c":"{long}\"]"}},[]],"d":{{}}}}"#);
    let mut ends = Ends::of(text.as_bytes());
    prove(text.as_bytes(), 0, &mut ends).unwrap();
    let noted: Vec<&str> = ends
        .spans
        .iter()
        .map(|(start, end)| &text[*start as usize..*end as usize])
        .collect();
    let string = format!("\"{long}\"");
    let inner = format!("\"{long}\\\"]\"");
    let object = format!("{{\"c\":{inner}}}");
    let array = format!("[1,{object},[]]");
    assert_eq!(noted, [&text, &string, &array, &object, &inner]);
    let at = text.find('[').unwrap();
    assert_eq!(ends.length_at(&text.as_bytes()[at..]), Some(array.len()));
    assert_eq!(ends.length_at(&text.as_bytes()[at + 1..]), None);
}

/// Text of JSON's own characters, so that much of it is nearly right.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(&b"{"[..]),
        Just(&b"}"[..]),
        Just(&b"["[..]),
        Just(&b"]"[..]),
        Just(&b","[..]),
        Just(&b":"[..]),
        Just(&b"\"a\""[..]),
        Just(&b"\"\\u00e9\""[..]),
        Just(&b"\""[..]),
        Just(&b"\\"[..]),
        Just(&b"1"[..]),
        Just(&b"-1.5e3"[..]),
        Just(&b"0"[..]),
        Just(&b"true"[..]),
        Just(&b"null"[..]),
        Just(&b" "[..]),
        Just(&b"\n"[..]),
        Just(&b"\xe2\x86\x92"[..]),
        Just(&b"\xe2"[..]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn it_accepts_what_the_parser_accepts_of_anything(inside in nearly(), kind in 0..3u8) {
        let (open, close) = [("[", "]"), ("{\"k\":", "}"), ("", "")][usize::from(kind)];
        agree(&[open.as_bytes(), &inside, close.as_bytes()].concat());
    }
}
