//! Text for a terminal: tables and wrapped sentences that fit the width.

use super::{Renderer, Style, escape};
use crate::report::{Block, Cell, Note, Report, Table, Tone};
use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(super) struct Text;

const BOLD: Ansi = Ansi::new().bold();
/// Columns of a note's label; a longer one is cut in its middle.
const WIDEST_LABEL: usize = 30;

const DIM: Ansi = Ansi::new().dimmed();

impl Renderer for Text {
    fn id(&self) -> &'static str {
        "text"
    }

    fn render(&self, report: &Report, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        for (at, block) in report.blocks.iter().enumerate() {
            // A heading holds its table close; everything else is set apart.
            let close =
                at == 0 || matches!(report.blocks[at - 1], Block::Heading(_) | Block::Title(_));
            if !close {
                writeln!(out)?;
            }
            match block {
                Block::Title(text) => styled_lines(out, BOLD, text, style.width)?,
                Block::Heading(text) => styled_lines(out, BOLD, text, style.width)?,
                Block::Text(text) => {
                    for line in wrap(text, style.width) {
                        writeln!(out, "{line}")?;
                    }
                }
                Block::Notes(notes) => {
                    let widest = notes
                        .iter()
                        .map(|note| note.label.width())
                        .max()
                        .unwrap_or(0);
                    for note in notes {
                        self.note(note, widest.clamp(7, WIDEST_LABEL) + 1, style, out)?;
                    }
                }
                Block::Table(table) => self.table(table, style, out)?,
                Block::Folded(summary, table) => {
                    styled_lines(out, DIM, summary, style.width)?;
                    self.table(table, style, out)?;
                }
                Block::Lines(lines) => {
                    for line in lines {
                        writeln!(out, "  {}", escape::terminal(line))?;
                    }
                }
                Block::Commands(commands) => {
                    for (at, command) in commands.iter().enumerate() {
                        let lead = if at == 0 { "Next: " } else { "      " };
                        writeln!(out, "{lead}{}", escape::terminal(command))?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn styled_lines(out: &mut dyn Write, ansi: Ansi, text: &str, width: usize) -> io::Result<()> {
    for line in wrap(text, width) {
        writeln!(out, "{ansi}{line}{ansi:#}")?;
    }
    Ok(())
}

impl Text {
    fn note(
        &self,
        note: &Note,
        indent: usize,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let ansi = match note.tone {
            Tone::Plain => DIM,
            Tone::Warn => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default(),
        };
        let label = escape::terminal(&note.label);
        let label = match label.width() > WIDEST_LABEL {
            true => escape::shorten(&label, WIDEST_LABEL),
            false => label.into_owned(),
        };
        let label = format!(
            "{label}{}",
            " ".repeat(indent.saturating_sub(label.width()))
        );
        for (at, line) in wrap(&note.text, style.width.saturating_sub(indent))
            .iter()
            .enumerate()
        {
            if at == 0 {
                writeln!(out, "{ansi}{label}{ansi:#}{line}")?;
            } else {
                writeln!(out, "{:indent$}{line}", "")?;
            }
        }
        Ok(())
    }

    fn table(&self, table: &Table, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let mut cells: Vec<Vec<String>> = vec![
            table
                .columns
                .iter()
                .map(|column| column.head.to_owned())
                .collect(),
        ];
        cells.extend(table.rows.iter().map(|row| row.iter().map(cell).collect()));
        if !table.wrap {
            fit(&mut cells, table, style.width);
        }
        let mut drawn = comfy_table::Table::new();
        drawn.load_style(presets::NOTHING);
        if table.wrap {
            let width = u16::try_from(style.width).unwrap_or(u16::MAX);
            drawn
                .set_content_arrangement(ContentArrangement::Dynamic)
                .set_width(width);
        } else {
            drawn.set_content_arrangement(ContentArrangement::Disabled);
        }
        for row in &cells {
            drawn.add_row(row);
        }
        for (at, column) in table.columns.iter().enumerate() {
            if let Some(drawn) = drawn.column_mut(at) {
                drawn.set_padding((0, 2));
                drawn.set_cell_alignment(if column.right {
                    CellAlignment::Right
                } else {
                    CellAlignment::Left
                });
            }
        }
        for (at, line) in drawn.lines().enumerate() {
            let line = line.trim_end();
            if at == 0 {
                writeln!(out, "{DIM}{line}{DIM:#}")?;
            } else {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }
}

/// A cell as text.
pub(super) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Blank => String::new(),
        Cell::Text(text) => escape::terminal(text).into_owned(),
        Cell::Dash => "–".to_owned(),
        Cell::Number(number) => crate::report::thousands(*number),
        Cell::Tokens(amount) => amount.to_string(),
        Cell::Delta(amount) => crate::report::delta(*amount),
        Cell::Share(None) => "–".to_owned(),
        Cell::Share(Some(share)) => crate::report::percent(*share),
        Cell::EstimatedShare(share) => format!("~{}", crate::report::percent(*share)),
    }
}

/// Cuts the cells of columns that may be cut, the widest column first, until the table fits.
fn fit(cells: &mut [Vec<String>], table: &Table, width: usize) {
    const GAP: usize = 2;
    const LEAST: usize = 12;
    let columns = table.columns.len();
    let mut widths: Vec<usize> = (0..columns)
        .map(|at| cells.iter().map(|row| row[at].width()).max().unwrap_or(0))
        .collect();
    loop {
        let total: usize = widths.iter().sum::<usize>() + GAP * columns.saturating_sub(1);
        let over = total.saturating_sub(width);
        let widest = (0..columns)
            .filter(|&at| table.columns[at].cut && widths[at] > LEAST)
            .max_by_key(|&at| widths[at]);
        let (Some(at), true) = (widest, over > 0) else {
            break;
        };
        widths[at] = widths[at]
            .saturating_sub(over)
            .max(LEAST)
            .max(widths[at] / 2);
    }
    for row in cells {
        for (cell, &width) in row.iter_mut().zip(&widths) {
            if cell.width() > width {
                *cell = escape::shorten(cell, width);
            }
        }
    }
}

/// Breaks a text between words; a word longer than a line is broken in itself.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    let text = escape::terminal(text);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if line.width() + c.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_long_words_in_themselves() {
        assert_eq!(
            wrap("one two three four five", 20),
            ["one two three four", "five"]
        );
        let long = "x".repeat(45);
        assert_eq!(
            wrap(&long, 20).iter().map(String::len).collect::<Vec<_>>(),
            [20, 20, 5]
        );
    }
}
