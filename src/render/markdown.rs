//! Markdown that fits a comment of a pull request: pipe tables, and text that nobody's name can turn into markup.

use super::{Renderer, Style, escape};
use crate::report::{Block, Cell, Note, Report, Table, Tone};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

pub(super) struct Markdown;

/// GitHub takes comments of 65,536 characters; what is more is left out, and said.
const MOST_CHARS: usize = 64_000;

/// A longer cell is cut in its middle.
const MOST_CELL: usize = 120;

impl Renderer for Markdown {
    fn id(&self) -> &'static str {
        "markdown"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let mut used = 0;
        for (at, block) in report.blocks.iter().enumerate() {
            let (text, cut) = block_text(block, MOST_CHARS.saturating_sub(used));
            let fits = used + text.chars().count() <= MOST_CHARS;
            if fits {
                used += text.chars().count() + 1;
                let gap = if at == 0 { "" } else { "\n" };
                write!(out, "{gap}{text}")?;
            }
            if cut || !fits {
                let rest =
                    "\n*Cut here to fit a comment; `--format json` or `csv` has everything.*";
                return writeln!(out, "{rest}");
            }
        }
        Ok(())
    }
}

/// A block as text, and whether rows of it were left out for want of room.
fn block_text(block: &Block, room: usize) -> (String, bool) {
    match block {
        Block::Title(text) => (format!("## {}\n", escape::markdown(text)), false),
        Block::Heading(text) => (format!("### {}\n", escape::markdown(text)), false),
        Block::Text(text) => (format!("{}\n", escape::markdown(text)), false),
        Block::Notes(notes) => (notes.iter().map(note).collect(), false),
        Block::Table(drawn) => table(drawn, room),
        Block::Folded(summary, drawn) => {
            let (rows, cut) = table(drawn, room.saturating_sub(200));
            let summary = escape::markdown(summary);
            let text = format!("<details><summary>{summary}</summary>\n\n{rows}\n</details>\n");
            (text, cut)
        }
        Block::Lines(lines) => {
            let lines = lines.iter();
            let lines: Vec<String> = lines
                .map(|line| escape::terminal(line).replace('`', "'"))
                .collect();
            (format!("```diff\n{}\n```\n", lines.join("\n")), false)
        }
        Block::Commands(commands) => {
            let lines: Vec<String> = commands
                .iter()
                .map(|line| escape::terminal(line).replace('`', "'"))
                .collect();
            (format!("```sh\n{}\n```\n", lines.join("\n")), false)
        }
    }
}

fn note(note: &Note) -> String {
    let label = match (note.label.is_empty(), note.tone) {
        (true, _) => String::new(),
        (false, Tone::Plain) => format!("{} ", escape::markdown(&note.label)),
        (false, _) => format!("**{}** ", escape::markdown(&note.label)),
    };
    format!("- {label}{}\n", escape::markdown(&note.text))
}

fn table(table: &Table, room: usize) -> (String, bool) {
    let heads: Vec<String> = table
        .columns
        .iter()
        .map(|column| escape::markdown(column.head).into_owned())
        .collect();
    let rules: Vec<&str> = table
        .columns
        .iter()
        .map(|column| if column.right { "--:" } else { ":--" })
        .collect();
    let mut text = format!("| {} |\n| {} |\n", heads.join(" | "), rules.join(" | "));
    let mut length = text.chars().count();
    for row in &table.rows {
        let line = format!(
            "| {} |\n",
            row.iter().map(cell).collect::<Vec<_>>().join(" | ")
        );
        length += line.chars().count();
        if length > room {
            return (text, true);
        }
        text.push_str(&line);
    }
    (text, false)
}

fn cell(cell: &Cell) -> String {
    let text = super::text::cell(cell);
    let text = match text.width() > MOST_CELL {
        true => escape::shorten(&text, MOST_CELL),
        false => text,
    };
    escape::markdown_safe(&text).into_owned()
}
