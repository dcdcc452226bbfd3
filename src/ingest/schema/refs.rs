//! Where a `$ref` leads: pointers, anchors, and the names that schemas give themselves.

use super::super::scan::{Pairs, Raw};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A reference as it is written.
pub(super) struct Asked {
    /// The schema that holds it.
    pub(super) pointer: String,
    /// The schema with the nearest `$id`.
    pub(super) base: Arc<str>,
    /// What is written.
    pub(super) target: String,
    /// What it leads to is combined with other schemas of the same value.
    pub(super) mixes: bool,
}

/// Where a reference leads.
pub(super) enum Target {
    /// To a place in this schema, which need not be there.
    Place(String),
    /// Out of this schema: whether it is there is not known.
    Elsewhere,
    /// To nothing.
    Nowhere,
}

/// What references may name, with the pointers of the schemas.
#[derive(Default)]
pub(super) struct Names {
    ids: BTreeMap<String, String>,
    /// By the last step of an id's path.
    files: BTreeMap<String, String>,
    anchors: BTreeMap<String, String>,
    /// The root says where it is to be found, so that what is relative to it may be found there too.
    remote: bool,
}

impl Names {
    /// Adds the names of one schema; `true` = references inside are relative to it.
    pub(super) fn add(&mut self, pairs: &Pairs<'_>, pointer: &str) -> bool {
        let mut anchor = |name: &str| {
            self.anchors
                .entry(name.to_owned())
                .or_insert_with(|| pointer.to_owned());
        };
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = pairs.get(key).and_then(Raw::string) {
                anchor(&name);
            }
        }
        // Draft 4 wrote `id`, and drafts 6 and 7 an anchor as the fragment of an id.
        let id = |key| pairs.get(key).and_then(Raw::string);
        let (Some(id), is_base) = (id("$id").or_else(|| id("id")), id("$id").is_some()) else {
            return false;
        };
        let (uri, name) = id.split_once('#').unwrap_or((&id, ""));
        if !name.is_empty() {
            anchor(name);
        }
        if uri.is_empty() {
            return false;
        }
        self.remote |= pointer.is_empty() && is_base && is_absolute(uri);
        let place = || pointer.to_owned();
        self.ids.entry(uri.to_owned()).or_insert_with(place);
        self.files.entry(file(uri).to_owned()).or_insert_with(place);
        is_base
    }

    /// Where a reference leads.
    pub(super) fn target(&self, asked: &Asked) -> Target {
        let (uri, fragment) = asked.target.split_once('#').unwrap_or((&asked.target, ""));
        let base = match self.ids.get(uri) {
            _ if uri.is_empty() => &*asked.base,
            Some(own) => own,
            None if is_absolute(uri) => return Target::Elsewhere,
            None => match self.files.get(file(uri)) {
                Some(own) => own,
                None if self.remote => return Target::Elsewhere,
                None => return Target::Nowhere,
            },
        };
        let fragment = decoded(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            return Target::Place(format!("{base}{fragment}"));
        }
        match self.anchors.get(&fragment) {
            Some(place) => Target::Place(place.clone()),
            None => Target::Nowhere,
        }
    }
}

/// Does it begin with a scheme, or a host?
fn is_absolute(uri: &str) -> bool {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-');
    uri.starts_with("//") || (!scheme.is_empty() && scheme.bytes().all(plain))
}

fn file(uri: &str) -> &str {
    uri.rsplit('/').next().unwrap_or(uri)
}

/// A fragment without its percent signs; what is no UTF-8 then stays as it is.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |b: &u8| char::from(*b).to_digit(16);
        let pair = match (first, tail) {
            (b'%', [high, low, ..]) => hex(high).zip(hex(low)),
            _ => None,
        };
        let byte = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = &tail[if byte.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}
