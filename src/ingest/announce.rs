//! Announcements of deferred tools by name, in the text of a message.

use super::scan::holds;
use crate::data::{AnnouncementWording, NamesAfter, Tells, Wordings};
use crate::model::Channel;

/// An announcement as it stands in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Announced<'a> {
    pub(super) names: Vec<&'a str>,
    /// What the names are.
    pub(super) tells: Tells,
    pub(super) channel: Channel,
    /// Its whole text, the lead included.
    pub(super) text: &'a str,
}

/// Could the raw literal hold an announcement? Cheap, so that few texts are decoded.
pub(super) fn may_announce(literal: &str, wordings: &Wordings) -> bool {
    wordings
        .announcement
        .iter()
        .any(|wording| holds(literal, &wording.begins))
}

/// The announcements of a text, in order.
///
/// In a user message one counts only inside its tags, at the beginning of the block or right after the tag:
/// elsewhere somebody quotes. In the same tags others may follow it. In a system message one may follow other
/// sections at the start of a line.
pub(super) fn announcements<'a>(
    text: &'a str,
    system: bool,
    wordings: &Wordings,
) -> Vec<Announced<'a>> {
    let beginnings = wordings.announcement.iter().flat_map(|wording| {
        let places = text.match_indices(wording.begins.as_str());
        places.map(move |(at, _)| (line_start(text, at, wording), wording))
    });
    let mut beginnings: Vec<(usize, &AnnouncementWording)> = beginnings.collect();
    beginnings.sort_by_key(|(at, _)| *at);
    // The last tag that closes: what begins after it is closed by nothing.
    let last_close = text.rfind("</").unwrap_or_default();
    let mut found: Vec<Announced<'a>> = Vec::new();
    // Where the tag ends in which the last one stood.
    let mut inside = 0;
    for (at, wording) in beginnings {
        let before = &text[..at];
        let begins_line = before.is_empty() || before.ends_with('\n');
        let in_tags = match wording.names_after {
            NamesAfter::Tag => before.trim().is_empty(),
            _ => before.ends_with("<system-reminder>\n") || (begins_line && at < inside),
        };
        if !(in_tags || (system && begins_line)) {
            continue;
        }
        let channel = match (system, wording.names_after) {
            (true, _) => Channel::SystemMessage,
            (false, NamesAfter::Tag) => Channel::Prepended,
            (false, _) => Channel::Reminder,
        };
        let Some((names, end)) = names_after(&text[at..], wording) else {
            continue;
        };
        let end = at + end;
        // Names that no tag closes are lines of somebody's text.
        let closed = system || text[end..].trim_start().starts_with("</");
        let blank = text[end..].starts_with(['\n', '\r']) || wording.tells != Tells::Added;
        let goes_on = wording.names_after != NamesAfter::Tag && blank && end < last_close;
        if !(closed || goes_on) {
            continue;
        }
        if inside <= at {
            inside = text[end..].find("</").map_or(end, |close| end + close);
        }
        found.push(Announced {
            names,
            tells: wording.tells,
            channel,
            text: &text[at..end],
        });
    }
    found
}

/// Where the announcement starts: its wording may have a number before it.
fn line_start(text: &str, at: usize, wording: &AnnouncementWording) -> usize {
    if wording.names_after != NamesAfter::Inline {
        return at;
    }
    let number = text[..at].trim_end_matches(' ');
    number.trim_end_matches(|c: char| c.is_ascii_digit()).len()
}

/// The names that follow the opening words, and where the announcement ends.
fn names_after<'a>(text: &'a str, wording: &AnnouncementWording) -> Option<(Vec<&'a str>, usize)> {
    if wording.names_after == NamesAfter::Inline {
        let line = text.split_inclusive('\n').next().unwrap_or_default();
        let listed = line.split_once("): ")?.1;
        let listed = listed.split(". ").next().unwrap_or_default();
        let names = listed
            .split(", ")
            .map(|name| name.trim_end_matches(['.', '\n']));
        return Some((names.filter(|name| is_name(name)).collect(), line.len()));
    }
    let mut names = Vec::new();
    let mut in_names = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        // The next announcement has its own turn: else a text of nothing but beginnings costs its square.
        if at > 0 && line.starts_with(wording.begins.as_str()) {
            break;
        }
        if in_names {
            if !is_name(bare) {
                break;
            }
            names.push(bare);
        } else if wording.names_after == NamesAfter::Tag || bare.ends_with(':') {
            in_names = true;
        } else if bare.is_empty() {
            return None;
        }
        at += line.len();
    }
    in_names.then_some((names, at))
}

/// What a tool may be called on the wire, with the length MCP allows.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':');
    (1..=128).contains(&text.len()) && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    fn names(text: &str, system: bool) -> Vec<(Channel, Vec<String>)> {
        let wordings = Data::embedded().unwrap().wordings;
        announcements(text, system, &wordings)
            .into_iter()
            .map(|a| (a.channel, a.names.iter().map(|&n| n.to_owned()).collect()))
            .collect()
    }

    #[test]
    fn each_channel_is_read() {
        let ab = vec!["A".to_owned(), "mcp__b__c".to_owned()];
        let tag = "<available-deferred-tools>\nA\nmcp__b__c\n</available-deferred-tools>";
        assert_eq!(names(tag, false), [(Channel::Prepended, ab.clone())]);
        let short = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nA\nmcp__b__c\n</system-reminder>";
        assert_eq!(names(short, false), [(Channel::Reminder, ab.clone())]);
        let long = "The following deferred tools are now available via ToolSearch.\nTheir schemas are not loaded.\nUse select:\nA\nmcp__b__c\n\nother text";
        let tagged = format!(
            "<system-reminder>\n{}\n</system-reminder>",
            long.trim_end_matches("\n\nother text")
        );
        assert_eq!(names(&tagged, false), [(Channel::Reminder, ab.clone())]);
        assert_eq!(
            names(&format!("# Section\nx\n\n{long}"), true),
            [(Channel::SystemMessage, ab)]
        );
    }

    #[test]
    fn names_that_no_tag_closes_are_somebodys_text() {
        assert_eq!(
            names("<available-deferred-tools>\nsecret\nhello", false),
            []
        );
        let open = "<system-reminder>\nThe following deferred tools are now available via ToolSearch:\nsecret";
        assert_eq!(names(open, false), []);
    }

    #[test]
    fn a_quotation_is_no_announcement() {
        let quote = "look: The following deferred tools are now available via ToolSearch:\nA\n";
        assert_eq!(names(quote, false), []);
        assert_eq!(
            names(
                "I read:\n<available-deferred-tools>\nA\n</available-deferred-tools>",
                false
            ),
            []
        );
    }
}
