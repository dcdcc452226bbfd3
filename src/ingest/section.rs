//! Sections of a text: skills, agents, instructions of servers, memory, hooks, and what changes by itself.

use super::hash;
use super::memo::Memo;
use crate::data::{Data, OwnerIn, SectionEnd, SectionWording};
use crate::model::{Measure, SectionFacts, Text};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tag round what clients add to messages of the user.
pub(super) const REMINDER: &str = "<system-reminder>";

/// More owners in one text than this are somebody's joke; the rest counts as nobody's.
const OWNERS: usize = 200;

/// A section as it stands in a text.
#[derive(Debug)]
struct Found<'t> {
    wording: &'t SectionWording,
    text: &'t str,
}

/// Could the text of a speaker hold a section? Cheap, so that few texts are decoded.
pub(super) fn may_hold(literal: &str, user: bool) -> bool {
    !user || literal.contains(REMINDER)
}

/// The sections of a text, one for each owner; `user`: it is a message of the user.
pub(super) fn sections(
    text: &str,
    user: bool,
    data: &Data,
    measure: &dyn Measure,
    scope: u32,
    memo: &mut Memo,
) -> Vec<Arc<SectionFacts>> {
    let mut facts = Vec::new();
    for found in find(text, user, data) {
        for (owner, text) in by_owner(&found) {
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

/// Walks the lines once.
fn find<'t>(text: &'t str, user: bool, data: &'t Data) -> Vec<Found<'t>> {
    let mut found: Vec<Found<'t>> = Vec::new();
    let mut open: Option<(usize, &SectionWording, bool)> = None;
    let mut inside = !user;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        // A reminder may begin in the line of its tag.
        let (tagged, said) = match bare.trim_start().strip_prefix(REMINDER) {
            Some(rest) => (true, rest),
            None => (false, bare),
        };
        inside |= tagged;
        let closes = said.trim_start().starts_with("</");
        let begun = inside.then(|| wording(said, data)).flatten();
        let announces = || {
            let mut wordings = data.wordings.announcement.iter();
            wordings.any(|wording| said.starts_with(wording.begins.as_str()))
        };
        if let Some((from, of, entered)) = &mut open {
            let entry = of.entry.as_deref();
            let ended = match of.ends {
                SectionEnd::Line => true,
                SectionEnd::List => said.is_empty() && (*entered || entry.is_none()),
                SectionEnd::Heading => said.starts_with("# "),
                SectionEnd::Tag => false,
            };
            *entered |= entry.is_some_and(|entry| said.starts_with(entry));
            // A further file of one memory is the same section.
            let other = begun.is_some_and(|begun| begun.what != of.what);
            if ended || other || tagged || closes || announces() {
                found.push(Found {
                    wording: of,
                    text: &text[*from..start],
                });
                open = None;
            }
        }
        if open.is_none()
            && let Some(begun) = begun
        {
            open = Some((start, begun, false));
        }
        // What follows the closing tag is the user's own again.
        if closes && user && said.contains("</system-reminder>") {
            inside = false;
        }
        let one_line = tagged && said.contains("</system-reminder>");
        if one_line && user {
            if let Some((from, of, _)) = open.take() {
                found.push(Found {
                    wording: of,
                    text: &text[from..at],
                });
            }
            inside = false;
        }
    }
    if let Some((from, of, _)) = open {
        found.push(Found {
            wording: of,
            text: &text[from..],
        });
    }
    found
}

/// The wording that a line begins.
fn wording<'d>(line: &str, data: &'d Data) -> Option<&'d SectionWording> {
    data.sections.section.iter().find(|wording| {
        let begins = wording.begins.iter();
        let holds = wording.holds.iter();
        begins.clone().any(|words| line.starts_with(words.as_str()))
            || holds.clone().any(|words| line.contains(words.as_str()))
    })
}

/// The text of each owner, entry by entry; what nobody owns first.
fn by_owner(found: &Found<'_>) -> Vec<(Option<String>, String)> {
    let Some((entry, owner_in)) = found.wording.entry.as_deref().zip(found.wording.owner) else {
        return vec![(None, found.text.to_owned())];
    };
    let mut owned: BTreeMap<Option<String>, String> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in found.text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix(entry) {
            current = owner(head.trim_end(), owner_in)
                .filter(|owner| owned.len() < OWNERS || owned.contains_key(&Some(owner.clone())));
        }
        owned.entry(current.clone()).or_default().push_str(line);
    }
    owned.into_iter().collect()
}

/// The owner that an entry names, in the letters of tool names.
fn owner(head: &str, owner_in: OwnerIn) -> Option<String> {
    let owner = match owner_in {
        OwnerIn::Heading => head,
        // `- plugin:name: what it is`
        OwnerIn::Colon => head.split(": ").next()?.split_once(':')?.0,
    };
    let plain = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    };
    let owner: String = owner.trim().chars().take(128).map(plain).collect();
    (!owner.is_empty()).then_some(owner)
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
        let line = "<system-reminder>This is a reminder that your todo list is empty.</system-reminder>\nmine";
        assert_eq!(found(line, true).len(), 1);
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
    fn entries_belong_to_whom_they_name() {
        let data = Data::embedded().unwrap();
        let text = "The following skills are available for use with the Skill tool:\n- my plug:a: x\n- own: y: z\n- my plug:b: x\n";
        let found = find(text, false, &data);
        let owners = by_owner(&found[0]);
        assert_eq!(owners.len(), 2);
        assert_eq!(
            owners[1],
            (
                Some("my_plug".to_owned()),
                "- my plug:a: x\n- my plug:b: x\n".to_owned()
            )
        );
        assert!(owners[0].1.ends_with("- own: y: z\n"));
        let whole: usize = owners.iter().map(|(_, text)| text.len()).sum();
        assert_eq!(whole, text.len());
    }
}
