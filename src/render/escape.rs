//! Text of strangers made safe, by kind of edge.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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

/// Leaves out the middle: names tell themselves apart at both ends.
pub(super) fn shorten(text: &str, width: usize) -> String {
    let room = width.saturating_sub(1);
    let head_room = room.div_ceil(2);
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut used = 0;
        let mut taken = Vec::new();
        for c in chars {
            used += c.width().unwrap_or(0);
            if used > room {
                break;
            }
            taken.push(c);
        }
        taken
    };
    let head: String = take(&mut text.chars(), head_room).into_iter().collect();
    let tail: String = take(&mut text.chars().rev(), room - head.width())
        .into_iter()
        .rev()
        .collect();
    format!("{head}…{tail}")
}

/// For a cell of a spreadsheet: as for a terminal, and nothing that begins like a formula.
pub(super) fn sheet(text: &str) -> Cow<'_, str> {
    let safe = terminal(text);
    // Programs that open CSV files skip blanks before they look for a formula.
    match safe
        .trim_start()
        .starts_with(['=', '+', '-', '@', '|', '%'])
    {
        true => Cow::Owned(format!("'{safe}")),
        false => safe,
    }
}

/// For Markdown: as for a terminal, and no character that could become markup, a mention or a link.
pub(super) fn markdown(text: &str) -> Cow<'_, str> {
    match terminal(text) {
        Cow::Borrowed(text) => markdown_safe(text),
        Cow::Owned(text) => Cow::Owned(markdown_safe(&text).into_owned()),
    }
}

/// The same for a text that is safe for a terminal already.
pub(super) fn markdown_safe(text: &str) -> Cow<'_, str> {
    let special = |c: char| {
        matches!(
            c,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '#'
                | '|'
                | '~'
                | '&'
                | '@'
                | '!'
                | '$'
                | '^'
                | '{'
                | '}'
        )
    };
    let links = ["://", "www."]
        .iter()
        .any(|sign| text.to_ascii_lowercase().contains(sign));
    if !links && !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            // A backslash does not stop a mention, a number of an issue, or a tag in every renderer.
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            // Without these nothing is taken for an address.
            ':' if links => out.push_str("&#58;"),
            '.' if links => out.push_str("&#46;"),
            c if special(c) => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// JSON as it is, but for characters that could fool a terminal: they are written as escapes. Outside strings JSON
/// is ASCII, so that an escape in its text says the same as the character.
pub(super) fn json(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut from = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| fools(*c)) {
        out.write_all(&text.as_bytes()[from..at])?;
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            write!(out, "\\u{unit:04x}")?;
        }
        from = at + c.len_utf8();
    }
    out.write_all(&text.as_bytes()[from..])
}

/// A text as a JSON string, written like [`json`] writes it. Most texts need no escape: they are copied.
pub(super) fn json_string(text: &str, out: &mut Vec<u8>) {
    let plain = |b: &u8| matches!(b, b' '..=b'~') && *b != b'"' && *b != b'\\';
    out.push(b'"');
    // All of them, whatever the first says: many are looked at together.
    if text.bytes().fold(true, |all, byte| all & plain(&byte)) {
        out.extend_from_slice(text.as_bytes());
    } else {
        for c in text.chars() {
            json_char(c, out);
        }
    }
    out.push(b'"');
}

fn json_char(c: char, out: &mut Vec<u8>) {
    let short = match c {
        '"' | '\\' => Some(c),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        _ => None,
    };
    let mut bytes = [0; 4];
    match short {
        Some(short) => {
            out.push(b'\\');
            out.extend_from_slice(short.encode_utf8(&mut bytes).as_bytes());
        }
        None if c < ' ' || fools(c) => {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
        }
        None => out.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes()),
    }
}

/// Control characters beyond ASCII, marks of direction, line separators, and what has no width.
fn fools(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
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
        assert_eq!(terminal("\u{100000}\u{600}"), "\\u{100000}\\u{600}");
        assert_eq!(terminal("e\u{301}"), "e\u{301}");
        assert!(terminal(&format!("e{}", "\u{301}".repeat(10_000))).width() > 1000);
    }

    #[test]
    fn a_name_is_cut_in_its_middle() {
        assert_eq!(shorten("mcp__github__create_issue", 13), "mcp__g…_issue");
        assert!(shorten("日本語日本語", 6).width() <= 6);
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, safe) in [
            ("=cmd()", "'=cmd()"),
            ("  @SUM(1)", "'  @SUM(1)"),
            ("-1", "'-1"),
            ("\t=1", "\\t=1"),
            ("mcp__a-b", "mcp__a-b"),
        ] {
            assert_eq!(sheet(text), safe);
        }
    }

    #[test]
    fn no_text_is_markup() {
        for (text, safe) in [
            ("<script>", "&lt;script&gt;"),
            ("a|b`c", "a\\|b\\`c"),
            ("@octocat closes #1", "&#64;octocat closes &#35;1"),
            ("mcp__a__b", "mcp\\_\\_a\\_\\_b"),
            ("http://x.y", "http&#58;//x&#46;y"),
            ("5 % of 1.0", "5 % of 1.0"),
        ] {
            assert_eq!(markdown(text), safe);
        }
    }
}
