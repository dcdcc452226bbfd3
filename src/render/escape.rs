//! Text of strangers made safe, by kind of edge.

use std::borrow::Cow;
use std::fmt::Write as _;

/// For a terminal: characters that move the cursor, colour, hide or reorder text are shown as escapes.
pub fn terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Controls, direction marks and overrides, zero-width and other invisible characters, tags, private use.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_fool_a_terminal_is_shown() {
        assert_eq!(terminal("mcp__a__b — ünïcode 😀"), "mcp__a__b — ünïcode 😀");
        assert_eq!(terminal("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(
            terminal("a\u{202e}b\u{200b}c\nd"),
            "a\\u{202e}b\\u{200b}c\\nd"
        );
        assert_eq!(terminal("\u{9b}2J"), "\\u{9b}2J");
    }
}
