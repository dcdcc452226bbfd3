//! Whose the entries of a section are.

use super::Found;
use crate::data::OwnerIn;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// More owners in one text than this are somebody's joke; the rest counts as nobody's.
const OWNERS: usize = 200;

/// The text of each owner, and what nobody owns; `left`: so many entries in order may still be told apart.
pub(super) fn by_owner<'t>(
    found: &Found<'t>,
    left: &mut usize,
) -> Vec<(Option<String>, Cow<'t, str>)> {
    match found.wording.entry.as_deref().zip(found.wording.owner) {
        None => vec![(None, Cow::Borrowed(found.text))],
        Some((entry, OwnerIn::Colon)) => gathered(found.text, entry),
        Some((entry, OwnerIn::Heading)) => in_order(found.text, entry, left),
    }
}

/// The entries of each owner together; what nobody owns first.
fn gathered<'t>(text: &str, entry: &str) -> Vec<(Option<String>, Cow<'t, str>)> {
    let mut owned: BTreeMap<Option<String>, String> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix(entry) {
            current = owner(head.trim_end(), OwnerIn::Colon)
                .filter(|owner| owned.len() < OWNERS || owned.contains_key(&Some(owner.clone())));
        }
        owned.entry(current.clone()).or_default().push_str(line);
    }
    let owned = owned.into_iter();
    owned.map(|(owner, text)| (owner, text.into())).collect()
}

/// Each entry by itself: a heading that names nobody belongs to whom the one above named, and only the tools of a
/// request tell which name somebody.
fn in_order<'t>(
    text: &'t str,
    entry: &str,
    left: &mut usize,
) -> Vec<(Option<String>, Cow<'t, str>)> {
    let mut entries = Vec::new();
    let (mut from, mut at, mut current) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        let head = line.strip_prefix(entry).filter(|_| *left > 0);
        let named = head.and_then(|head| owner(head.trim_end(), OwnerIn::Heading));
        if let Some(named) = named {
            entries.push((current.replace(named), Cow::Borrowed(&text[from..at])));
            from = at;
            *left -= 1;
        }
        at += line.len();
    }
    entries.push((current, Cow::Borrowed(&text[from..])));
    entries.retain(|(_, text)| !text.is_empty());
    entries
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
    use super::super::{MOST, find};
    use super::*;
    use crate::data::Data;

    #[test]
    fn instructions_stay_in_order_and_within_bounds() {
        let data = Data::embedded().unwrap();
        let lead = "# MCP Server Instructions\n";
        let text = format!("{lead}## a\n1\n## How to\n2\n## b\n3\n## \n4\n");
        let all = find(&text, false, &data);
        let entries = by_owner(&all[0], &mut MOST.clone());
        let names: Vec<Option<&str>> = entries.iter().map(|(owner, _)| owner.as_deref()).collect();
        assert_eq!(names, [None, Some("a"), Some("How_to"), Some("b")]);
        assert_eq!(entries[3].1, "## b\n3\n## \n4\n");
        let joined: String = entries.iter().map(|(_, text)| &**text).collect();
        assert_eq!(joined, text);

        let many: String = (0..100_000).map(|n| format!("## s{n}\n")).collect();
        let text = format!("{lead}{many}");
        let all = find(&text, false, &data);
        let entries = by_owner(&all[0], &mut MOST.clone());
        assert_eq!(entries.len(), 1 + MOST);
        let whole: usize = entries.iter().map(|(_, text)| text.len()).sum();
        assert_eq!(whole, text.len());
    }

    #[test]
    fn entries_belong_to_whom_they_name() {
        let data = Data::embedded().unwrap();
        let text = "The following skills are available for use with the Skill tool:\n- my plug:a: x\n- own: y: z\n- my plug:b: x\n";
        let found = find(text, false, &data);
        let owners = by_owner(&found[0], &mut MOST.clone());
        assert_eq!(owners.len(), 2);
        assert_eq!(
            owners[1],
            (
                Some("my_plug".to_owned()),
                "- my plug:a: x\n- my plug:b: x\n".into()
            )
        );
        assert!(owners[0].1.ends_with("- own: y: z\n"));
        let whole: usize = owners.iter().map(|(_, text)| text.len()).sum();
        assert_eq!(whole, text.len());
    }
}
