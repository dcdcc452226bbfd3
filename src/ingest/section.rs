//! Sections of a text: skills, agents, instructions of servers, memory, hooks, and what changes by itself.

mod owners;

use super::hash;
use super::memo::Memo;
use super::scan::holds;
use crate::data::{Data, SectionEnd, SectionWording, Within};
use crate::model::{Measure, SectionFacts, Text};
use owners::by_owner;
use std::sync::Arc;

/// The tag round what clients add to messages of the user.
pub(super) const REMINDER: &str = "<system-reminder>";

/// Where such an addition ends.
const REMINDER_END: &str = "</system-reminder>";

/// More sections, or more entries in order, are in no prompt that somebody means: what goes on is not told apart.
const MOST: usize = 2_000;

/// A section as it stands in a text.
#[derive(Debug)]
struct Found<'t> {
    wording: &'t SectionWording,
    text: &'t str,
}

/// Could the text of a speaker hold a section? Cheap, so that few texts are decoded.
pub(super) fn may_hold(literal: &str, user: bool) -> bool {
    !user || holds(literal, REMINDER)
}

/// The sections of a text, by owner; `user`: it is a message of the user.
pub(super) fn sections(
    text: &str,
    user: bool,
    data: &Data,
    measure: &dyn Measure,
    scope: u32,
    memo: &mut Memo,
) -> Vec<Arc<SectionFacts>> {
    let mut facts = Vec::new();
    let mut entries = MOST;
    for found in find(text, user, data) {
        for (owner, text) in by_owner(&found, &mut entries) {
            facts.push(Arc::new(SectionFacts {
                kind: found.wording.kind,
                what: memo.name(&found.wording.what),
                owner: owner.map(|owner| memo.name(&owner)),
                by_itself: found.wording.by_itself,
                tokens: measure.text(scope, Text::Plain(&text)),
                content: hash::id(text.as_bytes()),
            }));
        }
    }
    facts
}

/// Walks the lines once, and in them from tag to tag.
fn find<'t>(text: &'t str, user: bool, data: &'t Data) -> Vec<Found<'t>> {
    let mut walk = Walk {
        text,
        user,
        data,
        reminder: false,
        open: None,
        found: Vec::new(),
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        walk.line(at, line);
        at += line.len();
    }
    walk.close(text.len());
    walk.found
}

/// A section that has begun.
struct Open<'t> {
    from: usize,
    wording: &'t SectionWording,
    /// An entry of it was seen.
    entered: bool,
}

struct Walk<'t> {
    text: &'t str,
    user: bool,
    data: &'t Data,
    /// Inside of a reminder.
    reminder: bool,
    open: Option<Open<'t>>,
    found: Vec<Found<'t>>,
}

impl<'t> Walk<'t> {
    /// A line, part by part: a reminder begins at the beginning of a line or behind the end of another, and ends anywhere.
    fn line(&mut self, start: usize, line: &'t str) {
        let end = start + line.len();
        let mut at = start;
        loop {
            let bare = self.text[at..end].trim_start();
            let first = end - bare.len();
            let tagged = bare.starts_with(REMINDER);
            if tagged {
                // A memory file may speak of reminders; it goes on to the end of its own.
                let own = |open: &Open<'_>| open.wording.ends == SectionEnd::Tag;
                if !self.open.as_ref().is_some_and(own) {
                    self.close(at);
                }
                self.reminder = true;
                at = first + REMINDER.len();
            }
            let rest = &self.text[at..end];
            let stop = match self.reminder {
                true => rest.find(REMINDER_END),
                // Outside of a reminder somebody may speak of the tag.
                false => bare.starts_with(REMINDER_END).then_some(first - at),
            };
            let part = &rest[..stop.unwrap_or(rest.len())];
            self.part(at, part, tagged || at == start);
            let Some(stop) = stop else { return };
            self.close(at + stop);
            self.reminder = false;
            at += stop + REMINDER_END.len();
        }
    }

    /// What stands in a line between two tags; `begins`: a section may begin with it.
    fn part(&mut self, at: usize, part: &'t str, begins: bool) {
        // Outside of a reminder a message of the user is the user's own.
        if part.is_empty() || self.user && !self.reminder {
            return;
        }
        let said = part.trim_end();
        let begun = begins.then(|| self.wording(said)).flatten();
        if let Some(open) = &mut self.open {
            let of = open.wording;
            let entry = of.entry.as_deref();
            let ended = match of.ends {
                SectionEnd::Line => true,
                SectionEnd::List => said.is_empty() && (open.entered || entry.is_none()),
                SectionEnd::Heading => said.starts_with("# "),
                SectionEnd::Tag => false,
            };
            open.entered |= entry.is_some_and(|entry| said.starts_with(entry));
            // A further file of one memory is the same section.
            let other = begun.is_some_and(|begun| begun.what != of.what);
            let mut closes = of.closes.iter();
            let closed = closes.any(|tag| said.trim_start().starts_with(tag.as_str()));
            let mut wordings = self.data.wordings.announcement.iter();
            let mut announces = || wordings.any(|of| said.starts_with(of.begins.as_str()));
            if ended || other || closed || announces() {
                self.close(at);
            }
        }
        if let (None, Some(wording)) = (&self.open, begun) {
            self.open = Some(Open {
                from: at,
                wording,
                entered: false,
            });
        }
    }

    /// Ends the open section here.
    fn close(&mut self, at: usize) {
        if let Some(Open { from, wording, .. }) = self.open.take()
            && self.found.len() < MOST
        {
            let text = &self.text[from..at];
            self.found.push(Found { wording, text });
        }
    }

    /// The wording that a line begins.
    fn wording(&self, line: &str) -> Option<&'t SectionWording> {
        self.data.sections.section.iter().find(|wording| {
            let here = match wording.within {
                None => true,
                Some(Within::Reminder) => self.reminder,
                Some(Within::UserReminder) => self.reminder && self.user,
            };
            here && after(wording, line)
                .is_some_and(|rest| !wording.path || rest.contains(['/', '\\']))
        })
    }
}

/// What follows the words of a wording in a line that begins with them.
fn after<'l>(wording: &SectionWording, line: &'l str) -> Option<&'l str> {
    let begun = |line: &'l str, words: &[String]| {
        let mut words = words.iter();
        words.find_map(|words| line.strip_prefix(words.as_str()))
    };
    begun(line, &wording.begins).or_else(|| {
        let word = line.find(char::is_whitespace).filter(|end| *end > 0)?;
        begun(&line[word..], &wording.after_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, user: bool) -> Vec<(String, String)> {
        let data = Data::embedded().unwrap();
        find(text, user, &data)
            .into_iter()
            .map(|found| (found.wording.what.clone(), found.text.to_owned()))
            .collect()
    }

    fn pair(what: &str, text: &str) -> (String, String) {
        (what.to_owned(), text.to_owned())
    }

    #[test]
    fn sections_of_a_system_message_follow_each_other() {
        let skills =
            "The following skills are available for use with the Skill tool:\n\n- a:b: x\n- c: y\n";
        let server = "# MCP Server Instructions\n\nThe following MCP servers have provided instructions\n\n## github\nBe brief.\n\n## x y\nz\n\n";
        let date = "Today's date is 2026-11-30.\n";
        let text = format!(
            "You help.\n\n{skills}\n{server}# Environment\n - folder: /x\n\n# Tone\nshort\n{date}\nBye"
        );
        assert_eq!(
            found(&text, false),
            [
                pair("skills", skills),
                pair("mcp-instructions", server),
                pair("environment", "# Environment\n - folder: /x\n\n"),
                pair("date", date),
            ]
        );
    }

    #[test]
    fn in_a_message_of_the_user_a_section_stands_in_a_reminder() {
        let text = "<system-reminder>\nAs you answer:\n# claudeMd\nContents of /x/CLAUDE.md (yours):\n\n# RULES\n- none\n\nContents of y:\nz\n# currentDate\nToday's date is 2026-11-30.\n\nIMPORTANT: x\n</system-reminder>\n# gitStatus\nquoted";
        assert_eq!(
            found(text, true),
            [
                pair(
                    "memory-files",
                    "# claudeMd\nContents of /x/CLAUDE.md (yours):\n\n# RULES\n- none\n\nContents of y:\nz\n"
                ),
                pair("date", "# currentDate\nToday's date is 2026-11-30.\n"),
            ]
        );
        assert_eq!(found("# gitStatus\nmain", true), []);
        let todo = "This is a reminder that your todo list is empty.";
        let line = format!("{REMINDER}{todo}{REMINDER_END}\nmine");
        assert_eq!(found(&line, true), [pair("todo-reminder", todo)]);
        let hook = "<system-reminder>\nSessionStart hook additional context: be kind\nand brief\n</system-reminder>";
        assert_eq!(
            found(hook, true),
            [pair(
                "hook",
                "SessionStart hook additional context: be kind\nand brief\n"
            )]
        );
    }

    #[test]
    fn a_reminder_ends_wherever_its_tag_stands() {
        for (text, expected) in [
            (
                "<system-reminder>\n# claudeMd\nbe kind</system-reminder>\n# claudeMd\nmine",
                vec![pair("memory-files", "# claudeMd\nbe kind")],
            ),
            (
                "<system-reminder>\n# gitStatus\nmain\n</system-reminder><system-reminder># claudeMd\nbe kind</system-reminder> and I:\n# gitStatus\nx",
                vec![
                    pair("git-status", "# gitStatus\nmain\n"),
                    pair("memory-files", "# claudeMd\nbe kind"),
                ],
            ),
            (
                "<system-reminder>x</system-reminder> # claudeMd\nmine\n<system-reminder>\n# userEmail\na@b\n</system-reminder>",
                vec![pair("user", "# userEmail\na@b\n")],
            ),
            ("I write <system-reminder># claudeMd\nmine", vec![]),
        ] {
            assert_eq!(found(text, true), expected, "{text}");
        }
    }

    #[test]
    fn only_its_own_tag_ends_a_section() {
        let memory =
            "# claudeMd\nContents of a/b:\n<example>\nx\n</example>\n<system-reminder>\nend\n";
        let text = format!("{REMINDER}\n{memory}{REMINDER_END}\nmine");
        assert_eq!(found(&text, true), [pair("memory-files", memory)]);
        let server = "# MCP Server Instructions\n## a\n<x>\ny\n</x>\nz\n";
        assert_eq!(
            found(&format!("{server}# Tone\nshort"), false),
            [pair("mcp-instructions", server)]
        );
        let env = "<env>\nfolder: /x\n";
        assert_eq!(
            found(&format!("{env}</env>\nYou help."), false),
            [pair("environment", env)]
        );
    }

    #[test]
    fn what_only_clients_add_counts_where_they_add_it() {
        let contents = "Contents of /x/CLAUDE.md (yours):\nbe kind\n";
        let hook = "SessionStart:startup hook additional context: be kind\n";
        for text in [contents, hook] {
            assert_eq!(found(text, false), [], "{text}");
        }
        let reminded = |text: &str| format!("{REMINDER}\n{text}{REMINDER_END}");
        assert_eq!(found(&reminded(contents), true).len(), 1);
        assert_eq!(found(&reminded(contents), false), []);
        assert_eq!(found(&reminded(hook), true), [pair("hook", hook)]);
        assert_eq!(found(&reminded(hook), false), [pair("hook", hook)]);
        for text in [
            "Contents of the box:\nx\n",
            "My own hook additional context: x\n",
            " hook additional context: x\n",
        ] {
            assert_eq!(found(&reminded(text), true), [], "{text}");
        }
        let memory = "# claudeMd\nWrite \"X hook additional context: y\".\nContents of it\n";
        assert_eq!(
            found(&reminded(memory), true),
            [pair("memory-files", memory)]
        );
    }

    #[test]
    fn long_texts_take_linear_time() {
        let begun = std::time::Instant::now();
        for part in [
            "<system-reminder># claudeMd</system-reminder>",
            "<system-reminder>\n",
            "</system-reminder>",
            "# claudeMd\n",
            "x hook additional context: /\n",
            "<system-reminder> </system-reminder> \t ",
            "<total_tokens>\n",
        ] {
            for user in [true, false] {
                let text = format!("{REMINDER}{}", part.repeat(100_000));
                assert!(found(&text, user).len() <= MOST);
            }
        }
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }
}
