//! GitHub's workflow commands: annotations at the lines they are about, the worst first.

use super::{Renderer, Style, escape};
use crate::model::Level;
use crate::report::{Payload, Report};
use std::collections::BTreeMap;
use std::io::{self, Write};

pub(super) struct GitHub;

/// GitHub shows ten annotations of a level for each step.
const MOST: usize = 10;

impl Renderer for GitHub {
    fn id(&self) -> &'static str {
        "github"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let Payload::Check(document) = &report.payload else {
            return Err(io::Error::other("only checks are written for GitHub"));
        };
        let mut written: BTreeMap<Level, usize> = BTreeMap::new();
        for one in &document.annotations {
            let number = written.entry(one.level).or_default();
            *number += 1;
            if *number > MOST {
                continue;
            }
            let command = match one.level {
                Level::Error => "error",
                Level::Warn => "warning",
                Level::Info => "notice",
            };
            let mut place = Vec::new();
            if let Some(path) = &one.path {
                place.push(format!("file={}", property(path)));
            }
            if let Some(line) = one.line {
                place.push(format!("line={line}"));
            }
            place.push(format!(
                "title={}",
                property(&format!("toolcost {}", one.code))
            ));
            let message = data(&escape::terminal(&one.message));
            writeln!(out, "::{command} {}::{message}", place.join(","))?;
        }
        for (level, number) in written {
            if number > MOST {
                let more = number - MOST;
                writeln!(out, "{more} more of level {}", level.word())?;
            }
        }
        // The verdict, for the log.
        for block in report.blocks.iter().take(1) {
            if let crate::report::Block::Title(title) = block {
                writeln!(out, "{}", data(&escape::terminal(title)))?;
            }
        }
        Ok(())
    }
}

/// A message: what would end the line is written as a code.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property: what would end it too.
fn property(text: &str) -> String {
    data(&escape::terminal(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}
