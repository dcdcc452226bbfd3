use super::*;
use crate::ingest::scan::ValueMemo;

fn read(bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut sink = |item: Item<'_>| {
        found.push(match item {
            Item::Record(place, (raw, _)) => format!(
                "{place}: {}",
                raw.text().split_whitespace().collect::<String>()
            ),
            Item::Broken(place, reason) => format!("{place}! {reason}"),
        });
    };
    let mut reader = bytes;
    let mut opener = Opener {
        deep: &[],
        containers: &[],
        memo: &mut ValueMemo::default(),
    };
    let length = Some(bytes.len() as u64);
    let mut feed = Feed::new(&mut reader, Vec::new());
    records(&mut feed, length, &mut opener, &mut sink).unwrap();
    found
}

#[test]
fn every_framing_gives_its_records() {
    assert_eq!(read(b"{\"a\":1}"), ["line 1: {\"a\":1}"]);
    assert_eq!(
        read(b"\xef\xbb\xbf{\"a\":1}\r\n\r\n{\"b\":2}"),
        ["line 1: {\"a\":1}", "line 3: {\"b\":2}"]
    );
    assert_eq!(read(b"{\n \"a\": 1\n}\n"), ["line 1: {\"a\":1}"]);
    assert_eq!(
        read(b"[\n{},\n{\"b\":2}]"),
        ["line 1, element 0: {}", "line 1, element 1: {\"b\":2}"]
    );
    assert_eq!(
        read(b"{}{\"b\":2}\n"),
        ["line 1: {}", "line 1, column 3: {\"b\":2}"]
    );
}

#[test]
fn a_broken_stretch_is_told_and_the_rest_is_read() {
    let cut = read(b"{}\n{\"a\":\n{\"b\":2}\n");
    assert_eq!(
        cut,
        [
            "line 1: {}",
            "line 2! cut off: the JSON value that starts here does not end",
            "line 3: {\"b\":2}"
        ]
    );
    let first = read(b"{\"a\": oops}\n{\"b\":2}\n");
    assert_eq!(first[1], "line 2: {\"b\":2}");
    assert!(first[0].starts_with("line 1, column"), "{first:?}");
}

#[test]
fn a_pretty_printed_record_after_a_line_is_one_record() {
    assert_eq!(
        read(b"{}\n{\n  \"a\": 1\n}\n{\"b\":2}\n"),
        ["line 1: {}", "line 2: {\"a\":1}", "line 5: {\"b\":2}"]
    );
    assert_eq!(
        read(b"null\n{\"b\":2}\n"),
        ["line 1: null", "line 2: {\"b\":2}"]
    );
}

#[test]
fn a_cut_array_gives_what_is_whole() {
    let cut = read(b"[{\"a\":1},\n {\"b\":");
    assert_eq!(cut[0], "line 1, element 0: {\"a\":1}");
    assert_eq!(cut.len(), 2);
}

#[test]
fn what_is_no_json_is_told_by_its_first_bytes() {
    assert_eq!(refuse(b" \n"), Some(NotText::Empty));
    assert_eq!(refuse(b"# title"), Some(NotText::Other));
    assert_eq!(refuse(b"started\n{\"a\":1}"), None);
    assert_eq!(
        refuse(b"\x1f\x8b\x08"),
        Some(NotText::Packed(Packing::Gzip))
    );
    assert_eq!(refuse(b"x\x9cabc"), Some(NotText::Packed(Packing::Zlib)));
    assert!(matches!(refuse(b"\xff\xfe{\0"), Some(NotText::Encoded(_))));
    assert_eq!(refuse(b"\xef\xbb\xbf {"), None);
    assert_eq!(refuse(br#""{\"a\":1}""#), None);
}
