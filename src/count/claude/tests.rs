//! Worked examples, and the stream and its tiling against plain ones.

use super::automaton::Automaton;
use super::tiling::{Tiler, marker};
use super::*;
use crate::model::{Measure, RawTool, ToolSizes};
use proptest::prelude::*;

/// The stream of a text in the notation of the vocabulary's files.
fn stream(family: Family, text: &str) -> String {
    let mut shown = String::new();
    stream::parts(family, &normal::normalise(family, text), |part| {
        for chunk in part.utf8_chunks() {
            shown.push_str(&chunk.valid().replace(' ', "\\_"));
            shown.push_str(match chunk.invalid() {
                [marker::BOW] => "\\<",
                [marker::EOW] => "\\>",
                [marker::SHIFT] => "\\^",
                [marker::CAPS] => "\\*",
                _ => "",
            });
        }
    });
    shown
}

fn counts(text: &str) -> [u64; 3] {
    Family::ALL.map(|family| content_tokens(family, Text::Plain(text)))
}

#[test]
fn the_switches_are_those_of_the_vocabulary() {
    let scalars = include_str!("../../../data/claude/families.toml");
    let scalars: toml::Table = scalars.parse().unwrap();
    for family in Family::ALL {
        let own = &scalars[family.name()];
        assert_eq!(own["frame_bow"].as_bool(), Some(family.opens_word()));
        assert_eq!(own["fold_quotes"].as_bool(), Some(family.folds_quotes()));
        let least = family.capitals_from().unwrap_or(0);
        assert_eq!(own["caps_min"].as_integer(), i64::try_from(least).ok());
    }
}

#[test]
fn worked_examples_count_as_worked() {
    let mixed = "It's NASA's GaN “API” — 1234567 naïve…";
    for (text, expected) in [
        ("", [1, 1, 0]),
        ("hello, world", [3, 4, 4]),
        (mixed, [19, 22, 22]),
        (" a", [1, 1, 2]),
        ("  文字 한글 ①", [9, 9, 9]),
        ("end\n\n\n", [1, 1, 1]),
        ("x", [1, 1, 1]),
    ] {
        assert_eq!(counts(text), expected, "{text:?}");
    }
    assert_eq!(stream(Family::V3, "hello, world"), r"\<hello\>,\>\<world\>");
    assert_eq!(
        stream(Family::V3, mixed),
        r#"\^\<it\>'s\>\*\<nasa\>'s\>\<GaN\>\<"\<API\>"\>\<—\>\_1234567\_\<naïve\>…"#
    );
    assert_eq!(stream(Family::V3, "  文字 한글 ①"), r"\_\_文字\_한글\_\<①");
}

#[test]
fn marks_variation_selectors_and_contractions_keep_their_rules() {
    for (text, expected) in [
        ("I've don't 'tis", r"\^\<i\>'ve\>\<don\>'t\>\_'\<tis\>"),
        ("a' s", r"\<a\>'\>\<s\>"),
        // An alphabetic mark after anything but a letter opens a word that the letters after it join.
        ("1\u{5b0}a", "\\<1\\<\u{5b0}a\\>"),
        ("x \u{fe0f}文", "\\<x\\>\\<\u{fe0f}文"),
        ("©'s", r"\<©'\<s\>"),
        ("NASA Éa", r"\*\<nasa\>\^\<éa\>"),
        ("İstanbul Aİ ẞA", r"\<İstanbul\>\^\<aİ\>\<ẞA\>"),
    ] {
        assert_eq!(stream(Family::V3, text), expected, "{text:?}");
    }
}

#[test]
fn trailing_newlines_cost_what_the_frame_leaves() {
    let tail = |family, n| content_tokens(family, Text::Plain(&format!("a{}", "\n".repeat(n)))) - 1;
    for (n, v3, v48) in [
        (1, 0, 0),
        (14, 0, 0),
        (15, 0, 1),
        (28, 0, 1),
        (29, 1, 1),
        (30, 0, 0),
        (31, 0, 1),
    ] {
        assert_eq!(tail(Family::V48, n), v48, "{n}");
        if n < 31 {
            assert_eq!(tail(Family::V3, n), v3, "{n}");
        }
    }
}

#[test]
fn code_points_that_are_no_pieces_are_spelled() {
    let mut tiler = Tiler::new(Family::V48.vocabulary());
    for (c, expected) in [("\u{1f600}", 2), ("\u{10ffff}", 4), ("\u{fdd0}", 3)] {
        assert_eq!(tiler.cost(c.as_bytes()), expected, "{c:?}");
    }
}

#[test]
fn any_text_has_a_count() {
    assert_eq!(
        content_tokens(Family::V48, Text::Literal(r"a\ud83dc\udc00")),
        counts("a\u{fffd}c\u{fffd}")[2]
    );
    for unit in [
        "a",
        "A",
        "\0",
        " ",
        "\n",
        "'s",
        "²",
        "\u{301}",
        "\u{fe0f}",
        "⟨bow⟩",
        "<|endoftext|>",
        "İ",
        "\u{10ffff}",
    ] {
        let text = unit.repeat(20_000);
        for count in counts(&text) {
            assert!(count > 0, "{unit:?}");
        }
    }
    assert_eq!(counts("\0"), counts(" ").map(|n| n.max(1)));
}

#[test]
fn a_line_costs_what_the_request_says() {
    let probe = RawTool {
        name: Text::Plain("probe"),
        description: Some(Text::Plain("x")),
        schema: Some(r#"{"type":"object","properties":{}}"#),
        sizes: ToolSizes::default(),
    };
    for (model, expected) in [
        ("claude-opus-5", Some(42)),
        ("claude-opus-4-7", Some(42)),
        ("gpt-5", None),
    ] {
        let counted = Claude::SHIPPED.tool(Claude::SHIPPED.scope(Some(model)), &probe);
        assert_eq!(counted.count.tokens.map(|tokens| tokens.0), expected);
        if let (Some(parts), Some(total)) = (counted.parts, expected) {
            let sum = parts.name + parts.description + parts.schema;
            assert_eq!(
                i64::try_from(sum).unwrap() + parts.wrapper,
                i64::try_from(total).unwrap()
            );
        }
    }
    assert_eq!(
        Claude::SHIPPED.text(Claude::SHIPPED.scope(None), Text::Plain("x")),
        crate::model::Count::UNKNOWN
    );
}

/// Least tiles by trying every piece at every place of the whole stream.
fn plain_cost(pieces: &Automaton, stream: &[u8]) -> u64 {
    let starts_at = |at: usize| !matches!(stream.get(at), Some(0x80..=0xbf));
    let mut costs = vec![u64::MAX; stream.len() + 1];
    costs[0] = 0;
    for end in 1..=stream.len() {
        for start in (0..end).filter(|&start| starts_at(start) && starts_at(end)) {
            let tile = &stream[start..end];
            let piece = pieces
                .walk(pieces.start(), tile)
                .is_some_and(|s| s.is_word());
            let single = (start + 1..end).all(|at| !starts_at(at));
            let spelled = || {
                let prefixed = |n: usize| {
                    let prefix = [&[marker::PREFIXES], tile.get(..n).unwrap_or_default()].concat();
                    let state = pieces.walk(pieces.start(), &prefix);
                    tile.len() > 2 && state.is_some_and(|state| state.is_word())
                };
                let saved = [3, 2]
                    .into_iter()
                    .find(|&n| prefixed(n))
                    .map_or(0, |n| n - 1);
                (tile.len() - saved) as u64
            };
            let cost = match (piece, single) {
                (true, _) => 1,
                (_, true) => spelled(),
                _ => continue,
            };
            costs[end] = costs[end].min(costs[start].saturating_add(cost));
        }
    }
    costs[stream.len()]
}

/// Words with markers, white runs, symbols and single code points, mixed at random.
fn streams() -> impl Strategy<Value = Vec<u8>> {
    let word = (
        0..4usize,
        "[a-e]{0,3}(the|ing|tion|é|н|文)?[a-z]{0,3}",
        any::<bool>(),
    )
        .prop_map(|(lead, body, close)| {
            let leads: [&[u8]; 4] = [
                &[],
                &[marker::BOW],
                &[marker::SHIFT, marker::BOW],
                &[marker::CAPS, marker::BOW],
            ];
            let end: &[u8] = if close { &[marker::EOW] } else { &[] };
            [leads[lead], body.as_bytes(), end].concat()
        });
    let other = "[ \t\n]{0,5}|[\"':,{}.-]{1,4}|[0-9²½①€═]{1,4}|.".prop_map(String::into_bytes);
    proptest::collection::vec(prop_oneof![word, other], 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn tiling_is_the_plain_programme_and_cuts_change_nothing(stream in streams()) {
        for family in [Family::V3, Family::V48] {
            let pieces = family.vocabulary();
            let mut tiler = Tiler::new(pieces);
            let whole = plain_cost(&pieces, &stream);
            prop_assert_eq!(tiler.cost(&stream), whole);
            // Cut before [SHIFT|CAPS] BOW and after EOW.
            let mut parts = 0;
            let mut from = 0;
            for at in 1..stream.len() {
                let led = matches!(stream[at - 1], marker::SHIFT | marker::CAPS);
                let opens = match stream[at] {
                    marker::BOW => !led,
                    marker::SHIFT | marker::CAPS => true,
                    _ => false,
                };
                if opens || stream[at - 1] == marker::EOW {
                    parts += tiler.cost(&stream[from..at]);
                    from = at;
                }
            }
            prop_assert_eq!(parts + tiler.cost(&stream[from..]), whole);
        }
    }

    #[test]
    fn the_parts_of_a_text_cost_what_its_whole_stream_costs(text in "([a-z]{1,5}|[A-Z][a-z]{0,4}|[A-Z]{2,5}| {1,3}|['\"{}:,.]{1,3}|[0-9]{1,4}|\\PC|[\\n\\t]|'s|[\u{5b0}\u{301}\u{fe0f}²٣])(?:[a-zA-Z ',.é文]|\\PC){0,30}") {
        for family in Family::ALL {
            let pieces = family.vocabulary();
            let mut tiler = Tiler::new(pieces);
            let mut whole = Vec::new();
            let mut sum = 0;
            stream::parts(family, &normal::normalise(family, &text), |part| {
                whole.extend_from_slice(part);
                sum += tiler.cost(part);
            });
            prop_assert_eq!(sum, plain_cost(&pieces, &whole));
        }
    }
}
