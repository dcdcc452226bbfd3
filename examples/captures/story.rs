//! The conversation all three runs share: a defect in a small parser of durations.
//! Texts only; the runs put them into messages.

mod results;

pub(crate) use results::{ISSUE_MADE, SLACK_SENT, TEST_RUN};

pub(crate) const FILE: &str = "/home/synthetic/tally/src/duration.rs";

pub(crate) const QUESTION: &str = "\
Somebody reports that `tally --every 1h30` waits for one hour and not for ninety minutes. Please \
find the bug in the parser in src/duration.rs, do not repair it yet, file an issue for it in \
synthetic-org/tally, and drop a line in #tally-dev with a link to the issue.";

pub(crate) const FOLLOW_UP: &str = "\
Thanks. Refuse a number without a unit then, rather than guessing minutes, and say in the error \
which number it was. Write the test first, please.";

pub(crate) const READING: &str = "I will read the parser first.";

pub(crate) const TESTING: &str = "\
The loop only adds a number to the total when it meets a unit. Whatever is left in `number` after \
the last character is dropped at line 38. I will confirm that with a test that is not kept.";

pub(crate) const TEST_COMMAND: &str = "\
cd /home/synthetic/tally && cargo test --lib duration -- --nocapture 2>&1 | tail -n 40";

pub(crate) const FILING: &str = "\
`1h30` gives 3600 seconds and no error. Filing the issue with the cause and the inputs tried.";

pub(crate) const ISSUE_TITLE: &str = "A number without a unit at the end of a duration is dropped";

pub(crate) const ISSUE_BODY: &str = "\
### What happens\n\n`tally --every 1h30` waits for 3600 seconds. The trailing `30` is read and then \
forgotten, without an error.\n\n### Cause\n\nIn `src/duration.rs` the loop collects digits in \
`number` and adds to `total` only when a unit follows. After the loop `number` is not looked at, so \
digits at the end have no effect.\n\n### Inputs tried\n\n| input | expected | actual |\n|---|---|---|\
\n| `90m` | 5400 | 5400 |\n| `1h30m` | 5400 | 5400 |\n| `1h30` | an error, or 5400 | 3600 |\n| `30` | \
an error | 0 |\n\n### Note\n\n`30` alone gives zero, which makes the caller spin without a pause.";

pub(crate) const POSTING: &str = "Issue 87 is open. Posting the link to the channel now.";

pub(crate) const SLACK_TEXT: &str = "\
Found the cause of the `--every 1h30` report: digits without a unit at the end of a duration are \
dropped. Not repaired yet; details in https://github.example/synthetic-org/tally/issues/87";

pub(crate) const DONE: &str = "\
Done. The cause is in `src/duration.rs:38`: digits at the end which no unit follows are dropped, so \
`1h30` is one hour and `30` is zero. It is filed as issue 87 and announced in #tally-dev. Nothing \
was changed in the code. Should a number without a unit be refused or be taken as minutes?";

pub(crate) const LOOKING: &str = "\
I know this parser from the last session: digits at the end which no unit follows are dropped. \
For the issue I need a tool which is not loaded yet.";

pub(crate) const LOOKING_AGAIN: &str = "Issue 87 is open. For the channel I need one more tool.";

pub(crate) const SUMMARISE: &str = "\
Your task is to create a detailed summary of the conversation so far, so that the work can go on \
from the summary alone. Answer with text and do not call any tool. Cover, in this order: what the \
user asked for, in their own words where the wording matters; files that were read and what was \
found in them, with lines; commands that were run and how they ended; what was sent to other \
services, with identifiers and addresses; decisions and their reasons; what is still open; and the \
next step, if one was agreed upon. Leave out greetings and attempts that led nowhere.";

pub(crate) const SUMMARY: &str = "\
This session is being continued from a previous conversation that ran out of context. What went \
before, in short:\n\n1. Request: the user had a report that `tally --every 1h30` waits for one hour. \
They asked to find the bug in src/duration.rs without repairing it, to file an issue in \
synthetic-org/tally, and to tell #tally-dev about it with a link.\n\n2. Finding: the loop adds a \
number to the total only when a unit follows it. Digits at the end of the text are dropped after \
the loop, without an error. So `1h30` gives 3600 seconds and `30` gives zero, which makes the caller \
spin.\n\n3. Sent: issue 87, \"A number without a unit at the end of a duration is dropped\", at \
https://github.example/synthetic-org/tally/issues/87, with a table of the inputs. A message with the \
link was posted in #tally-dev, time stamp 1760000000.000300.\n\n4. Loaded on the way: the tools for \
creating an issue on GitHub and for posting a message on Slack.\n\n5. Open: whether a number \
without a unit should be refused or taken as minutes. No code has been changed so far.";

pub(crate) const CODE: &str = r#"//! Durations as people type them: `90s`, `15m`, `1h30m`.

use std::time::Duration;

/// Why a text is not a duration.
#[derive(Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Nothing was given at all.
    Empty,
    /// A letter that is no unit.
    Unit(char),
    /// A unit without a number in front of it.
    Bare(char),
    /// More seconds than fit.
    TooLong,
}

/// Reads a duration.
///
/// Units may be repeated and come in any order, since `1m1m` does no harm.
pub fn parse(text: &str) -> Result<Duration, Malformed> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Malformed::Empty);
    }
    let mut total: u64 = 0;
    let mut number: Option<u64> = None;
    for letter in text.chars().filter(|letter| *letter != '_') {
        if let Some(digit) = letter.to_digit(10) {
            let so_far = number.unwrap_or(0);
            number = Some(so_far * 10 + u64::from(digit));
            continue;
        }
        let count = number.take().ok_or(Malformed::Bare(letter))?;
        let seconds = seconds_of(letter)?;
        total = count.checked_mul(seconds).and_then(|more| total.checked_add(more)).ok_or(Malformed::TooLong)?;
    }
    Ok(Duration::from_secs(total))
}

/// Seconds in one of a unit.
fn seconds_of(unit: char) -> Result<u64, Malformed> {
    match unit {
        's' => Ok(1),
        'm' => Ok(60),
        'h' => Ok(60 * 60),
        'd' => Ok(24 * 60 * 60),
        other => Err(Malformed::Unit(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unit() {
        assert_eq!(parse("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("15m"), Ok(Duration::from_secs(900)));
    }

    #[test]
    fn several_units() {
        assert_eq!(parse("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse(" 1d_2h "), Ok(Duration::from_secs(93_600)));
    }

    #[test]
    fn refusals() {
        assert_eq!(parse(""), Err(Malformed::Empty));
        assert_eq!(parse("m"), Err(Malformed::Bare('m')));
        assert_eq!(parse("3w"), Err(Malformed::Unit('w')));
    }
}
"#;

/// The file as Read shows it, each line led by its number and a tab.
pub(crate) fn numbered() -> String {
    let lines = CODE.lines().enumerate();
    let numbered: Vec<String> = lines
        .map(|(index, line)| format!("{:>5}\t{line}", index + 1))
        .collect();
    numbered.join("\n")
}
