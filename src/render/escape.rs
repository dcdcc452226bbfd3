//! Text of strangers made safe, by kind of edge.

use std::borrow::Cow;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthChar;

/// For a terminal: characters that move the cursor, colour, hide or reorder text are shown as escapes.
pub fn terminal(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut marks = 0;
    for c in text.chars() {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // A few marks belong to a letter; a tower of them hides what is round it.
            c if is_unsafe(c) || marks > MOST_MARKS => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Characters without width that may follow one another.
const MOST_MARKS: usize = 3;

/// Controls, direction marks and overrides, format and other invisible characters, tags, private use.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
            | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn what_could_fool_a_terminal_is_shown() {
        assert_eq!(terminal("mcp__a__b — ünïcode 😀"), "mcp__a__b — ünïcode 😀");
        assert_eq!(terminal("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(
            terminal("a\u{202e}b\u{200b}c\nd"),
            "a\\u{202e}b\\u{200b}c\\nd"
        );
        assert_eq!(terminal("\u{9b}2J"), "\\u{9b}2J");
        assert_eq!(terminal("\u{100000}\u{600}"), "\\u{100000}\\u{600}");
        assert_eq!(terminal("e\u{301}"), "e\u{301}");
        assert!(terminal(&format!("e{}", "\u{301}".repeat(10_000))).width() > 1000);
    }
}
