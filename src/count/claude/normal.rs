//! Normalisation: what a text looks like to the tokenizer.

use super::family::Family;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

const SARA_AA: char = '\u{e32}';
const SARA_AM: char = '\u{e33}';
const NIKHAHIT: char = '\u{e4d}';

/// The normalised text; borrowed where nothing changes, as in nearly all.
pub(super) fn normalise(family: Family, text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n'))
    {
        return Cow::Borrowed(text);
    }
    let composed = text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes;
    if composed
        && text
            .chars()
            .all(|c| c != SARA_AA && image(family, c) == Some(c))
    {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len());
    if composed {
        rewrite(family, text.chars(), &mut normal);
    } else {
        rewrite(family, text.nfc(), &mut normal);
    }
    Cow::Owned(normal)
}

fn rewrite(family: Family, text: impl Iterator<Item = char>, normal: &mut String) {
    // The last code point that is no deleted control: private use is deleted only after Thai vowels are joined.
    let mut last = None;
    for c in text {
        let joined = c == SARA_AA && last == Some(NIKHAHIT);
        if joined {
            normal.pop();
        }
        let c = if joined { SARA_AM } else { c };
        if !is_deleted_control(c) {
            last = Some(c);
        }
        normal.extend(image(family, c));
    }
}

fn is_deleted_control(c: char) -> bool {
    matches!(c, '\u{1}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// What becomes of one code point; `None` = nothing.
fn image(family: Family, c: char) -> Option<char> {
    match c {
        ' '..='~' | '\t' | '\n' => Some(c),
        '\0' => Some(' '),
        c if is_deleted_control(c) => None,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' => Some(' '),
        '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' => Some(' '),
        '\u{2018}' | '\u{2019}' if family.folds_quotes() => Some('\''),
        '\u{201c}' | '\u{201d}' if family.folds_quotes() => Some('"'),
        '\u{e000}'..='\u{f8ff}' => None,
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_sees_what_the_ones_before_left() {
        for (text, expected) in [
            ("a\r\nb\tc\0d\u{7f}", "a\nb\tc d"),
            ("e\u{301}", "é"),
            // A control between letter and accent goes after composition.
            ("e\u{1}\u{301}", "e\u{301}"),
            ("\u{e4d}\u{e32}", "\u{e33}"),
            ("\u{e4d}\u{1}\u{e32}", "\u{e33}"),
            ("\u{e4d}\u{e000}\u{e32}", "\u{e4d}\u{e32}"),
            ("\u{ecd}\u{eb2}", "\u{ecd}\u{eb2}"),
            ("a\u{a0}b\u{3000}c\u{f8ff}", "a b\u{3000}c"),
            ("\u{f0000}", "\u{f0000}"),
        ] {
            assert_eq!(normalise(Family::V48, text), expected, "{text:?}");
        }
        assert_eq!(normalise(Family::V3, "‘a’ “b” „c‚"), "'a' \"b\" „c‚");
        assert_eq!(normalise(Family::V47, "‘a’ “b”"), "‘a’ “b”");
        let plain = normalise(Family::V48, "ünïcödé 😀");
        assert!(matches!(plain, Cow::Borrowed(_)));
    }
}
